"""Descent of MCTS where chance takes part: a node is a sequence of actions, legality is asked anew at each visit."""

from __future__ import annotations

from typing import Any

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import load_float, load_int, store_float
from turnwise.planners.mcts.tree import (
    NO_BLOCK,
    child_of,
    edge_at,
    new_block,
    new_node,
    node_at,
    open_edge,
    step_on_path,
)
from turnwise.search.candidates import sorted_candidates
from turnwise.search.forward_model import ProblemRecord, apply, exhausted, to_move, turn
from turnwise.search.rollout import closes_turn

NONE = -1
_NO_KEY = np.uint64(0)


@kernel
def place_of(t: Any, n: Any, action: int) -> int:
    """Place of a node's edge for an action, NONE if it has none."""
    for place in range(n.first, n.first + n.opened):
        if edge_at(t, place).action == action:
            return place
    return NONE


@kernel
def untried(t: Any, n: Any, count: int) -> int:
    """Index of the first listed candidate without an edge, NONE if there is none."""
    for i in range(count):
        if n.first == NO_BLOCK or place_of(t, n, load_int(t.sorted, i)) == NONE:
            return i
    return NONE


@kernel
def make_room(t: Any, n: Any, wanted: int) -> bool:
    """See that a node's block has a free place; a full one moves to a block of twice the size."""
    if n.first != NO_BLOCK and n.opened < n.room:
        return True
    room = max(wanted, 2 * n.room)
    first = new_block(t, room)
    if first == NO_BLOCK:
        return False
    for i in range(n.opened):
        old, new = edge_at(t, n.first + i), edge_at(t, first + i)
        new.action, new.child, new.visits = old.action, old.child, old.visits
        store_float(t.means, first + i, load_float(t.means, n.first + i))
        store_float(t.bonuses, first + i, load_float(t.bonuses, n.first + i))
    n.first, n.room = first, room
    return True


@kernel
def best_legal_edge(t: Any, n: Any, count: int) -> int:
    """Place of the edge with the highest bound among the candidates at hand, NONE if none of them has one."""
    factor = t.exploration * np.sqrt(np.log(max(1.0, np.float64(n.visits))))
    best, best_bound = NONE, -np.inf
    for i in range(count):
        place = place_of(t, n, load_int(t.sorted, i))
        if place != NONE:
            bound = load_float(t.means, place) + factor * load_float(t.bonuses, place)
            if bound > best_bound:
                best, best_bound = place, bound
    return best


@kernel
def play(p: ProblemRecord, t: Any, action: int) -> None:
    """Play an action on the work row, and a forced end of the turn behind it."""
    mover, number = to_move(p, t.work), turn(p, t.work)
    apply(p, t.work, action)
    if to_move(p, t.work) == mover and turn(p, t.work) == number:
        closes_turn(p, t.work, t.spare, t.listed)


@kernel
def expand_open(p: ProblemRecord, t: Any, index: int, length: int, candidate: int, count: int) -> int:
    """Open an edge for a candidate; returns the new length of the path."""
    n = node_at(t, index)
    mover = to_move(p, t.work)
    action = load_int(t.sorted, candidate)
    play(p, t, action)
    child = new_node(p, t, t.work, _NO_KEY, n.depth + 1) if make_room(t, n, count) else NONE
    if child == NONE:
        return length
    if n.inside != 0 and node_at(t, child).inside == 0:
        t.turns_seen += 1
    place = n.first + n.opened
    edge_at(t, place).action = action
    open_edge(t, n, place, child, False)
    n.listed += 1
    t.pending = index
    step_on_path(t, length, place, mover)
    return length + 1


@kernel
def descend_open(p: ProblemRecord, t: Any) -> int:
    """Walk from the start to a leaf, opening one edge at its end; as :func:`~turnwise.planners.mcts.search.descend`."""
    index, length = t.start_node, 0
    while True:
        n = node_at(t, index)
        mover = to_move(p, t.work)
        if mover < 0 or length >= t.depth_limit:
            return length
        if exhausted(p):
            return -1
        count = sorted_candidates(p, t.work, t.sorted, t.scores)
        candidate = NONE if t.full != 0 else untried(t, n, count)
        if candidate != NONE:
            return expand_open(p, t, index, length, candidate, count)
        if n.first == NO_BLOCK:
            return length
        place = best_legal_edge(t, n, count)
        if place == NONE:
            return length
        edge = edge_at(t, place)
        step_on_path(t, length, place, mover)
        length += 1
        play(p, t, edge.action)
        index = child_of(edge)
