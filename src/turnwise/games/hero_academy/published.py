"""The size of the game according to *Online Evolution for Multi-Action Adversarial Games*, section 2.4."""

from __future__ import annotations

from collections.abc import Mapping

from turnwise.games.hero_academy.scenario import HeroAcademyOptions

FIGURES = {
    "branching": "60 (counted by hand in one game)",
    "turn": "60^5 = 7.78e8",
    "length": "40 (observed)",
    "tree": "((60^5)^2)^40 = 1.82e711",
}
NOTE = (
    "Paper: section 2.4. Its 60^5 and 60^400 follow from its assumptions, which take five actions in every turn (the "
    "first turn has three) and every sequence of actions for a different turn. Its state-space bound of 1.57e199 does "
    "not follow from the printed formula, which gives 9.9e111, and is not repeated here."
)
_OPTIONS = {"map": "a", "deck_name": "standard", "action_points": 5, "first_turn_points": 3, "turn_limit": 100}


def published_figures(options: HeroAcademyOptions, text: str) -> tuple[Mapping[str, str], str]:
    """Figures by row, and a note.

    The figures are for map a with the standard deck, 5 action points per turn (3 in the first) and at most 100 turns.
    For other options there are none, and the note says so.

    Args:
        options: The scenario's options.
        text: The scenario, for the note.
    """
    if all(getattr(options, name) == value for name, value in _OPTIONS.items()):
        return FIGURES, NOTE
    return {}, (
        "The published figures are left out: they are of map a with the standard deck, 5 action points (3 in the first "
        f"turn) and at most 100 turns, not of {text}."
    )
