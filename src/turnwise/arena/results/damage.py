"""Damaged games of a results file: the error that names them, with the remedy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from turnwise.core.errors import DamagedFileError

_MOST_REASONS = 5
_MOST_OPTIONS = 50  # a longer command line is no help


class DamagedGamesError(DamagedFileError):
    """Some games of a results file are damaged; the others can be read.

    Attributes:
        reasons: Number of each damaged game -> what is wrong with it.
    """

    def __init__(self, source: str, reasons: Mapping[int, str]) -> None:
        self.reasons = dict(reasons)
        numbers = sorted(self.reasons)
        if len(numbers) == 1:
            what = f"{game_words(numbers)} is damaged ({self.reasons[numbers[0]]})"
        else:
            shown = "; ".join(f"game {number}: {self.reasons[number]}" for number in numbers[:_MOST_REASONS])
            more = "; ..." if len(numbers) > _MOST_REASONS else ""
            what = f"{game_words(numbers)} are damaged ({shown}{more})"
        super().__init__(f"{source}: {what}. {_remedy(numbers)}")


def _remedy(numbers: list[int]) -> str:
    them = "it" if len(numbers) == 1 else "them"
    without = ""
    if len(numbers) <= _MOST_OPTIONS:
        options = " ".join(f"--skip {number}" for number in numbers)
        without = f"Report and export go on without {them} with {options} (in Python: skip={numbers}). "
    return f"{without}To play {them} again, run the tournament or study with --retry-damaged."


def game_words(numbers: Iterable[int]) -> str:
    """Games by their numbers: "game 2", "games 2, 5 and 7"."""
    *others, last = sorted(numbers)
    return f"games {', '.join(map(str, others))} and {last}" if others else f"game {last}"
