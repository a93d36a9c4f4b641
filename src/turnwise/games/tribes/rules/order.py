"""The order in which the original goes through units and cities: that of a hash map by their ids (rules 1)."""

from __future__ import annotations

from turnwise.games.tribes.rules.scratch import BUCKETS, ENTRIES, ORDER, ints_at
from turnwise.jit.kernel import inlined, kernel
from turnwise.jit.memory import address_of_values, offset
from turnwise.jit.record import Ints, Words

_FIRST_BUCKETS = 16
_ID_SHIFT = 16
_ALL_ONES = 0x1111111111111111
_FEW = 15


@inlined
def entry(slot: int, number: int) -> int:
    """A slot and its key."""
    return slot | number << _ID_SHIFT


@inlined
def slot_of(entry: int) -> int:
    """The slot of an entry."""
    return entry & 0xFF


@inlined
def buckets_for(entries: int) -> int:
    """Number of buckets of a map with so many entries: at most three quarters are full."""
    buckets = _FIRST_BUCKETS
    while 4 * entries > 3 * buckets:
        buckets *= 2
    return buckets


@inlined
def arrange_few(source: Ints, target: Ints, entries: int) -> None:
    """As :func:`arrange` for at most 15 entries in 16 buckets: the buckets' counts are the digits of one number."""
    counts = 0
    for i in range(entries):
        counts += 1 << 4 * ((source[i] >> _ID_SHIFT) & 15)
    begins = (counts << 4) * _ALL_ONES  # digit k: entries in the buckets before k
    for i in range(entries):
        shift = 4 * ((source[i] >> _ID_SHIFT) & 15)
        target[(begins >> shift) & 15] = source[i]
        begins += 1 << shift


@kernel
def arrange(room: Words, entries: int, buckets: int) -> None:
    """Write the entries, which are in the order of their insertion, to ``ORDER`` bucket by bucket."""
    source, target = ints_at(address_of_values(offset(room, ENTRIES))), ints_at(address_of_values(offset(room, ORDER)))
    if buckets == _FIRST_BUCKETS and entries <= _FEW:
        arrange_few(source, target, entries)
        return
    counts = ints_at(address_of_values(offset(room, BUCKETS)))
    for bucket in range(buckets):
        counts[bucket] = 0
    for i in range(entries):
        counts[(source[i] >> _ID_SHIFT) & (buckets - 1)] += 1
    begin = 0
    for bucket in range(buckets):
        count = counts[bucket]
        counts[bucket] = begin
        begin += count
    for i in range(entries):
        bucket = (source[i] >> _ID_SHIFT) & (buckets - 1)
        target[counts[bucket]] = source[i]
        counts[bucket] += 1
