"""What is read out of the tree of single-player MCTS: the decision, the best line, random walks."""

from __future__ import annotations

from typing import Any

import numpy as np

from turnwise.core.chance import uniform
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of, load_float, store_float, store_int
from turnwise.planners.single_player_mcts.tree import NO_BLOCK, NOTHING, ROOT, child_at, mean, node_at, place_at
from turnwise.search.forward_model import ProblemRecord


@kernel
def best_child(t: Any, index: int) -> int:
    """Place of the child with the highest best value; ties: more visits, then native order. NOTHING: no child."""
    n = node_at(t, index)
    found, best, visits = NOTHING, -np.inf, 0
    if n.block == NO_BLOCK:
        return NOTHING
    for place in range(n.block, n.block + n.room):
        child = child_at(t, place)
        if child < 0:
            continue
        c = node_at(t, child)
        if c.visits > 0 and (c.best > best or (c.best == best and c.visits > visits)):
            found, best, visits = place, c.best, c.visits
    return found


@kernel
def random_child(p: ProblemRecord, t: Any, index: int, temperature: float) -> int:
    """Place of a child drawn by softmax over (mean + best)/2; NOTHING: no child that was visited."""
    n = node_at(t, index)
    top, found = -np.inf, NOTHING
    if n.block == NO_BLOCK:
        return NOTHING
    for i in range(n.room):
        child = child_at(t, n.block + i)
        worth = -np.inf
        if child >= 0 and node_at(t, child).visits > 0:
            c = node_at(t, child)
            worth = 0.5 * (mean(c) + c.best)
        store_float(t.weights, i, worth)
        top = max(top, worth)
    if top == -np.inf:
        return NOTHING
    total = 0.0
    for i in range(n.room):
        weight = np.exp((load_float(t.weights, i) - top) / temperature)
        store_float(t.weights, i, weight)
        total += weight
    left = uniform(p.rng) * total
    for i in range(n.room):
        weight = load_float(t.weights, i)
        if weight > 0.0:
            found = n.block + i
            left -= weight
            if left < 0.0:
                break
    return found


@kernel
def best_path(t: Any, out: int, most: int) -> int:
    """Write the actions from the root along the children with the highest best value; returns how many."""
    index, count = ROOT, 0
    while count < most:
        place = best_child(t, index)
        if place == NOTHING:
            break
        store_int(out, count, place_at(t, place).action)
        index = child_at(t, place)
        count += 1
    return count


@kernel
def random_path(p: ProblemRecord, t: Any, temperature: float, out: int, most: int) -> int:
    """Write the actions of a random walk from the root to a leaf (see :func:`random_child`); returns how many."""
    index, count = ROOT, 0
    while count < most:
        place = random_child(p, t, index, temperature)
        if place == NOTHING:
            break
        store_int(out, count, place_at(t, place).action)
        index = child_at(t, place)
        count += 1
    return count


@kernel
def read_best_path(tree: Any, out: Any) -> int:
    """See :func:`best_path`.

    Args:
        tree: SP_TREE[1].
        out: int64[longest], written.
    """
    t = tree[0]
    return best_path(t, address_of(out), len(out))
