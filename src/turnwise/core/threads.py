"""Threads that wait for work again and again: how they are started, and what is left of them in a forked process."""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from turnwise.core.errors import CapacityError

Worker = TypeVar("Worker")


def start_thread(thread: threading.Thread) -> None:
    """Start a thread.

    Raises:
        CapacityError: The system gives no further thread.
    """
    try:
        thread.start()
    except RuntimeError as error:
        raise CapacityError(
            f"The system gives no further thread ({error}); this process has {threading.active_count()}. Give fewer "
            "threads, streams or workers, or raise the limit of processes (ulimit -u) or of memory."
        ) from error


def forget_in_forks(workers: list[Any]) -> None:
    """Empty a list of threads in every process that is forked from now on."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=workers.clear)


class Workers(Generic[Worker]):
    """A number of threads; a forked process, which has none of them, gets threads of its own."""

    def __init__(self, count: int, start: Callable[[int], Worker], end: Callable[[Worker], None]) -> None:
        """Start the threads.

        Args:
            count: How many.
            start: Starts the one of a number, which counts from 0, or takes one that has been started.
            end: Ends one, or leaves it to others.

        Raises:
            CapacityError: The system gives no further thread.
        """
        self._count, self._start, self._end = count, start, end
        self._process = os.getpid()
        self._workers: list[Worker] = []
        try:
            self.all()
        except BaseException:
            self.close()
            raise

    def all(self) -> list[Worker]:
        """All threads; those that are missing are started.

        Raises:
            CapacityError: The system gives no further thread.
        """
        workers = self._of_this_process()
        while len(workers) < self._count:
            workers.append(self._start(len(workers)))
        return list(workers)

    def give_up(self) -> list[Worker]:
        """The threads, which the caller ends; others take their place."""
        workers, self._workers = self._workers, []
        return workers

    def close(self) -> None:
        """End all threads."""
        workers = self._of_this_process()
        while workers:
            self._end(workers.pop())

    def _of_this_process(self) -> list[Worker]:
        if self._process != os.getpid():
            self._process, self._workers = os.getpid(), []
        return self._workers


def raise_in(thread: threading.Thread, error: type[BaseException] | None) -> None:
    """Raise an exception in another thread as soon as that executes Python code; compiled code goes on until then.

    Args:
        thread: The thread; one that has ended is left alone.
        error: The class of the exception; None: one that was not raised yet is forgotten.
    """
    if thread.ident is not None and thread.is_alive():
        given = ctypes.py_object(error) if error is not None else None
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), given)
