"""Checks of planners in plain Python that are in progress, and what they see of the searches."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from turnwise.core.errors import TurnwiseError


@dataclass(slots=True, eq=False)
class Watch:
    """A check of planners in progress, and what it sees of their searches.

    Attributes:
        deadline: When a search must have ended, in seconds of ``time.monotonic``.
        surplus: Of the last search that went beyond its turn, the number of actions within it, and the others as text.
    """

    deadline: float
    surplus: tuple[int, tuple[str, ...]] | None = None


watches: list[Watch] = []
"""Of the checks in progress, the outermost first."""


class EndlessSearchError(TurnwiseError):
    """A search in plain Python has not ended within the time that a check gives it."""


@contextmanager
def watched(seconds: float) -> Iterator[Watch]:
    """While this is active, the meter of a search raises an EndlessSearchError when the time is over.

    Args:
        seconds: How long searches may take together.

    Yields:
        What the searches did that only a check refuses.
    """
    watch = Watch(time.monotonic() + seconds)
    watches.append(watch)
    try:
        yield watch
    finally:
        watches.remove(watch)


def refuse_endless() -> None:
    """End a search when the earliest deadline of a check has passed.

    Raises:
        EndlessSearchError: It has.
    """
    if watches and time.monotonic() >= min(watch.deadline for watch in watches):
        raise EndlessSearchError("The search has not ended in time; end it when meter.exhausted is True.")
