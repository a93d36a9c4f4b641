"""What is read off an MCTS tree, and how it is cut: best lines, burnt bridges, figures."""

from __future__ import annotations

from typing import Any

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of, load_float, row_at, store_float
from turnwise.planners.mcts.tree import child_of, edge_at, node_at
from turnwise.search.forward_model import (
    ProblemRecord,
    apply,
    copy_state,
    exhausted,
    in_turn,
    is_legal,
    legal,
    policy_action,
    start_policy,
)


@kernel
def highest_mean(t: Any, n: Any) -> int:
    """Place of the edge with the highest mean value; the first of equals."""
    best = n.first
    for place in range(n.first + 1, n.first + n.opened):
        if load_float(t.means, place) > load_float(t.means, best):
            best = place
    return best


@kernel
def best_line(tree: Any, node: int, actions: Any) -> int:
    """Follow the best edges from a node while the planned turn goes on.

    Args:
        tree: TREE[1]; ``line_end`` becomes the node where the line ends.
        node: Index of the node to begin at.
        actions: int64[...], receives the actions; its length bounds the line.

    Returns:
        Number of actions.
    """
    t = tree[0]
    n = node_at(t, node)
    count = 0
    while n.inside != 0 and n.opened > 0 and count < actions.shape[0]:
        edge = edge_at(t, highest_mean(t, n))
        actions[count] = edge.action
        count += 1
        node = child_of(edge)
        n = node_at(t, node)
    t.line_end = node
    return count


@kernel
def is_complete(tree: Any) -> bool:
    """Whether the line that was read last leads to the end of the planned turn."""
    t = tree[0]
    return node_at(t, t.line_end).inside == 0


@kernel
def advance(p: ProblemRecord, tree: Any, actions: Any, count: int) -> bool:
    """Let simulations begin at the end of a line: play its actions on ``start_row``; False: out of budget.

    In games of chance this samples one course of events for the line.
    """
    t = tree[0]
    for i in range(count):
        if exhausted(p) or not is_legal(p, t.start_row, actions[i]):
            return False
        apply(p, t.start_row, actions[i])
    t.start_node = t.line_end
    return True


@kernel
def burn(tree: Any, depth: int) -> bool:
    """Freeze the best edge of the node at a depth of the principal line as its only one; False: it has none."""
    t = tree[0]
    n = node_at(t, 0)
    for _ in range(depth):
        if n.opened == 0:
            return False
        n = node_at(t, child_of(edge_at(t, n.first)))
    if n.opened == 0 or n.inside == 0:
        return False
    best = highest_mean(t, n)
    kept, first = edge_at(t, best), edge_at(t, n.first)
    first.action, first.child, first.visits = kept.action, kept.child, kept.visits
    store_float(t.means, n.first, load_float(t.means, best))
    store_float(t.bonuses, n.first, load_float(t.bonuses, best))
    n.opened, n.listed = 1, 1
    return True


@kernel
def leaf_depth(tree: Any) -> float:
    """Mean depth of the nodes without edges, each counted once (on the way on which it was found)."""
    t = tree[0]
    leaves, total = 0, 0
    for i in range(t.node_count):
        n = node_at(t, i)
        if n.opened == 0:
            leaves += 1
            total += n.depth
    return total / leaves if leaves > 0 else 0.0


@kernel
def turn_length(p: ProblemRecord, rows: Any, turns: int, epsilon: float) -> float:
    """Mean number of decisions in the planned turn, by playing it out with the rollout policy.

    Args:
        p: The problem.
        rows: uint64[2, state_words]; row 0 is the state to begin at, row 1 scratch.
        turns: How many turns to play.
        epsilon: For the built-in policy: probability of the best-scored action.

    Returns:
        The mean over the turns that were finished within the budget, without forced ends; 0.0 if none was.
    """
    work = row_at(rows, 1)
    listed = np.empty(p.max_actions, np.int64)
    finished, total = 0, 0
    while finished < turns:
        copy_state(p, work, row_at(rows, 0))
        start_policy(p)
        count = 0
        while in_turn(p, work):
            if exhausted(p):
                return total / finished if finished > 0 else 0.0
            forced = legal(p, work, address_of(listed)) == 1
            apply(p, work, policy_action(p, work, epsilon, address_of(listed)))
            if not forced or in_turn(p, work):
                count += 1
        finished += 1
        total += count
    return total / finished
