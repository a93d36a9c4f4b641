"""Positions that nested rollout policy adaptation has met: lists of moves, so that nothing is listed twice.

A line is a sequence of (position, place in its list). Every step of a playout is entered as a position with its state,
its actions, their move numbers and what they led to. Playouts share their beginnings more and more as the policy
learns; a step among known positions costs one random choice and nothing else, and an adaptation finds its legal moves
without playing the line again. When the store is full, the positions of the levels' best lines are moved to a second
store and everything else is forgotten.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from turnwise.jit.kernel import kernel, record_at
from turnwise.jit.memory import load_int, store_int
from turnwise.planners.nrpa.policy import POLICY, number_of
from turnwise.search.forward_model import ProblemRecord, apply, bias, copy_state, legal
from turnwise.search.horizon import goes_on

POSITION = np.dtype(
    [
        ("first", "i8"),  # its entries
        ("count", "i8"),  # legal actions; 0: the line ends here
        ("moved_to", "i8"),  # while the store is tidied up; -1: not (yet) moved
        ("spare", "i8"),
    ],
    align=True,
)
STORE = np.dtype(
    [
        ("positions", "u8"),  # POSITION[most]
        ("rows", "u8"),  # uint64[most, state_words]
        ("actions", "u8"),  # int64[entries]: the legal actions of each position
        ("numbers", "u8"),  # int64[entries]: their move numbers
        ("children", "u8"),  # int64[entries]: where they led; -1: not known
    ],
    align=True,
)
NESTING = np.dtype(
    [
        *POLICY,
        ("store", STORE),
        ("other_store", STORE),
        ("most", "i8"),  # positions that a store holds
        ("fresh", "i8"),  # positions entered until the store is tidied up again
        ("tidy_at", "i8"),
        ("entries", "i8"),  # actions that a store holds
        ("used", "i8"),
        ("used_entries", "i8"),
        ("line_entries", "i8"),  # most actions listed along one line
        ("lines", "u8"),  # int64[levels + 1, horizon, 2]: position and choice of each step
        ("lengths", "u8"),  # int64[levels + 1]
        ("values", "u8"),  # float64[levels + 1]
        ("calls", "u8"),  # int64[levels + 1]: calls of the level below so far
        ("equals", "u8"),  # int64[levels + 1]: the last so many calls gave the best value again
        ("marks", "u8"),  # int64[levels + 1]: where each level's part of the journal begins
        ("levels", "i8"),
        ("horizon", "i8"),
        ("iterations", "i8"),
        ("playouts", "i8"),  # playouts before each adaptation of level 1
        ("repeats", "i8"),  # a level ends when its best value has come this many times more in a row; 0: never
        ("bias", "f8"),  # factor of the game's bias; 0: not asked
        ("whole_game", "i8"),
        ("reuse", "i8"),  # whether an action leads to the same state every time
        ("sums", "u8"),  # float64[max_actions], scratch
        ("best", "u8"),  # int64[horizon]: actions of the best line of all
        ("best_length", "i8"),
        ("best_value", "f8"),
        ("runs", "i8"),
        ("cut", "i8"),  # playouts ended by horizon or memory
    ],
    align=True,
)
UNKNOWN = -1
ROOT = 0
IMPOSSIBLE = -700.0  # a smaller weight means a probability of 0 in double precision

_position = record_at(POSITION)


@kernel
def position_at(s: Any, index: int) -> Any:
    """A position of a store."""
    return _position(s.positions + np.uint64(32 * index))


@kernel
def row_of(p: ProblemRecord, s: Any, index: int) -> Any:
    """Address of a position's state."""
    return s.rows + np.uint64(8 * index * p.state_words)


@kernel
def line_of(n: Any, level: int) -> Any:
    """Address of a level's line."""
    return n.lines + np.uint64(16 * level * n.horizon)


