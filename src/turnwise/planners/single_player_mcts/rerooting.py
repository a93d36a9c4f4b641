"""Re-rooting: the child after the action played becomes the root with its subtree; all other nodes are dropped."""

from __future__ import annotations

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of_record, copy_words
from turnwise.planners.single_player_mcts.tree import (
    NO_BLOCK,
    NOTHING,
    REMOVED,
    ROOT,
    Node,
    Place,
    Tree,
    empty_place,
    free_node,
    keep_sequence,
    place_of,
    row_of,
    sequence_at,
)
from turnwise.search.problem_record import ProblemRecord

_NODE_WORDS, _PLACE_WORDS = Node.dtype.itemsize // 8, Place.dtype.itemsize // 8


@kernel
def drop(t: Tree, index: int) -> None:
    """Release a node and everything below it."""
    t.stack[0] = index
    waiting = 1
    while waiting > 0:
        waiting -= 1
        now = t.stack[waiting]
        n = t.nodes[now]
        if n.block != NO_BLOCK and n.opened > 0:
            for place in range(n.block, n.block + n.room):
                child = t.places[place].child
                if child >= 0:
                    t.stack[waiting] = child
                    waiting += 1
        free_node(t, now)


@kernel
def compact(t: Tree) -> None:
    """Move the blocks of live nodes together, over those of dropped ones."""
    to_place, to_block = 0, 0
    for i in range(t.block_count):
        b = t.blocks[i]
        start, room, owner = b.start, b.room, b.owner
        n = t.nodes[owner]
        if n.block != start:  # its owner has been dropped (and its index possibly reused)
            continue
        if start != to_place:
            for j in range(room):
                target, source = t.places[to_place + j], t.places[start + j]
                copy_words(address_of_record(target), address_of_record(source), _PLACE_WORDS)
            n.block = to_place
        kept = t.blocks[to_block]
        kept.start, kept.room, kept.owner = to_place, room, owner
        to_place += room
        to_block += 1
    t.place_count, t.block_count = to_place, to_block
    t.full = 0


@kernel
def push_down(t: Tree, index: int) -> None:
    """Pass a node's saved sequence, without its first action, to the child that this action leads to."""
    n = t.nodes[index]
    if n.saved == NOTHING or t.saves[n.saved].length == 0:
        return
    s, actions = t.saves[n.saved], sequence_at(t, n.saved)
    place = place_of(t, index, actions[0])
    if place != NOTHING and t.places[place].child >= 0:
        keep_sequence(t, t.places[place].child, s.value, actions, 1, s.length)


@kernel
def push_down_all(t: Tree, index: int, levels: int) -> None:
    """Push saved sequences down in the upper levels, so that they reach one level deeper than before."""
    first = t.levels[0]
    first.node, first.level = index, levels
    waiting = 1
    while waiting > 0:
        waiting -= 1
        now, left = t.levels[waiting].node, t.levels[waiting].level
        push_down(t, now)
        n = t.nodes[now]
        if left <= 1 or n.block == NO_BLOCK:
            continue
        for place in range(n.block, n.block + n.room):
            child = t.places[place].child
            if child >= 0:
                next_one = t.levels[waiting]
                next_one.node, next_one.level = child, left - 1
                waiting += 1


@kernel
def take_root(p: ProblemRecord, t: Tree, chosen: int) -> None:
    """Move a node to the index ROOT, which has been released."""
    for i in range(t.free_count):
        if t.free_nodes[i] == ROOT:
            t.free_nodes[i] = chosen
            break
    n, c = t.nodes[ROOT], t.nodes[chosen]
    copy_words(address_of_record(n), address_of_record(c), _NODE_WORDS)
    n.marked = 0
    c.block, c.saved = NO_BLOCK, NOTHING
    if t.replay == 0:
        copy_words(row_of(p, t, ROOT), row_of(p, t, chosen), p.state_words)
    for i in range(t.block_count):
        b = t.blocks[i]
        if b.owner == chosen and b.start == n.block:
            b.owner = ROOT


@kernel
def move_root(p: ProblemRecord, t: Tree, action: int) -> bool:
    """Make the child after an action the root and drop everything else; False: there is no such child.

    Args:
        p: The problem.
        t: The tree, changed in place; its ``root`` already holds the state after the action.
        action: The action played at the old root.
    """
    place = place_of(t, ROOT, action)
    if place == NOTHING or t.places[place].child < 0:
        return False
    chosen = t.places[place].child
    push_down(t, ROOT)
    empty_place(t, place, REMOVED)
    drop(t, ROOT)
    take_root(p, t, chosen)
    if t.saved_depth > 0:
        push_down_all(t, ROOT, t.saved_depth)
    compact(t)
    return True
