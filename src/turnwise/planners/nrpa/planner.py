"""Nested rollout policy adaptation: learn a playout policy at several nested levels, keep the best line."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, ClassVar

import numpy as np
from pydantic import AfterValidator, Field

from turnwise.core.budget import Budget
from turnwise.core.state import State
from turnwise.jit.cache import announce
from turnwise.planners.nrpa.memory import (
    LEAST_MOVES,
    LEAST_POSITIONS,
    MOST_MOVES,
    MOST_POSITIONS,
    nesting_for,
    within_limits,
)
from turnwise.planners.nrpa.search import search
from turnwise.search.expressions import checked_policy
from turnwise.search.horizon import HorizonValue
from turnwise.search.line_planner import LinePlanner
from turnwise.search.memory_limit import MemoryParameters
from turnwise.search.parameters import LINE_HORIZON, LineParameters, StreamParameters
from turnwise.search.problem import Line, Problem
from turnwise.search.streams import Streams

_LEAST_ITERATIONS, _MOST_ITERATIONS = 2, 100_000  # with one iteration, no level would adapt
_PROBE = 0.02  # share of the budget that shows, with iterations=0, how many playouts the rest has room for


class NRPAParameters(MemoryParameters, StreamParameters, LineParameters):
    """Parameters of :class:`NRPA`."""

    entries: ClassVar[tuple[str, ...]] = ("moves", "positions")

    levels: int = Field(default=3, ge=1, le=8, description="nesting levels above the playout")
    iterations: int = Field(
        default=100,
        ge=0,
        le=_MOST_ITERATIONS,
        description="calls of the next lower level by each level (N); 0: as many as let one nested search fit into the "
        f"budget, by the number of playouts in its first {100 * _PROBE:g} %",
    )
    alpha: float = Field(default=1.0, gt=0, le=100, description="step size of an adaptation")
    temperature: float = Field(
        default=1.0, gt=0, le=100, description="a move has probability proportional to exp(weight / temperature)"
    )
    policy: Annotated[str, AfterValidator(lambda text: "+".join(map(checked_policy, text.split("+"))))] = Field(
        default="",
        description="rollout policy of the game whose prior the weights start from; empty: all start equal; several, "
        "joined by '+': all are tried, and the search continues with the best",
    )
    trial: float = Field(default=0.3, gt=0, lt=1, description="share of the budget in which several policies are tried")
    trial_iterations: int = Field(
        default=15,
        ge=1,
        le=_MOST_ITERATIONS,
        description="iterations (N) of a trial, and of that first part of the budget",
    )
    prior_weight: float = Field(default=1.0, ge=0, le=100, description="factor of the prior of the rollout policy")
    guide: str = Field(
        default="",
        description="evaluation by which levels compare lines, and so what the policy learns; the best line by "
        "'evaluation' is the answer; empty: the same",
    )
    playouts: int = Field(default=1, ge=1, le=1000, description="playouts before each adaptation of level 1")
    repeats: int = Field(
        default=0,
        ge=0,
        le=100_000,
        description="a level ends early when its best value has been found again this many times in a row; 0: never",
    )
    horizon: HorizonValue = Field(default=1000, description=LINE_HORIZON)
    moves: int = Field(
        default=1 << 18,
        ge=LEAST_MOVES,
        le=MOST_MOVES,
        description="maximum number of moves with a weight of their own (about 100 bytes each, plus 32 for each level)",
    )
    positions: int = Field(
        default=1 << 12,
        ge=LEAST_POSITIONS,
        le=MOST_POSITIONS,
        description="number of positions remembered in addition to the best lines (about 2 kB each)",
    )


class NRPA(LinePlanner[NRPAParameters]):
    """Nested rollout policy adaptation, repeated from an untrained policy until the budget is exhausted.

    A level calls the level below N times with its policy and shifts the policy towards the best line so far after each
    call; level 0 is a playout with probabilities proportional to exp(weight / temperature). The best line of all
    playouts is the answer, so the search can be stopped at any time. In a single-player game without chance lines go to
    the end of the game and the best one is remembered for the next decision; elsewhere they end with the current turn.
    ``horizon`` and ``reply`` change how far they go.

    With several ``streams`` each stream is such a search of its own; the best line of all counts.

    Moves are named by the game's ``move_code``. With ``policy`` the weights start from the game's prior under that
    rollout policy, and moves that it never plays are left out. Several policies get equal parts of a trial
    (``trial``, with ``trial_iterations``); the search continues with the one that has found the best line.

    With ``guide`` the policy learns from another evaluation than the one that chooses the answer, for example one that
    also says how close a line came to a bonus which few lines reach.

    Source: Rosin 2011; ``policy``, ``prior_weight``, ``temperature``: Cazenave 2016 (selective policies) and 2020
    (generalised form); ``playouts``: Cazenave, Sevestre & Toulemont 2020 (stabilised form). Deviations: one array of
    weights with an undo journal instead of copies, and no adaptation at the end of a level, both of which change no
    line; a finite prior is the initial value of a weight, read where the move is first met, and not a term of every
    step. Several policies, an N that follows the budget and the guide are additions of turnwise.
    """

    name = "nrpa"
    title = "NRPA"
    source = "Rosin, Nested Rollout Policy Adaptation for Monte Carlo Tree Search, IJCAI 2011"
    iteration = "one playout"
    value_of = "the best line's end"

    def make_problem(self, state: State, budget: Budget, seed: int) -> Problem:
        """The problem with evaluation, guide and the (first) policy whose prior is used."""
        problem = Problem(state, budget, seed, self.parameters.evaluation, self._policies[0])
        if self.parameters.guide:
            problem.choose_objectives([self.parameters.guide])
        return problem

    def find(self, problem: Problem, budget: Budget) -> Line:
        """See :meth:`LinePlanner.find`."""
        announce(search, "NRPA")
        settings = within_limits(self.parameters, problem.game)
        with Streams(problem, budget, settings, lambda b, s: self.prepared(problem.state, b, s)) as streams:
            lines = streams.run(lambda index: self._learn(streams.problems[index], streams.budgets[index], settings))
            streams.conclude()
        best = max(lines, key=lambda line: -np.inf if line.value is None else line.value)
        figures = {name: sum(line.details[name] for line in lines) for name in best.details}
        return replace(best, details=figures)

    def _learn(self, problem: Problem, budget: Budget, settings: NRPAParameters) -> Line:
        """Search in one stream; a first part of the budget tries several policies, or shows the length of playouts."""
        policies = self._policies
        nesting = nesting_for(problem, settings, budget)
        if len(policies) == 1 and settings.iterations > 0:
            return nesting.learn(problem, settings.iterations)
        share = settings.trial if len(policies) > 1 else _PROBE
        trials = []
        for place, policy in enumerate(policies, start=1):
            problem.limit(budget.scaled(share * place / len(policies)))
            problem.choose_policy(policy)
            trials.append(nesting.learn(problem, settings.trial_iterations))
        values = [-np.inf if line.value is None else line.value for line in trials]
        problem.limit(budget)
        problem.choose_policy(policies[int(np.argmax(values))])
        found = nesting.learn(problem, iterations_for(problem, settings, share))
        if found.value is not None and found.value >= max(values):
            return found
        return replace(trials[int(np.argmax(values))], details=found.details)

    @property
    def _policies(self) -> list[str]:
        return (self.parameters.policy or "uniform").split("+")


def iterations_for(problem: Problem, settings: NRPAParameters, share: float) -> int:
    """N of a search: that of the parameters, or the largest with which one nested search fits into the budget.

    A nested search of L levels makes N^L times ``playouts`` playouts.

    Args:
        problem: The search problem, which has counted the playouts so far.
        settings: The planner's parameters.
        share: Share of the budget that these playouts took.
    """
    if settings.iterations > 0:
        return settings.iterations
    left = problem.record.iterations * (1 - share) / share / settings.playouts
    fitting = int(left ** (1 / settings.levels) + 1e-9)  # a power that is exact may be computed a little too small
    return min(max(_LEAST_ITERATIONS, fitting), _MOST_ITERATIONS)
