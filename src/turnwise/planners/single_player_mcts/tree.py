"""The tree of single-player MCTS: a struct of arrays with fixed capacities that can be cut, re-rooted and extended.

A node is a state after an action. Its candidates (pruned legal actions) lie in a block of consecutive places, in native
order; a place holds an action, its child (or UNTRIED, or REMOVED) and what selection scans (merit and 1/sqrt(visits)
of the child), so that selection touches a few neighbouring cache lines a level and no child but the one it goes to; a
place without a child has a merit of minus infinity. Nodes never change their index, so that statistics survive every
operation; blocks are moved together when nodes have been dropped. In games without chance a node keeps its state, so
that a simulation plays only what is new.

Nodes in the upper levels keep the best sequence of actions that was seen from them on ("saved rollouts"); the root's is
the best sequence known at all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from turnwise.jit.kernel import kernel, record_at
from turnwise.jit.memory import copy_words, load_int, store_int
from turnwise.search.forward_model import ProblemRecord, candidates, in_turn, to_move

NODE = np.dtype(
    [
        ("visits", "i8"),
        ("sum", "f8"),  # of the values backed up through the node
        ("squares", "f8"),  # sum of their squares
        ("best", "f8"),  # the largest of them
        ("block", "i8"),  # first place of its block; NO_BLOCK: actions not yet listed
        ("room", "i4"),  # places in the block
        ("untried", "i4"),  # of these, how many are still to be tried
        ("opened", "i4"),  # of these, how many have a child
        ("saved", "i4"),  # slot of its saved sequence; NOTHING: none
        ("over", "i4"),  # whether there is nothing more to decide
        ("marked", "i4"),  # scratch of cuts
    ],
    align=True,
)
PLACE = np.dtype(
    [
        ("merit", "f8"),  # mean value and what is added to it whatever the parent's visits
        ("bonus", "f8"),  # 1/sqrt(visits)
        ("child", "i4"),  # its node, UNTRIED or REMOVED
        ("hint", "u4"),  # where the child's block was when it was last updated
        ("action", "i8"),
    ],
    align=True,
)
BLOCK = np.dtype([("start", "i8"), ("room", "i4"), ("owner", "i4")], align=True)
SAVED = np.dtype([("value", "f8"), ("length", "i8")], align=True)
NO_BLOCK = NOTHING = -1
UNTRIED, REMOVED = -1, -2  # instead of a child
ROOT = 0
PLACE_WORDS = PLACE.itemsize // 8
_NODE_STEP, _PLACE_STEP, _BLOCK_STEP, _SAVED_STEP = (np.uint64(d.itemsize) for d in (NODE, PLACE, BLOCK, SAVED))

SP_TREE = np.dtype(
    [
        ("nodes", "u8"),  # NODE[node_room]
        ("rows", "u8"),  # uint64[node_room, state_words]: the nodes' states, unless paths are replayed
        ("free_nodes", "u8"),  # int64[node_room]: stack of dropped nodes
        ("places", "u8"),  # PLACE[place_room]
        ("blocks", "u8"),  # BLOCK[node_room], by ascending start
        ("sequences", "u8"),  # int64[saved_room, longest]: saved actions from a node on
        ("saves", "u8"),  # SAVED[saved_room]
        ("free_saves", "u8"),  # int64[saved_room]: stack of free slots
        ("node_room", "i8"),
        ("node_count", "i8"),  # nodes ever made at once; free ones are among them
        ("free_count", "i8"),
        ("place_room", "i8"),
        ("place_count", "i8"),
        ("block_count", "i8"),
        ("saved_room", "i8"),
        ("free_saved", "i8"),
        ("full", "i8"),  # the tree has stopped growing
        ("work", "u8"),  # row of the simulation in progress
        ("listed", "u8"),  # int64[max_actions], scratch
        ("weights", "u8"),  # float64[max_actions], scratch
        ("path", "u8"),  # int64[longest + 1]: nodes of the simulation in progress
        ("taken", "u8"),  # int64[longest + 1]: their places (nothing for the root)
        ("line", "u8"),  # int64[longest]: actions of the simulation, rollout included
        ("stack", "u8"),  # int64[node_room], scratch
        ("levels", "u8"),  # int64[node_room + 1, 2], scratch: nodes and levels
        ("longest", "i8"),  # most actions of a simulation
        ("depth", "i8"),  # of the simulation in progress: nodes below the root
        ("length", "i8"),  # actions in its line
        ("grown", "i8"),  # whether it has made a node
        ("exploration", "f8"),
        ("third_term", "i8"),  # Schadd's deviation term is added
        ("deviation", "f8"),  # its D
        ("top_weight", "f8"),  # weight of the best value in the mean
        ("expand_after", "i8"),  # visits that a node must have before it gets a child
        ("rollout_depth", "i8"),  # moves of a rollout; -1: to the end
        ("epsilon", "f8"),
        ("saved_depth", "i8"),  # sequences are saved for nodes down to this depth
        ("fixed_depth", "i8"),  # nodes above this depth get no new children
        ("make_missing", "i8"),  # a path that is marked for a cut gets the nodes that it lacks
        ("forbidden", "i8"),  # action that the root must not play; NOTHING: none
        ("own_turn", "i8"),  # plan only to the hand-over (games of several players)
        ("replay", "i8"),  # paths are replayed from the root (chance, or states that cannot be kept)
        ("root", "u8"),  # row that simulations begin at
        ("idle", "i8"),  # simulations in a row that played no action
        ("deepest", "i8"),
    ],
    align=True,
)

_node, _place, _block, _saved = record_at(NODE), record_at(PLACE), record_at(BLOCK), record_at(SAVED)


@kernel
def node_at(t: Any, index: int) -> Any:
    """A node's record."""
    return _node(t.nodes + np.uint64(index) * _NODE_STEP)


