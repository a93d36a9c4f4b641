"""Islands: several populations in a ring that evolve in parallel on threads and exchange genomes between epochs."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

from turnwise.core.budget import UNLIMITED, Budget
from turnwise.core.chance import derive_seed
from turnwise.core.game import Row
from turnwise.jit.interruption import work_for
from turnwise.planners.online_evolution.memory import Population
from turnwise.planners.online_evolution.search import evolve, exchange
from turnwise.search import forward_model as compiled
from turnwise.search.problem import Problem

if TYPE_CHECKING:
    from turnwise.planners.online_evolution.planner import OnlineEvolutionParameters

_COUNTERS = ("forward_calls", "chance_steps", "other_calls", "evaluations", "iterations")


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


class Islands:
    """A ring of populations. Results do not depend on the number of threads (with any budget but time).

    Attributes:
        populations: One for each island.
    """

    def __init__(
        self,
        problem: Problem,
        settings: OnlineEvolutionParameters,
        budget: Budget,
        root: Row,
        make_problem: Callable[[Budget, int], Problem],
    ) -> None:
        """Make the islands.

        Args:
            problem: The problem of the whole search; gets the sum of all counters.
            settings: The planner's parameters.
            budget: Limits of the whole search.
            root: uint64[state_words], the state at which turns begin.
            make_problem: Makes an island's problem from its limits and seed.
        """
        self.problem = problem
        self.settings = settings
        self.budgets = [share_of(budget, i, settings.islands) for i in range(settings.islands)]
        problems = [make_problem(b, derive_seed(problem.seed, i)) for i, b in enumerate(self.budgets)]
        for own in problems:
            own.record.deadline = problem.record.deadline
        self.populations = [Population(p, settings, b, root) for p, b in zip(problems, self.budgets, strict=True)]

    def run(self) -> None:
        """Evolve epoch by epoch until every island's share of the budget is exhausted or the search is stopped."""
        here = threading.current_thread()
        with ThreadPoolExecutor(self.settings.threads, initializer=work_for, initargs=(here,)) as threads:
            while self.problem.record.stop == compiled.RUNNING:
                list(threads.map(self._epoch, range(len(self.populations))))
                self._count()
                if all(population.is_finished for population in self.populations):
                    self.problem.record.stop = self.populations[0].problem.record.stop
                    return
                self._migrate()

    def _epoch(self, index: int) -> None:
        """Run one island for an epoch, unless its budget is exhausted."""
        population, record = self.populations[index], self.populations[index].problem.record
        if population.is_finished:
            return
        limit = self.budgets[index].iterations
        limit = UNLIMITED if limit is None else limit
        until = min(limit, int(record.iterations) + self.settings.migration)
        record.iteration_limit = until
        evolve(record, population.record)
        if record.stop == compiled.OUT_OF_BUDGET and record.iterations == until < limit:
            record.stop = compiled.RUNNING

    def _migrate(self) -> None:
        """Every island sends a genome to the next one in the ring, where it replaces the worst."""
        sender = 1 if self.settings.emigrant == "second-best" else self.settings.population - 2
        grown = [p for p in self.populations if p.record.ready == p.record.members]
        if len(grown) < len(self.populations):
            return
        last = self.settings.population - 1
        for index, population in enumerate(self.populations):
            target = self.populations[(index + 1) % len(self.populations)]
            exchange(population.record, sender, target.record, last)

    def _count(self) -> None:
        for name in _COUNTERS:
            setattr(self.problem.record, name, sum(int(getattr(p.problem.record, name)) for p in self.populations))
