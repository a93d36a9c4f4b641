"""Threads that share the work of one call after another, and wait between calls."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Any, NamedTuple

Work = Callable[[Any, int, int], int]


class _Share(NamedTuple):
    """A part of a call: ``work(subject, begin, end)``."""

    work: Work
    subject: Any
    begin: int
    end: int


class ThreadTeam:
    """Threads for compiled functions that work on a range of things without the GIL; the caller's takes part, too.

    The threads live as long as this object, since starting one costs more than a small share.
    """

    def __init__(self, things: int, threads: int) -> None:
        """Divide ``things`` into as many ranges of nearly equal length as there are threads."""
        self._ranges = [(things * part // threads, things * (part + 1) // threads) for part in range(threads)]
        self._orders: list[SimpleQueue[_Share | None]] = [SimpleQueue() for _ in self._ranges[1:]]
        self._results: SimpleQueue[int | BaseException] = SimpleQueue()
        self._awaited = 0
        for orders in self._orders:
            threading.Thread(target=_serve, args=(orders, self._results), daemon=True, name="turnwise-batch").start()
        weakref.finalize(self, _dismiss, self._orders)

    def run(self, work: Work, subject: Any) -> Sequence[int]:
        """What ``work(subject, begin, end)`` returns for each range, in any order.

        Raises:
            BaseException: What the work raised (compiled functions raise nothing).
        """
        self._await()  # an earlier call may have been interrupted while it waited
        for orders, (begin, end) in zip(self._orders, self._ranges[1:], strict=True):
            orders.put(_Share(work, subject, begin, end))
            self._awaited += 1
        found = [work(subject, *self._ranges[0]), *self._await()]
        return found

    def _await(self) -> list[int]:
        found = []
        while self._awaited:
            result = self._results.get()
            self._awaited -= 1
            if isinstance(result, BaseException):
                raise result
            found.append(result)
        return found


def _serve(orders: SimpleQueue[_Share | None], results: SimpleQueue[int | BaseException]) -> None:
    """Work on shares until the team is dismissed."""
    while (share := orders.get()) is not None:
        try:
            results.put(share.work(share.subject, share.begin, share.end))
        except BaseException as error:  # passed on to the caller's thread
            results.put(error)
        del share


def _dismiss(teams: Sequence[SimpleQueue[_Share | None]]) -> None:
    for orders in teams:
        orders.put(None)
