"""Layers of a beam search: a pool of the best children so far, twice the beam's width, and the arena of parents.

A child is written straight into a free row of the pool. When the pool is full, the better half is selected (without
sorting) and its worst value becomes the threshold that later children must beat; so the work for a child is constant.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.jit.memory import load_float, load_int, load_word, store_float, store_int, store_word
from turnwise.search.outcome_table import slot_of

BEAM = np.dtype(
    [
        ("layer_rows", "u8"),  # uint64[2 width, state_words]: states of the layer that is expanded
        ("layer_order", "u8"),  # int64[2 width]: rows in use, then free ones
        ("layer_nodes", "u8"),  # int64[2 width]: place in the arena, by row
        ("layer_count", "i8"),
        ("rows", "u8"),  # the same for the next layer, which is being filled
        ("order", "u8"),
        ("nodes", "u8"),
        ("count", "i8"),
        ("values", "u8"),  # float64[2 width]: by row of the next layer
        ("parents", "u8"),  # int64[2 width]
        ("actions", "u8"),  # int64[2 width]
        ("keys", "u8"),  # uint64[2 width]
        ("threshold", "f8"),  # values at or below are not among the best; -inf: all are
        ("dropped", "i8"),  # children that found no place in this pass
        ("seen", "u8"),  # uint64[mask + 1]: keys of the pool
        ("mask", "i8"),
        ("arena", "u8"),  # int64[arena_room, 2]: parent and action of every node kept; node 0 is the root
        ("arena_used", "i8"),
        ("arena_room", "i8"),
        ("width", "i8"),
        ("listed", "u8"),  # int64[max_actions]
        ("listed_in_rollout", "u8"),  # int64[max_actions]
        ("spare", "u8"),  # row for rollouts
        ("played", "u8"),  # int64[horizon]: actions of a rollout
        ("best", "u8"),  # int64[horizon]: the best line
        ("best_length", "i8"),
        ("best_value", "f8"),
        ("depth", "i8"),  # actions from the root to the layer that is expanded
        ("horizon", "i8"),
        ("whole_game", "i8"),
        ("pruned", "i8"),
        ("rollouts", "i8"),
        ("epsilon", "f8"),
        ("noise", "f8"),
        ("salt", "u8"),  # makes each pass's noise another one
        ("deepest", "i8"),
    ],
    align=True,
)
ROOT = 0
_ZERO = np.uint64(0)


@kernel
def value_at(b: Any, place: int) -> float:
    """Value of a place of the next layer's order."""
    return load_float(b.values, load_int(b.order, place))


@kernel
def exchange(b: Any, i: int, j: int) -> None:
    """Exchange two places of the order."""
    row = load_int(b.order, i)
    store_int(b.order, i, load_int(b.order, j))
    store_int(b.order, j, row)


@kernel
def select_best(b: Any, wanted: int) -> None:
    """Bring the ``wanted`` best of the pool to the front of its order (quickselect, Hoare)."""
    low, high = 0, b.count - 1
    while low < high:
        pivot = value_at(b, (low + high) // 2)
        i, j = low, high
        while i <= j:
            while value_at(b, i) > pivot:
                i += 1
            while value_at(b, j) < pivot:
                j -= 1
            if i <= j:
                exchange(b, i, j)
                i += 1
                j -= 1
        if wanted - 1 <= j:
            high = j
        elif wanted - 1 >= i:
            low = i
        else:
            return


@kernel
def enter_keys(b: Any) -> None:
    """Make the table hold exactly the keys of the pool."""
    for slot in range(b.mask + 1):
        store_word(b.seen, slot, _ZERO)
    for place in range(b.count):
        key = load_word(b.keys, load_int(b.order, place))
        store_word(b.seen, slot_of(b.seen, b.mask, key), key)


@kernel
def cut_to_width(b: Any) -> None:
    """Keep the best ``width`` of the pool; only better children are let in from now on."""
    if b.count <= b.width:
        return
    b.dropped += b.count - b.width
    select_best(b, b.width)
    b.count = b.width
    worst = np.inf
    for place in range(b.count):
        worst = min(worst, value_at(b, place))
    b.threshold = worst
    enter_keys(b)


@kernel
def is_in_pool(b: Any, key: Any) -> bool:
    """Whether a state is in the pool already."""
    return load_word(b.seen, slot_of(b.seen, b.mask, key)) != _ZERO


@kernel
def let_in(b: Any, row: int, key: Any, value: float, parent: int, action: int) -> None:
    """Keep the child in the first free row if it is good enough."""
    if value <= b.threshold:
        b.dropped += 1
        return
    store_word(b.seen, slot_of(b.seen, b.mask, key), key)
    store_word(b.keys, row, key)
    store_float(b.values, row, value)
    store_int(b.parents, row, parent)
    store_int(b.actions, row, action)
    b.count += 1
    if b.count == 2 * b.width:
        cut_to_width(b)


@kernel
def next_layer(b: Any) -> bool:
    """Make the pool the layer to be expanded; False if the arena has no room for it."""
    cut_to_width(b)
    if b.arena_used + b.count > b.arena_room:
        return False
    for place in range(b.count):
        row = load_int(b.order, place)
        store_int(b.nodes, row, b.arena_used)
        store_int(b.arena, 2 * b.arena_used, load_int(b.parents, row))
        store_int(b.arena, 2 * b.arena_used + 1, load_int(b.actions, row))
        b.arena_used += 1
    b.layer_rows, b.rows = b.rows, b.layer_rows
    b.layer_order, b.order = b.order, b.layer_order
    b.layer_nodes, b.nodes = b.nodes, b.layer_nodes
    b.layer_count, b.count = b.count, 0
    b.threshold = -np.inf
    enter_keys(b)
    b.depth += 1
    b.deepest = max(b.deepest, b.depth)
    return True


@kernel
def write_line(b: Any, node: int, length: int) -> None:
    """Write the ``length`` actions from the root to a node into the best line."""
    for i in range(length - 1, -1, -1):
        store_int(b.best, i, load_int(b.arena, 2 * node + 1))
        node = load_int(b.arena, 2 * node)
