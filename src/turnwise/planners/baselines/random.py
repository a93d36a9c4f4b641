"""Random: every action uniform among the legal ones."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from turnwise.core.budget import Budget
from turnwise.core.chance import draw
from turnwise.core.errors import OptionError
from turnwise.core.game import Row
from turnwise.core.state import State
from turnwise.jit.cache import announce
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of
from turnwise.jit.record import Ints
from turnwise.planners.baselines.one_by_one import OneByOne, carry_out, more_to_decide
from turnwise.search.forward_model import legal, policy_action, random_candidate, start_policy
from turnwise.search.planner_parameters import PlannerParameters
from turnwise.search.problem import Problem, action_buffer
from turnwise.search.problem_record import ProblemRecord

FULL, PRUNED, POLICY = 0, 1, 2  # what an action is drawn from


class RandomParameters(PlannerParameters):
    """Parameters of :class:`Random`."""

    candidates: Literal["full", "pruned", "tree"] = Field(
        default="full",
        description="where actions are drawn from: the full legal list; the pruned list; or 'tree': the game's policy "
        "'random-tree', which draws an actor first and then one of its actions",
    )


@kernel
def random_turn(
    p: ProblemRecord,
    state: Row,
    actions: NDArray[np.int64],
    most: int,
    listed: Ints,
    source: int,
    greedy_probability: float,
) -> int:
    """Play random actions.

    Args:
        p: The problem.
        state: See :meth:`OneByOne.play`.
        actions: See :meth:`OneByOne.play`.
        most: See :meth:`OneByOne.play`.
        listed: int64[max_actions], scratch.
        source: FULL or PRUNED: uniform over that list; POLICY: the problem's rollout policy.
        greedy_probability: The policy's probability of the best-scored action.

    Returns:
        Number of actions.
    """
    here = address_of(state)
    start_policy(p)
    count = 0
    while more_to_decide(p, here, count, most):
        if source == FULL:
            action = listed[draw(p.rng, legal(p, here, listed))]
        elif source == PRUNED:
            action = random_candidate(p, here, listed)
        else:
            action = policy_action(p, here, greedy_probability, listed)
        count = carry_out(p, here, actions, count, action)
    return count


class Random(OneByOne[RandomParameters]):
    """Uniform random actions, the weakest opponent of the paper.

    Source: Justesen, Mahlmann, Togelius 2016, section 3. The published engine has two forms: uniform over the full
    legal list (the default here) and "tree": first an actor, then one of its actions.
    """

    name = "random"
    title = "Random"
    source = "Justesen, Mahlmann & Togelius, Online Evolution for Multi-Action Adversarial Games, 2016"
    presets = {"as-published": {}, "as-coded": {"candidates": "tree"}}  # noqa: RUF012

    def make_problem(self, state: State, budget: Budget, seed: int) -> Problem:
        """The problem with the policy that the parameters ask for.

        Raises:
            OptionError: The game offers no policy "random-tree".
        """
        if self.parameters.candidates != "tree":
            return Problem(state, budget, seed)
        if "random-tree" not in state.game.policies:
            raise OptionError(
                f"planner random: candidates=tree needs a game with the policy 'random-tree'; {state.game.name} has "
                f"{', '.join(state.game.policies) or 'none'}. Use candidates=full or candidates=pruned."
            )
        return Problem(state, budget, seed, policy="random-tree")

    def play(self, problem: Problem, row: Row, actions: NDArray[np.int64], most: int) -> int:
        """See :meth:`OneByOne.play`."""
        announce(random_turn, "the random planner")
        source = {"full": FULL, "pruned": PRUNED, "tree": POLICY}[self.parameters.candidates]
        return random_turn(problem.record, row, actions, most, Ints.of(action_buffer(problem)), source, 0.0)
