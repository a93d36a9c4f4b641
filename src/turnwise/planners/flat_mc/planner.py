"""Flat Monte Carlo: rollouts after every action, then the best action is played."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from turnwise.core.budget import Budget
from turnwise.jit.cache import announce
from turnwise.planners.flat_mc.memory import Arms
from turnwise.planners.flat_mc.search import search
from turnwise.search.action_groups import ROOT_GROUPS, PartsText
from turnwise.search.horizon import HorizonValue
from turnwise.search.line_planner import LinePlanner
from turnwise.search.parameters import (
    CANDIDATES,
    EPSILON_GREEDINESS,
    FIRST_POLICY,
    LINE_HORIZON,
    SCALE,
    CandidateParameters,
    Candidates,
    LineParameters,
    PolicyText,
    Scale,
)
from turnwise.search.problem import Line, Problem


class FlatMCParameters(LineParameters, CandidateParameters):
    """Parameters of :class:`FlatMC`."""

    rollouts: int = Field(
        default=0,
        ge=0,
        le=1_000_000,
        description="rollouts for each action at every step of a line, before the best one is played; 0: the whole "
        "budget goes to the first step",
    )
    decide: Literal["max", "mean"] = Field(
        default="max", description="the action to play: the one with the best rollout, or with the best mean"
    )
    choice: Literal["in-turn", "random", "ucb"] = Field(
        default="in-turn",
        description="which action gets the next rollout: each in turn, a random one, or the highest UCB1 bound",
    )
    root_groups: PartsText = Field(default="", description=ROOT_GROUPS)
    exploration: float = Field(default=0.5, ge=0, description="C of mean + C sqrt(ln N / n) (choice=ucb)")
    scale: Scale = SCALE
    candidates: Candidates = Field(default="all", description=CANDIDATES)
    policy: PolicyText = FIRST_POLICY
    greedy_probability: float = EPSILON_GREEDINESS
    horizon: HorizonValue = Field(default=1000, description=LINE_HORIZON)


class FlatMC(LinePlanner[FlatMCParameters]):
    """Monte Carlo without a tree: rollouts after each action, then play the best one.

    With ``rollouts=0`` the whole budget goes to the choice of the next action; after it the plan follows the best
    rollout that began with it. With ``rollouts`` = n a whole line is played: n rollouts for each action, play the best,
    and so on; lines are repeated until the budget is exhausted, and the best rollout of all is the answer. In a
    single-player game without chance rollouts go to the end of the game, elsewhere to the end of the current turn
    (``horizon`` and ``reply`` change that).

    The best line is remembered between decisions, but not with ``decide=mean,rollouts=0``: there each decision is
    made by means, and the plan's value is the mean.

    Source: the flat Monte Carlo of the literature on general game playing; UCB1: Auer, Cesa-Bianchi & Fischer 2002.

    Cost: one forward call per action, one evaluation per rollout; details: runs (whole lines played), actions.
    """

    name = "flat-mc"
    title = "Flat Monte Carlo"
    source = "Auer, Cesa-Bianchi & Fischer, Finite-time Analysis of the Multiarmed Bandit Problem, 2002 (choice=ucb)"
    iteration = "one rollout"
    value_of = "the best rollout's end"

    def search(self, problem: Problem, budget: Budget, memory: dict[str, Any]) -> Line:
        """See :meth:`SearchPlanner.search`; a decision by means remembers nothing."""
        return self.find(problem, budget) if self._by_mean else super().search(problem, budget, memory)

    def find(self, problem: Problem, budget: Budget) -> Line:
        """See :meth:`LinePlanner.find`."""
        announce(search, "flat Monte Carlo")
        if self.parameters.scale == "range":
            problem.scale_by_range()
        arms = problem.memory((Arms, self.parameters), lambda: Arms(problem, self.parameters))
        arms.attach(problem)
        search(problem.record, arms.record)
        return arms.chosen_line() if self._by_mean else arms.best_line()

    @property
    def _by_mean(self) -> bool:
        return bool(self.parameters.decide == "mean" and self.parameters.rollouts == 0)
