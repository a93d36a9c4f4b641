"""The policy that nested rollout policy adaptation learns: one weight for each move, with an undo journal.

Moves are numbered as they are met. There is one array of weights; a nesting level records its changes in a journal and
undoes them at its end, which is equivalent to a copy of its caller's policy. In addition to the weights the policy
stores the odds exp(weight / temperature), so that playouts compute no exponentials; the odds have an array of their
own, since a playout reads little else, and eight of them share a cache line.
"""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np

from turnwise.jit.kernel import inlined, integer, kernel
from turnwise.jit.memory import address_of_values, prefetch_word
from turnwise.jit.record import Floats, Ints, Record, Records, Word, Words
from turnwise.search.outcome_table import spread


class Move(Record):
    """One move of the policy; one cache line."""

    key: Word  # its name, well mixed
    weight: float
    change: float  # of the weight, summed up during an adaptation
    is_changing: int
    saved_by: int  # the level that last wrote the move into the journal; 0: none
    spare: Annotated[Ints, 3]


class Saved(Record):
    """An entry of the journal: the state of a move before a level changed it."""

    move: int  # its number
    weight: float
    odds: float
    saved_by: int


class Policy(Record):
    """All moves with their weights."""

    unset = ("moves", "odds", "changing", "journal", "table")

    moves: Records[Move]  # [room + 1]; number 0 is shared by all moves for which there is no room
    odds: Floats  # float64[room + 1]: exp(weight / temperature)
    known: int  # numbers assigned so far
    room: int  # maximum of numbers
    table: Words  # uint64[most_slots]: high bits of the key, low bits the number; 0: empty
    mask: int  # slots in use - 1
    most_slots: int
    changing: Ints  # int64[room + 1]: moves that an adaptation changes
    changes: int
    journal: Records[Saved]  # [top * (room + 1)]
    written: int
    alpha: float
    temperature: float


NUMBER_BITS = 24
_NUMBER = np.uint64((1 << NUMBER_BITS) - 1)
_ZERO = np.uint64(0)
_LARGEST = 300.0  # limit of exponents, so that sums of odds neither overflow nor vanish


@kernel
def set_weight(n: Policy, number: int, weight: float) -> None:
    """Set a move's weight and odds."""
    n.moves[number].weight = weight
    n.odds[number] = math.exp(max(-_LARGEST, min(_LARGEST, weight / n.temperature)))


@kernel
def slot_for(n: Policy, key: Word) -> int:
    """Slot of a key, or the empty one where it belongs.

    It is not :func:`turnwise.search.outcome_table.slot_of` because a slot holds the move's number in its low bits, and
    only the high bits are compared.
    """
    slot = integer(key & np.uint64(n.mask))
    word = n.table[slot]
    while word != _ZERO and (word ^ key) > _NUMBER:
        slot = (slot + 1) & n.mask
        word = n.table[slot]
    return slot


@kernel
def use_slots(n: Policy, slots: int) -> None:
    """Set the number of slots in the table and enter all known moves."""
    n.mask = slots - 1
    table = n.table
    for slot in range(slots):
        table[slot] = _ZERO
    for number in range(1, n.known + 1):
        key = n.moves[number].key
        table[slot_for(n, key)] = (key & ~_NUMBER) | np.uint64(number)


@inlined
def key_of(n: Policy, code: int) -> Word:
    """Key of a move's name, whose slot in the table is prefetched: all keys of a list are made before a number."""
    key = spread(np.uint64(code))
    prefetch_word(address_of_values(n.table), integer(key & np.uint64(n.mask)))
    return key


@kernel
def number_of(n: Policy, key: Word, weight: float) -> int:
    """Number of a move; a new one starts from the given weight.

    Args:
        n: The policy, to which the move may be added.
        key: From :func:`key_of`.
        weight: Initial weight of a new move.

    Returns:
        The number; 0 if the policy is full.
    """
    slot = slot_for(n, key)
    word = n.table[slot]
    if word != _ZERO:
        return integer(word & _NUMBER)
    if n.known == n.room:
        return 0
    n.known += 1
    m = n.moves[n.known]
    m.key, m.change, m.is_changing, m.saved_by = key, 0.0, 0, 0
    set_weight(n, n.known, weight)
    n.table[slot] = (key & ~_NUMBER) | np.uint64(n.known)
    if 2 * n.known > n.mask and n.mask + 1 < n.most_slots:
        use_slots(n, 2 * (n.mask + 1))
    return n.known


@kernel
def add_change(n: Policy, number: int, change: float) -> None:
    """Add to the change of a move in the adaptation in progress."""
    m = n.moves[number]
    m.change += change
    if m.is_changing == 0:
        m.is_changing = 1
        n.changing[n.changes] = number
        n.changes += 1


@kernel
def make_changes(n: Policy, level: int) -> None:
    """Apply the adaptation of a level; moves that the level has not changed before go into the journal first."""
    for i in range(n.changes):
        number = n.changing[i]
        m = n.moves[number]
        if m.saved_by != level:
            s = n.journal[n.written]
            s.move, s.weight, s.odds, s.saved_by = number, m.weight, n.odds[number], m.saved_by
            n.written += 1
            m.saved_by = level
        set_weight(n, number, m.weight + m.change)
        m.change, m.is_changing = 0.0, 0
    n.changes = 0


@kernel
def undo(n: Policy, mark: int) -> None:
    """Undo everything that was written into the journal since a mark."""
    while n.written > mark:
        n.written -= 1
        s = n.journal[n.written]
        m = n.moves[s.move]
        m.weight, m.saved_by = s.weight, s.saved_by
        n.odds[s.move] = s.odds


@kernel
def forget_moves(n: Policy, slots: int) -> None:
    """Empty the policy: no move is known, and the table has ``slots`` slots."""
    n.known = n.written = n.changes = 0
    m = n.moves[0]
    m.change, m.is_changing, m.saved_by = 0.0, 0, 0
    set_weight(n, 0, 0.0)
    use_slots(n, slots)
