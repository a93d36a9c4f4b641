"""Layers of a beam search: a pool of the best children so far, twice the beam's width, and the tree of parents.

A child is written straight into a free row of the pool. When the pool is full, the better half is selected (without
sorting) and its worst value becomes the threshold that later children must beat; so the work per child is constant.
"""

from __future__ import annotations

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import row_address
from turnwise.jit.record import Address, Floats, Ints, Record, Records, Word, Words
from turnwise.search.forward_model import copy_state
from turnwise.search.outcome_table import slot_of
from turnwise.search.problem_record import ProblemRecord


class BeamNode(Record):
    """How a state that a layer keeps was reached."""

    parent: int  # its node
    action: int


class BeamLayers(Record):
    """The layers of one beam."""

    scattered = ("seen",)
    layer_rows: Address  # uint64[2 width, state_words]: states of the layer that is expanded
    layer_order: Ints  # int64[2 width]: rows in use, then free ones
    layer_nodes: Ints  # int64[2 width]: node of each row
    layer_progress: Ints  # int64[2 width, words that the search needs]: of the line that has led to each row
    layer_count: int
    rows: Address  # the same for the next layer, the pool that is being filled
    order: Ints
    nodes: Ints
    progress: Ints
    count: int
    values: Floats  # float64[2 width]: by row of the pool
    parents: Ints  # int64[2 width]: node
    actions: Ints  # int64[2 width]
    keys: Words  # uint64[2 width]
    threshold: float  # values at or below it are dropped; -inf: none is
    dropped: int  # children that were not kept in this pass
    seen: Words  # uint64[mask + 1]: keys of the pool
    mask: int
    arena: Records[BeamNode]  # [arena_room]: every state kept; node 0 is the root
    arena_used: int
    arena_room: int
    width: int  # maximum number of states in a layer
    depth: int  # actions from the root to the layer that is expanded
    deepest: int  # layers of the deepest pass


ROOT = 0
_ZERO = np.uint64(0)
_SMALLEST = 16  # slots of the table of a narrow pass


@kernel
def select_best(order: Ints, values: Floats, count: int, wanted: int) -> None:
    """Move the ``wanted`` best of ``count`` rows to the front of their order (Hoare's quickselect).

    Args:
        order: int64[count], rows; permuted.
        values: Value of each row.
        count: How many rows.
        wanted: How many of them come first.
    """
    low, high = 0, count - 1
    while low < high:
        pivot = values[order[(low + high) // 2]]
        i, j = low, high
        while i <= j:
            while values[order[i]] > pivot:
                i += 1
            while values[order[j]] < pivot:
                j -= 1
            if i <= j:
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if wanted - 1 <= j:
            high = j
        elif wanted - 1 >= i:
            low = i
        else:
            return


@kernel
def enter_keys(b: BeamLayers) -> None:
    """Make the table hold exactly the keys of the pool."""
    seen, keys, order, mask = b.seen, b.keys, b.order, b.mask  # read once: the table might overlap the record
    for slot in range(mask + 1):
        seen[slot] = _ZERO
    for place in range(b.count):
        key = keys[order[place]]
        seen[slot_of(seen, mask, key)] = key


@kernel
def cut_to_width(b: BeamLayers) -> None:
    """Keep the best ``width`` of the pool; from now on only better children are added."""
    if b.count <= b.width:
        return
    b.dropped += b.count - b.width
    select_best(b.order, b.values, b.count, b.width)
    b.count = b.width
    worst = np.inf
    for place in range(b.count):
        worst = min(worst, b.values[b.order[place]])
    b.threshold = worst
    enter_keys(b)


@kernel
def set_width(b: BeamLayers, width: int) -> None:
    """Use a part of the memory for a pass of another width, at most that for which there is room."""
    b.width, slots = width, _SMALLEST
    while slots < 3 * width + 1:  # of which the pool takes at most two thirds
        slots *= 2
    b.mask = slots - 1


@kernel
def first_layer(p: ProblemRecord, b: BeamLayers, state: Address) -> int:
    """Begin a pass: make a state the only one of the first layer; returns its row."""
    b.layer_count, b.count, b.depth, b.dropped = 1, 0, 0, 0
    b.threshold = -np.inf
    row = b.layer_order[0]
    copy_state(p, row_address(b.layer_rows, row, p.state_words), state)
    b.layer_nodes[row] = ROOT
    enter_keys(b)
    return row


@kernel
def is_in_pool(b: BeamLayers, key: Word) -> bool:
    """Whether the pool already has a state."""
    return bool(b.seen[slot_of(b.seen, b.mask, key)] != _ZERO)


@kernel
def let_in(b: BeamLayers, row: int, key: Word, value: float, parent: int, action: int) -> None:
    """Add a child to the pool if it is good enough.

    Args:
        b: The beam.
        row: The first free row of the pool, which holds the child's state.
        key: Table key of that state, which is not in the pool.
        value: Its rating.
        parent: Node that it was reached from.
        action: The action that led to it.
    """
    if value <= b.threshold:
        b.dropped += 1
        return
    b.seen[slot_of(b.seen, b.mask, key)] = key
    b.keys[row] = key
    b.values[row] = value
    b.parents[row] = parent
    b.actions[row] = action
    b.count += 1
    if b.count == 2 * b.width:
        cut_to_width(b)


@kernel
def next_layer(b: BeamLayers) -> bool:
    """Make the pool the layer to be expanded; False if the arena has no room for it."""
    cut_to_width(b)
    if b.arena_used + b.count > b.arena_room:
        return False
    for place in range(b.count):
        row = b.order[place]
        b.nodes[row] = b.arena_used
        node = b.arena[b.arena_used]
        node.parent, node.action = b.parents[row], b.actions[row]
        b.arena_used += 1
    b.layer_rows, b.rows = b.rows, b.layer_rows
    b.layer_order, b.order = b.order, b.layer_order
    b.layer_nodes, b.nodes = b.nodes, b.layer_nodes
    b.layer_progress, b.progress = b.progress, b.layer_progress
    b.layer_count, b.count = b.count, 0
    b.threshold = -np.inf
    enter_keys(b)
    b.depth += 1
    b.deepest = max(b.deepest, b.depth)
    return True


@kernel
def write_line(b: BeamLayers, index: int, length: int, out: Ints) -> None:
    """Write the ``length`` actions from the root to a node to ``out``."""
    for i in range(length - 1, -1, -1):
        node = b.arena[index]
        out[i] = node.action
        index = node.parent


@kernel
def best_child(b: BeamLayers, out: Ints) -> int:
    """Write the line to the best-rated child of the layer in progress to ``out``; returns its length, 0: no child."""
    best, best_value = -1, -np.inf
    for place in range(b.count):
        row = b.order[place]
        value = b.values[row]
        if best < 0 or value > best_value:
            best, best_value = row, value
    if best < 0:
        return 0
    write_line(b, b.parents[best], b.depth, out)
    out[b.depth] = b.actions[best]
    return b.depth + 1
