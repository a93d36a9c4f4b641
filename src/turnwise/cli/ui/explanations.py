"""What a person can ask about a game: its rules, the codes on its board, and what a square, a unit or a card is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape
from typing import TYPE_CHECKING

from turnwise.cli.ui.legal_list import names, show_columns
from turnwise.cli.ui.output import plain, prose
from turnwise.core import returned
from turnwise.core.errors import GameFunctionError

if TYPE_CHECKING:
    from turnwise.cli.ui.legal_list import LegalList
    from turnwise.core.game import Game
    from turnwise.core.state import State

_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
_WORD = re.compile(r"[^\s>;]+")
_NAMING = re.compile(r"[^\W\d]|\d,\d")  # in a name or a place, but not in a number, which may mean a number in the list
_MOST_ACTIONS = 60


def show_rules(state: State) -> None:
    """The game's own short rules, or what is known about any game."""
    game = state.game
    text = _asked(game, "rules_text")
    if not text:
        kinds = dict.fromkeys(game.action_heading(state.row, int(code)) for code in state.legal_codes())
        listed = ", ".join(kind for kind in kinds if kind)
        kinds_here = f"; here their groups are {listed}" if listed else ""
        text = f"{game.name} comes without short rules. 'list' shows the legal actions{kinds_here}."
        text += _hint(game, "rules_text()")
    prose(text)


def show_legend(state: State) -> None:
    """What the codes on the board mean, in the game's own words."""
    game = state.game
    missing = f"{game.name} comes without a legend.{_hint(game, 'legend_text(row)')}"
    prose(_asked(game, "legend_text", state.row) or missing)


def show_info(state: State, legal: LegalList, subject: str) -> None:
    """All that is known about a subject: the game's words, the picture's tooltips, and the actions that name it."""
    if not subject:
        prose(_what_to_ask(legal))
        return
    found = [text for text in (_asked(state.game, "info_text", state.row, subject),) if text]
    drawn = _asked(state.game, "svg", state.row)
    titles = (unescape(title) for title in _TITLE.findall(drawn))
    found += dict.fromkeys(title for title in titles if _is_about(title, subject))
    found += [] if "<svg" in drawn else [drawn]
    actions = legal.naming(subject)
    if not found and not actions:
        prose(
            f"Nothing is known about {subject!r}. {_what_to_ask(legal)}{_hint(state.game, 'info_text(row, subject)')}"
        )
        return
    for text in found:
        prose(text)
    if actions:
        plain("Legal actions that name it:")
        show_columns(actions[:_MOST_ACTIONS])
    if len(actions) > _MOST_ACTIONS:
        plain(f"... and {len(actions) - _MOST_ACTIONS} more.")


def _asked(game: Game, method: str, *arguments: object) -> str:
    """A text of the game; if a game of the user's own fails to write it, the failure in words, and the game goes on."""
    try:
        return returned.text(game, method, *arguments)
    except GameFunctionError as error:
        return str(error)
    except Exception as error:
        return f"{game.name}: {method} failed: {type(error).__name__}: {error}"


def _hint(game: Game, call: str) -> str:
    """How the author of a game gives the missing text; empty: it has the method, or is one of ours."""
    from turnwise.core.game import Game

    method = call.partition("(")[0]
    is_ours = type(game).__module__.startswith("turnwise.")
    if is_ours or getattr(type(game), method) is not getattr(Game, method):
        return ""
    return f" (If the game is yours, give it the method {call}, which returns the text.)"


def _what_to_ask(legal: LegalList) -> str:
    """What ``info`` takes, with an example from the legal actions."""
    ask = "Ask for what actions and board name, as they write it"
    subject = example_subject(legal.texts)
    return f"{ask}, for example 'info {subject}'." if subject else f"{ask}."


def example_subject(texts: Sequence[str]) -> str:
    """A word of the first legal action for which a person may ask; empty if it has only numbers.

    Args:
        texts: The legal actions.
    """
    words = next((_WORD.findall(text) for text in texts), [])
    return next((word for word in (*words[1:], *words[:1]) if _NAMING.search(word)), "")


def example_beginning(texts: Sequence[str]) -> str:
    """The first legal action of several words without its last one; empty if all have one word, or only numbers.

    Args:
        texts: The legal actions.
    """
    for text in texts:
        words = _WORD.findall(text)
        if len(words) > 1 and _NAMING.search(words[0]):
            return text[: text.rindex(words[-1])].rstrip(" >;")
    return ""


def _is_about(title: str, subject: str) -> bool:
    """Whether a tooltip is about a subject; a number must be its thing's own: "Warrior 0 of player 1"."""
    if subject.isdecimal():
        return re.match(rf"(?:[^\W\d]+ )+{subject}\b", title) is not None
    return names(title, subject)
