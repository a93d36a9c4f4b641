"""The size of the game according to *Tribes: A New Turn-Based Strategy Game for AI Research* (2020)."""

from __future__ import annotations

from collections.abc import Mapping

from turnwise.games.tribes.scenario import TribesOptions

FIGURES = {
    "branching": "54.47",
    "actions": "9.86",
    "turn": "about 10^15",
}
NOTE = (
    "Published: Perez-Liebana, Hsu, Emmanouilidis, Khaleque & Gaina 2020, from games of the framework's agents; which "
    "mixture of them is not stated. 54.47 actions in each of 9.86 moves would be 10^17 sequences of a turn. A turn's "
    "last action, its end, is counted here where something else is legal, too."
)
_OPTIONS = {"mode": "capitals", "board_side": 11, "land": 0.5, "fog": False, "limit": None, "without": ()}


def published_figures(options: TribesOptions, text: str) -> tuple[Mapping[str, str], str]:
    """Figures by row, and a note.

    The figures are of the mode Capitals for two tribes on generated levels of 11 x 11 tiles, all of which is visible,
    by the rules as they are. For other options there are none, and the note says so.

    Args:
        options: The scenario's options.
        text: The scenario, for the note.
    """
    is_published = len(options.kinds) == 2 and options.level_file is None
    if is_published and all(getattr(options, name) == value for name, value in _OPTIONS.items()):
        return FIGURES, NOTE
    return {}, (
        "The published figures are left out: they are of the mode Capitals for two tribes on generated levels of 11 x "
        f"11 tiles without fog, by the rules as they are, not of {text}."
    )
