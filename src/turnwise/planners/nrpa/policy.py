"""The policy that nested rollout policy adaptation learns: one weight for each move, with an undo journal.

Moves get numbers as they are met. There is one array of weights; what a nesting level changes it writes into a journal
and takes back at its end, which is as if each level had a copy of its caller's policy. Beside the weights stand the
odds exp(weight / temperature), so that playouts need no exponential function; they have an array of their own, since
they are nearly all that a playout reads, and eight of them share a cache line.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from turnwise.jit.kernel import kernel, record_at
from turnwise.jit.memory import load_float, load_int, load_word, store_float, store_int, store_word
from turnwise.search.forward_model import ProblemRecord, move_code
from turnwise.search.outcome_table import spread

MOVE = np.dtype(
    [
        ("key", "u8"),
        ("weight", "f8"),
        ("change", "f8"),  # of the weight, while an adaptation adds it up
        ("is_changing", "i8"),
        ("saved_by", "i8"),  # the level that last wrote the move into the journal; 0: none
        ("spare", "i8", (3,)),  # one move is one cache line
    ],
    align=True,
)
SAVED = np.dtype([("move", "i8"), ("weight", "f8"), ("odds", "f8"), ("saved_by", "i8")], align=True)
POLICY = [
    ("moves", "u8"),  # MOVE[room + 1]; number 0 is shared by all moves that find no room
    ("odds", "u8"),  # float64[room + 1]: exp(weight / temperature)
    ("known", "i8"),  # numbers given so far
    ("room", "i8"),  # most numbers
    ("table", "u8"),  # uint64[slots]: high bits of the key, low bits the number; 0: empty
    ("mask", "i8"),  # slots in use - 1
    ("most_slots", "i8"),
    ("changing", "u8"),  # int64[room + 1]: moves that an adaptation changes
    ("changes", "i8"),
    ("journal", "u8"),  # SAVED[levels * (room + 1)]
    ("written", "i8"),
    ("alpha", "f8"),
    ("temperature", "f8"),
]
NUMBER_BITS = 24
_NUMBER = np.uint64((1 << NUMBER_BITS) - 1)
_ZERO = np.uint64(0)
_LARGEST = 300.0  # exponents stay where sums of odds neither overflow nor vanish

_move, _saved = record_at(MOVE), record_at(SAVED)


@kernel
def move_at(n: Any, number: int) -> Any:
    """A move's record."""
    return _move(n.moves + np.uint64(64 * number))


@kernel
def odds_of(n: Any, number: int) -> float:
    """Odds of a move under the policy."""
    return load_float(n.odds, number)


@kernel
def set_weight(n: Any, number: int, weight: float) -> None:
    """Give a move its weight and odds."""
    move_at(n, number).weight = weight
    store_float(n.odds, number, math.exp(max(-_LARGEST, min(_LARGEST, weight / n.temperature))))


@kernel
def slot_for(n: Any, key: Any) -> int:
    """Slot of a key, or the empty one where it belongs."""
    slot = np.int64(key & np.uint64(n.mask))
    word = load_word(n.table, slot)
    while word != _ZERO and (word ^ key) > _NUMBER:
        slot = (slot + 1) & n.mask
        word = load_word(n.table, slot)
    return slot  # type: ignore[return-value]


@kernel
def use_slots(n: Any, slots: int) -> None:
    """Make the table as large as this and enter all known moves."""
    n.mask = slots - 1
    for slot in range(slots):
        store_word(n.table, slot, _ZERO)
    for number in range(1, n.known + 1):
        key = move_at(n, number).key
        store_word(n.table, slot_for(n, key), (key & ~_NUMBER) | np.uint64(number))


@kernel
def number_of(p: ProblemRecord, n: Any, state: int, action: int, weight: float) -> int:
    """Number of a move; a new one starts from the given weight."""
    key = spread(np.uint64(move_code(p, state, action)))
    slot = slot_for(n, key)
    word = load_word(n.table, slot)
    if word != _ZERO:
        return np.int64(word & _NUMBER)  # type: ignore[return-value]
    if n.known == n.room:
        return 0
    n.known += 1
    m = move_at(n, n.known)
    m.key, m.change, m.is_changing, m.saved_by = key, 0.0, 0, 0
    set_weight(n, n.known, weight)
    store_word(n.table, slot, (key & ~_NUMBER) | np.uint64(n.known))
    if 2 * n.known > n.mask and n.mask + 1 < n.most_slots:
        use_slots(n, 2 * (n.mask + 1))
    return n.known


@kernel
def add_change(n: Any, number: int, change: float) -> None:
    """Add to what the adaptation in progress will change."""
    m = move_at(n, number)
    m.change += change
    if m.is_changing == 0:
        m.is_changing = 1
        store_int(n.changing, n.changes, number)
        n.changes += 1


@kernel
def make_changes(n: Any, level: int) -> None:
    """Carry out the adaptation of a level; what it changes for the first time is journalled."""
    for i in range(n.changes):
        number = load_int(n.changing, i)
        m = move_at(n, number)
        if m.saved_by != level:
            s = _saved(n.journal + np.uint64(32 * n.written))
            s.move, s.weight, s.odds, s.saved_by = number, m.weight, odds_of(n, number), m.saved_by
            n.written += 1
            m.saved_by = level
        set_weight(n, number, m.weight + m.change)
        m.change, m.is_changing = 0.0, 0
    n.changes = 0


@kernel
def undo(n: Any, mark: int) -> None:
    """Take back everything that was written into the journal since a mark."""
    while n.written > mark:
        n.written -= 1
        s = _saved(n.journal + np.uint64(32 * n.written))
        m = move_at(n, s.move)
        m.weight, m.saved_by = s.weight, s.saved_by
        store_float(n.odds, s.move, s.odds)


@kernel
def forget_moves(n: Any, slots: int) -> None:
    """Empty the policy: no move is known, the table is small again."""
    n.known = n.written = n.changes = 0
    m = move_at(n, 0)
    m.change, m.is_changing, m.saved_by = 0.0, 0, 0
    set_weight(n, 0, 0.0)
    use_slots(n, slots)
