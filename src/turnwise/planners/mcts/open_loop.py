"""Descent of MCTS below chance: a node is a sequence of actions, and legality is checked at every visit.

Below a step in which chance took part, every simulation has a state of its own. A node's edges are in no fixed order
and need not all be legal in the state that this simulation has reached. Therefore selection and expansion go through
the candidates of that state and look up the edge of each; a block grows when new candidates turn up.
"""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import draw
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.record import Word
from turnwise.planners.mcts.listing import ordered_candidates
from turnwise.planners.mcts.pruning import is_pruned, narrow
from turnwise.planners.mcts.selection import bound_of, factor_of
from turnwise.planners.mcts.tree import (
    NO_BLOCK,
    NONE,
    Node,
    Tree,
    child_of,
    copy_edge,
    describe_leaf,
    new_block,
    new_node,
    open_edge,
    step_on_path,
)
from turnwise.planners.mcts.unit_order import follow_order, mark_of
from turnwise.search.forward_model import apply_as, exhausted, to_move, turn
from turnwise.search.opponents import deviated_after
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.rollout import closes_turn
from turnwise.search.scripts import script_table

NO_KEY = Word(0)


@kernel
def place_of(t: Tree, n: Node, action: int, guess: int) -> int:
    """Place of a node's edge for an action, NONE if it has none.

    Args:
        t: The tree.
        n: The node.
        action: The action.
        guess: Where its edge is in the block if the candidates are those of the first visit, in the same order.
    """
    if guess < n.opened and t.edges[n.first + guess].action == action:
        return n.first + guess
    for place in range(n.first, n.first + n.opened):
        if t.edges[place].action == action:
            return place
    return NONE


@kernel
def untried(p: ProblemRecord, t: Tree, n: Node, count: int) -> int:
    """Index of the first of ``count`` candidates in ``sorted`` without an edge (with ``shuffled``: of any), or NONE."""
    chosen, found = NONE, 0
    for i in range(count):
        if n.first == NO_BLOCK or place_of(t, n, t.sorted[i], i) == NONE:
            if t.shuffled == 0:
                return i
            found += 1
            if draw(p.rng, found) == 0:
                chosen = i
    return chosen


@kernel
def make_room(t: Tree, n: Node, wanted: int) -> bool:
    """Make sure that a node's block has a free place; a full one moves to a block of at least twice the size.

    False: the tree is full.
    """
    if n.first != NO_BLOCK and n.opened < n.room:
        return True
    room = max(wanted, 2 * n.room)
    first = new_block(t, room)
    if first == NO_BLOCK:
        return False
    for i in range(n.opened):
        copy_edge(t, first + i, n.first + i)
    n.first, n.room = first, room
    return True


@kernel
def best_legal_edge(p: ProblemRecord, t: Tree, n: Node, count: int, considered: int) -> int:
    """Place of the edge with the highest bound among ``count`` candidates in ``sorted``, NONE if none has an edge.

    Args:
        p: The problem.
        t: The tree.
        n: The node.
        count: Number of candidates.
        considered: How many of its edges are considered, the first ones.
    """
    factor = factor_of(p, t, n)
    best, best_bound = NONE, -np.inf
    for i in range(count):
        place = place_of(t, n, t.sorted[i], i)
        if place != NONE and place < n.first + considered:
            bound = bound_of(t, place, factor)
            if bound > best_bound:
                best, best_bound = place, bound
    return best


@kernel
def play(p: ProblemRecord, t: Tree, action: int) -> None:
    """Play an action in ``work``, and a forced end of the turn after it."""
    mover, number = to_move(p, t.work), turn(p, t.work)
    follow_order(p, t, t.work, action)
    apply_as(p, t.work, action, mover)
    if to_move(p, t.work) == mover and turn(p, t.work) == number:
        closes_turn(p, t.work, t.spare, t.listed)


@kernel
def expand_open(p: ProblemRecord, t: Tree, index: int, length: int, candidate: int, count: int) -> int:
    """Open an edge for one of ``count`` candidates in ``sorted``; returns the new length of the path."""
    n = t.nodes[index]
    mover = to_move(p, t.work)
    action, number = t.sorted[candidate], turn(p, t.work)
    bias = script_table(p.scripts).votes[candidate] if t.biased != 0 else 0.0
    acted = mark_of(p, t, t.work, action) if t.ordered != 0 else 0
    play(p, t, action)
    deviated = deviated_after(t.opponents[0], n.deviated, mover, p.mover, candidate, to_move(p, t.work))
    if t.ordered != 0 and to_move(p, t.work) == mover and turn(p, t.work) == number:
        deviated = acted if acted > 0 else integer(n.deviated)
    describe_leaf(p, t, t.work, NO_KEY, n.depth + 1, deviated)
    child = new_node(t) if make_room(t, n, count) else NONE
    if child == NONE:
        return length
    if n.inside != 0 and t.nodes[child].inside == 0:
        t.turns_seen += 1
    place = n.first + n.opened
    t.edges[place].action = action
    if t.biased != 0:
        t.biases[place] = bias
    open_edge(t, n, place, child, 0)
    n.listed += 1
    t.pending = index
    step_on_path(t, length, place, mover)
    return length + 1


@kernel
def descend_open(p: ProblemRecord, t: Tree, index: int, length: int) -> int:
    """Walk on from a node to a leaf and open one edge there; see :func:`~turnwise.planners.mcts.search.descend`.

    Args:
        p: The problem.
        t: The tree; ``work`` is the state that this simulation has reached.
        index: The node.
        length: Number of edges walked so far.
    """
    while True:
        n = t.nodes[index]
        mover = to_move(p, t.work)
        if mover < 0 or length >= t.depth_limit:
            return length
        if exhausted(p):
            return -1
        count = ordered_candidates(p, t, n, mover, t.sorted, t.listed)
        is_narrow = is_pruned(t, n)
        candidate = NONE if t.full != 0 or is_narrow else untried(p, t, n, count)
        if candidate != NONE:
            return expand_open(p, t, index, length, candidate, count)
        if n.first == NO_BLOCK:
            return length
        place = NONE
        if is_narrow:
            narrow(p, t, index)
            place = best_legal_edge(p, t, n, count, t.widths[index].kept)
        if place == NONE:
            place = best_legal_edge(p, t, n, count, n.opened)
        if place == NONE:
            return length
        edge = t.edges[place]
        step_on_path(t, length, place, mover)
        length += 1
        play(p, t, edge.action)
        index = child_of(edge)
