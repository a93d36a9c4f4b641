"""Units: their lists, new ones, replacements and losses (rules 5 and 9)."""

from __future__ import annotations

from turnwise.games.tribes.rules.faults import FREE_SHIPS, has_fault
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import NONE, Tribe, TribesState, Unit, city_of, tribe_of, unit_of
from turnwise.games.tribes.tables import BATTLESHIP, BOAT, FINISHED, LAST_UNIT_ID, UNIT_HP, UNIT_POINTS
from turnwise.jit.kernel import inlined, integer, kernel
from turnwise.jit.memory import address_of_record, words_at


@inlined
def is_ship(kind: int) -> bool:
    """Whether a kind is a ship."""
    return BOAT <= kind <= BATTLESHIP


@inlined
def tribe_of_unit(g: TribesSetup, s: TribesState, unit: Unit) -> Tribe:
    """The tribe that owns a unit."""
    return tribe_of(g, s, integer(unit.tribe))


# ------------------------------------------------------------------------------------------------ places on the board


@kernel
def take_from_board(g: TribesSetup, s: TribesState, slot: int) -> None:
    """Clear the tile where a unit stands, even if another unit hides this one there, which is then on no tile."""
    tile = s.data[unit_of(g, s, slot).cell]
    here = (tile.unit & 0xFF) - 1
    if here != slot:
        s.ghosts += integer(here != NONE) - 1
    tile.unit = 0


@kernel
def put_on_board(g: TribesSetup, s: TribesState, slot: int, cell: int) -> None:
    """Put a unit, which is on no tile, onto one; a unit that is there already is then on no tile."""
    tile = s.data[cell]
    s.ghosts += integer(tile.unit != 0)
    tile.unit = slot + 1
    unit_of(g, s, slot).cell = cell


# -------------------------------------------------------------------------------------------------------------- lists


@kernel
def bypass(g: TribesSetup, s: TribesState, first: int, slot: int, follower: int) -> bool:
    """Take a unit out of a list that begins with another one; returns whether it was there."""
    before = first
    while before != NONE:
        u = unit_of(g, s, before)
        if u.next == slot:
            u.next = follower
            return True
        before = integer(u.next)
    return False


@kernel
def append(g: TribesSetup, s: TribesState, first: int, slot: int) -> None:
    """Add a unit at the end of a list."""
    last = first
    while unit_of(g, s, last).next != NONE:
        last = integer(unit_of(g, s, last).next)
    unit_of(g, s, last).next = slot


@kernel
def leave_list(g: TribesSetup, s: TribesState, slot: int) -> None:
    """Take a unit out of the list of its city or of its tribe's extra units."""
    u = unit_of(g, s, slot)
    follower = integer(u.next)
    u.next = NONE
    if u.city == NONE:
        t = tribe_of_unit(g, s, u)
        if t.first_extra == slot:
            t.first_extra = follower
        else:
            bypass(g, s, integer(t.first_extra), slot, follower)
        return
    c = city_of(g, s, integer(u.city))
    if c.first_unit == slot:
        c.first_unit = follower
        c.units -= 1
    elif bypass(g, s, integer(c.first_unit), slot, follower):
        c.units -= 1


@kernel
def join_list(g: TribesSetup, s: TribesState, slot: int) -> None:
    """Add a unit to the list of its city, unless that is full, or of its tribe's extra units."""
    u = unit_of(g, s, slot)
    if u.city == NONE:
        t = tribe_of_unit(g, s, u)
        if t.first_extra == NONE:
            t.first_extra = slot
        else:
            append(g, s, integer(t.first_extra), slot)
        return
    c = city_of(g, s, integer(u.city))
    if c.units > c.level:
        return
    if c.first_unit == NONE:
        c.first_unit = slot
    else:
        append(g, s, integer(c.first_unit), slot)
    c.units += 1


@kernel
def change_city(g: TribesSetup, s: TribesState, slot: int, city: int) -> None:
    """Let a unit belong to another city, or to none (NONE: an extra unit)."""
    leave_list(g, s, slot)
    unit_of(g, s, slot).city = city
    join_list(g, s, slot)


