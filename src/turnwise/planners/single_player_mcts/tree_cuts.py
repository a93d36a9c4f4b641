"""What else is done to the tree of single-player MCTS: move the root, drop nodes, cut to given paths, insert paths."""

from __future__ import annotations

from typing import Any

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import copy_words, load_int, store_int
from turnwise.planners.single_player_mcts.tree import (
    NO_BLOCK,
    NOTHING,
    PLACE_WORDS,
    REMOVED,
    ROOT,
    UNTRIED,
    block_at,
    child_at,
    empty_place,
    free_node,
    goes_on,
    keep_sequence,
    list_actions,
    node_at,
    open_place,
    place_address,
    place_at,
    refresh,
    row_of,
    saved_at,
    sequence_at,
    update,
)
from turnwise.search.forward_model import ProblemRecord, apply, copy_state, exhausted, is_legal


@kernel
def drop(t: Any, index: int) -> None:
    """Give back a node and everything below it."""
    store_int(t.stack, 0, index)
    waiting = 1
    while waiting > 0:
        waiting -= 1
        now = load_int(t.stack, waiting)
        n = node_at(t, now)
        if n.block != NO_BLOCK and n.opened > 0:
            for place in range(n.block, n.block + n.room):
                child = child_at(t, place)
                if child >= 0:
                    store_int(t.stack, waiting, child)
                    waiting += 1
        free_node(t, now)


@kernel
def compact(t: Any) -> None:
    """Move the blocks of living nodes together, over those of dropped ones."""
    to_place, to_block = 0, 0
    for i in range(t.block_count):
        b = block_at(t, i)
        start, room, owner = b.start, b.room, b.owner
        n = node_at(t, owner)
        if n.block != start:  # its owner has been dropped (and its index perhaps used again)
            continue
        if start != to_place:
            for j in range(room):
                copy_words(place_address(t, to_place + j), place_address(t, start + j), PLACE_WORDS)
            n.block = to_place
        kept = block_at(t, to_block)
        kept.start, kept.room, kept.owner = to_place, room, owner
        to_place += room
        to_block += 1
    t.place_count, t.block_count = to_place, to_block
    t.full = 0


@kernel
def place_of(t: Any, index: int, action: int) -> int:
    """Place of an action in a node's block; NOTHING if it is not there."""
    n = node_at(t, index)
    if n.block != NO_BLOCK:
        for place in range(n.block, n.block + n.room):
            if place_at(t, place).action == action:
                return place
    return NOTHING


@kernel
def push_down(t: Any, index: int) -> None:
    """A node's saved sequence loses its first action and moves to the child that this action leads to."""
    n = node_at(t, index)
    if n.saved == NOTHING or saved_at(t, n.saved).length == 0:
        return
    s, actions = saved_at(t, n.saved), sequence_at(t, n.saved)
    place = place_of(t, index, load_int(actions, 0))
    if place != NOTHING and child_at(t, place) >= 0:
        keep_sequence(t, child_at(t, place), s.value, actions, 1, s.length)


@kernel
def push_down_all(t: Any, index: int, levels: int) -> None:
    """Push saved sequences down in the upper levels, so that they reach one level deeper than before."""
    store_int(t.levels, 0, index)
    store_int(t.levels, 1, levels)
    waiting = 1
    while waiting > 0:
        waiting -= 1
        now, left = load_int(t.levels, 2 * waiting), load_int(t.levels, 2 * waiting + 1)
        push_down(t, now)
        n = node_at(t, now)
        if left <= 1 or n.block == NO_BLOCK:
            continue
        for place in range(n.block, n.block + n.room):
            if child_at(t, place) >= 0:
                store_int(t.levels, 2 * waiting, child_at(t, place))
                store_int(t.levels, 2 * waiting + 1, left - 1)
                waiting += 1


@kernel
def move_root(p: ProblemRecord, t: Any, action: int) -> bool:
    """Make the child behind an action the root and drop everything else; False: there is no such child.

    ``root`` must hold the new root's state by then.
    """
    place = place_of(t, ROOT, action)
    if place == NOTHING or child_at(t, place) < 0:
        return False
    chosen = child_at(t, place)
    push_down(t, ROOT)
    empty_place(t, place, REMOVED)
    drop(t, ROOT)
    take_root(p, t, chosen)
    if t.saved_depth > 0:
        push_down_all(t, ROOT, t.saved_depth)
    compact(t)
    return True


