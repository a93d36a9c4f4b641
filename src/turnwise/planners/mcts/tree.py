"""The search tree of MCTS: a struct of arrays with fixed capacities, seen by kernels through one record.

Nodes are states after an action. A node's edges lie in one block of consecutive places: first the candidates of its
state, best-ordered; the first ``opened`` of them are edges with statistics, the others are still to be tried. A block
is made when its node is visited for the second time. What the selection scans (mean value and 1/sqrt(visits) of each
edge) lies in arrays of its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from turnwise.jit.kernel import kernel, record_at
from turnwise.jit.memory import load_int, store_float, store_int
from turnwise.search.forward_model import ProblemRecord, fingerprint, in_turn, to_move
from turnwise.search.outcome_table import spread

NODE = np.dtype(
    [
        ("key", "u8"),  # fingerprint of the state
        ("first", "i8"),  # place of the first edge; NO_BLOCK: candidates not yet listed
        ("visits", "i8"),
        ("listed", "i4"),  # candidates
        ("opened", "i4"),  # how many of them are edges
        ("room", "i4"),  # places in the block (more than listed only in open-loop search)
        ("depth", "i4"),  # edges from the root, on the way on which it was found
        ("mover", "i4"),  # who decides here; -1: the game is over
        ("inside", "i4"),  # whether the planned turn still goes on here
    ],
    align=True,
)
EDGE = np.dtype([("action", "i8"), ("child", "i4"), ("visits", "i4")], align=True)
NODE_BYTES, EDGE_BYTES = NODE.itemsize, EDGE.itemsize
EDGE_TOTAL = EDGE_BYTES + 16  # with mean and bonus
NO_BLOCK = -1
FORCED = 1 << 30  # added to an edge's child where a forced end of the turn follows the action
_NODE_STEP, _EDGE_STEP = np.uint64(NODE_BYTES), np.uint64(EDGE_BYTES)

TREE = np.dtype(
    [
        ("nodes", "u8"),
        ("edges", "u8"),
        ("means", "u8"),  # float64 per edge: mean value for who moves there
        ("bonuses", "u8"),  # float64 per edge: 1/sqrt(visits)
        ("table", "u8"),  # int32 per slot: node + 1, 0 empty
        ("mask", "i8"),
        ("node_room", "i8"),
        ("edge_room", "i8"),
        ("node_count", "i8"),
        ("edge_count", "i8"),  # places used, opened or not
        ("opened", "i8"),  # edges with statistics
        ("full", "i8"),
        ("start_row", "u8"),  # where simulations begin
        ("start_node", "i8"),
        ("work", "u8"),  # rows of the simulation in progress
        ("spare", "u8"),
        ("listed", "u8"),  # int64[max_actions], scratch
        ("sorted", "u8"),  # int64[max_actions], scratch of open-loop search
        ("scores", "u8"),  # float64[max_actions], scratch
        ("values", "u8"),  # float64[players]: the last leaf's values in [0, 1]
        ("path", "u8"),  # int64[depth_limit + 1, 2]: edge, who moved
        ("depth_limit", "i8"),
        ("pending", "i8"),  # node whose last edge was opened in this simulation; -1: none
        ("rollout_turns", "i8"),
        ("exploration", "f8"),  # 2C sqrt(2)
        ("epsilon", "f8"),
        ("negate", "i8"),  # back-up subtracts instead of adding 1 - value
        ("transpositions", "i8"),
        ("open_loop", "i8"),
        ("determinise", "i8"),
        ("turns_seen", "i8"),  # distinct nodes at the hand-over of the planned turn
        ("deepest", "i8"),
        ("line_end", "i8"),  # node at the end of the line that was read last
    ],
    align=True,
)

_node, _edge = record_at(NODE), record_at(EDGE)
_slot = record_at(np.dtype([("node", "i4")], align=True))


@kernel
def node_at(t: Any, index: int) -> Any:
    """A node's record."""
    return _node(t.nodes + np.uint64(index) * _NODE_STEP)


@kernel
def edge_at(t: Any, place: int) -> Any:
    """An edge's record."""
    return _edge(t.edges + np.uint64(place) * _EDGE_STEP)


@kernel
def child_of(edge: Any) -> int:
    """Index of the node that an edge leads to."""
    return np.int64(edge.child) & (FORCED - 1)  # type: ignore[return-value]


@kernel
def new_node(p: ProblemRecord, t: Any, state: int, key: Any, depth: int) -> int:
    """Append a node for a state; -1 if the tree is full."""
    if t.node_count == t.node_room:
        t.full = 1
        return -1
    index = t.node_count
    t.node_count += 1
    n = node_at(t, index)
    n.key, n.first, n.visits, n.listed, n.opened, n.room = key, NO_BLOCK, 0, 0, 0, 0
    n.depth, n.mover = depth, to_move(p, state)
    n.inside = 1 if in_turn(p, state) else 0
    t.deepest = max(t.deepest, depth)
    return index


@kernel
def find_or_add(p: ProblemRecord, t: Any, state: int, key: Any, depth: int) -> int:
    """The node of a state, a new one if there is none; -1 if the tree is full."""
    slot = np.int64(spread(key) & np.uint64(t.mask))
    while True:
        entry = _slot(t.table + np.uint64(4 * slot))
        if entry.node == 0:
            index = new_node(p, t, state, key, depth)
            if index >= 0:
                entry.node = index + 1
            return index
        if node_at(t, entry.node - 1).key == key:
            return np.int64(entry.node) - 1  # type: ignore[return-value]
        slot = (slot + 1) & t.mask


@kernel
def new_block(t: Any, room: int) -> int:
    """Reserve consecutive places for edges; NO_BLOCK if the tree is full."""
    if t.edge_count + room > t.edge_room:
        t.full = 1
        return NO_BLOCK
    first = t.edge_count
    t.edge_count += room
    return first


@kernel
def open_edge(t: Any, n: Any, place: int, child: int, forced: bool) -> None:
    """Give the node's next place a child and empty statistics."""
    edge = edge_at(t, place)
    edge.child = child + (FORCED if forced else 0)
    edge.visits = 0
    store_float(t.means, place, 0.0)
    store_float(t.bonuses, place, 0.0)
    n.opened += 1
    t.opened += 1


@kernel
def step_on_path(t: Any, length: int, place: int, mover: int) -> None:
    """Note that the simulation went along an edge."""
    store_int(t.path, 2 * length, place)
    store_int(t.path, 2 * length + 1, mover)


@kernel
def path_edge(t: Any, index: int) -> int:
    """Place of an edge of the current simulation."""
    return load_int(t.path, 2 * index)


@kernel
def path_mover(t: Any, index: int) -> int:
    """Who moved along that edge."""
    return load_int(t.path, 2 * index + 1)


@kernel
def plant(p: ProblemRecord, tree: Any) -> None:
    """Make the root, the node of ``start_row``."""
    t = tree[0]
    find_or_add(p, t, t.start_row, fingerprint(p, t.start_row), 0)
