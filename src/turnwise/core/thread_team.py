"""Threads that work on numbered tasks together, again and again.

Steps of a batch of games and streams of a search take microseconds to milliseconds. An executor of the standard library
takes a hundred microseconds to distribute its tasks and to collect the results; two locks for each thread take a tenth
of that.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from turnwise.core.errors import CapacityError
from turnwise.jit.interruption import work_for

Result = TypeVar("Result")
_REFRESH = 0.05  # seconds from one call of ``meanwhile`` to the next
_MOST_IDLE = os.cpu_count() or 1


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


class _Member:
    """A thread that waits for the next work when one is done; work None ends it."""

    def __init__(self) -> None:
        self.begin, self.done = threading.Lock(), threading.Lock()
        self.begin.acquire()
        self.done.acquire()
        self.work: Callable[[], None] | None = None
        self.is_last = False  # whether this work is the thread's last
        self.thread = threading.Thread(target=self._run, name="turnwise-team", daemon=True)
        start_thread(self.thread)

    def _run(self) -> None:
        while True:
            self.begin.acquire()
            if self.work is None:
                return
            self.work()
            self.work = None  # it holds a search's memory
            self.done.release()
            if self.is_last:
                return

    def end(self) -> None:
        """Make the thread end, wherever it is: before its work, in it, or after it."""
        self.is_last = True
        with contextlib.suppress(RuntimeError):  # it was to begin, and has not yet
            self.begin.release()


_idle: list[_Member] = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)  # a forked process has no other threads


def _idle_or_new() -> _Member:
    try:
        return _idle.pop()
    except IndexError:
        return _Member()


class ThreadTeam:
    """A number of threads; :meth:`close` leaves them to other teams: starting one costs more than a small task."""

    def __init__(self, threads: int) -> None:
        """Take threads that are idle, and start those that are missing.

        Raises:
            CapacityError: The system gives no further thread.
        """
        self._threads, self._process = threads, os.getpid()
        self._members: list[_Member] = []
        try:
            self._complete()
        except BaseException:
            self.close()
            raise

    def _complete(self) -> None:
        """Take further threads if some were given up, or this is a forked process, which has no other threads."""
        if self._process != os.getpid():
            self._process, self._members = os.getpid(), []
        while len(self._members) < self._threads:
            self._members.append(_idle_or_new())

    def close(self) -> None:
        """Let other teams use the threads; this team must not run any more."""
        if self._process != os.getpid():  # in a forked process there are none
            self._members.clear()
        while self._members:
            member = self._members.pop()
            if len(_idle) < _MOST_IDLE:
                _idle.append(member)
            else:
                member.end()

    def run(
        self,
        work: Callable[[int], Result],
        tasks: int,
        meanwhile: Callable[[], None] | None = None,
        stop: Callable[[], None] = lambda: None,
    ) -> list[Result]:
        """Work on tasks 0 to ``tasks - 1``, as many at a time as there are threads.

        Args:
            work: Does the task of a number.
            tasks: Number of tasks.
            meanwhile: Called from time to time, in this thread; None: this thread works on tasks, too.
            stop: Makes all tasks end soon; called when one of them fails.

        Returns:
            What ``work`` returned, by task.

        Raises:
            BaseException: Whatever ``work``, ``meanwhile`` or a signal handler raised.
        """
        caller, numbers = threading.current_thread(), iter(range(tasks))
        results: dict[int, Result] = {}
        failures: list[BaseException] = []

        def share() -> None:
            work_for(caller)
            _work_on(numbers, work, results, failures, stop)

        self._complete()
        running = list(self._members)
        try:
            for member in running:
                member.work = share
                member.begin.release()
            if meanwhile is None:
                _work_on(numbers, work, results, failures, stop)
            while running:
                if running[-1].done.acquire(timeout=-1 if meanwhile is None else _REFRESH):
                    running.pop()
                elif meanwhile is not None:
                    meanwhile()
        except BaseException:
            stop()
            for _ in numbers:  # nobody begins another task
                pass
            self._end_members()
            raise
        if failures:
            raise failures[0]
        return [results[number] for number in range(tasks)]

    def _end_members(self) -> None:
        """End all threads and wait until they have; another exception ends the waiting.

        An exception can come between any two steps of the team, so nobody knows which threads work, and which locks
        are still to be taken. The next work gets other threads.
        """
        members, self._members = self._members, []
        for member in members:
            member.end()
        for member in members:
            member.thread.join()


def _work_on(
    numbers: Iterator[int],
    work: Callable[[int], Any],
    results: dict[int, Any],
    failures: list[BaseException],
    stop: Callable[[], None],
) -> None:
    """Take one task after the other until none is left."""
    for number in numbers:
        try:
            results[number] = work(number)
        except BaseException as error:
            failures.append(error)
            stop()
            return
