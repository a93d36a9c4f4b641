"""Streams: several searches for one decision, which share its budget and can run on several cores.

A stream has its own part of the budget, its own seed and its own memory: an island of a population, a tree, a run.
The number of streams belongs to a planner's parameters and decides the result. The number of threads says only how
many streams run at a time: streams meet when none of them is running, between calls of :meth:`Streams.run` or at the
barrier of :mod:`turnwise.search.islands`, so without a limit of time the result does not depend on it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Self, TypeVar

import numpy as np

from turnwise.core.budget import Budget
from turnwise.core.chance import derive_seed
from turnwise.core.pickling import Pinned
from turnwise.core.thread_team import ThreadTeam
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import at
from turnwise.jit.record import Words
from turnwise.search import forward_model as compiled
from turnwise.search.parameters import StreamParameters
from turnwise.search.problem import Problem
from turnwise.search.problem_record import ProblemRecord

Result = TypeVar("Result")
problem_at: Callable[[Any], ProblemRecord] = at(ProblemRecord)


@kernel
def add_up(whole: ProblemRecord, parts: Words, count: int) -> None:
    """Make the counters of a problem the sums of its parts' counters.

    Args:
        whole: The problem, read by observers of the search.
        parts: uint64[count], addresses of the records of its parts.
        count: Number of parts.
    """
    forward_calls, chance_steps, other_calls, evaluations, iterations = 0, 0, 0, 0, 0
    for i in range(count):
        p = problem_at(parts[i])
        forward_calls += p.forward_calls
        chance_steps += p.chance_steps
        other_calls += p.other_calls
        evaluations += p.evaluations
        iterations += p.iterations
        whole.best = max(whole.best, p.best)
    whole.forward_calls, whole.chance_steps, whole.other_calls = forward_calls, chance_steps, other_calls
    whole.evaluations, whole.iterations = evaluations, iterations


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
        count: Number of streams.
        threads: How many run at a time.
        addresses: uint64[count], the addresses of the streams' records, if there are several.
        paused: When the clock of each stream stopped, in nanoseconds of the problem's clock.
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
        self._team: ThreadTeam | None = None
        if self.count == 1:
            self.problems, self.budgets, self.threads = [problem], [budget], 1
            return
        is_python = problem.game.hold(problem.state.row) is not None  # its functions hold the interpreter's lock
        self.threads = 1 if is_python else min(settings.threads, self.count)
        if budget.seconds is not None:
            budget = replace(budget, seconds=budget.seconds / -(-self.count // self.threads))
        self.budgets = [share_of(budget, index, self.count) for index in range(self.count)]
        seeds = [derive_seed(problem.seed, index) for index in range(self.count)]
        self.problems = [problem.add_part(*one, make_problem) for one in zip(self.budgets, seeds, strict=True)]
        if not self.takes_turns:
            for part in self.problems:
                part.delay(problem.start - part.start)
        self.paused = [part.start for part in self.problems]
        self.addresses = Words.of(np.array([part.record.address for part in self.problems], np.uint64))

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
        if self.threads == 1:
            found = []
            for index in range(self.count):
                found.append(self._timed(work, index))
                self._add_up()
            return found
        return self.run_in_threads(lambda index: self._timed(work, index), self.count)

    def run_in_threads(self, work: Callable[[int], Result], tasks: int) -> list[Result]:
        """Work on tasks 0 to ``tasks - 1``, as many at a time as there are threads; one thread means this one.

        Args:
            work: Does the task of a number.
            tasks: Number of tasks.

        Returns:
            What it returned, by task.

        Raises:
            BaseException: Whatever it raised.
        """
        if self.threads == 1:
            done = [work(number) for number in range(tasks)]
        else:
            if self._team is None:
                self._team = ThreadTeam(self.threads)
            done = self._team.run(work, tasks, self._add_up, self.problem.interrupt)
        self._add_up()
        return done

    @property
    def takes_turns(self) -> bool:
        """Whether streams share threads; the time of each then counts only while it runs."""
        return self.threads < self.count

    def _timed(self, work: Callable[[int], Result], index: int) -> Result:
        """Work in a stream while its clock runs."""
        if not self.takes_turns:
            return work(index)
        self.problems[index].delay(self.problem.now_ns - self.paused[index])
        try:
            return work(index)
        finally:
            self.paused[index] = self.problem.now_ns

    def conclude(self) -> None:
        """Record why the search has ended: the gravest reason of all streams."""
        if self.count > 1 and self.problem.record.stop == compiled.RUNNING:
            self.problem.record.stop = max(int(part.record.stop) for part in self.problems)

    def _add_up(self) -> None:
        if self.count > 1:
            add_up(self.problem.record, self.addresses, self.count)
