"""Searches of the viewer: they run in threads of their own, no more at once than the machine has cores."""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from turnwise.core.errors import TurnwiseError, counted
from turnwise.search.inspection.live import LiveSearch
from turnwise.viewer.limits import LONGEST_SECONDS, MOST_WAITING

_PATIENCE = 2.0  # seconds that searches get at the end


class _Work(NamedTuple):
    """Work that waits for a thread."""

    work: Callable[[], None]
    live: LiveSearch
    seconds: float


class Thinkers:
    """Threads for searches, which release the interpreter, so that the server answers meanwhile.

    Nobody waits for these threads when the program ends: an engine that hangs would keep it for minutes.
    """

    def __init__(self, number: int = 0) -> None:
        """Start no thread yet.

        Args:
            number: Searches at the same time; 0: one less than there are cores, at least one.
        """
        self._number = number or max(1, (os.cpu_count() or 2) - 1)
        self._waiting = queue.SimpleQueue[_Work | None]()
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._searches: list[LiveSearch] = []  # those that run
        self._running = 0  # with those that wait
        self._is_closed = False

    def submit(
        self,
        work: Callable[[], None],
        live: LiveSearch,
        *,
        is_limited: bool = False,
        seconds: float = LONGEST_SECONDS,
    ) -> None:
        """Let a thread search.

        Args:
            work: The search.
            live: Shows and interrupts it.
            is_limited: Whether to refuse it where too much other work waits.
            seconds: Time after which it is interrupted.

        Raises:
            TurnwiseError: Too many others wait, or the server ends.
        """
        with self._lock:
            if self._is_closed:
                raise TurnwiseError("This server ends; start it again.")
            if is_limited and self._running >= self._number + MOST_WAITING:
                waiting = counted(MOST_WAITING, "search")
                raise TurnwiseError(f"This server is busy: {waiting} wait already. Try again in a moment.")
            self._running += 1
            if len(self._threads) < min(self._running, self._number):
                name = f"turnwise-viewer-{len(self._threads)}"
                self._threads.append(threading.Thread(target=self._go_on, name=name, daemon=True))
                self._threads[-1].start()
        self._waiting.put(_Work(work, live, seconds))

    def _go_on(self) -> None:
        while True:
            next_one = self._waiting.get()
            if next_one is None:
                return
            try:
                self._do(next_one)
            except BaseException:  # a mistake of the server, or an interrupt; the other games need this thread
                threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), threading.current_thread())))

    def _do(self, one: _Work) -> None:
        with self._lock:
            if self._is_closed:
                return
            self._searches.append(one.live)
        try:
            with ends_in_time(one.live, one.seconds):
                one.work()
        finally:
            with self._lock:
                self._searches.remove(one.live)
                self._running -= 1

    def close(self) -> None:
        """Begin no further search, and end those that run; a search that does not listen is left alone."""
        with self._lock:
            self._is_closed = True
            searches, threads = list(self._searches), list(self._threads)
        for live in searches:
            live.interrupt(or_next=True)
        for _ in threads:
            self._waiting.put(None)
        end = time.monotonic() + _PATIENCE
        for thread in threads:
            thread.join(max(0.0, end - time.monotonic()))


@contextmanager
def ends_in_time(live: LiveSearch, seconds: float) -> Iterator[None]:
    """Interrupt a search that takes longer than a server lets one."""
    timer = threading.Timer(seconds, live.interrupt, kwargs={"or_next": True})
    timer.daemon = True
    timer.start()
    try:
        with live:
            yield
    finally:
        timer.cancel()
