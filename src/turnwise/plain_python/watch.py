"""Checks of planners in plain Python that are in progress, and what they see of the searches."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from turnwise.core.errors import TurnwiseError
from turnwise.core.threads import raise_in

_PATIENCE = 1.0  # seconds that a search has to ask its meter


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

    def __init__(self, text: str = "The search has not ended in time; end it when meter.exhausted is True.") -> None:
        super().__init__(text)


@contextmanager
def watched(seconds: float) -> Iterator[Watch]:
    """While this is active, the meter of a search raises an EndlessSearchError when the time is over.

    A search that does not ask its meter gets the error a second later, wherever in its Python code it is.

    Args:
        seconds: How long searches may take together.

    Yields:
        What the searches did that only a check refuses.
    """
    watch = Watch(time.monotonic() + seconds)
    watches.append(watch)
    here = threading.current_thread()
    timer = threading.Timer(seconds + _PATIENCE, lambda: raise_in(here, EndlessSearchError))
    timer.daemon = True
    timer.start()
    try:
        yield watch
    finally:
        timer.cancel()
        if timer.finished.is_set():  # it may have raised the error in code that comes after the search
            raise_in(here, None)
        watches.remove(watch)


def refuse_endless() -> None:
    """End a search when the earliest deadline of a check has passed.

    Raises:
        EndlessSearchError: It has.
    """
    if watches and time.monotonic() >= min(watch.deadline for watch in watches):
        raise EndlessSearchError