@kernel
def enter(p: ProblemRecord, n: Any, index: int) -> None:
    """List the moves of the position whose state has just been written."""
    s = n.store
    state = row_of(p, s, index)
    position = position_at(s, index)
    position.first, position.count, position.moved_to = n.used_entries, 0, UNKNOWN
    if not goes_on(p, n.whole_game, state):
        return
    position.count = list_moves(p, n, state, n.used_entries, n.bias)
    if position.count == 0:  # the bias leaves nothing
        position.count = list_moves(p, n, state, n.used_entries, 0.0)
    n.used_entries += position.count


@kernel
def list_moves(p: ProblemRecord, n: Any, state: int, first: int, factor: float) -> int:
    """List the moves of a state but those that the bias rules out; new ones start from their bias; returns how many."""
    s = n.store
    actions = s.actions + np.uint64(8 * first)
    kept = 0
    for i in range(legal(p, state, actions)):
        action = load_int(actions, i)
        weight = factor * bias(p, state, action) if factor != 0.0 else 0.0
        if weight > IMPOSSIBLE:
            store_int(actions, kept, action)
            store_int(s.numbers, first + kept, number_of(p, n, state, action, weight))
            store_int(s.children, first + kept, UNKNOWN)
            kept += 1
    return kept


@kernel
def has_room(p: ProblemRecord, n: Any) -> bool:
    """Whether one more position can be entered."""
    return n.used < n.most and n.used_entries + p.max_actions <= n.entries


@kernel
def play(p: ProblemRecord, n: Any, index: int, choice: int) -> int:
    """Play a choice in a position (one forward call, known or not); returns the position that it leads to."""
    s = n.store
    entry = position_at(s, index).first + choice
    child = load_int(s.children, entry)
    if child != UNKNOWN and n.reuse != 0:
        p.forward_calls += 1
        return child
    child = n.used
    copy_state(p, row_of(p, s, child), row_of(p, s, index))
    apply(p, row_of(p, s, child), load_int(s.actions, entry))
    enter(p, n, child)
    n.used += 1
    store_int(s.children, entry, child)
    return child


@kernel
def start_store(p: ProblemRecord, n: Any) -> None:
    """Forget all positions but the root."""
    n.used, n.used_entries = 1, 0
    copy_state(p, row_of(p, n.store, ROOT), p.root)
    enter(p, n, ROOT)
    n.tidy_at = n.used + n.fresh


@kernel
def move_position(p: ProblemRecord, n: Any, index: int) -> int:
    """Copy a position into the other store unless it is there already; returns its place there."""
    s, t = n.store, n.other_store
    old = position_at(s, index)
    if old.moved_to != UNKNOWN:
        return old.moved_to
    new = position_at(t, n.used)
    new.first, new.count, new.moved_to = n.used_entries, old.count, UNKNOWN
    copy_state(p, row_of(p, t, n.used), row_of(p, s, index))
    for i in range(old.count):
        store_int(t.actions, new.first + i, load_int(s.actions, old.first + i))
        store_int(t.numbers, new.first + i, load_int(s.numbers, old.first + i))
        store_int(t.children, new.first + i, load_int(s.children, old.first + i))
    old.moved_to = n.used
    n.used += 1
    n.used_entries += old.count
    return old.moved_to


@kernel
def swap_stores(n: Any) -> None:
    """Make the other store the one in use."""
    s, t = n.store, n.other_store
    s.positions, t.positions = t.positions, s.positions
    s.rows, t.rows = t.rows, s.rows
    s.actions, t.actions = t.actions, s.actions
    s.numbers, t.numbers = t.numbers, s.numbers
    s.children, t.children = t.children, s.children


@kernel
def tidy(p: ProblemRecord, n: Any) -> None:
    """Keep only the root and the positions of the levels' best lines."""
    n.used = n.used_entries = 0
    move_position(p, n, ROOT)
    for level in range(1, n.levels + 1):
        line = line_of(n, level)
        for i in range(load_int(n.lengths, level)):
            store_int(line, 2 * i, move_position(p, n, load_int(line, 2 * i)))
    n.tidy_at = n.used + n.fresh
    swap_stores(n)
    old = n.other_store
    for entry in range(n.used_entries):  # what led to a forgotten position is not known any more
        child = load_int(n.store.children, entry)
        if child != UNKNOWN:
            store_int(n.store.children, entry, position_at(old, child).moved_to)
