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
from turnwise.search.forward_model import BY_END, best_scored, completing_action
from turnwise.search.problem import Problem, action_buffer
from turnwise.search.problem_record import ProblemRecord


@kernel
def heuristic_turn(p: ProblemRecord, state: Row, actions: NDArray[np.int64], most: int, listed: Ints) -> int:
    """Play best-scored actions; see :meth:`OneByOne.play` (``listed``: int64[max_actions], scratch)."""
    here = address_of(state)
    count = 0
    while more_to_decide(p, here, count, most):
        # Without scores the first action of the list may be one that never ends a turn.
        is_last = p.action_score == 0 and p.completion == BY_END and count == p.max_turn - 1
        action = completing_action(p, here, listed) if is_last else best_scored(p, here, listed)
        count = carry_out(p, here, actions, count, action)
    return count


class Heuristic(OneByOne):
    """The best-scored action of the pruned legal list, by the game's action score; ties: the first one.

    Source: the published Hero Academy engine's heuristic agent. Deterministic if the rules are. In a game without
    an action score it plays the first listed action, and ends the turn after ``max_turn`` actions.
    """

    name = "heuristic"
    title = "Heuristic"
    source = "Hero Academy engine (njustesen/hero-aicademy)"

    def play(self, problem: Problem, row: Row, actions: NDArray[np.int64], most: int) -> int:
        """See :meth:`OneByOne.play`."""
        announce(heuristic_turn, "the heuristic planner")
        return heuristic_turn(problem.record, row, actions, most, Ints.of(action_buffer(problem)))
