"""Operations of hybrids on a single-player tree: walk given paths, insert them, cut the upper levels to them."""

from __future__ import annotations

from turnwise.jit.kernel import kernel
from turnwise.jit.record import Ints
from turnwise.planners.single_player_mcts.rerooting import compact, drop
from turnwise.planners.single_player_mcts.tree import (
    NO_BLOCK,
    NOTHING,
    OVER,
    ROOT,
    UNTRIED,
    VARIES,
    Tree,
    empty_place,
    keep_sequence,
    list_actions,
    open_place,
    place_of,
    refresh,
    row_of,
    update,
)
from turnwise.search.forward_model import apply, copy_state, exhausted, is_legal
from turnwise.search.horizon import goes_on
from turnwise.search.problem_record import ProblemRecord


@kernel
def walk(p: ProblemRecord, t: Tree, actions: Ints, count: int, mark: int) -> int:
    """Walk a path from the root, creating missing nodes; records it in ``path``, ``taken`` and ``line``.

    Args:
        p: The problem.
        t: The tree.
        actions: int64[count] actions.
        count: Number of actions.
        mark: Value for the nodes' marks before a cut (``make_missing`` then decides whether missing nodes are created);
            NOTHING: do not mark.

    Returns:
        The depth reached: less than ``count`` if the game ends, an action is illegal, the tree is full, or the budget
        is exhausted.
    """
    index = ROOT
    t.depth = 0
    t.path[0] = ROOT
    copy_state(p, t.work, t.root)
    while t.depth < min(count, t.horizon):
        action = actions[t.depth]
        n = t.nodes[index]
        replays = t.replay != 0 or n.kind == VARIES
        if replays and (not goes_on(p, t.reach[0], t.work) or not is_legal(p, t.work, action)):
            break
        here = t.work if replays else row_of(p, t, index)
        if n.kind == OVER or (n.block == NO_BLOCK and not list_actions(p, t, index, here)):
            break
        place = place_of(t, index, action)
        if place == NOTHING or (index == ROOT and action == t.forbidden):
            break
        child = t.places[place].child
        if child < 0:
            if (mark != NOTHING and t.make_missing == 0) or exhausted(p):
                break
            if not replays:
                copy_state(p, t.work, here)
            child = open_place(p, t, index, place, t.work)
            if child == NOTHING:
                break
            refresh(t, child, place)
        elif t.replay != 0 or t.nodes[child].kind == VARIES:
            if exhausted(p):
                break
            if not replays:
                copy_state(p, t.work, here)
            apply(p, t.work, action)
        t.line[t.depth] = action
        t.depth += 1
        t.path[t.depth] = child
        t.taken[t.depth] = place
        index = child
        if mark != NOTHING:
            t.nodes[index].marked = mark
    return t.depth


@kernel
def insert(
    p: ProblemRecord, t: Tree, actions: Ints, count: int, length: int, value: float, visits: int, saves: bool
) -> None:
    """Insert actions as a path; their value counts as a number of visits of each node.

    Args:
        p: The problem.
        t: The tree.
        actions: int64[length] actions.
        count: Number of actions that become the path.
        length: Number of all actions.
        value: Their value.
        visits: Number of visits that the value counts as.
        saves: Whether the actions lead to that value, so that nodes may save them as the best sequence seen.
    """
    walk(p, t, actions, count, NOTHING)
    t.deepest = max(t.deepest, t.depth)
    for depth in range(t.depth + 1):
        index = t.path[depth]
        update(t, index, t.taken[depth] if depth > 0 else NOTHING, value, visits)
        if saves and depth <= t.saved_depth:
            keep_sequence(t, index, value, actions, depth, length)


@kernel
def cut(t: Tree, levels: int) -> None:
    """Drop every unmarked node in the upper levels below the root, and clear the marks."""
    first = t.levels[0]
    first.node, first.level = ROOT, 0
    waiting = 1
    while waiting > 0:
        waiting -= 1
        now, depth = t.levels[waiting].node, t.levels[waiting].level
        n = t.nodes[now]
        if depth == levels or n.block == NO_BLOCK:
            continue
        for place in range(n.block, n.block + n.room):
            child = t.places[place].child
            if child < 0:
                continue
            if t.nodes[child].marked == 0:
                drop(t, child)
                empty_place(t, place, UNTRIED)
                n.untried += 1
                n.opened -= 1
            else:
                t.nodes[child].marked = 0
                next_one = t.levels[waiting]
                next_one.node, next_one.level = child, depth + 1
                waiting += 1
    compact(t)
