"""The legal actions of a state for a person: what is typed is understood, and lists are grouped by who acts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from turnwise.cli.ui.output import console, plain

if TYPE_CHECKING:
    from turnwise.core.state import State

_MOST_SHOWN = 30


class LegalList:
    """The legal actions of one state.

    Attributes:
        codes: The listed actions, and the action that ends the turn early if the rules accept it unlisted.
        texts: Their texts.
    """

    def __init__(self, state: State) -> None:
        """List the legal actions."""
        self._state = state
        self.codes = [int(code) for code in state.legal_codes()]
        end = state.game.end_action
        if end is not None and end not in self.codes and state.is_legal(end):
            self.codes.append(end)
        self.texts = [state.text(code) for code in self.codes]

    @property
    def only_ends(self) -> bool:
        """Whether nothing but the end of the turn is legal."""
        return self.codes == [self._state.game.end_action]

    def understood(self, typed: str) -> int | None:
        """The action that was typed, as its text in any case of letters or as its number among all legal actions."""
        try:
            code = self._state.code(typed)
            if self._state.is_legal(code):
                return code
        except Exception:
            pass
        for code, text in zip(self.codes, self.texts, strict=True):
            if text.casefold() == typed.casefold():
                return code
        place = int(typed) if typed.isdecimal() else 0
        return self.codes[place - 1] if 1 <= place <= len(self.codes) else None

    def show(self, beginning: str = "") -> None:
        """Show the actions with their numbers: all, or those that begin with a text (or else contain it)."""
        if beginning.isdecimal():
            plain(
                f"There is no action {beginning}; the legal actions have the numbers 1 to {len(self.codes)} ('list')."
            )
            return
        wanted = beginning.casefold()
        places = range(len(self.codes))
        found = [place for place in places if self.texts[place].casefold().startswith(wanted)]
        found = found or [place for place in places if wanted in self.texts[place].casefold()]
        if not found:
            plain(
                f"No legal action begins with {beginning!r}; 'list' shows all {len(self.codes)}, 'help' the commands."
            )
            return
        shown = found if not beginning else found[:_MOST_SHOWN]
        self._show_groups(shown)
        if len(found) > len(shown):
            plain(f"... and {len(found) - len(shown)} more; type more of the action.")

    def naming(self, subject: str) -> list[str]:
        """The actions that name something (a square, a unit, a card), with their numbers."""
        return [_entry(place, text) for place, text in enumerate(self.texts) if names(text, subject)]

    def _show_groups(self, places: list[int]) -> None:
        """Print actions under the headings that the game gives them; one group has no heading."""
        groups: dict[str, list[str]] = {}
        for place in places:
            heading = self._state.game.action_heading(self._state.row, self.codes[place])
            groups.setdefault(heading, []).append(_entry(place, self.texts[place]))
        for heading, entries in groups.items():
            if heading and len(groups) > 1:
                plain(f"{heading}:")
            show_columns(entries)


def names(text: str, subject: str) -> bool:
    """Whether a text has a subject as a whole word or place, in any case of letters.

    ``2,3`` is not in ``12,3``, and ``2`` is not in ``2,3``.
    """
    whole = rf"(?<![^\W_])(?<!\d,){re.escape(subject.casefold())}(?![^\W_])(?!,\d)"
    return re.search(whole, text.casefold()) is not None


def _entry(place: int, text: str) -> str:
    return f"{place + 1:>3}) {text}"


def show_columns(entries: list[str]) -> None:
    """Print entries in as many columns as fit the terminal."""
    width = max(len(entry) for entry in entries) + 2
    columns = max(1, console().width // width)
    rows = -(-len(entries) // columns)
    for row in range(rows):
        plain("".join(f"{entry:<{width}}" for entry in entries[row::rows]).rstrip())
