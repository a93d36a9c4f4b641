"""Heuristic: always the action with the best cheap score."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from turnwise.core.game import Row
from turnwise.jit.cache import announce
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of
from turnwise.jit.record import Ints
from turnwise.planners.baselines.one_by_one import OneByOne, carry_out, more_to_decide
from turnwise.search.forward_model import best_scored
from turnwise.search.problem import Problem, action_buffer
from turnwise.search.problem_record import ProblemRecord


@kernel
def heuristic_turn(p: ProblemRecord, state: Row, actions: NDArray[np.int64], most: int, listed: Ints) -> int:
    """Play best-scored actions; see :meth:`OneByOne.play` (``listed``: int64[max_actions], scratch)."""
    here = address_of(state)
    count = 0
    while more_to_decide(p, here, count, most):
        count = carry_out(p, here, actions, count, best_scored(p, here, listed))
    return count


class Heuristic(OneByOne):
    """The best-scored action of the pruned legal list, by the game's action score; ties: the first one.

    Source: the published Hero Academy engine's heuristic agent. Deterministic if the rules are. In a game without
    an action score it plays the first listed action.
    """

    name = "heuristic"
    title = "Heuristic"
    source = "Hero Academy engine (njustesen/hero-aicademy)"

    def play(self, problem: Problem, row: Row, actions: NDArray[np.int64], most: int) -> int:
        """See :meth:`OneByOne.play`."""
        announce(heuristic_turn, "the heuristic planner")
        return heuristic_turn(problem.record, row, actions, most, Ints.of(action_buffer(problem)))
