"""Ctrl-C during a run that keeps what is finished: where it is kept, and how the run goes on."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path


class InterruptedRunError(KeyboardInterrupt):
    """Ctrl-C during a run with a results file."""

    def __init__(self, results: Path) -> None:
        super().__init__()
        self.results = results


@contextmanager
def kept_in(results: Path) -> Iterator[None]:
    """Let Ctrl-C within the block name the results file.

    Raises:
        InterruptedRunError: In place of ``KeyboardInterrupt``.
    """
    try:
        yield
    except KeyboardInterrupt:
        raise InterruptedRunError(results) from None


def interruption_words(stop: KeyboardInterrupt, arguments: Sequence[str]) -> str:
    """What an interrupted command says.

    Args:
        stop: The interruption.
        arguments: What was typed after the program's name.
    """
    again = f"To go on: {shlex.join(['turnwise', *arguments])}"
    if isinstance(stop, InterruptedRunError):
        kept = "finished games are kept in" if stop.results.exists() else "no game was finished for"
        return f"{kept} {stop.results}. {again}"
    kept = "files and finished games written so far are kept"
    return f"{kept}. {again}" if "study" in arguments else f"{kept}."
