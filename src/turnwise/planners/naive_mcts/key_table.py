"""Numbers for keys: a hash table that grows within its memory, so that a short search touches little of it.

A key's number is its place in the order in which keys were added; what belongs to keys lies in arrays in that order.
"""

from __future__ import annotations

from turnwise.jit.kernel import integer, kernel
from turnwise.jit.record import Ints32, Record, Word, Words

NONE = -1


class KeyTable(Record):
    """Keys and their numbers; it is cleared before use."""

    scattered = ("slots",)
    unset = ("keys", "slots")

    keys: Words  # uint64[room], in the order of their numbers
    slots: Ints32  # int32[slots_for(room)]: number + 1, 0: empty
    count: int
    room: int
    mask: int  # number of slots in use - 1; that number is a power of two
    largest: int  # number of all slots - 1


@kernel
def clear(t: KeyTable) -> None:
    """Remove all keys."""
    t.count = 0
    for slot in range(t.mask + 1):
        t.slots[slot] = 0


@kernel
def number_of(t: KeyTable, key: Word) -> int:
    """Number of a key; NONE: it is not in the table."""
    slot = integer(key & Word(t.mask))
    while t.slots[slot] != 0:
        if t.keys[t.slots[slot] - 1] == key:
            return t.slots[slot] - 1
        slot = (slot + 1) & t.mask
    return NONE


@kernel
def enter(t: KeyTable, number: int) -> None:
    """Enter a key, which has its number already, into the slots."""
    slot = integer(t.keys[number] & Word(t.mask))
    while t.slots[slot] != 0:
        slot = (slot + 1) & t.mask
    t.slots[slot] = number + 1


@kernel
def add_key(t: KeyTable, key: Word) -> int:
    """Number of a key that is not in the table yet; NONE: there is no room."""
    if t.count == t.room:
        return NONE
    if 3 * t.count > 2 * t.mask and t.mask < t.largest:
        t.mask = 2 * t.mask + 1
        for slot in range(t.mask + 1):
            t.slots[slot] = 0
        for number in range(t.count):
            enter(t, number)
    t.keys[t.count] = key
    t.count += 1
    enter(t, t.count - 1)
    return t.count - 1
