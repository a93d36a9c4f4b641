"""Script: an expression of scripts as a player."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from turnwise.core.budget import Budget
from turnwise.core.game import Row
from turnwise.core.state import State
from turnwise.core.table import ALL, NOTHING
from turnwise.jit.cache import announce
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of
from turnwise.jit.record import Ints
from turnwise.planners.baselines.one_by_one import OneByOne, carry_out, more_to_decide
from turnwise.search.actors import actor_buffer, actors
from turnwise.search.forward_model import completing_action, scripted, start_policy
from turnwise.search.parameters import ScriptText
from turnwise.search.planner_parameters import PlannerParameters
from turnwise.search.problem import Problem, action_buffer
from turnwise.search.problem_record import ProblemRecord


class ScriptParameters(PlannerParameters):
    """Parameters of :class:`ScriptPlayer`."""

    script: ScriptText = Field(
        default="best-scored",
        description="a script or an expression of scripts, as in first(attack-weakest,run-away); where it has no "
        "action, the turn is completed as the game wants it",
    )
    actors: Literal["all", "in-order"] = Field(
        default="all",
        description="'all': the script chooses among the actions of all actors; 'in-order': it is asked for each actor "
        "in turn, and the first one with an action plays it",
    )


@kernel
def script_turn(
    p: ProblemRecord,
    expression: int,
    by_actor: int,
    state: Row,
    actions: NDArray[np.int64],
    most: int,
    listed: Ints,
    owners: Ints,
) -> int:
    """Play the actions of an expression; where it has none, actions of the game's completion.

    Args:
        p: The problem.
        expression: First node of the expression.
        by_actor: Whether it is asked for each actor in order, not for all together.
        state: See :meth:`OneByOne.play`.
        actions: See :meth:`OneByOne.play`.
        most: See :meth:`OneByOne.play`.
        listed: int64[max_actions], scratch.
        owners: int64[actor_capacity], scratch.

    Returns:
        Number of actions.
    """
    here = address_of(state)
    start_policy(p)
    count = 0
    while more_to_decide(p, here, count, most):
        action = NOTHING
        if by_actor == 0:
            action = scripted(p, expression, here, ALL)
        else:
            for k in range(actors(p, here, p.mover, owners)):
                action = scripted(p, expression, here, owners[k])
                if action != NOTHING:
                    break
        if action == NOTHING:
            action = completing_action(p, here, listed)
        count = carry_out(p, here, actions, count, action)
    return count


class ScriptPlayer(OneByOne[ScriptParameters]):
    """Plays what a script or an expression of scripts says, action by action: a rule-based opponent.

    Scripts come from the game; some exist in every game. Deterministic if the rules and scripts are.
    """

    name = "script"
    title = "Script"

    def make_problem(self, state: State, budget: Budget, seed: int) -> Problem:
        """The problem, which knows the expression before its time begins to count."""
        problem = Problem(state, budget, seed)
        problem.expression(self.parameters.script)
        return problem

    def play(self, problem: Problem, row: Row, actions: NDArray[np.int64], most: int) -> int:
        """See :meth:`OneByOne.play`."""
        announce(script_turn, "the script planner")
        expression = problem.expression(self.parameters.script)
        by_actor = int(self.parameters.actors == "in-order")
        listed, owners = Ints.of(action_buffer(problem)), Ints.of(actor_buffer(problem.game))
        return script_turn(problem.record, expression, by_actor, row, actions, most, listed, owners)