@kernel
def take_root(p: ProblemRecord, t: Any, chosen: int) -> None:
    """Move a node to the index ROOT, which has been given back."""
    for i in range(t.free_count):
        if load_int(t.free_nodes, i) == ROOT:
            store_int(t.free_nodes, i, chosen)
            break
    n, c = node_at(t, ROOT), node_at(t, chosen)
    n.visits, n.sum, n.squares, n.best = c.visits, c.sum, c.squares, c.best
    n.block, n.room, n.untried, n.opened, n.saved = c.block, c.room, c.untried, c.opened, c.saved
    n.over, n.marked = c.over, 0
    c.block, c.saved = NO_BLOCK, NOTHING
    if t.replay == 0:
        copy_words(row_of(p, t, ROOT), row_of(p, t, chosen), p.state_words)
    for i in range(t.block_count):
        b = block_at(t, i)
        if b.owner == chosen and b.start == n.block:
            b.owner = ROOT


@kernel
def walk(p: ProblemRecord, t: Any, actions: int, count: int, mark: int) -> int:
    """Go along a path from the root, making nodes that are missing; notes it in ``path``, ``taken`` and ``line``.

    Args:
        p: The problem.
        t: SP_TREE record.
        actions: Address of int64 actions.
        count: How many of them.
        mark: What to write into the nodes' marks (before a cut, which may leave missing nodes missing); NOTHING:
            leave them.

    Returns:
        The depth reached: less than ``count`` where the game ends, an action is not legal, or the tree or the budget
        is at its end.
    """
    index = ROOT
    t.depth = 0
    store_int(t.path, 0, ROOT)
    copy_state(p, t.work, t.root)
    while t.depth < min(count, t.longest):
        action = load_int(actions, t.depth)
        if t.replay != 0 and (not goes_on(p, t, t.work) or not is_legal(p, t.work, action)):
            break
        here = t.work if t.replay != 0 else row_of(p, t, index)
        n = node_at(t, index)
        if n.over != 0 or (n.block == NO_BLOCK and not list_actions(p, t, index, here)):
            break
        place = place_of(t, index, action)
        if place == NOTHING or (index == ROOT and action == t.forbidden):
            break
        child = child_at(t, place)
        if child < 0:
            if (mark != NOTHING and t.make_missing == 0) or exhausted(p):
                break
            if t.replay == 0:
                copy_state(p, t.work, here)
            apply(p, t.work, action)
            child = open_place(p, t, index, place, t.work)
            if child == NOTHING:
                break
            refresh(t, child, place)
        elif t.replay != 0:
            if exhausted(p):
                break
            apply(p, t.work, action)
        store_int(t.line, t.depth, action)
        t.depth += 1
        store_int(t.path, t.depth, child)
        store_int(t.taken, t.depth, place)
        index = child
        if mark != NOTHING:
            node_at(t, index).marked = mark
    return t.depth


@kernel
def insert(
    p: ProblemRecord, t: Any, actions: int, count: int, length: int, value: float, visits: int, saves: bool
) -> None:
    """Insert the first ``count`` of ``length`` actions as a path; their value counts as so many visits of each node.

    ``saves``: the actions lead to that value, so nodes may save them as the best sequence seen.
    """
    walk(p, t, actions, count, NOTHING)
    t.deepest = max(t.deepest, t.depth)
    for depth in range(t.depth + 1):
        index = load_int(t.path, depth)
        update(t, index, load_int(t.taken, depth) if depth > 0 else NOTHING, value, visits)
        if saves and depth <= t.saved_depth:
            keep_sequence(t, index, value, actions, depth, length)


@kernel
def cut(t: Any, levels: int) -> None:
    """Drop every node in the upper levels below the root that is not marked, and take the marks off."""
    store_int(t.levels, 0, ROOT)
    store_int(t.levels, 1, 0)
    waiting = 1
    while waiting > 0:
        waiting -= 1
        now, depth = load_int(t.levels, 2 * waiting), load_int(t.levels, 2 * waiting + 1)
        n = node_at(t, now)
        if depth == levels or n.block == NO_BLOCK:
            continue
        for place in range(n.block, n.block + n.room):
            child = child_at(t, place)
            if child < 0:
                continue
            if node_at(t, child).marked == 0:
                drop(t, child)
                empty_place(t, place, UNTRIED)
                n.untried += 1
                n.opened -= 1
            else:
                node_at(t, child).marked = 0
                store_int(t.levels, 2 * waiting, child)
                store_int(t.levels, 2 * waiting + 1, depth + 1)
                waiting += 1
    compact(t)
