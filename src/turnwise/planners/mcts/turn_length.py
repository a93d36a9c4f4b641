"""How many decisions the planned turn is likely to have, estimated by playing it out a few times."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from turnwise.jit.kernel import kernel, real
from turnwise.jit.memory import row_at
from turnwise.jit.record import Ints
from turnwise.search.forward_model import apply, copy_state, exhausted, in_turn, legal, policy_action, start_policy
from turnwise.search.problem_record import ProblemRecord


@kernel
def turn_length(
    p: ProblemRecord, rows: NDArray[np.uint64], turns: int, greedy_probability: float, listed: Ints
) -> float:
    """Mean number of decisions in the planned turn, measured by playing it out with the rollout policy.

    It is not a rollout of :mod:`turnwise.search.rollout` because forced ends do not count, so that the legal actions
    are listed at every step.

    Args:
        p: The problem.
        rows: uint64[2, state_words]; row 0 is the state to start from, row 1 scratch.
        turns: Number of turns to play.
        greedy_probability: For the built-in policy: probability of the best-scored action.
        listed: int64[max_actions], scratch.

    Returns:
        The mean over the turns that were finished within the budget, without forced ends; if none was, minus the number
        of decisions in the one that was begun.
    """
    work = row_at(rows, 1)
    finished, total = 0, 0
    while finished < turns:
        copy_state(p, work, row_at(rows, 0))
        start_policy(p)
        count = 0
        while in_turn(p, work):
            if exhausted(p):
                return total / finished if finished > 0 else -real(count)
            forced = legal(p, work, listed) == 1
            apply(p, work, policy_action(p, work, greedy_probability, listed))
            if not forced or in_turn(p, work):
                count += 1
        finished += 1
        total += count
    return total / finished
