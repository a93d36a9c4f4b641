"""The state row: a head, then the tiles, units, cities and tribes, each of them a small record.

Only the head and the place of the tiles are the same for all boards; where units, cities and tribes begin depends on
the size of the board and stands in the setup. A unit keeps its slot until it dies, also when it becomes a ship; slots
are used again. Cities are never removed, so their slots follow the order of their ids. Ids are the notation's numbers.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.tables import MOST_CELLS, MOST_CITIES, MOST_TRIBES, MOST_UNITS
from turnwise.jit.kernel import inlined
from turnwise.jit.memory import address_of_record, at
from turnwise.jit.record import Int8, Int16, Int32, Ints16, Record, Records, Words

NONE = -1


class Tile(Record):
    """One tile of the board; 8 bytes."""

    terrain: Int8
    resource: Int8  # 0: none
    building: Int8  # 0: none, else its number in the table + 1
    marks: Int8  # NETWORK | SEEN << tribe, for each tribe that sees it
    unit: Int8  # slot of the unit on the tile + 1, as an unsigned byte; 0: none (see unit_on)
    owner: Int8  # slot of the owning city + 1; 0: none
    temple: Int8  # level and countdown (see temples.pack_temple); 0: no temple
    built: Int8  # place of the building in its city's list, from 0


NETWORK = 1  # in a tile's marks: a road, a city centre or a port
SEEN_SHIFT = 1
SEEN = 1 << SEEN_SHIFT  # in a tile's marks: seen by tribe 0; the next bits are those of the other tribes


class Unit(Record):
    """One unit; 16 bytes. A slot with id 0 is empty."""

    id: Int16
    cell: Int16
    next: Int16  # slot of the unit after this one in the list of its city or its tribe's extra units; NONE: the last
    kills: Int16
    hp: Int8
    max_hp: Int8
    kind: Int8
    carried: Int8  # kind of the land unit in a ship; NONE: no ship
    tribe: Int8
    city: Int8  # slot of its city; NONE: an extra unit
    status: Int8
    veteran: Int8


class City(Record):
    """One city; 16 bytes."""

    id: Int16
    cell: Int16
    population: Int16
    worth: Int16
    first_unit: Int16  # slot; NONE: no units
    units: Int8  # length of its list of units
    level: Int8
    bonus: Int8  # production in addition to that of its level
    tribe: Int8
    marks: Int8  # CAPITAL | WALLS | UNKNOWN | border radius << 4
    next: Int8  # slot of the city after this one in its tribe's list; NONE: the last


CAPITAL, WALLS = 1, 2
UNKNOWN = 4  # in views: nothing but the id is known of this city; its tribe is NONE, so its land is nobody's own
BOUND_SHIFT = 4


class Tribe(Record):
    """One tribe; 48 bytes."""

    score: Int32
    stars: Int32
    tech: Int32  # one bit for each technology
    kills: Int16
    pacifist: Int16
    monuments: Int16  # two bits for each monument: UNAVAILABLE, AVAILABLE, BUILT
    capital: Int16  # id of the original capital
    first_extra: Int16  # slot of the first extra unit; NONE: there are none
    first_city: Int8  # slot of the first city; NONE: there are none
    cities: Int8  # their number
    kind: Int8  # XIN_XI, ...
    result: Int8  # INCOMPLETE, WIN, LOSS
    knows_all: Int8  # the mark that all technologies are known
    monuments_hidden: Int8  # in views: no status is known, and none becomes available
    met: Int16  # the tribes met, three bits each in the order of meeting (tribe + 1)
    connected: Annotated[Words, 2]  # one bit for each city slot: connected to the capital


class TribesState(Record):
    """A state; ``data`` holds tiles (a word each), units (two), cities (two) and tribes (six) in this order.

    The functions below find the records in it.
    """

    open_ended = True

    tick: Int16  # number of the round, from 0
    next_id: Int16  # the last id that was given
    active: Int8  # the tribe to move
    over: Int8
    native: Int8  # 1: the game itself; 0: an agent's copy, which the original advances by other rules (rules 15)
    cities: Int8  # number of cities
    units_end: Int16  # slots of units from here on are empty
    ghosts: Int16  # units that stand on no tile's ``unit`` (rules 9, push)
    spare: Int32
    capitals: Annotated[Ints16, MOST_TRIBES]  # ids of the original capitals
    data: Annotated[Records[Tile], MOST_CELLS + 2 * MOST_UNITS + 2 * MOST_CITIES + 6 * MOST_TRIBES]


HEAD_WORDS = TribesState.fields["data"].offset // 8
UNIT_WORDS, CITY_WORDS, TRIBE_WORDS = (record.dtype.itemsize // 8 for record in (Unit, City, Tribe))

_unit, _city, _tribe = at(Unit), at(City), at(Tribe)


@inlined
def unit_of(g: TribesSetup, s: TribesState, slot: int) -> Unit:
    """The unit in a slot."""
    return _unit(address_of_record(s.data[g.units + UNIT_WORDS * slot]))


@inlined
def city_of(g: TribesSetup, s: TribesState, slot: int) -> City:
    """The city in a slot."""
    return _city(address_of_record(s.data[g.cities + CITY_WORDS * slot]))


@inlined
def tribe_of(g: TribesSetup, s: TribesState, number: int) -> Tribe:
    """A tribe."""
    return _tribe(address_of_record(s.data[g.tribes + TRIBE_WORDS * number]))


@inlined
def unit_on(s: TribesState, cell: int) -> int:
    """Slot of the unit on a tile; NONE: nobody is there."""
    return (s.data[cell].unit & 0xFF) - 1


@inlined
def owner_on(s: TribesState, cell: int) -> int:
    """Slot of the city that owns a tile; NONE: no city."""
    return s.data[cell].owner - 1


def words_for(g: TribesSetup) -> int:
    """Width of a state row in words."""
    return HEAD_WORDS + g.tribes + TRIBE_WORDS * g.players


def layout_for(g: TribesSetup) -> np.dtype[np.void]:
    """The fields of a row: the head's, then ``tiles``, ``units``, ``city`` and ``tribe`` as arrays of records."""
    head = [field for field in TribesState.fields.values() if field.name != "data"]
    parts = [
        ("tiles", Tile, 0, g.cells),
        ("units", Unit, g.units, g.most_units),
        ("city", City, g.cities, g.most_cities),
        ("tribe", Tribe, g.tribes, g.players),
    ]
    names = [field.name for field in head] + [name for name, *_ in parts]
    formats: list[Any] = [field.format for field in head] + [(record.dtype, (n,)) for _, record, _, n in parts]
    offsets = [field.offset for field in head] + [8 * (HEAD_WORDS + first) for _, _, first, _ in parts]
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": 8 * words_for(g)})
