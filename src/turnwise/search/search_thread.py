"""The thread that searches while the main thread waits for Ctrl-C.

Kernels do not hold the GIL, but Python handles signals in the main thread only and between two of its instructions: a
main thread inside a kernel would not notice Ctrl-C before the kernel ends. A search from the main thread therefore runs
in a thread that waits for the next search when one is done, since a new thread costs more than a small search.

The first Ctrl-C asks the search to end. A second one is raised in its thread, where it ends an endless loop in the
rules of a game in plain Python.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

from turnwise.core.threads import forget_in_forks, raise_in, start_thread
from turnwise.jit.interruption import refuse_compilation, signals_wait

Result = TypeVar("Result")
_PATIENCE = 1.0  # seconds that a search gets to stop before its caller goes on with another exception


class _Search(Generic[Result]):
    """One search on its way through the thread."""

    def __init__(self, search: Callable[[], Result]) -> None:
        self.search = search
        self.is_begun = self.is_done = False
        self.found: list[Result] = []
        self.failures: list[BaseException] = []
        self.ended = threading.Lock()  # released at the end; unlike Thread.join(), it can be waited for again
        self.ended.acquire()

    def run(self) -> None:
        if self.is_begun:  # Ctrl-C came just after it was put into the queue, so it was put there twice
            return
        self.is_begun = True
        try:
            self.found.append(self.search())
        except BaseException as error:
            self.failures.append(error)
        finally:
            self.is_done = True
            self.ended.release()

    def result(self) -> Result:
        if self.failures:
            raise self.failures[0]
        return self.found[0]


class _SearchThread:
    """A thread that runs one search after another, until it is given None."""

    def __init__(self) -> None:
        self.waiting: SimpleQueue[_Search[Any] | None] = SimpleQueue()
        self.thread = threading.Thread(target=self._work, name="turnwise-search", daemon=True)
        self.is_started = False

    def start(self) -> None:
        with signals_wait():  # they must not interrupt the start of a thread
            self.is_started = True
            start_thread(self.thread)

    def _work(self) -> None:
        while (search := self.waiting.get()) is not None:
            search.run()
            del search  # it holds the search's memory


_idle: list[_SearchThread] = []
forget_in_forks(_idle)


def run_interruptible(search: Callable[[], Result], interrupt: Callable[[], None]) -> Result:
    """Run a search so that Ctrl-C can stop it; in any other thread than the main one it runs directly.

    Args:
        search: The search; it returns what it has found when it is asked to stop.
        interrupt: Asks the search to stop soon.

    Raises:
        KeyboardInterrupt: Ctrl-C came while something was compiled for the search.
        CapacityError: The system gives no thread.
        BaseException: Whatever the search, or another signal handler during it, raises.
    """
    if threading.current_thread() is not threading.main_thread():
        return search()
    task = _Search(search)
    worker: _SearchThread | None = None
    is_queued = is_interrupted = False
    try:
        while not task.is_done:
            try:
                if worker is None:
                    worker = _idle.pop() if _idle else _SearchThread()
                if not worker.is_started:
                    worker.start()
                if not is_queued:
                    worker.waiting.put(task)
                    is_queued = True
                task.ended.acquire()
            except KeyboardInterrupt:
                if is_interrupted and worker is not None:  # the first one has not helped
                    raise_in(worker.thread, KeyboardInterrupt)
                is_interrupted = True
                interrupt()
                if worker is not None:
                    refuse_compilation(worker.thread)
    except BaseException:  # raised by a signal handler: an alarm, for example
        interrupt()
        if worker is not None:
            worker.waiting.put(None)
        task.ended.acquire(timeout=_PATIENCE)
        raise
    assert worker is not None
    if is_interrupted:
        worker.waiting.put(None)  # this thread compiles nothing any more
    else:
        _idle.append(worker)
    return task.result()
