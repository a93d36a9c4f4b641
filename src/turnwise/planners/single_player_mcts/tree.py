"""The tree of single-player MCTS: arrays with fixed capacities; it can be cut, re-rooted and extended.

A node is a state after an action. Its candidates (pruned legal actions) are in a block of consecutive places, in native
order; a place holds an action, its child (or UNTRIED, or REMOVED) and what selection scans (merit and 1/sqrt(visits)
of the child), so that selection touches a few neighbouring cache lines per level and only the child that it moves to; a
place without a child has a merit of minus infinity. Nodes never change their index, so that statistics survive every
operation; blocks are compacted when nodes have been dropped. A node keeps its state, so that a simulation plays only
what is new, unless chance took part on the way from the root: then every simulation has a state of its own there.

Nodes in the upper levels keep the best sequence of actions that was seen starting from them ("saved rollouts"); that of
the root is the best known sequence of all.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of_values, copy_words, offset, row_address
from turnwise.jit.record import Address, Floats, Int32, Ints, Record, Records, UInt32
from turnwise.search.forward_model import apply, candidates, drew
from turnwise.search.horizon import Horizon, goes_on
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.upper_bound import inverse_root

NO_BLOCK = NOTHING = -1
UNTRIED, REMOVED = -1, -2  # instead of a child
RUNNING, OVER, VARIES = 0, 1, 2  # the state of a node: the game goes on, it is over, or below chance
ROOT = 0


class Node(Record):
    """A state after an action: one cache line."""

    visits: int
    sum: float  # of the values backed up through the node
    squares: float  # sum of their squares
    best: float  # the largest of them
    block: int  # first place of its block; NO_BLOCK: actions not yet listed
    room: Int32  # places in the block
    untried: Int32  # of these, how many are still to be tried
    opened: Int32  # of these, how many have a child
    saved: Int32  # slot of its saved sequence; NOTHING: none
    kind: Int32  # RUNNING; OVER: nothing is left to decide here; VARIES: below chance, without a state of its own
    marked: Int32  # scratch of cuts


class Place(Record):
    """An action of a node; two fit into a cache line."""

    merit: float  # mean value plus the terms that do not depend on the parent's visits
    bonus: float  # 1/sqrt(visits)
    child: Int32  # its node, UNTRIED or REMOVED
    hint: UInt32  # where the child's block was when it was last updated
    action: int


class Block(Record):
    """The places of one node."""

    start: int
    room: Int32
    owner: Int32  # the node; a block is dead once its owner has another block or none


class Saved(Record):
    """What is known about a saved sequence; its actions are in ``sequences``."""

    value: float
    length: int


class Level(Record):
    """A node that waits in a walk through the upper levels."""

    node: int
    level: int


class Tree(Record):
    """The whole tree, the simulation in progress, and the planner's parameters."""

    unset = (
        *("nodes", "rows", "free_nodes", "places", "blocks", "sequences", "saves", "free_saves", "stack", "levels"),
        *("listed", "weights"),
    )

    nodes: Records[Node]  # Node[node_room]
    rows: Address  # uint64[node_room, state_words]: the nodes' states, unless paths are replayed
    free_nodes: Ints  # int64[node_room]: stack of dropped nodes
    places: Records[Place]  # Place[place_room]
    blocks: Records[Block]  # Block[node_room], by ascending start
    sequences: Ints  # int64[saved_room, horizon]: saved actions from a node on
    saves: Records[Saved]  # Saved[saved_room]
    free_saves: Ints  # int64[saved_room]: stack of free slots
    node_room: int
    place_room: int
    saved_room: int
    node_count: int  # nodes made, including free ones
    free_count: int
    place_count: int
    deepest: int  # largest depth of a simulation
    full: int  # the tree has stopped growing
    block_count: int
    free_saved: int
    work: Address  # row of the simulation in progress
    listed: Ints  # int64[max_actions], scratch
    weights: Floats  # float64[max_actions], scratch
    path: Ints  # int64[horizon + 1]: nodes of the simulation in progress
    taken: Ints  # int64[horizon + 1]: their places (none for the root)
    line: Ints  # int64[horizon]: actions of the simulation, rollout included
    stack: Ints  # int64[node_room], scratch
    levels: Records[Level]  # Level[node_room + 1], scratch
    horizon: int  # maximum number of actions in a simulation
    depth: int  # of the simulation in progress: nodes below the root
    length: int  # actions in its line
    grown: int  # whether it has made a node
    exploration: float
    third_term: int  # whether Schadd's deviation term is added
    deviation: float  # its D
    top_weight: float  # weight of the best value in the mean
    expand_after: int  # visits that a node needs before it gets a child
    rollout_depth: int  # moves of a rollout; -1: to the end
    greedy_probability: float
    saved_depth: int  # sequences are saved for nodes down to this depth
    fixed_depth: int  # nodes above this depth get no new children
    make_missing: int  # whether missing nodes on a path that is marked for a cut are created
    forbidden: int  # action that is not allowed at the root; NOTHING: none
    reach: Annotated[Records[Horizon], 1]  # how far simulations go: own turn or game
    replay: int  # whether paths are replayed from the root: no node keeps its state
    root: Address  # row at which simulations begin
    idle: int  # simulations in a row that played no action


