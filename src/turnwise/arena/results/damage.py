"""Damaged games of a results file: the error that names them, with the remedy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from turnwise.core.errors import DamagedFileError, counted

_MOST_REASONS = 5
_MOST_OPTIONS = 6  # a longer command line is no help
_MOST_NAMED = 20  # runs of numbers in a message


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
            shown = f"{shown}; ..." if len(numbers) > _MOST_REASONS else shown
            alike = set(self.reasons.values())
            what = f"{game_words(numbers)} are damaged ({f'each: {alike.pop()}' if len(alike) == 1 else shown})"
        super().__init__(f"{source}: {what}. {_remedy(numbers)}")


def _remedy(numbers: list[int]) -> str:
    them = "it" if len(numbers) == 1 else "them"
    options, python = "--skip-damaged", "skip_damaged=True"
    if len(numbers) <= _MOST_OPTIONS:
        options, python = " ".join(f"--skip {number}" for number in numbers), f"skip={numbers}"
    return (
        f"Report and export go on without {them} with {options} (in Python: {python}). To play {them} again, run the "
        "tournament or study with --retry-damaged."
    )


def structure_remedy(readable: int, has_description: bool) -> str:
    """What to do about a file whose structure is damaged.

    Args:
        readable: Number of games in it that can be read.
        has_description: Whether its description of the tournament can be read.
    """
    if not readable:
        return (
            "No game in it can be read. Restore a copy, or move the file away: the tournament or study then plays all "
            "games again."
        )
    report = (
        "Report and export go on with them with --skip-damaged (in Python: skip_damaged=True). "
        if has_description
        else ""
    )
    return (
        f"{counted(readable, 'game')} in it can be read. {report}To keep them and play the others again, run the "
        "tournament or study with --retry-damaged."
    )


def game_words(numbers: Iterable[int]) -> str:
    """Games by their numbers: "game 2", "games 2, 5 and 7", "games 2, 5 to 9 and 12"."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [part for run in runs for part in _run_words(run)]
    if len(parts) > _MOST_NAMED:
        parts = [*parts[:_MOST_NAMED], f"{len(parts) - _MOST_NAMED} more"]
    *others, last = parts
    if not others:
        return f"game{'s' if ' to ' in last else ''} {last}"
    return f"games {', '.join(others)} and {last}"


def _run_words(run: list[int]) -> list[str]:
    return [f"{run[0]} to {run[-1]}"] if len(run) > 2 else [str(number) for number in run]