@kernel
def last_unit(g: TribesSetup, s: TribesState, city: int) -> int:
    """The last unit in a city's list; NONE: it has none."""
    last = NONE
    slot = integer(city_of(g, s, city).first_unit)
    while slot != NONE:
        last = slot
        slot = integer(unit_of(g, s, slot).next)
    return last


# --------------------------------------------------------------------------------------------- new ones, replacements


@kernel
def is_id_used(g: TribesSetup, s: TribesState, number: int) -> bool:
    """Whether a unit or a city has an id."""
    for slot in range(s.units_end):
        if unit_of(g, s, slot).id == number:
            return True
    for slot in range(s.cities):  # noqa: SIM110 - a loop compiles, a generator does not
        if city_of(g, s, slot).id == number:
            return True
    return False


@kernel
def new_id(g: TribesSetup, s: TribesState) -> int:
    """An id for a unit: the next number, as in the original, whose ids have no end.

    Here they have two bytes. A unit takes up to three ids in a turn: as it embarks or lands it becomes another one, and
    with each of two upgrades. On a board of 11 x 11 tiles, where at most 121 units go through 51 rounds, that is less
    than there are; 255 units in 150 rounds could need more. From ``LAST_UNIT_ID`` on, units therefore get the lowest id
    that is free; what is left is for cities, which keep the order of their ids. In recorded play ids stay below 500.
    """
    if s.next_id < LAST_UNIT_ID:
        s.next_id += 1
        return integer(s.next_id)
    number = 1
    while is_id_used(g, s, number):
        number += 1
    return number


@kernel
def new_unit(g: TribesSetup, s: TribesState, kind: int, tribe: int, city: int, cell: int) -> int:
    """Create a unit that can do nothing in this turn; returns its slot, or NONE if there is no room for one."""
    slot = 0
    while slot < s.units_end and unit_of(g, s, slot).id != 0:
        slot += 1
    if slot >= g.most_units:
        return NONE
    number, u = new_id(g, s), unit_of(g, s, slot)
    s.units_end = max(integer(s.units_end), slot + 1)
    u.id, u.next, u.kills, u.kind, u.carried, u.status, u.veteran = number, NONE, 0, kind, NONE, FINISHED, 0
    u.hp, u.max_hp = UNIT_HP[kind], UNIT_HP[kind]
    u.tribe, u.city = tribe, city
    put_on_board(g, s, slot, cell)
    join_list(g, s, slot)
    return slot


@kernel
def replace(g: TribesSetup, s: TribesState, slot: int, kind: int, carried: int, cell: int) -> None:
    """Let a unit become one of another kind on a tile: it has a new id and is the last in its list (rules 9, move)."""
    take_from_board(g, s, slot)
    leave_list(g, s, slot)
    number, u = new_id(g, s), unit_of(g, s, slot)
    u.id, u.kind, u.carried, u.status = number, kind, carried, FINISHED
    put_on_board(g, s, slot, cell)
    join_list(g, s, slot)


@kernel
def embark(g: TribesSetup, s: TribesState, slot: int, cell: int) -> None:
    """Let a land unit become a boat on a tile."""
    replace(g, s, slot, BOAT, integer(unit_of(g, s, slot).kind), cell)


# ------------------------------------------------------------------------------------------------------------- losses


@kernel
def vanish(g: TribesSetup, s: TribesState, slot: int) -> None:
    """Remove a unit from the board and its list, and empty its slot."""
    take_from_board(g, s, slot)
    leave_list(g, s, slot)
    words = words_at(address_of_record(unit_of(g, s, slot)))
    words[0] = 0
    words[1] = 0
    while s.units_end > 0 and unit_of(g, s, s.units_end - 1).id == 0:
        s.units_end -= 1


@inlined
def points_of(g: TribesSetup, unit: Unit) -> int:
    """The points that a tribe loses with a unit."""
    if is_ship(unit.kind) and unit.carried != NONE and not has_fault(g, FREE_SHIPS):
        return integer(UNIT_POINTS[unit.carried])
    return integer(UNIT_POINTS[unit.kind])


@kernel
def lose(g: TribesSetup, s: TribesState, slot: int) -> None:
    """Remove a unit; its tribe loses its points."""
    u = unit_of(g, s, slot)
    tribe_of_unit(g, s, u).score -= points_of(g, u)
    vanish(g, s, slot)