@kernel
def row_of(p: ProblemRecord, t: Tree, index: int) -> Address:
    """Address of a node's state."""
    return row_address(t.rows, index, p.state_words)


@kernel
def sequence_at(t: Tree, slot: int) -> Ints:
    """A saved sequence's actions (int64[horizon])."""
    return offset(t.sequences, slot * t.horizon)


@kernel
def mean(n: Node) -> float:
    """Mean of the values backed up through a node; minus infinity without visits."""
    return n.sum / n.visits if n.visits > 0 else -np.inf


@kernel
def new_node(p: ProblemRecord, t: Tree, state: Address, varies: bool) -> int:
    """Make a node for a state; returns its index, NOTHING if the tree is full.

    Args:
        p: The problem.
        t: The tree.
        state: Address of the state, which is copied.
        varies: Whether the state is only one of several (see :data:`VARIES`).
    """
    if t.free_count > 0:
        t.free_count -= 1
        index = t.free_nodes[t.free_count]
    elif t.node_count < t.node_room:
        index = t.node_count
        t.node_count += 1
    else:
        t.full = 1
        return NOTHING
    n = t.nodes[index]
    n.visits, n.sum, n.squares, n.best = 0, 0.0, 0.0, -np.inf
    n.block, n.room, n.untried, n.opened, n.saved, n.marked = NO_BLOCK, 0, 0, 0, NOTHING, 0
    if varies:
        n.kind = VARIES
        return index
    n.kind = RUNNING if goes_on(p, t.reach[0], state) else OVER
    if t.replay == 0:
        copy_words(row_of(p, t, index), state, p.state_words)
    return index


@kernel
def free_node(t: Tree, index: int) -> None:
    """Release a node, whose children have been released before; its block is dead from now on."""
    n = t.nodes[index]
    if n.saved != NOTHING:
        t.free_saves[t.free_saved] = n.saved
        t.free_saved += 1
    n.saved, n.block = NOTHING, NO_BLOCK
    t.free_nodes[t.free_count] = index
    t.free_count += 1


@kernel
def list_actions(p: ProblemRecord, t: Tree, index: int, state: Address) -> bool:
    """Give a node its block: the candidates of its state; False: the tree is full."""
    count = candidates(p, state, t.listed)
    if t.place_count + count > t.place_room or t.block_count == t.node_room:
        t.full = 1
        return False
    n, b = t.nodes[index], t.blocks[t.block_count]
    b.start, b.room, b.owner = t.place_count, count, index
    n.block, n.room, n.untried, n.opened = t.place_count, count, 0, 0
    t.block_count += 1
    t.place_count += count
    for i in range(count):
        action = t.listed[i]
        t.places[n.block + i].action = action
        is_barred = index == ROOT and action == t.forbidden
        empty_place(t, n.block + i, REMOVED if is_barred else UNTRIED)
        n.untried += 0 if is_barred else 1
    return True


