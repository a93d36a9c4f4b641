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


class NRPAParameters(MemoryParameters, StreamParameters, LineParameters):
    """Parameters of :class:`NRPA`."""

    entries: ClassVar[tuple[str, ...]] = ("moves", "positions")

    levels: int = Field(default=3, ge=1, le=8, description="nesting levels above the playout")
    iterations: int = Field(
        default=100, ge=1, le=100_000, description="calls of the next lower level by each level (N)"
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
    trial_iterations: int = Field(default=15, ge=1, le=100_000, description="iterations (N) of a trial")
    prior_weight: float = Field(default=1.0, ge=0, le=100, description="factor of the prior of the rollout policy")
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

    Source: Rosin 2011; ``policy``, ``prior_weight``, ``temperature``: Cazenave 2016 (selective policies) and 2020
    (generalised form); ``playouts``: Cazenave, Sevestre & Toulemont 2020 (stabilised form). Deviations: one array of
    weights with an undo journal instead of copies, and no adaptation at the end of a level, both of which change no
    line; a finite prior is the initial value of a weight, read where the move is first met, and not a term of every
    step. Several policies are an addition of turnwise.
    """

    name = "nrpa"
    title = "NRPA"
    source = "Rosin, Nested Rollout Policy Adaptation for Monte Carlo Tree Search, IJCAI 2011"
    iteration = "one playout"
    value_of = "the best line's end"

    def make_problem(self, state: State, budget: Budget, seed: int) -> Problem:
        """The problem with evaluation and the (first) policy whose prior is used."""
        return Problem(state, budget, seed, self.parameters.evaluation, self._policies[0])

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
        """Search in one stream."""
        policies = self._policies
        nesting = nesting_for(problem, settings, budget)
        if len(policies) == 1:
            return nesting.learn(problem, settings.iterations)
        trials = []
        for place, policy in enumerate(policies, start=1):
            problem.limit(budget.scaled(settings.trial * place / len(policies)))
            problem.choose_policy(policy)
            trials.append(nesting.learn(problem, settings.trial_iterations))
        values = [-np.inf if line.value is None else line.value for line in trials]
        problem.limit(budget)
        problem.choose_policy(policies[int(np.argmax(values))])
        found = nesting.learn(problem, settings.iterations)
        if found.value is not None and found.value >= max(values):
            return found
        return replace(trials[int(np.argmax(values))], details=found.details)

    @property
    def _policies(self) -> list[str]:
        return (self.parameters.policy or "uniform").split("+")
