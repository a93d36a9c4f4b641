"""Nested rollout policy adaptation: learn a playout policy at several nested levels, keep the best line."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np
from pydantic import Field

from turnwise.core.budget import Budget
from turnwise.core.state import State
from turnwise.jit.cache import announce
from turnwise.jit.kernel import first_record
from turnwise.jit.lazy_arrays import lazy_zeros
from turnwise.planners.nrpa.policy import MOVE, SAVED
from turnwise.planners.nrpa.positions import NESTING, POSITION
from turnwise.planners.nrpa.search import search
from turnwise.search.line_planner import LinePlanner, best_line, longest_line, plans_whole_game
from turnwise.search.problem import Line, Problem
from turnwise.search.rollout import SearchParameters

_BY_LEVEL = ("values", "calls", "equals", "marks")
_ENTRIES = 24  # legal actions of a position that the store allows for on average


class NRPAParameters(SearchParameters):
    """Parameters of :class:`NRPA`."""

    levels: int = Field(default=3, ge=1, le=8, description="nesting levels above the playout")
    iterations: int = Field(default=100, ge=1, le=100_000, description="calls of the level below in each level (N)")
    alpha: float = Field(default=1.0, gt=0, le=100, description="step size of an adaptation")
    temperature: float = Field(
        default=1.0, gt=0, le=100, description="a move has probability proportional to exp(weight / temperature)"
    )
    policy: str = Field(
        default="",
        description="rollout policy of the game whose bias the weights start from; empty: all start equal; several, "
        "joined by '+': all are tried, the search goes on with the best",
    )
    trial: float = Field(default=0.3, gt=0, lt=1, description="share of the budget in which several policies are tried")
    trial_iterations: int = Field(default=15, ge=1, le=100_000, description="iterations (N) of a trial")
    bias: float = Field(default=1.0, ge=0, le=100, description="factor of that bias")
    playouts: int = Field(default=1, ge=1, le=1000, description="playouts before each adaptation of level 1")
    repeats: int = Field(
        default=0,
        ge=0,
        le=100_000,
        description="a level ends early when its best value has come so many times more in a row; 0: never",
    )
    horizon: int = Field(default=1000, ge=1, le=100_000, description="longest line in actions")
    moves: int = Field(
        default=1 << 18,
        ge=1 << 10,
        le=1 << 23,
        description="most moves with a weight of their own (about 100 bytes each, and 32 more for each level)",
    )
    positions: int = Field(
        default=1 << 12, ge=64, le=1 << 22, description="positions remembered beside the best lines (about 2 KB each)"
    )


class NRPA(LinePlanner):
    """Nested rollout policy adaptation, from an untaught policy again and again until the budget is over.

    A level calls the level below N times with its policy and shifts the policy towards the best line so far after each
    call; level 0 is a playout with probabilities proportional to exp(weight / temperature). The best line of all
    playouts is the answer, so the search can be stopped at any time. In a single-player game without chance lines go to
    the end of the game and the best one is remembered for the next decision; elsewhere they end with the own turn.

    Moves are named by the game's ``move_code``. With ``policy`` the weights start from the game's bias under that
    rollout policy, and moves that it never plays are left out. Of several policies each gets the same part of a trial
    (``trial``, with ``trial_iterations``); the search goes on with the one that has found the best line.

    Source: Rosin 2011; ``policy``, ``bias``, ``temperature``: Cazenave 2016 (selective policies) and 2020 (generalised
    form); ``playouts``: Cazenave, Sevestre & Toulemont 2020 (stabilised form). Deviations: one array of weights with an
    undo journal instead of copies, and no adaptation at the end of a level, which change no line; a finite bias is
    where a weight starts, asked where the move is first met, and not a term of every step. Several policies: ours.

    Cost: one forward call per action (known steps, which are not played again, count too), one evaluation per playout;
    details: runs (finished top levels), moves (with a weight), cut (playouts ended by horizon or memory).
    """

    name = "nrpa"
    title = "NRPA"
    source = "Rosin, Nested Rollout Policy Adaptation for Monte Carlo Tree Search, IJCAI 2011"
    iteration = "one playout"
    Parameters: ClassVar[type[NRPAParameters]] = NRPAParameters

    def make_problem(self, state: State, budget: Budget, seed: int) -> Problem:
        """The problem with evaluation and the (first) policy whose bias is used."""
        return Problem(state, budget, seed, self.parameters.evaluation, self._policies[0])

    def find(self, problem: Problem, budget: Budget) -> Line:
        """See :meth:`LinePlanner.find`."""
        announce(search, "NRPA")
        policies, settings = self._policies, self.parameters
        nesting = Nesting(problem, settings)
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


class Nesting:
    """The memory of one search and the record through which kernels see it; pages are touched as they are needed."""

    def __init__(self, problem: Problem, settings: NRPAParameters) -> None:
        """Allocate within the bounds that the parameters set.

        Args:
            problem: The search problem.
            settings: The planner's parameters.
        """
        game, levels = problem.game, settings.levels
        horizon = longest_line(game, settings.horizon)
        most = settings.positions + (levels + 2) * horizon  # beside the best lines and the one that is being played
        entries = max(most * min(_ENTRIES, game.max_actions), 64 * (levels + 2) * game.max_actions)
        self.moves = lazy_zeros(settings.moves + 1, MOVE)
        self.odds = lazy_zeros(settings.moves + 1)
        slots = 1 << max(12, (2 * settings.moves - 1).bit_length())
        self.table = lazy_zeros(slots, np.uint64)
        self.changing = lazy_zeros(settings.moves + 1, np.int64)
        self.journal = lazy_zeros(levels * (settings.moves + 1), SAVED)
        self.lines = np.zeros((levels + 1, horizon, 2), np.int64)
        self.values = np.zeros(levels + 1)
        self.lengths, self.calls, self.equals, self.marks = (np.zeros(levels + 1, np.int64) for _ in range(4))
        self.sums, self.best = np.zeros(game.max_actions), np.zeros(horizon, np.int64)
        self.record = first_record(np.zeros(1, NESTING))
        r = self.record
        for name in ("moves", "odds", "table", "changing", "journal", "lines", "lengths", "sums", "best", *_BY_LEVEL):
            r[name][0] = getattr(self, name).ctypes.data
        self._stores = []
        for name in ("store", "other_store"):
            arrays = {
                "positions": lazy_zeros(most, POSITION),
                "rows": lazy_zeros((most, game.state_words), np.uint64),
                "actions": lazy_zeros(entries, np.int64),
                "numbers": lazy_zeros(entries, np.int64),
                "children": lazy_zeros(entries, np.int64),
            }
            self._stores.append(arrays)
            for field, array in arrays.items():
                r[name][field][0] = array.ctypes.data
        r["most"][0], r["fresh"][0], r["entries"][0] = most, settings.positions, entries
        r["line_entries"][0] = max(game.max_actions, entries // (2 * (levels + 1)) - game.max_actions)
        r["room"][0], r["most_slots"][0] = settings.moves, slots
        r["whole_game"][0], r["reuse"][0] = plans_whole_game(game), not game.is_stochastic
        r["levels"][0], r["horizon"][0] = levels, horizon
        for name in ("playouts", "repeats", "alpha", "temperature"):
            r[name][0] = getattr(settings, name)
        r["bias"][0] = settings.bias if settings.policy else 0.0

    def learn(self, problem: Problem, iterations: int) -> Line:
        """Nested searches from the untaught policy until the problem's limits; the best line and the figures.

        Args:
            problem: The search problem.
            iterations: N, calls of the level below in each level.
        """
        r = self.record
        r["iterations"][0], r["best_value"][0], r["best_length"][0] = iterations, -np.inf, 0
        search(problem.record, r)
        details = {name: float(r[name][0]) for name in ("runs", "cut")} | {"moves": float(r["known"][0])}
        return best_line(r, self.best, details)