@kernel
def place_address(t: Any, place: int) -> Any:
    """Where a place's record lies."""
    return t.places + np.uint64(place) * _PLACE_STEP


@kernel
def place_at(t: Any, place: int) -> Any:
    """A place's record."""
    return _place(place_address(t, place))


@kernel
def block_at(t: Any, index: int) -> Any:
    """A block's record."""
    return _block(t.blocks + np.uint64(index) * _BLOCK_STEP)


@kernel
def saved_at(t: Any, slot: int) -> Any:
    """Value and length of a saved sequence."""
    return _saved(t.saves + np.uint64(slot) * _SAVED_STEP)


@kernel
def sequence_at(t: Any, slot: int) -> Any:
    """Address of a saved sequence's actions."""
    return t.sequences + np.uint64(8 * slot * t.longest)


@kernel
def row_of(p: ProblemRecord, t: Any, index: int) -> Any:
    """Address of a node's state."""
    return t.rows + np.uint64(8 * index * p.state_words)


@kernel
def child_at(t: Any, place: int) -> int:
    """The child at a place, UNTRIED or REMOVED."""
    return place_at(t, place).child


@kernel
def mean(n: Any) -> float:
    """Mean of the values backed up through a node."""
    return n.sum / n.visits if n.visits > 0 else -np.inf


@kernel
def goes_on(p: ProblemRecord, t: Any, state: int) -> bool:
    """Whether there is more to plan: the game goes on, or with several players the own turn."""
    return in_turn(p, state) if t.own_turn != 0 else to_move(p, state) >= 0


@kernel
def new_node(p: ProblemRecord, t: Any, state: int) -> int:
    """Take a node for a state; NOTHING if the tree is full."""
    if t.free_count > 0:
        t.free_count -= 1
        index = load_int(t.free_nodes, t.free_count)
    elif t.node_count < t.node_room:
        index = t.node_count
        t.node_count += 1
    else:
        t.full = 1
        return NOTHING
    n = node_at(t, index)
    n.visits, n.sum, n.squares, n.best = 0, 0.0, 0.0, -np.inf
    n.block, n.room, n.untried, n.opened, n.saved, n.marked = NO_BLOCK, 0, 0, 0, NOTHING, 0
    n.over = 0 if goes_on(p, t, state) else 1
    if t.replay == 0:
        copy_words(row_of(p, t, index), state, p.state_words)
    return index


@kernel
def free_node(t: Any, index: int) -> None:
    """Give a node back; its children have been given back, its block is dead from now on."""
    n = node_at(t, index)
    if n.saved != NOTHING:
        store_int(t.free_saves, t.free_saved, n.saved)
        t.free_saved += 1
    n.saved, n.block = NOTHING, NO_BLOCK
    store_int(t.free_nodes, t.free_count, index)
    t.free_count += 1


