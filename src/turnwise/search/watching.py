"""Who watches the searches that begin in this context; :mod:`turnwise.search.inspection.live` is what does.

A thread, or a task of asyncio, has a context of its own, so that it sees no other one's searches. The problem of a
search takes the watch along into the threads in which its worlds and streams are searched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from turnwise.core.budget import Budget
    from turnwise.core.state import State
    from turnwise.search.problem import Line

Lines = Callable[[int], Iterable[tuple[Sequence[int], float | None]]]
"""Copies a search's best lines, best first: actions from the root on, and value (None: unknown). So many are shown;
more are of use where some differ only in what is not shown.

It is called in any thread, also while a kernel writes what it reads. It therefore takes no number that it reads for a
valid index, and reads memory through NumPy arrays only. A line may be wrong from some action on.
"""


class Progress(NamedTuple):
    """What a search has spent so far, and the best value that it has found; minus infinity: none yet."""

    seconds: float
    forward_calls: int
    evaluations: int
    iterations: int
    best: float


class Watched(Protocol):
    """A search that can be watched."""

    @property
    def state(self) -> State:
        """The state that is planned from; read before the search."""

    @property
    def progress(self) -> Progress:
        """How far the search is; read in any thread, up to its end."""

    def interrupt(self) -> None:
        """Ask the search to end soon; called in any thread."""


class SearchWatch(Protocol):
    """What watches searches."""

    def search(self, problem: Watched, limits: Budget, run: Callable[[], Line]) -> Line:
        """Watch one search.

        Args:
            problem: What is searched.
            limits: Its limits.
            run: Makes the search.

        Returns:
            What ``run`` returned.
        """

    def worlds(self, known: Watched, limits: Budget, count: int, run: Callable[[], Line]) -> Line:
        """Watch the searches of one decision in several worlds.

        Args:
            known: The problem of what the mover knows.
            limits: Limits of the decision.
            count: How many worlds there are.
            run: Makes the searches, one after the other; each is also shown by :meth:`search`.

        Returns:
            What ``run`` returned.
        """

    def observe(self, lines: Lines) -> None:
        """Know how the best lines of the present search are read, from now on until it ends."""


watching: ContextVar[SearchWatch | None] = ContextVar("watching", default=None)
"""The watch of this context; None: nobody watches."""
