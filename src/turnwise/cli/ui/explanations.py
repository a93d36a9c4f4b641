"""What a person can ask about a game: its rules, and what a square, a unit or a card is."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

from turnwise.cli.ui.legal_list import names, show_columns
from turnwise.cli.ui.output import plain, prose

if TYPE_CHECKING:
    from turnwise.cli.ui.legal_list import LegalList
    from turnwise.core.state import State

_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
_MOST_ACTIONS = 60
_ASK = "Ask for a square, a unit or a card as actions and board write them, for example 'info 2,1'."


def show_rules(state: State) -> None:
    """The game's own short rules, or what is known about any game."""
    game = state.game
    text = game.rules_text()
    if not text:
        kinds = dict.fromkeys(game.action_heading(state.row, int(code)) for code in state.legal_codes())
        listed = ", ".join(kind for kind in kinds if kind)
        text = f"{game.name} comes without short rules. 'list' shows the legal actions" + (
            f"; here they are of the kinds {listed}." if listed else "."
        )
    prose(text)


def show_info(state: State, legal: LegalList, subject: str) -> None:
    """All that is known about a subject: the game's words, the picture's tooltips, and the actions that name it."""
    if not subject:
        prose(_ASK)
        return
    found = [text for text in (state.game.info_text(state.row, subject),) if text]
    titles = (unescape(title) for title in _TITLE.findall(state.game.svg(state.row)))
    found += dict.fromkeys(title for title in titles if names(title, subject))
    actions = legal.naming(subject)
    if not found and not actions:
        prose(f"Nothing is known about {subject!r}. {_ASK}")
        return
    for text in found:
        prose(text)
    if actions:
        plain("Legal actions that name it:")
        show_columns(actions[:_MOST_ACTIONS])
    if len(actions) > _MOST_ACTIONS:
        plain(f"... and {len(actions) - _MOST_ACTIONS} more.")
