"""The compiled part of MCTS: select, expand, roll out, back up (Algorithm 1 of the paper is :func:`back_up`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from turnwise.core import table
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import load_float, load_int, store_float
from turnwise.planners.mcts.open_loop import descend_open
from turnwise.planners.mcts.tree import (
    FORCED,
    NO_BLOCK,
    child_of,
    edge_at,
    find_or_add,
    new_block,
    new_node,
    node_at,
    open_edge,
    path_edge,
    path_mover,
    step_on_path,
)
from turnwise.search.candidates import sort_by_order
from turnwise.search.forward_model import (
    OUT_OF_MEMORY,
    ProblemRecord,
    apply,
    candidates,
    copy_state,
    evaluate,
    exhausted,
    fingerprint,
    normalised,
    to_move,
    turn,
)
from turnwise.search.rollout import closes_turn, roll_out

OUT_OF_STEPS = -1


@kernel
def list_candidates(p: ProblemRecord, t: Any, n: Any) -> bool:
    """Give a node its block: the candidates of the state at hand, best-ordered; False: the tree is full."""
    count = candidates(p, t.work, t.listed)
    sort_by_order(p, t.work, t.listed, t.scores, count)
    first = new_block(t, count)
    if first == NO_BLOCK:
        return False
    for i in range(count):
        edge_at(t, first + i).action = load_int(t.listed, i)
    n.first, n.listed, n.opened, n.room = first, count, 0, count
    return True


@kernel
def best_edge(t: Any, n: Any) -> int:
    """Place of the edge with the highest upper confidence bound; the first of equals.

    The bound is w/n + 2C sqrt(2 ln N / n), with the node's own visits as N and the edge's as n.
    """
    factor = t.exploration * np.sqrt(np.log(max(1.0, np.float64(n.visits))))
    best, best_bound = n.first, -np.inf
    for place in range(n.first, n.first + n.opened):
        bound = load_float(t.means, place) + factor * load_float(t.bonuses, place)
        if bound > best_bound:
            best, best_bound = place, bound
    return best


@kernel
def drop_next_candidate(t: Any, n: Any) -> None:
    """Forget the candidate that would be tried next (it changes nothing)."""
    for place in range(n.first + n.opened, n.first + n.listed - 1):
        edge_at(t, place).action = edge_at(t, place + 1).action
    n.listed -= 1


@kernel
def expand(p: ProblemRecord, t: Any, index: int, length: int) -> int:
    """Try a node's next candidate and open an edge for it; returns the new length of the path."""
    n = node_at(t, index)
    place = n.first + n.opened
    number = turn(p, t.work)
    apply(p, t.work, edge_at(t, place).action)
    forced = False
    if to_move(p, t.work) == n.mover and turn(p, t.work) == number:
        forced = closes_turn(p, t.work, t.spare, t.listed)
    key = fingerprint(p, t.work)
    if key == n.key:
        drop_next_candidate(t, n)
        return length
    before = t.node_count
    if t.transpositions != 0:
        child = find_or_add(p, t, t.work, key, n.depth + 1)
    else:
        child = new_node(p, t, t.work, key, n.depth + 1)
    if child < 0:
        return length
    if t.node_count > before and n.inside != 0 and node_at(t, child).inside == 0:
        t.turns_seen += 1
    open_edge(t, n, place, child, forced)
    t.pending = index
    step_on_path(t, length, place, n.mover)
    return length + 1


@kernel
def descend(p: ProblemRecord, t: Any) -> int:
    """Walk from the start to a leaf, opening one edge at its end.

    Returns:
        Number of edges walked (noted in ``path``), OUT_OF_STEPS if the budget ended on the way.
    """
    index, length = t.start_node, 0
    while True:
        n = node_at(t, index)
        if n.mover < 0 or length >= t.depth_limit:
            return length
        if exhausted(p):
            return OUT_OF_STEPS
        if n.first == NO_BLOCK and (t.full != 0 or not list_candidates(p, t, n)):
            if length == 0 and t.rollout_turns == 0:  # no step would ever be made again
                p.stop = OUT_OF_MEMORY
            return length
        if n.opened < n.listed and t.full == 0:
            return expand(p, t, index, length)
        if n.opened == 0:
            return length
        place = best_edge(t, n)
        edge = edge_at(t, place)
        apply(p, t.work, edge.action)
        step_on_path(t, length, place, n.mover)
        length += 1
        if edge.child & FORCED:
            if exhausted(p):
                return OUT_OF_STEPS
            candidates(p, t.work, t.listed)
            apply(p, t.work, load_int(t.listed, 0))
        index = child_of(edge)


@kernel
def rate_leaf(p: ProblemRecord, t: Any) -> bool:
    """Evaluate the state at hand into ``values``, for the mover or for each of more than two players, in [0, 1]."""
    for player in range(p.players if p.players > 2 else 1):
        if exhausted(p):
            return False
        seat = player if p.players > 2 else p.mover
        store_float(t.values, player, normalised(p, evaluate(p, t.work, seat)))
    return True


@kernel
def value_for(p: ProblemRecord, t: Any, mover: int) -> float:
    """The leaf's value for who moved along an edge."""
    if p.players > 2:
        return load_float(t.values, mover)
    value = load_float(t.values, 0)
    if mover == p.mover:
        return value
    return -value if t.negate != 0 else 1.0 - value


@kernel
def back_up(p: ProblemRecord, t: Any, length: int) -> None:
    """MultiNegamax (Algorithm 1): every edge of the descent path gets the value of who moved along it."""
    node_at(t, t.start_node).visits += 1
    for i in range(length):
        place = path_edge(t, i)
        edge = edge_at(t, place)
        edge.visits += 1
        node_at(t, child_of(edge)).visits += 1
        count = np.float64(edge.visits)
        mean = load_float(t.means, place)
        store_float(t.means, place, mean + (value_for(p, t, path_mover(t, i)) - mean) / count)
        store_float(t.bonuses, place, 1.0 / np.sqrt(count))


@kernel
def take_back(t: Any) -> None:
    """Close the edge that an unfinished simulation has opened."""
    if t.pending >= 0:
        n = node_at(t, t.pending)
        n.opened -= 1
        t.opened -= 1
        if t.open_loop != 0:
            n.listed -= 1


@kernel
def simulate(p: ProblemRecord, t: Any) -> bool:
    """One iteration; False if the budget ended in it, which leaves all statistics as they were."""
    copy_state(p, t.work, t.start_row)
    if t.determinise != 0:
        table.call_determinise(p.determinise, (p.setup, t.work, p.mover, p.rng))
    t.pending = -1
    length = descend_open(p, t) if t.open_loop != 0 else descend(p, t)
    if length == OUT_OF_STEPS:
        return False
    if not roll_out(p, t.work, t.rollout_turns, t.epsilon, t.listed) or not rate_leaf(p, t):
        take_back(t)
        return False
    back_up(p, t, length)
    return True


@kernel
def search(p: ProblemRecord, tree: Any) -> None:
    """Simulate until the budget is over, or nothing is left to decide at the start.

    Args:
        p: The problem.
        tree: TREE[1].
    """
    t = tree[0]
    start = node_at(t, t.start_node)
    while not exhausted(p):
        if not simulate(p, t):
            break
        p.iterations += 1
        if start.first != NO_BLOCK and start.listed == 0:
            break
