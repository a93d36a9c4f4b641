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

from turnwise.core.threads import Workers, forget_in_forks, start_thread
from turnwise.jit.interruption import work_for

Result = TypeVar("Result")
_REFRESH = 0.05  # seconds from one call of ``meanwhile`` to the next
_MOST_IDLE = os.cpu_count() or 1


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
forget_in_forks(_idle)


def _idle_or_new(_: int) -> _Member:
    try:
        return _idle.pop()
    except IndexError:
        return _Member()


def _leave_to_others(member: _Member) -> None:
    if len(_idle) < _MOST_IDLE:
        _idle.append(member)
    else:
        member.end()


class ThreadTeam:
    """A number of threads; :meth:`close` leaves them to other teams: starting one costs more than a small task."""

    def __init__(self, threads: int) -> None:
        """Take threads that are idle, and start those that are missing.

        Raises:
            CapacityError: The system gives no further thread.
        """
        self._members = Workers(threads, _idle_or_new, _leave_to_others)

    def close(self) -> None:
        """Let other teams use the threads; this team must not run any more."""
        self._members.close()

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

        running = self._members.all()
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
        members = self._members.give_up()
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
