"""The fields of a tile in its word: legal lists look at many tiles, and read each of them once."""

from __future__ import annotations

from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import NETWORK, TribesState, city_of, unit_of
from turnwise.games.tribes.tables import CITY, DEEP, PORT, SHALLOW, TERRAINS
from turnwise.jit.kernel import inlined, integer
from turnwise.jit.memory import address_of_record, at, trailing_zeros
from turnwise.jit.record import Ints, Word

WATER = 1 << SHALLOW | 1 << DEEP
"""Bits of the terrains that are water."""
TRACKS = 1 << CITY | ((1 << len(TERRAINS)) - 1 & ~WATER) << 8
"""Bits, by terrain | network << 3, of the tiles that carry a road or are the centre of a city."""

_RESOURCE, _BUILDING, _MARKS, _UNIT, _OWNER = (8 * byte for byte in range(1, 6))  # see state.Tile
NETWORK_BIT = NETWORK << _MARKS
_ints_at = at(Ints)


@inlined
def lowest_bit(bits: int) -> int:
    """Place of the lowest bit of a number that is not 0."""
    return integer(trailing_zeros(Word(bits)))


@inlined
def tiles_of(s: TribesState) -> Ints:
    """The words of the tiles."""
    return _ints_at(address_of_record(s.data[0]))


@inlined
def terrain_in(tile: int) -> int:
    """The terrain."""
    return tile & 7


@inlined
def resource_in(tile: int) -> int:
    """The resource; 0: none."""
    return (tile >> _RESOURCE) & 7


@inlined
def building_in(tile: int) -> int:
    """The building; 0: none."""
    return (tile >> _BUILDING) & 31


@inlined
def unit_in(tile: int) -> int:
    """Slot of the unit + 1; 0: none."""
    return (tile >> _UNIT) & 0xFF


@inlined
def owner_in(tile: int) -> int:
    """Slot of the owning city + 1; 0: none."""
    return (tile >> _OWNER) & 0x7F


@inlined
def sight_bit(tribe: int) -> int:
    """The bit that says whether a tribe sees a tile."""
    return 2 << _MARKS + tribe


@inlined
def has_sight_bit(tile: int, tribe: int) -> bool:
    """Whether the word says that a tribe sees the tile."""
    return tile & sight_bit(tribe) != 0


@inlined
def terrain_and_network(tile: int) -> int:
    """Place of a tile's bit in ``TRACKS``."""
    return tile & 7 | (tile >> _MARKS & 1) << 3


@inlined
def terrain_and_port(tile: int) -> int:
    """The terrain, and 8 if there is a port."""
    return tile & 7 | (8 if building_in(tile) == PORT else 0)


@inlined
def is_track(tile: int) -> bool:
    """Whether the tile carries a road or is the centre of a city."""
    return (TRACKS >> terrain_and_network(tile)) & 1 != 0


@inlined
def owner_is(g: TribesSetup, s: TribesState, tile: int, tribe: int) -> bool:
    """Whether a tribe owns the tile."""
    return owner_in(tile) != 0 and city_of(g, s, owner_in(tile) - 1).tribe == tribe


@inlined
def is_free_of(g: TribesSetup, s: TribesState, tile: int, tribe: int) -> bool:
    """Whether no other tribe owns the tile."""
    return owner_in(tile) == 0 or city_of(g, s, owner_in(tile) - 1).tribe == tribe


@inlined
def has_enemy(g: TribesSetup, s: TribesState, tile: int, tribe: int) -> bool:
    """Whether a unit of another tribe is on the tile."""
    return unit_in(tile) != 0 and unit_of(g, s, unit_in(tile) - 1).tribe != tribe


@inlined
def is_on_track(g: TribesSetup, s: TribesState, tile: int, tribe: int) -> bool:
    """Whether a tribe's steps from the tile may be along a road."""
    return is_track(tile) and is_free_of(g, s, tile, tribe)