@kernel
def list_actions(p: ProblemRecord, t: Any, index: int, state: int) -> bool:
    """Give a node its block: the candidates of its state; False: the tree is full."""
    count = candidates(p, state, t.listed)
    if t.place_count + count > t.place_room or t.block_count == t.node_room:
        t.full = 1
        return False
    n, b = node_at(t, index), block_at(t, t.block_count)
    b.start, b.room, b.owner = t.place_count, count, index
    n.block, n.room, n.untried, n.opened = t.place_count, count, 0, 0
    t.block_count += 1
    t.place_count += count
    for i in range(count):
        place_at(t, n.block + i).action = load_int(t.listed, i)
        is_barred = index == ROOT and load_int(t.listed, i) == t.forbidden
        empty_place(t, n.block + i, REMOVED if is_barred else UNTRIED)
        n.untried += 0 if is_barred else 1
    return True


@kernel
def empty_place(t: Any, place: int, mark: int) -> None:
    """A place without a child; ``mark`` is UNTRIED or REMOVED."""
    a = place_at(t, place)
    a.child, a.merit, a.bonus = mark, -np.inf, 0.0


@kernel
def open_place(p: ProblemRecord, t: Any, index: int, place: int, state: int) -> int:
    """Give a node a child, for the state behind a place's action; NOTHING if the tree is full."""
    child = new_node(p, t, state)
    if child != NOTHING:
        n = node_at(t, index)
        n.untried -= 1 if child_at(t, place) == UNTRIED else 0
        n.opened += 1
        place_at(t, place).child = child
    return child


@kernel
def close_place(t: Any, index: int, place: int) -> None:
    """Take a node's newest child back, which has no children of its own."""
    n = node_at(t, index)
    free_node(t, child_at(t, place))
    empty_place(t, place, UNTRIED)
    n.untried += 1
    n.opened -= 1


@kernel
def update(t: Any, index: int, place: int, value: float, visits: int) -> None:
    """Back a value up into one node, as so many visits.

    Args:
        t: SP_TREE record.
        index: The node.
        place: Its place in its parent's block; NOTHING for the root.
        value: What was reached.
        visits: How often it counts.
    """
    n = node_at(t, index)
    n.visits += visits
    n.sum += visits * value
    n.squares += visits * value * value
    n.best = max(n.best, value)
    if place != NOTHING:
        refresh(t, index, place)


@kernel
def refresh(t: Any, index: int, place: int) -> None:
    """Write at a node's place what selection looks at."""
    n, a = node_at(t, index), place_at(t, place)
    count = np.float64(n.visits)
    if n.visits == 0:
        a.merit, a.bonus = np.inf, 0.0
        return
    average = n.sum / count
    merit = average
    if t.top_weight > 0.0:
        merit = (1.0 - t.top_weight) * average + t.top_weight * n.best
    if t.third_term != 0:
        merit += np.sqrt(max(0.0, (n.squares - count * average * average + t.deviation) / count))
    a.merit, a.bonus, a.hint = merit, 1.0 / np.sqrt(count), max(0, n.block)


@kernel
def keep_sequence(t: Any, index: int, value: float, actions: int, begin: int, end: int) -> None:
    """Save a sequence for a node if it is better than the one it has, and short enough for its place.

    Args:
        t: SP_TREE record.
        index: The node.
        value: Value of the sequence.
        actions: Address of int64 actions.
        begin: First of them to be played from the node on.
        end: Behind the last.
    """
    n = node_at(t, index)
    if end - begin > t.longest:
        return
    if n.saved == NOTHING:
        if t.free_saved == 0:
            return
        t.free_saved -= 1
        n.saved = load_int(t.free_saves, t.free_saved)
    elif value <= saved_at(t, n.saved).value:
        return
    s = saved_at(t, n.saved)
    s.value, s.length = value, end - begin
    copy_words(sequence_at(t, n.saved), actions + np.uint64(8 * begin), end - begin)


@kernel
def plant(p: ProblemRecord, t: Any) -> None:
    """Forget everything and make the root, the node of ``root``."""
    t.node_count, t.free_count, t.place_count, t.block_count, t.full = 0, 0, 0, 0, 0
    t.free_saved, t.deepest = t.saved_room, 0
    for slot in range(t.saved_room):
        store_int(t.free_saves, slot, t.saved_room - 1 - slot)
    new_node(p, t, t.root)
