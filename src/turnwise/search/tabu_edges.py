"""Tabu exchanges: which action one has put at which place of a turn lately (tabu search; Glover 1989).

An action is tabu at a place for a number of exchanges (the tenure), in every turn of the search. There is no
aspiration: what an exchange leads to is not known before it is made. The table forgets an entry before its time where
another one needs its slot.
"""

from __future__ import annotations

from turnwise.core.chance import mix
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.record import Ints, Record, Word, Words
from turnwise.search.outcome_table import spread

_SLOTS_OF_ONE = 16  # slots for each mutation that is remembered: few lose theirs
_SLOT_BYTES = 16


class TabuEdges(Record):
    """Mutations that are tabu."""

    keys: Words  # uint64[mask + 1]: place and action
    times: Ints  # int64[mask + 1]: how many mutations had been made before this one
    mask: int
    tenure: int  # for how many mutations one is tabu; 0: none is
    made: int  # mutations so far


def slots_of(tenure: int) -> int:
    """Slots of the table, a power of two; 0: nothing is tabu."""
    return 1 << (_SLOTS_OF_ONE * tenure - 1).bit_length() if tenure > 0 else 0


def tabu_bytes(tenure: int) -> int:
    """Size of the table."""
    return _SLOT_BYTES * slots_of(tenure)


def settle_tabu(edges: TabuEdges, tenure: int) -> TabuEdges:
    """Give a record, part of another one, its table.

    Args:
        edges: The record.
        tenure: For how many mutations one is tabu.

    Returns:
        What owns the table, which the caller keeps alive.
    """
    slots = slots_of(tenure)
    made = TabuEdges(keys=slots, times=slots)
    made.mask, made.tenure = slots - 1, tenure
    edges.become(made)
    return made


@kernel
def key_of_edge(place: int, action: int) -> Word:
    """What a mutation is known by."""
    return spread(mix(Word(place)) ^ Word(action & ((1 << 63) - 1)))


@kernel
def is_tabu_edge(t: TabuEdges, place: int, action: int) -> bool:
    """Whether a mutation has put an action at a place lately."""
    if t.tenure == 0:
        return False
    key = key_of_edge(place, action)
    slot = integer(key & Word(t.mask))
    return t.keys[slot] == key and t.made - t.times[slot] <= t.tenure


@kernel
def note_edge(t: TabuEdges, place: int, action: int) -> None:
    """Note that a mutation puts an action at a place."""
    if t.tenure == 0:
        return
    key = key_of_edge(place, action)
    slot = integer(key & Word(t.mask))
    t.keys[slot], t.times[slot] = key, t.made
    t.made += 1
