"""The actions that a search considers in a state, sorted by the game's cheap score."""

from __future__ import annotations

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of_values, at, offset
from turnwise.jit.ranking import LANES, rank
from turnwise.jit.record import Address, Floats, Ints
from turnwise.search.forward_model import action_score, candidates
from turnwise.search.problem_record import ProblemRecord

_ints_at = at(Ints)


def sorting_room(max_actions: int) -> int:
    """Number of 8-byte values of the scratch with which lists of at most ``max_actions`` actions are sorted."""
    return 2 * max_actions + LANES


@kernel
def sort_by_score(p: ProblemRecord, state: Address, actions: Ints, scratch: Floats, n: int) -> None:
    """Sort actions by their cheap score, best first; equal ones keep their order. NaN counts as the lowest score.

    Args:
        p: The problem.
        state: Address of the state that the actions belong to.
        actions: int64[n], sorted in place.
        scratch: float64[sorting_room(n)].
        n: Number of actions.
    """
    if p.action_score == 0:
        return
    scores, unsorted = scratch, _ints_at(address_of_values(offset(scratch, n + LANES)))
    for i in range(n):
        action = actions[i]
        score = action_score(p, state, action)
        unsorted[i] = action
        scores[i] = -np.inf if np.isnan(score) else score
    for i in range(n, n + LANES):
        scores[i] = -np.inf
    for i in range(n):
        actions[rank(scores, n, i)] = unsorted[i]


@kernel
def sorted_candidates(p: ProblemRecord, state: Address, actions: Ints, scratch: Floats) -> int:
    """List the pruned legal actions, best-scored first; returns how many (see :func:`sort_by_score`).

    Args:
        p: The problem.
        state: Address of the state.
        actions: int64[max_actions], receives the actions.
        scratch: float64[sorting_room(max_actions)].
    """
    n = candidates(p, state, actions)
    sort_by_score(p, state, actions, scratch, n)
    return n
