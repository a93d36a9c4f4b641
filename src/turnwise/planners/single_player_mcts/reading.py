"""Reading the tree of single-player MCTS: the best child and its path, random walks."""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import uniform
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Ints
from turnwise.planners.single_player_mcts.tree import NO_BLOCK, NOTHING, ROOT, Tree, mean
from turnwise.search.problem_record import ProblemRecord


@kernel
def best_child(t: Tree, index: int) -> int:
    """Place of the child with the highest best value; ties: more visits, then native order. NOTHING: no child."""
    n = t.nodes[index]
    found, best, visits = NOTHING, -np.inf, 0
    if n.block == NO_BLOCK:
        return NOTHING
    for place in range(n.block, n.block + n.room):
        child = t.places[place].child
        if child < 0:
            continue
        c = t.nodes[child]
        if c.visits > 0 and (c.best > best or (c.best == best and c.visits > visits)):
            found, best, visits = place, c.best, c.visits
    return found


@kernel
def random_child(p: ProblemRecord, t: Tree, index: int, temperature: float) -> int:
    """Place of a child drawn by softmax over (mean + best)/2; NOTHING: no visited child."""
    n = t.nodes[index]
    top, found = -np.inf, NOTHING
    if n.block == NO_BLOCK:
        return NOTHING
    for i in range(n.room):
        child = t.places[n.block + i].child
        worth = -np.inf
        if child >= 0 and t.nodes[child].visits > 0:
            c = t.nodes[child]
            worth = 0.5 * (mean(c) + c.best)
        t.weights[i] = worth
        top = max(top, worth)
    if top == -np.inf:
        return NOTHING
    total = 0.0
    for i in range(n.room):
        weight = np.exp((t.weights[i] - top) / temperature)
        t.weights[i] = weight
        total += weight
    left = uniform(p.rng) * total
    for i in range(n.room):
        weight = t.weights[i]
        if weight > 0.0:
            found = n.block + i
            left -= weight
            if left < 0.0:
                break
    return found


@kernel
def best_path(t: Tree, out: Ints, most: int) -> int:
    """Write the actions from the root along the children with the highest best value.

    Args:
        t: The tree.
        out: int64[most], written.
        most: Maximum number of actions.

    Returns:
        Number of actions written.
    """
    index, count = ROOT, 0
    while count < most:
        place = best_child(t, index)
        if place == NOTHING:
            break
        out[count] = t.places[place].action
        index = t.places[place].child
        count += 1
    return count


@kernel
def random_path(p: ProblemRecord, t: Tree, temperature: float, out: Ints, most: int) -> int:
    """Write the actions of a random walk from the root to a leaf (see :func:`random_child`).

    Args:
        p: The problem; its generator advances.
        t: The tree.
        temperature: Temperature of the softmax, in the unit of the values.
        out: int64[most], written.
        most: Maximum number of actions.

    Returns:
        Number of actions written.
    """
    index, count = ROOT, 0
    while count < most:
        place = random_child(p, t, index, temperature)
        if place == NOTHING:
            break
        out[count] = t.places[place].action
        index = t.places[place].child
        count += 1
    return count
