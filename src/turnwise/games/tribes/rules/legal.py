"""The legal list in the original's order, and the test of legality (rules 7 and 8)."""

from __future__ import annotations

import numpy as np

from turnwise.core.table import game_function
from turnwise.games.tribes.rules.city_actions import city_allows, growing_city, is_choice, list_choices, list_city
from turnwise.games.tribes.rules.codes import (
    ATTACK,
    BUILD,
    BURN,
    CLEAR,
    CONVERT,
    DESTROY,
    GATHER,
    GROW,
    KINDS,
    LEVEL_UP,
    MOVE,
    RESEARCH,
    ROAD,
    SPAWN,
    UPGRADE,
    actor_of,
    code,
    is_code,
    kind_of,
)
from turnwise.games.tribes.rules.order import arrange, buckets_for, entry, slot_of
from turnwise.games.tribes.rules.powers import powers_of
from turnwise.games.tribes.rules.scratch import CONTROL_READY, ENTRIES, ORDER, ints_at, stack_scratch
from turnwise.games.tribes.rules.tribe_actions import list_tribe, tribe_allows
from turnwise.games.tribes.rules.unit_actions import can_upgrade, list_unit, unit_allows
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import NONE, TribesState, city_of, tribe_of, unit_of
from turnwise.games.tribes.tables import FINISHED
from turnwise.jit.kernel import inlined, integer, kernel
from turnwise.jit.memory import address_of_values, offset
from turnwise.jit.record import Ints, Words


@kernel
def enter_units(g: TribesSetup, s: TribesState, first: int, powers: int, entries: Ints, n: int) -> int:
    """Add the units of a list that may have actions to n entries; returns their new number."""
    slot = first
    while slot != NONE:
        u = unit_of(g, s, slot)
        entries[n] = entry(slot, integer(u.id))
        n += integer(u.status != FINISHED or can_upgrade(g, u, powers))
        slot = integer(u.next)
    return n


@kernel
def list_in_order(
    g: TribesSetup, s: TribesState, are_units: bool, count: int, powers: int, room: Words, out: Ints, n: int
) -> int:
    """Add all actions of the entries, units or cities, in the order of the original's hash map.

    That map holds only those with actions, and its size, which decides the order, is known when all are listed. So they
    are listed again in a smaller one if few have any.
    """
    order = ints_at(address_of_values(offset(room, ORDER)))
    buckets = buckets_for(count)
    while True:
        arrange(room, count, buckets)
        end, acting = n, 0
        for i in range(count):
            before = end
            if are_units:
                end = list_unit(g, s, slot_of(order[i]), powers, room, out, end)
            else:
                end = list_city(g, s, slot_of(order[i]), powers, room, out, end)
            acting += integer(end != before)
        if buckets_for(acting) >= buckets:
            return end
        buckets = buckets_for(acting)


@kernel
def list_units(g: TribesSetup, s: TribesState, tribe: int, powers: int, room: Words, out: Ints, n: int) -> int:
    """Add all actions of a tribe's units."""
    entries = ints_at(address_of_values(offset(room, ENTRIES)))
    t, count = tribe_of(g, s, tribe), 0
    slot = integer(t.first_city)
    while slot != NONE:
        c = city_of(g, s, slot)
        count = enter_units(g, s, integer(c.first_unit), powers, entries, count)
        slot = integer(c.next)
    count = enter_units(g, s, integer(t.first_extra), powers, entries, count)
    return list_in_order(g, s, True, count, powers, room, out, n)


@kernel
def list_cities(g: TribesSetup, s: TribesState, tribe: int, powers: int, room: Words, out: Ints, n: int) -> int:
    """Add all actions of a tribe's cities."""
    entries = ints_at(address_of_values(offset(room, ENTRIES)))
    count, slot = 0, integer(tribe_of(g, s, tribe).first_city)
    while slot != NONE:
        c = city_of(g, s, slot)
        entries[count] = entry(slot, integer(c.id))
        count += 1
        slot = integer(c.next)
    return list_in_order(g, s, False, count, powers, room, out, n)


