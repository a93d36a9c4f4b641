"""Best lines of an MCTS tree: read them, continue the search from their end, freeze their actions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from turnwise.jit.kernel import kernel
from turnwise.planners.mcts.tree import (
    NONE,
    NOT_PRUNED,
    Tree,
    child_of,
    considered,
    copy_edge,
    describe_leaf,
    find_or_add,
    new_node,
)
from turnwise.planners.mcts.unit_order import follow_order, keep_order, restore_order
from turnwise.search.forward_model import apply, drew, exhausted, fingerprint, is_legal
from turnwise.search.problem_record import ProblemRecord


@kernel
def best_place(t: Tree, index: int) -> int:
    """Place of a node's edge with the highest mean value, or with most visits and then the highest mean; ties: first.

    Only those edges count that selection considers.
    """
    n = t.nodes[index]
    best = n.first
    for place in range(n.first + 1, n.first + considered(t, index)):
        if t.by_visits != 0 and t.edges[place].visits != t.edges[best].visits:
            if t.edges[place].visits > t.edges[best].visits:
                best = place
        elif t.means[place] > t.means[best]:
            best = place
    return best


@kernel
def best_line(t: Tree, node: int, actions: NDArray[np.int64]) -> tuple[int, bool]:
    """Follow the best edges from a node to the end of the planned turn or of the tree.

    Args:
        t: The tree; ``line_end`` becomes the node where the line ends.
        node: Index of the node to begin at.
        actions: int64[...], receives the actions; its length bounds the line.

    Returns:
        Number of actions, and whether they end the turn.
    """
    n = t.nodes[node]
    count = 0
    while n.inside != 0 and n.opened > 0 and count < actions.shape[0]:
        edge = t.edges[best_place(t, node)]
        actions[count] = edge.action
        count += 1
        node = child_of(edge)
        n = t.nodes[node]
    t.line_end = node
    return count, n.inside == 0


@kernel
def advance(p: ProblemRecord, t: Tree, actions: NDArray[np.int64], count: int) -> bool:
    """Make simulations begin at the end of a line: play its actions on ``start_row``; False: out of budget.

    Where chance takes part, this samples one course of events for the line, and what follows is searched open loop.

    Args:
        p: The problem.
        t: The tree; ``start_row`` and ``start_node`` move on, to the node ``line_end``.
        actions: int64[count], the line from ``start_node`` to ``line_end``.
        count: Number of actions.
    """
    chance_steps = p.chance_steps
    restore_order(p, t)
    for i in range(count):
        if exhausted(p) or not is_legal(p, t.start_row, actions[i]):
            return False
        follow_order(p, t, t.start_row, actions[i])
        apply(p, t.start_row, actions[i])
    if t.ordered != 0 and p.heir != 0:
        keep_order(t)
    t.start_node = t.line_end
    if drew(p, chance_steps):
        t.start_open = 1
    return True


@kernel
def begin_here(p: ProblemRecord, t: Tree, depth: int) -> bool:
    """Make simulations begin at a node for ``start_row``, known or new; False: the tree is full.

    Args:
        p: The problem.
        t: The tree.
        depth: Actions from the root to this state.
    """
    key = fingerprint(p, t.start_row)
    describe_leaf(p, t, t.start_row, key, depth, 0)
    t.start_node = find_or_add(t) if t.transpositions != 0 and t.start_open == 0 else new_node(t)
    return t.start_node != NONE


@kernel
def burn(t: Tree, depth: int) -> bool:
    """Make the best edge of the node at a depth of the principal line its only one; False: it has none."""
    index = 0
    for _ in range(depth):
        if t.nodes[index].opened == 0:
            return False
        index = child_of(t.edges[t.nodes[index].first])
    n = t.nodes[index]
    if n.opened == 0 or n.inside == 0:
        return False
    copy_edge(t, n.first, best_place(t, index))
    n.opened, n.listed = 1, 1
    if t.rule[0].kind != NOT_PRUNED:
        t.widths[index].kept, t.widths[index].known = 1, 1
    return True


@kernel
def mean_of_first(t: Tree, action: int) -> float:
    """Mean value of the root's edge of an action; minus infinity: it has no such edge."""
    n = t.nodes[0]
    for place in range(n.first, n.first + n.opened):
        if t.edges[place].action == action:
            return t.means[place]
    return -np.inf


@kernel
def depths_of_leaves(t: Tree) -> tuple[int, int]:
    """How many nodes have no edges, and the sum of their depths."""
    leaves, depths = 0, 0
    for index in range(t.node_count):
        n = t.nodes[index]
        if n.opened == 0:
            leaves += 1
            depths += n.depth
    return leaves, depths
