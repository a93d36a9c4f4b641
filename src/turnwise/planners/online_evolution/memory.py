"""The memory of one population of online evolution."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from turnwise.core.budget import Budget
from turnwise.core.game import Words
from turnwise.jit.kernel import first_record
from turnwise.jit.lazy_arrays import lazy_zeros
from turnwise.planners.online_evolution.population import POPULATION
from turnwise.planners.online_evolution.search import is_stalled
from turnwise.search import forward_model as compiled
from turnwise.search.outcome_table import likely_states, slots_for
from turnwise.search.problem import Problem

if TYPE_CHECKING:
    from turnwise.planners.online_evolution.planner import OnlineEvolutionParameters

_PATIENCE = 200  # where only evaluations are limited: known outcomes cost none, so the limit may never be reached


class Population:
    """One population with its outcome table.

    Attributes:
        problem: The problem whose record (limits, counters, chance) this population searches under.
        record: POPULATION[1], what kernels take.
    """

    def __init__(self, problem: Problem, settings: OnlineEvolutionParameters, budget: Budget, root: Words) -> None:
        """Allocate in proportion to the budget.

        Args:
            problem: The search problem.
            settings: The planner's parameters.
            budget: Limits, from which the size of the outcome table follows.
            root: uint64[state_words], the state that turns begin at.
        """
        game, size = problem.game, settings.population
        self.problem = problem
        self.genes = np.zeros((size, game.max_turn), np.int64)
        self.lengths, self.totals = np.zeros(size, np.int64), np.zeros(size, np.int64)
        self.fitness, self.visits = np.full(size, -np.inf), np.zeros(size, np.int64)
        self.keys = np.zeros(size, np.uint64)
        self.ranking, self.order = np.arange(size), np.zeros(size, np.int64)
        self.rows = np.zeros((3, game.state_words), np.uint64)
        self.rows[0] = root
        self.listed = np.zeros(game.max_actions, np.int64)
        entries = min(settings.table, likely_states(budget, size))
        slots = slots_for(entries)
        self.known = lazy_zeros(slots, np.uint64, scattered=True)
        self.worths = lazy_zeros(slots, scattered=True)
        self.record = first_record(np.zeros(1, POPULATION))
        r = self.record
        for name in ("genes", "lengths", "totals", "fitness", "visits", "keys", "ranking", "order", "listed"):
            r[name][0] = getattr(self, name).ctypes.data
        for name, row in (("root", 0), ("state", 1), ("spare", 2)):
            r[name][0] = self.rows[row].ctypes.data
        r["known"][0], r["worths"][0], r["mask"][0] = self.known.ctypes.data, self.worths.ctypes.data, slots - 1
        r["room"][0] = entries
        others = (budget.seconds, budget.forward_calls, budget.iterations)
        r["patience"][0] = _PATIENCE if all(limit is None for limit in others) else 0
        r["members"][0], r["width"][0] = size, game.max_turn
        self._settle(settings)

    def _settle(self, settings: OnlineEvolutionParameters) -> None:
        r, chance = self.record, self.problem.game.is_stochastic
        rollouts = settings.rollouts if settings.fitness == "rollout" else 0
        varies = chance or rollouts > 0
        r["survivors"][0] = min(max(1, int(settings.population * settings.survivors)), settings.population - 1)
        r["mutation"][0] = settings.mutation
        r["mutate_forced"][0] = settings.mutate_end
        r["repair_tail"][0] = settings.repair == "tail"
        r["pair_each"][0] = settings.pairing == "each"
        r["material"][0] = settings.material
        r["again"][0] = varies or settings.reevaluate
        r["use_known"][0] = not r["again"][0]
        r["keep_worst_known"][0] = settings.history and rollouts > 0 and not chance
        r["averages"][0] = settings.combine == "mean" or (settings.combine == "auto" and chance and rollouts == 0)
        r["rollouts"][0], r["rollout_turns"][0] = rollouts, settings.rollout_turns
        r["epsilon"][0] = settings.q

    def turns(self) -> list[tuple[float, int, list[int]]]:
        """Value, outcome and actions of every evaluated genome, best first."""
        best_first = np.argsort(-self.fitness[self.ranking], kind="stable")
        found = []
        for index in self.ranking[best_first]:
            if self.visits[index] > 0:
                codes = [int(code) for code in self.genes[index, : self.lengths[index]]]
                found.append((float(self.fitness[index]), int(self.keys[index]), codes))
        return found

    @property
    def is_finished(self) -> bool:
        """Whether its budget is over or nothing new comes."""
        return bool(self.problem.record.stop != compiled.RUNNING or is_stalled(self.record[0]))

    def count(self, name: str) -> float:
        """One of the record's counters."""
        return float(self.record[name][0])


def distinct_outcomes(populations: list[Population]) -> int:
    """How many different outcomes some populations have seen together."""
    if len(populations) == 1:
        return int(populations[0].count("outcomes"))
    return int(np.count_nonzero(np.unique(np.concatenate([p.known for p in populations]))))