@kernel
def list_all(g: TribesSetup, s: TribesState, out: Ints) -> int:
    """The tribe's own actions, those of its cities, and those of its units; while a city grows, only its choices."""
    if s.over != 0:
        return 0
    tribe = integer(s.active)
    growing = growing_city(g, s, tribe)
    if growing != NONE:
        return list_choices(g, s, growing, out)
    room, powers = stack_scratch(), powers_of(tribe_of(g, s, tribe))
    room[CONTROL_READY] = 0
    n = list_tribe(g, s, tribe, powers, out, 0)
    n = list_cities(g, s, tribe, powers, room, out, n)
    return list_units(g, s, tribe, powers, room, out, n)


@game_function("legal_actions")
def legal_actions(g: TribesSetup, s: TribesState, out: Ints) -> int:
    """The actions of the tribe to move."""
    return list_all(g, s, out)


# ---------------------------------------------------------------------------------------------------- test of legality

_ACTOR, _TARGET, _CHOICE = code(0, 0xFF, 0, 0), code(0, 0, 0x1FF, 0), code(0, 0, 0, 31)


def _unused() -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """For each kind of action the bits that are 0 in its codes."""
    table = np.full(KINDS, _ACTOR | _TARGET | _CHOICE, np.int64)
    for kind in range(BUILD, KINDS):
        table[kind] &= ~_ACTOR
    for kind in (ROAD, BUILD, BURN, CLEAR, DESTROY, GROW, GATHER, ATTACK, CONVERT, MOVE):
        table[kind] &= ~_TARGET
    for kind in (RESEARCH, BUILD, GATHER, SPAWN, LEVEL_UP):
        table[kind] &= ~_CHOICE
    return table


_UNUSED = _unused()


@inlined
def is_own_city(g: TribesSetup, s: TribesState, slot: int) -> bool:
    """Whether a number is the slot of a city of the tribe to move."""
    return slot < s.cities and city_of(g, s, slot).tribe == s.active


@inlined
def is_own_unit(g: TribesSetup, s: TribesState, slot: int) -> bool:
    """Whether a number is the slot of a unit of the tribe to move."""
    return slot < s.units_end and unit_of(g, s, slot).id != 0 and unit_of(g, s, slot).tribe == s.active


@kernel
def allows(g: TribesSetup, s: TribesState, action: int, exactly: bool) -> int:
    """Whether an action, which may be any number, is legal; ``exactly``: also a move that only an exact search has."""
    if s.over != 0 or not is_code(action) or action & _UNUSED[kind_of(action)] != 0:
        return 0
    kind, actor, tribe = kind_of(action), actor_of(action), integer(s.active)
    growing = growing_city(g, s, tribe)
    if kind == LEVEL_UP or growing != NONE:
        return integer(growing != NONE and is_choice(g, s, growing, action))
    powers = powers_of(tribe_of(g, s, tribe))
    if kind < BUILD:
        return integer(tribe_allows(g, s, tribe, powers, action))
    room = stack_scratch()
    room[CONTROL_READY] = 0
    if kind < UPGRADE:
        return integer(is_own_city(g, s, actor) and city_allows(g, s, powers, action, room))
    return integer(is_own_unit(g, s, actor) and unit_allows(g, s, powers, action, exactly, room))


@game_function("is_legal")
def is_legal(g: TribesSetup, s: TribesState, action: int) -> int:
    """Whether an action is in the legal list."""
    return allows(g, s, action, False)


@game_function("is_legal")
def is_feasible(g: TribesSetup, s: TribesState, action: int) -> int:
    """The test by which the original's agents repair plans: it accepts moves that legal lists miss (rules 8)."""
    return allows(g, s, action, True)
