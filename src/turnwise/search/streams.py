"""Streams: several searches for one decision, which share its budget and can run on several cores.

A stream has its own part of the budget, its own seed and its own memory: an island of a population, a tree, a run.
The number of streams belongs to a planner's parameters and decides the result. The number of threads says only how
many streams run at a time: streams meet between calls of :meth:`Streams.run`, when none of them is running, so with any
budget but time the result does not depend on it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Self, TypeVar

from turnwise.core.budget import UNLIMITED, Budget
from turnwise.core.chance import derive_seed
from turnwise.core.pickling import Pinned
from turnwise.search import forward_model as compiled
from turnwise.search.parameters import StreamParameters
from turnwise.search.problem import Problem
from turnwise.search.team import Team

Result = TypeVar("Result")
COUNTERS = ("forward_calls", "chance_steps", "other_calls", "evaluations", "iterations")


def share_of(budget: Budget, index: int, parts: int) -> Budget:
    """One of several equal parts of a budget; the first parts get the remainder of a count. Time is not divided."""

    def part(limit: int | None) -> int | None:
        return None if limit is None else limit // parts + (index < limit % parts)

    return replace(
        budget,
        forward_calls=part(budget.forward_calls),
        evaluations=part(budget.evaluations),
        iterations=part(budget.iterations),
    )


class Memories(Pinned):
    """What a player remembers for each stream.

    Attributes:
        parts: One dictionary for each stream, as ``memory`` of :meth:`SearchPlanner.search`.
    """

    def __init__(self, count: int) -> None:
        self.parts: list[dict[str, Any]] = [{} for _ in range(count)]


def memories(memory: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """The memory of each stream; with one stream the player's own memory.

    Args:
        memory: What the player remembers; the streams' memories are kept in it.
        count: Number of streams.
    """
    if count == 1:
        return [memory]
    kept: Memories = memory.setdefault("streams", Memories(count))
    return kept.parts


class Streams:
    """The problems of all streams of one search; a context, which ends the threads.

    With one stream, its problem is that of the search itself, and everything runs in the calling thread.

    Attributes:
        problem: The problem of the whole search; its counters are the sums of the streams' counters.
        problems: One for each stream.
        budgets: The budget of each stream.
    """

    def __init__(
        self,
        problem: Problem,
        budget: Budget,
        settings: StreamParameters,
        make_problem: Callable[[Budget, int], Problem],
    ) -> None:
        """Make the streams' problems.

        Args:
            problem: The problem of the whole search.
            budget: Its limits.
            settings: The planner's parameters: how many streams and threads.
            make_problem: Makes a stream's problem from its budget and seed.
        """
        self.problem, self.count = problem, settings.streams
        self._team: Team | None = None
        if self.count == 1:
            self.problems, self.budgets = [problem], [budget]
            return
        is_python = problem.game.hold(problem.state.row) is not None  # its functions hold the interpreter's lock
        self._threads = 1 if is_python else min(settings.threads, self.count)
        self._rounds = -(-self.count // self._threads)
        if budget.seconds is not None:
            budget = replace(budget, seconds=budget.seconds / self._rounds)
        self.budgets = [share_of(budget, index, self.count) for index in range(self.count)]
        self.problems = [make_problem(b, derive_seed(problem.seed, i)) for i, b in enumerate(self.budgets)]
        for part in self.problems:
            problem.add_part(part)
        self._paused = [part.start for part in self.problems]  # when the clock of each stream stopped

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if any(error):
            self.problem.interrupt()
        if self._team is not None:
            self._team.close()
        self._add_up()

    def run(self, work: Callable[[int], Result]) -> list[Result]:
        """Run every stream for a while, as many at a time as there are threads.

        Args:
            work: Searches in the stream of an index; called in any thread.

        Returns:
            What it returned, by stream.

        Raises:
            BaseException: Whatever it raised.
        """
        if self.count == 1:
            return [work(0)]
        if self._threads == 1:
            found = []
            for index in range(self.count):
                found.append(self._timed(work, index))
                self._add_up()
            return found
        if self._team is None:
            self._team = Team(self._threads)
        done = self._team.run(lambda index: self._timed(work, index), self.count, self._add_up, self.problem.interrupt)
        self._add_up()
        return done

    def _timed(self, work: Callable[[int], Result], index: int) -> Result:
        """Work in a stream, whose time counts only while it runs if it shares its thread with other streams."""
        part = self.problems[index]
        shared = self._rounds > 1
        part.delay((time.monotonic_ns() if shared else self.problem.start) - self._paused[index])
        try:
            return work(index)
        finally:
            self._paused[index] = time.monotonic_ns() if shared else part.start

    def run_epochs(
        self, work: Callable[[int], None], every: int, is_finished: Callable[[int], bool], exchange: Callable[[], None]
    ) -> None:
        """Run every stream to its end, and let the streams exchange what they know between epochs.

        Args:
            work: Searches in the stream of an index until its problem is exhausted.
            every: Iterations of an epoch.
            is_finished: Whether the stream of an index has ended.
            exchange: Called after every epoch but the last one.
        """
        if self.count == 1:
            work(0)
            return

        def epoch(index: int) -> None:
            if is_finished(index):
                return
            record, limit = self.problems[index].record, self.budgets[index].iterations
            limit = UNLIMITED if limit is None else limit
            until = min(limit, int(record.iterations) + every)
            record.iteration_limit = until
            work(index)
            if record.stop == compiled.OUT_OF_BUDGET and record.iterations == until < limit:
                record.stop = compiled.RUNNING

        while self.problem.record.stop == compiled.RUNNING:
            self.run(epoch)
            if all(is_finished(index) for index in range(self.count)):
                self.conclude()
                return
            exchange()

    def conclude(self) -> None:
        """Record why the search has ended: the gravest reason of all streams."""
        if self.count > 1 and self.problem.record.stop == compiled.RUNNING:
            self.problem.record.stop = max(int(part.record.stop) for part in self.problems)

    def _add_up(self) -> None:
        if self.count == 1:
            return
        for name in COUNTERS:
            setattr(self.problem.record, name, sum(int(getattr(part.record, name)) for part in self.problems))
        self.problem.record.best = max(self.problem.record.best, *(part.record.best for part in self.problems))
