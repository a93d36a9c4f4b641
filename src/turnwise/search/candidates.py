"""The actions that a search considers in a state, sorted by the game's cheap score."""

from __future__ import annotations

from turnwise.jit.kernel import kernel
from turnwise.jit.record import Address, Floats, Ints
from turnwise.search.forward_model import action_score, candidates
from turnwise.search.problem_record import ProblemRecord


@kernel
def sort_by_score(p: ProblemRecord, state: Address, actions: Ints, scores: Floats, n: int) -> None:
    """Sort actions by their cheap score, best first; equal ones keep their order.

    Args:
        p: The problem.
        state: Address of the state that the actions belong to.
        actions: int64[n], sorted in place.
        scores: float64[n], scratch.
        n: Number of actions.
    """
    if p.action_score == 0:
        return
    for i in range(n):
        action = actions[i]
        score = action_score(p, state, action)
        j = i
        while j > 0 and scores[j - 1] < score:
            scores[j] = scores[j - 1]
            actions[j] = actions[j - 1]
            j -= 1
        scores[j] = score
        actions[j] = action


@kernel
def sorted_candidates(p: ProblemRecord, state: Address, actions: Ints, scores: Floats) -> int:
    """List the pruned legal actions, best-scored first; returns how many (see :func:`sort_by_score`).

    Args:
        p: The problem.
        state: Address of the state.
        actions: int64[max_actions], receives the actions.
        scores: float64[max_actions], scratch.
    """
    n = candidates(p, state, actions)
    sort_by_score(p, state, actions, scores, n)
    return n
