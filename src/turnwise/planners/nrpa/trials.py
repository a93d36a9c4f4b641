"""Which policy a search begins from, and how many iterations its levels make.

Where several policies are named, there are two ways to choose one. A *trial* is a part of the budget that all of them
share equally; the search then begins again from the one that has found the best line. In a *race* the runs themselves
compete, and what they have learned is kept::

    runs <- NRPA of the top level, begun from each policy
    calls <- H
    while there is more than one run:
        continue each run until its top level has made ``calls`` calls of the next lower level
        runs <- the better half of runs, by the best line of each
        calls <- calls + 2 H, 4 H, ...
    continue the last run to its end; then NRPA from its policy, until the budget is over

This is sequential halving (Karnin, Koren and Somekh, "Almost Optimal Exploration in Multi-Armed Bandits", ICML 2013)
of runs. Two runs from the same policy can end far from each other, so the choice is not among policies only.

A run of the top level makes N^levels playouts. If the budget cuts it short, or leaves time for the beginning of a
second one, something is lost. With N = 0, N is therefore chosen so that one run, with what the losers of a race have
cost, fills the budget, by the number of playouts that the search has made so far and the share that they have cost.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from turnwise.core.budget import Budget
from turnwise.planners.nrpa.memory import MOST_ITERATIONS, Nesting, nesting_for
from turnwise.search.beam.passes import share_spent
from turnwise.search.forward_model import RUNNING
from turnwise.search.problem import Line, Problem

if TYPE_CHECKING:
    from turnwise.planners.nrpa.planner import NRPAParameters

_PROBE = 0.01  # share of the budget that shows what a playout costs
_FEWEST = 2  # iterations


class Runs:
    """The runs of one search, from one policy or several."""

    def __init__(self, problem: Problem, settings: NRPAParameters, budget: Budget) -> None:
        """Allocate the memory of the first run.

        Args:
            problem: The search problem.
            settings: The planner's parameters.
            budget: The limits of the whole search.
        """
        self._problem, self._settings, self._budget = problem, settings, budget
        self._nesting: Nesting = nesting_for(problem, settings, budget)
        self._lines: list[Line] = []

    def search(self, policies: Sequence[str]) -> Line:
        """The best line of all runs, with the figures of the last one.

        Args:
            policies: The rollout policies to choose from, at least one.
        """
        settings, several = self._settings, len(policies) > 1
        if settings.iterations == 0 or (several and not settings.race and settings.trial_iterations == 0):
            self._run(self._nesting, policies[0], _PROBE, _FEWEST)
        chosen, nesting = policies[0], self._nesting
        if several:
            chosen, nesting = self._race(policies) if settings.race else (self._trial(policies), nesting)
        found = self._run(nesting, chosen, 1.0, settings.iterations)
        best = max(self._lines, key=_value)
        return replace(best, details=found.details)

    def _trial(self, policies: Sequence[str]) -> str:
        """The policy that finds the best line within its part of the trial."""
        settings, lines = self._settings, list[Line]()
        for place, policy in enumerate(policies, start=1):
            until = settings.trial * place / len(policies)
            lines.append(self._run(self._nesting, policy, until, settings.trial_iterations))
        return policies[lines.index(max(lines, key=_value))]

    def _race(self, policies: Sequence[str]) -> tuple[str, Nesting]:
        """Run from all policies until one run is left, and that one to its end; returns its policy and memory."""
        problem, settings = self._problem, self._settings
        problem.limit(self._budget)
        iterations = settings.iterations or self._fitting(1.0, losers_calls(len(policies), settings.race))
        further = [nesting_for(problem, settings, self._budget, place) for place in range(1, len(policies))]
        runs = list(zip(policies, (self._nesting, *further), strict=True))
        for _, nesting in runs:
            nesting.begin_race(iterations)
        calls, more = 0, settings.race
        while problem.record.stop == RUNNING:
            calls, more = min(iterations, calls + more), 2 * more
            if len(runs) == 1:
                calls = iterations
            for policy, nesting in runs:
                problem.choose_policy(policy)
                nesting.race(problem, calls)
            runs.sort(key=lambda run: -_value(run[1].line))  # equal ones stay in their order
            if calls == iterations:
                break
            runs = runs[: max(1, len(runs) // 2)]
        self._lines += [nesting.line for nesting in (self._nesting, *further)]
        return runs[0]

    def _run(self, nesting: Nesting, policy: str, until: float, iterations: int) -> Line:
        """Run nested searches from an untrained policy until a share of the budget is spent.

        Args:
            nesting: The memory.
            policy: The rollout policy whose prior they start from.
            until: The share of the whole budget.
            iterations: N; 0: chosen.
        """
        problem = self._problem
        problem.limit(self._budget.scaled(until))
        problem.choose_policy(policy)
        self._lines.append(nesting.learn(problem, iterations or self._fitting(until)))
        return self._lines[-1]

    def _fitting(self, until: float, losers: int = 0) -> int:
        """N such that one run of the top level lasts until a share of the budget is spent.

        Args:
            until: The share.
            losers: Calls by the top levels of other runs within that time.
        """
        settings, spent = self._settings, share_spent(self._problem, self._budget)
        if spent <= 0.0:
            return _FEWEST
        playouts: float = self._problem.record.iterations * max(0.0, until - spent) / spent / settings.playouts
        n = min(MOST_ITERATIONS, math.ceil(math.pow(playouts, 1.0 / settings.levels) - 1e-9))
        while n > _FEWEST and (n - 1 + losers) * (n - 1.0) ** (settings.levels - 1) >= playouts:
            n -= 1
        return max(_FEWEST, n)


def losers_calls(runs: int, first: int) -> int:
    """How many calls the top levels of all runs but the winner make in a race.

    Args:
        runs: Number of runs.
        first: Calls before the first ones are left out.
    """
    calls, more, losers = 0, first, 0
    while runs > 1:
        calls, more = calls + more, 2 * more
        losers += (runs - runs // 2) * calls
        runs //= 2
    return losers


def _value(line: Line) -> float:
    return -math.inf if line.value is None else line.value
