"""Ctrl-C during a command: what is kept, if anything is, and how the command goes on."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from turnwise.core.errors import TurnwiseError


class InterruptedRunError(KeyboardInterrupt):
    """Ctrl-C during a command that keeps something.

    Attributes:
        kept: What is kept.
        goes_on: Whether the same command continues.
    """

    def __init__(self, kept: str, *, goes_on: bool) -> None:
        super().__init__(kept)
        self.kept = kept
        self.goes_on = goes_on


@contextmanager
def keeping(kept: Callable[[], str], *, goes_on: bool = True) -> Iterator[None]:
    """Let Ctrl-C within the block say what is kept.

    Args:
        kept: What is kept, asked at the interruption.
        goes_on: Whether the same command continues.

    Raises:
        InterruptedRunError: In place of ``KeyboardInterrupt``.
    """
    try:
        yield
    except KeyboardInterrupt:
        raise InterruptedRunError(kept(), goes_on=goes_on) from None


def kept_in(results: Path, has_games: Callable[[Path], bool]) -> Callable[[], str]:
    """For :func:`keeping`: finished games in a results file.

    Args:
        results: The results file.
        has_games: Whether an existing results file has any.
    """

    def words() -> str:
        try:
            is_kept = results.exists() and has_games(results)
        except TurnwiseError:  # it cannot be read now
            is_kept = True
        return f"{'finished games are kept in' if is_kept else 'no game was finished for'} {results}"

    return words


def interruption_words(stop: KeyboardInterrupt, arguments: Sequence[str]) -> str:
    """What an interrupted command says.

    Args:
        stop: The interruption.
        arguments: What was typed after the program's name.
    """
    if not isinstance(stop, InterruptedRunError):
        return "the command did not finish."
    again = f" To go on: {shlex.join(['turnwise', *arguments])}" if stop.goes_on else ""
    return f"{stop.kept}.{again}"