@kernel
def empty_place(t: Tree, place: int, mark: int) -> None:
    """Remove the child from a place and write ``mark`` instead: UNTRIED or REMOVED."""
    a = t.places[place]
    a.child, a.merit, a.bonus = mark, -np.inf, 0.0


@kernel
def open_place(p: ProblemRecord, t: Tree, index: int, place: int, state: Address) -> int:
    """Play a place's action and give its node a child; returns the child, NOTHING if the tree is full.

    Args:
        p: The problem.
        t: The tree.
        index: The node.
        place: The place.
        state: Address of a state of the node; becomes the one after the action.
    """
    chance_steps = p.chance_steps
    apply(p, state, t.places[place].action)
    child = new_node(p, t, state, t.nodes[index].kind == VARIES or drew(p, chance_steps))
    if child != NOTHING:
        n, a = t.nodes[index], t.places[place]
        n.untried -= 1 if a.child == UNTRIED else 0
        n.opened += 1
        a.child = child
    return child


@kernel
def close_place(t: Tree, index: int, place: int) -> None:
    """Undo the creation of a node's newest child, which has no children of its own."""
    n = t.nodes[index]
    free_node(t, t.places[place].child)
    empty_place(t, place, UNTRIED)
    n.untried += 1
    n.opened -= 1


@kernel
def place_of(t: Tree, index: int, action: int) -> int:
    """Place of an action in a node's block; NOTHING if it is not there."""
    n = t.nodes[index]
    if n.block != NO_BLOCK:
        for place in range(n.block, n.block + n.room):
            if t.places[place].action == action:
                return place
    return NOTHING


@kernel
def update(t: Tree, index: int, place: int, value: float, visits: int) -> None:
    """Back up a value into one node, counted as one or more visits.

    Args:
        t: The tree.
        index: The node.
        place: Its place in its parent's block; NOTHING for the root.
        value: The value.
        visits: Number of visits that it counts as.
    """
    n = t.nodes[index]
    n.visits += visits
    n.sum += visits * value
    n.squares += visits * value * value
    n.best = max(n.best, value)
    if place != NOTHING:
        refresh(t, index, place)


@kernel
def refresh(t: Tree, index: int, place: int) -> None:
    """Update what selection reads at a node's place."""
    n, a = t.nodes[index], t.places[place]
    if n.visits == 0:
        a.merit, a.bonus = np.inf, 0.0
        return
    average = mean(n)
    merit = average
    if t.top_weight > 0.0:
        merit = (1.0 - t.top_weight) * average + t.top_weight * n.best
    if t.third_term != 0:
        merit += np.sqrt(max(0.0, (n.squares - n.visits * average * average + t.deviation) / n.visits))
    a.merit, a.bonus, a.hint = merit, inverse_root(n.visits), max(0, n.block)


@kernel
def keep_sequence(t: Tree, index: int, value: float, actions: Ints, begin: int, end: int) -> None:
    """Save a sequence for a node if it is better than the one it has and not longer than the horizon.

    Args:
        t: The tree.
        index: The node.
        value: Value of the sequence.
        actions: int64[end] actions.
        begin: Index of the first action to be played from the node.
        end: Index after the last one.
    """
    n = t.nodes[index]
    if end - begin > t.horizon:
        return
    if n.saved == NOTHING:
        if t.free_saved == 0:
            return
        t.free_saved -= 1
        n.saved = t.free_saves[t.free_saved]
    elif value <= t.saves[n.saved].value:
        return
    s = t.saves[n.saved]
    s.value, s.length = value, end - begin
    copy_words(address_of_values(sequence_at(t, n.saved)), address_of_values(offset(actions, begin)), end - begin)


@kernel
def plant(p: ProblemRecord, t: Tree) -> None:
    """Forget everything and make the root, the node of the state in ``root``."""
    t.node_count, t.free_count, t.place_count, t.block_count, t.full = 0, 0, 0, 0, 0
    t.free_saved, t.deepest = t.saved_room, 0
    for slot in range(t.saved_room):
        t.free_saves[slot] = t.saved_room - 1 - slot
    new_node(p, t, t.root, False)
