"""Do-nothing: ends every turn at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from turnwise.core.game import Row
from turnwise.core.table import NOTHING
from turnwise.jit.cache import announce
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of
from turnwise.jit.record import Ints
from turnwise.planners.baselines.one_by_one import OneByOne, carry_out, more_to_decide
from turnwise.search.forward_model import completing_action, resting_action, start_policy
from turnwise.search.problem import Problem, action_buffer
from turnwise.search.problem_record import ProblemRecord


@kernel
def idle_turn(p: ProblemRecord, state: Row, actions: NDArray[np.int64], most: int, listed: Ints) -> int:
    """End the turn as soon as the rules allow it; see :meth:`OneByOne.play` (``listed``: int64[max_actions])."""
    here = address_of(state)
    start_policy(p)
    count = 0
    while more_to_decide(p, here, count, most):
        action = resting_action(p, here)
        if action == NOTHING:
            action = completing_action(p, here, listed)
        count = carry_out(p, here, actions, count, action)
    return count


class DoNothing(OneByOne):
    """Ends its turn at once: the weakest opponent that plays by the rules.

    Where a choice has to be made before the turn can end, and in games without an action that ends a turn early, it
    plays by the game's completion, as a search does that has planned nothing.

    Source: the agent of that name in the program of Perez-Liebana, Hsu, Emmanouilidis, Khaleque & Gaina, "Tribes: A New
    Turn-Based Strategy Game for AI Research", 2020. Deviation: that program lets it end the turn while a city's choice
    is open, which its rules do not list as legal.
    """

    name = "do-nothing"
    title = "Do nothing"
    source = "Perez-Liebana et al., Tribes: A New Turn-Based Strategy Game for AI Research, 2020"

    def play(self, problem: Problem, row: Row, actions: NDArray[np.int64], most: int) -> int:
        """See :meth:`OneByOne.play`."""
        announce(idle_turn, "the do-nothing planner")
        return idle_turn(problem.record, row, actions, most, Ints.of(action_buffer(problem)))
