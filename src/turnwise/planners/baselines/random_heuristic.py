"""Random-heuristic: a mixture of random and best-scored actions, the rollout policy as a player."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from turnwise.core.budget import Budget
from turnwise.core.game import Row
from turnwise.core.state import State
from turnwise.jit.cache import announce
from turnwise.jit.record import Ints
from turnwise.planners.baselines.one_by_one import OneByOne
from turnwise.planners.baselines.random import POLICY, random_turn
from turnwise.search.parameters import PolicyText, rollout_policy
from turnwise.search.planner_parameters import PlannerParameters
from turnwise.search.problem import Problem, action_buffer


class RandomHeuristicParameters(PlannerParameters):
    """Parameters of :class:`RandomHeuristic`."""

    greedy_probability: float = Field(default=0.5, ge=0, le=1, description="probability of the best-scored action")
    policy: PolicyText = Field(
        default="",
        description="rollout policy to play by; empty: the game's 'random-heuristic' where it has one (it draws an "
        "actor first), else 'epsilon-greedy' over all actions",
    )


class RandomHeuristic(OneByOne[RandomHeuristicParameters]):
    """With a given probability the best-scored action, else a random one.

    Source: Justesen, Mahlmann, Togelius 2016, section 3.2 (the rollout policy). The paper describes a choice over all
    actions (``policy=epsilon-greedy``, the reading "as-published"); the engine draws a unit or card first and mixes
    within its actions, without pruning (the game's policy "random-heuristic", the reading "as-coded").
    """

    name = "random-heuristic"
    title = "Random heuristic"
    source = "Justesen, Mahlmann & Togelius, Online Evolution for Multi-Action Adversarial Games, 2016"
    presets = {"as-published": {"policy": "epsilon-greedy"}, "as-coded": {}}  # noqa: RUF012

    def make_problem(self, state: State, budget: Budget, seed: int) -> Problem:
        """The problem with the policy and its probability."""
        settings = self.parameters
        policy = rollout_policy(state.game, settings.policy)
        return Problem(state, budget, seed, policy=policy, policy_parameters=(settings.greedy_probability,))

    def play(self, problem: Problem, row: Row, actions: NDArray[np.int64], most: int) -> int:
        """See :meth:`OneByOne.play`."""
        announce(random_turn, "the random planner")
        listed = Ints.of(action_buffer(problem))
        return random_turn(problem.record, row, actions, most, listed, POLICY, self.parameters.greedy_probability)
