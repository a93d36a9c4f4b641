"""Searches of the viewer: they run in threads of their own, no more at once than the machine has cores."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

from turnwise.core.errors import TurnwiseError, counted
from turnwise.search.inspection.live import LiveSearch
from turnwise.viewer.limits import LONGEST_SECONDS, MOST_WAITING


class Thinkers:
    """Threads for searches, which release the interpreter, so that the server answers meanwhile."""

    def __init__(self, number: int = 0) -> None:
        """Start no thread yet.

        Args:
            number: Searches at the same time; 0: one less than there are cores, at least one.
        """
        self._number = number or max(1, (os.cpu_count() or 2) - 1)
        self._pool = ThreadPoolExecutor(self._number, thread_name_prefix="turnwise-viewer")
        self._lock = threading.Lock()
        self._running = 0

    def submit(self, work: Callable[[], None], *, is_limited: bool = False) -> Future[None]:
        """Let a thread do some work.

        Args:
            work: The work.
            is_limited: Whether to refuse it where too much other work waits.

        Raises:
            TurnwiseError: Too many others wait.
        """
        with self._lock:
            if is_limited and self._running >= self._number + MOST_WAITING:
                waiting = counted(MOST_WAITING, "search")
                raise TurnwiseError(f"This server is busy: {waiting} wait already. Try again in a moment.")
            self._running += 1
        return self._pool.submit(self._do, work)

    def _do(self, work: Callable[[], None]) -> None:
        try:
            work()
        finally:
            with self._lock:
                self._running -= 1

    def close(self) -> None:
        """Begin no further search."""
        self._pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def ends_in_time(live: LiveSearch) -> Iterator[None]:
    """Interrupt a search that takes longer than a server lets one."""
    timer = threading.Timer(LONGEST_SECONDS, live.interrupt)
    timer.daemon = True
    timer.start()
    try:
        with live:
            yield
    finally:
        timer.cancel()
