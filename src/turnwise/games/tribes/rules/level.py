"""The map generator of the original game (rules 3), number for number.

It writes terrain and resources; a capital has the terrain CITY and, in place of a resource, the kind of its tribe +
``CAPITAL_OF``. While it works, other fields of the tiles hold its notes, and the memory of the units the lists of tiles
from which the tribes spread; both are empty again at the end.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from turnwise.games.tribes.rules.board import column_at, row_at
from turnwise.games.tribes.rules.java_random import JavaRandom, java_below, java_double, seed_java
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import TribesState
from turnwise.games.tribes.tables import (
    ANIMAL,
    BARDUR,
    CITY,
    CROPS,
    DEEP,
    FISH,
    FOREST,
    FRUIT,
    IMPERIUS,
    MOST_TRIBES,
    MOUNTAIN,
    ORE,
    PLAIN,
    RUINS,
    SHALLOW,
    VILLAGE,
    WHALES,
)
from turnwise.jit.bits import nth_bit
from turnwise.jit.kernel import inlined, integer, kernel, real
from turnwise.jit.memory import address_of_record, at, bit_count, offset
from turnwise.jit.record import Ints16

CAPITAL_OF = 64
SMOOTHINGS = 3
TRIES = 50  # seeds that are tried before the map without chance is made

# Probabilities by kind of tribe; the last column is that of tiles without a tribe.
_FOREST = np.array([0.4, 0.4, 0.4, 0.4 * 0.1, 0.4])
_MOUNTAIN = np.array([0.15 * 1.5, 0.15, 0.15, 0.15, 0.15])
_FRUIT = np.array([0.5, 0.5, 0.5 * 1.5, 0.5, 0.5])
_CROPS = np.array([0.5, 0.5, 0.5 * 0.1, 0.5, 0.5])
_ANIMAL = np.array([0.5, 0.5, 0.5 * 2.0, 0.5, 0.5])
_FISH, _WHALES, _ORE = 0.5, 0.4, 0.5
_NOBODY = 4
_FAR_FROM_VILLAGES = 1.0 / 3.0

# Order in which the eight neighbours are visited, and the four.
_RING_ROWS = np.array([-1, -1, 1, 1, 1, 0, -1, 0], np.int64)
_RING_COLUMNS = np.array([-1, 0, 1, 0, -1, -1, 1, 1], np.int64)
_UPPER, _LOWER, _LEFT, _RIGHT = 0b01000011, 0b00011100, 0b00110001, 0b11000100  # bits of the ring's eight
_CROSS_ROWS = np.array([0, 0, -1, 1], np.int64)
_CROSS_COLUMNS = np.array([-1, 1, 0, 0], np.int64)

# Zones around villages: the village itself, next to one, two tiles away, free, and where none can be.
_CENTRE, _INNER, _OUTER, _FREE, _NO_VILLAGE = 3, 2, 1, 0, -1
_SMOOTHED = 32  # mark of a tile that smoothing has made land


class Notes(JavaRandom):
    """What the generator remembers in addition to the tiles; the tribes' lists of tiles follow it in memory.

    The memory of the units is large enough. Lists have at most eight bytes for each tile, units sixteen for each of up
    to ``MOST_UNITS`` tiles: on a board of 8 x 8 512 of 1,024 bytes are left for the notes, on one of 18 x 18 1,488.
    """

    capitals: Annotated[Ints16, MOST_TRIBES]  # cells
    active: Annotated[Ints16, MOST_TRIBES]  # lengths of the lists


_NOTES_BYTES = Notes.dtype.itemsize
_notes, _shorts = at(Notes), at(Ints16)


@inlined
def _notes_of(g: TribesSetup, s: TribesState) -> Notes:
    return _notes(address_of_record(s.data[g.units]))


@inlined
def _list_of(g: TribesSetup, s: TribesState, number: int) -> Ints16:
    """The list of a tribe, int16[cells]."""
    first = _shorts(address_of_record(s.data[g.units]))
    return offset(first, _NOTES_BYTES // 2 + number * g.cells)


@inlined
def _is_on(g: TribesSetup, row: int, column: int) -> bool:
    return 0 <= row < g.side and 0 <= column < g.side


@kernel
def _make_land(g: TribesSetup, s: TribesState, n: Notes) -> None:
    """Random tiles become land, until there are enough (step 1)."""
    for cell in range(g.cells):
        tile = s.data[cell]
        tile.terrain, tile.resource, tile.building, tile.marks = DEEP, 0, _FREE, 0
        tile.unit, tile.owner, tile.temple, tile.built = 0, 0, 0, 0
    count, enough = 0, min(real(g.cells) * g.land, real(g.cells))
    while real(count) < enough:
        tile = s.data[java_below(n, g.cells)]
        if tile.terrain == DEEP:
            tile.terrain = PLAIN
            count += 1


@inlined
def _land_in_column(g: TribesSetup, s: TribesState, row: int, column: int) -> int:
    """How many of up to three tiles, one above the other, are land."""
    cell, above = row * g.side + column, 1 if row > 0 else 0
    below = 1 if row < g.side - 1 else 0
    land = s.data[cell].terrain == PLAIN
    return (
        integer(land)
        + (above & integer(s.data[cell - above * g.side].terrain == PLAIN))
        + (below & integer(s.data[cell + below * g.side].terrain == PLAIN))
    )


@kernel
def _smooth(g: TribesSetup, s: TribesState) -> None:
    """Tiles become land where at least half of the tiles around are, and stay so; all others become water (step 2)."""
    last = g.side - 1
    for _ in range(SMOOTHINGS):
        for row in range(g.side):
            rows = 2 if row == 0 or row == last else 3
            left, middle = 0, _land_in_column(g, s, row, 0)
            for column in range(g.side):
                right = _land_in_column(g, s, row, column + 1) if column < last else 0
                columns = 2 if column == 0 or column == last else 3
                if 2 * (left + middle + right) >= rows * columns:
                    s.data[row * g.side + column].marks = _SMOOTHED
                left, middle = middle, right
        for cell in range(g.cells):
            s.data[cell].terrain = PLAIN if s.data[cell].marks == _SMOOTHED else DEEP


@kernel
def _list_candidates(g: TribesSetup, s: TribesState, out: Ints16) -> int:
    """List the plain tiles two or more from the edge in the order of a hash map; returns their number."""
    count = 0
    for row in range(2, g.side - 2):
        for column in range(2, g.side - 2):
            count += integer(s.data[row * g.side + column].terrain == PLAIN)
    buckets = 16
    while 4 * count > 3 * buckets:
        buckets *= 2
    n = 0
    for bucket in range(min(buckets, g.cells)):
        for cell in range(bucket, g.cells, buckets):
            row = row_at(g, cell)
            column = cell - row * g.side
            if s.data[cell].terrain == PLAIN and min(row, column) >= 2 and max(row, column) < g.side - 2:
                out[n] = cell
                n += 1
    return n


@kernel
def _choose_capitals(g: TribesSetup, s: TribesState, n: Notes) -> bool:
    """Each tribe's capital is far from those before it (steps 3 and 4); False: there is no room for all."""
    candidates, values = _list_of(g, s, 0), _list_of(g, s, 1)
    count = _list_candidates(g, s, candidates)
    for i in range(count):
        values[i] = g.side
    for number in range(g.players):
        best, ties = 0, 0
        for i in range(count):
            if values[i] > best:
                best, ties = values[i], 0
            ties += integer(values[i] == best)
        if best == 0:
            return False
        chosen, capital = java_below(n, ties), 0
        for i in range(count):
            if values[i] == best:
                if chosen == 0:
                    capital = integer(candidates[i])
                chosen -= 1
        n.capitals[number] = capital
        row, column = row_at(g, capital), column_at(g, capital)
        for i in range(count):
            cell = integer(candidates[i])
            apart = max(abs(row_at(g, cell) - row), abs(column_at(g, cell) - column))
            values[i] = min(integer(values[i]), apart)
    for number in range(g.players):
        tile = s.data[n.capitals[number]]
        tile.terrain, tile.resource = CITY, CAPITAL_OF + g.kinds[number]
    return True


@kernel
def _ring_on_board(g: TribesSetup, row: int, column: int) -> int:
    """One bit for each neighbour that exists."""
    bits = 0xFF
    bits &= ~_UPPER if row == 0 else -1
    bits &= ~_LOWER if row == g.side - 1 else -1
    bits &= ~_LEFT if column == 0 else -1
    bits &= ~_RIGHT if column == g.side - 1 else -1
    return bits


@kernel
def _spread_once(g: TribesSetup, s: TribesState, n: Notes, number: int) -> bool:
    """A random tile of a tribe takes a random neighbour, land first; returns whether it found one."""
    side, length = g.side, integer(n.active[number])
    tiles = _list_of(g, s, number)
    picked = java_below(n, length)
    cell = integer(tiles[picked])
    row = cell // side
    bits = _ring_on_board(g, row, cell - row * side)
    wet, dry = 0, 0
    for k in range(8):
        is_there = bits >> k & 1
        tile = s.data[cell + is_there * (_RING_ROWS[k] * side + _RING_COLUMNS[k])]
        is_free = is_there & integer(tile.owner == 0)
        wet |= is_free << k
        dry |= (is_free & integer(tile.terrain != DEEP)) << k
    if wet == 0:
        for i in range(picked, length - 1):
            tiles[i] = tiles[i + 1]
        n.active[number] = length - 1
        return False
    choices = np.uint64(dry if dry != 0 else wet)
    k = nth_bit(choices, java_below(n, bit_count(choices)))
    taken = cell + _RING_ROWS[k] * side + _RING_COLUMNS[k]
    s.data[taken].owner = 1 + g.kinds[number]
    tiles[length] = taken
    n.active[number] = length + 1
    return True


@kernel
def _spread(g: TribesSetup, s: TribesState, n: Notes) -> None:
    """Each tile but the capitals becomes land of a tribe: ``owner`` is its kind + 1 (step 5)."""
    for number in range(g.players):
        s.data[n.capitals[number]].owner = 1 + _NOBODY
        _list_of(g, s, number)[0] = n.capitals[number]
        n.active[number] = 1
    left = g.cells - g.players
    while left > 0:
        active = 0
        for number in range(g.players):
            if n.active[number] > 0:
                active += 1
                left -= integer(_spread_once(g, s, n, number))
        if active == 0:
            return


@kernel
def _raise_relief(g: TribesSetup, s: TribesState, n: Notes) -> None:
    """Forests and mountains (step 6), and where villages can be: not on water, mountains and the edge (step 7)."""
    last = g.side - 1
    for row in range(g.side):
        for column in range(g.side):
            tile = s.data[row * g.side + column]
            if tile.terrain == PLAIN:
                value = java_double(n)
                if value < _FOREST[tile.owner - 1]:
                    tile.terrain = FOREST
                elif value > 1.0 - _MOUNTAIN[tile.owner - 1]:
                    tile.terrain = MOUNTAIN
            is_edge = min(row, column) == 0 or max(row, column) == last
            if is_edge or tile.terrain == DEEP or tile.terrain == MOUNTAIN:
                tile.building = _NO_VILLAGE


@kernel
def _flood_coasts(g: TribesSetup, s: TribesState) -> None:
    """The first land next to each tile of deep water becomes shallow water (step 8): the land, not the sea."""
    for row in range(g.side):
        for column in range(g.side):
            if s.data[row * g.side + column].terrain != DEEP:
                continue
            for k in range(4):
                near_row, near_column = row + _CROSS_ROWS[k], column + _CROSS_COLUMNS[k]
                if _is_on(g, near_row, near_column):
                    tile = s.data[near_row * g.side + near_column]
                    if tile.terrain == PLAIN or tile.terrain == FOREST or tile.terrain == MOUNTAIN:
                        tile.terrain = SHALLOW
                        break


@kernel
def _mark_zones(g: TribesSetup, s: TribesState, centre: int) -> None:
    """Mark the zones around a capital or a village."""
    row, column = row_at(g, centre), column_at(g, centre)
    for near_row in range(max(0, row - 2), min(g.side - 1, row + 2) + 1):
        for near_column in range(max(0, column - 2), min(g.side - 1, column + 2) + 1):
            zone = _CENTRE - max(abs(near_row - row), abs(near_column - column))
            tile = s.data[near_row * g.side + near_column]
            tile.building = max(integer(tile.building), zone)


@kernel
def _choose_villages(g: TribesSetup, s: TribesState, n: Notes) -> None:
    """Around the capitals there are no villages; each tile that is still free becomes one (step 9)."""
    for number in range(g.players):
        _mark_zones(g, s, integer(n.capitals[number]))
    for cell in range(g.cells):
        if s.data[cell].building == _FREE:
            _mark_zones(g, s, cell)


@kernel
def _occurs(n: Notes, zone: int, chance: float) -> bool:
    """Whether a resource occurs on a tile of a zone; draws only where it can."""
    if zone == _INNER:
        return java_double(n) < chance
    return zone == _OUTER and java_double(n) < chance * _FAR_FROM_VILLAGES


@kernel
def _add_resources(g: TribesSetup, s: TribesState, n: Notes) -> None:
    """Villages and resources (step 10)."""
    for cell in range(g.cells):
        tile = s.data[cell]
        terrain, zone, kind = tile.terrain, tile.building, tile.owner - 1
        if zone == _CENTRE and terrain in (PLAIN, FOREST):
            tile.terrain = VILLAGE
        elif terrain == PLAIN:
            fruit, crops = _FRUIT[kind], _CROPS[kind]
            if _occurs(n, zone, fruit * (1.0 - crops / 2.0)):
                tile.resource = FRUIT
            elif _occurs(n, zone, crops * (1.0 - fruit / 2.0)):
                tile.resource = CROPS
        elif terrain == FOREST:
            if _occurs(n, zone, _ANIMAL[kind]):
                tile.resource = ANIMAL
        elif terrain == SHALLOW:
            if _occurs(n, zone, _FISH):
                tile.resource = FISH
        elif terrain == DEEP:
            if _occurs(n, zone, _WHALES):
                tile.resource = WHALES
        elif terrain == MOUNTAIN and _occurs(n, zone, _ORE):
            tile.resource = ORE


@kernel
def _outside_villages(g: TribesSetup, s: TribesState, number: int) -> int:
    """The cell with a number, from 0, among those that are not next to a village; for -1, how many there are."""
    count = 0
    for cell in range(g.cells):
        if s.data[cell].building < _INNER:
            if count == number:
                return cell
            count += 1
    return count


@kernel
def _keep_apart(g: TribesSetup, s: TribesState, centre: int) -> None:
    """Mark the ring around a cell; the centre may be -1, which counts as row 0, column -1."""
    row, column = (0, -1) if centre < 0 else (row_at(g, centre), column_at(g, centre))
    for k in range(8):
        near_row, near_column = row + _RING_ROWS[k], column + _RING_COLUMNS[k]
        if _is_on(g, near_row, near_column):
            tile = s.data[near_row * g.side + near_column]
            tile.building = max(integer(tile.building), _INNER)


@kernel
def _add_ruins(g: TribesSetup, s: TribesState, n: Notes) -> None:
    """Ruins on land and in deep water (step 11).

    The original takes the zone of the tile, -1 or 1, for the tile itself when it marks the ring around new ruins.
    """
    wanted = integer(real(g.cells) / 40.0 + 0.5)
    most_wet = integer(real(wanted) / 3.0 + 0.5)
    count, wet = 0, 0
    for _ in range(g.cells * TRIES):
        outside = _outside_villages(g, s, -1)
        if count == wanted or outside == 0:
            return
        tile = s.data[_outside_villages(g, s, java_below(n, outside))]
        if tile.terrain != SHALLOW and (tile.terrain != DEEP or wet < most_wet):
            tile.resource = RUINS
            count, wet = count + 1, wet + integer(tile.terrain == DEEP)
            _keep_apart(g, s, integer(tile.building))


@kernel
def _aid(g: TribesSetup, s: TribesState, n: Notes, capital: int, terrain: int, resource: int) -> None:
    """Change random tiles around a capital until two have a resource on its terrain."""
    row, column = row_at(g, capital), column_at(g, capital)
    for _ in range(g.cells * TRIES):
        count = 0
        for k in range(8):
            tile = s.data[capital + _RING_ROWS[k] * g.side + _RING_COLUMNS[k]]
            count += integer(tile.terrain == terrain and tile.resource == resource)
        if count >= 2:
            return
        k = java_below(n, 8)
        aid_row, aid_column = row + _RING_ROWS[k], column + _RING_COLUMNS[k]
        tile = s.data[aid_row * g.side + aid_column]
        tile.terrain, tile.resource = terrain, resource
        for k in range(4):
            near_row, near_column = aid_row + _CROSS_ROWS[k], aid_column + _CROSS_COLUMNS[k]
            if _is_on(g, near_row, near_column) and s.data[near_row * g.side + near_column].terrain == DEEP:
                s.data[near_row * g.side + near_column].terrain = SHALLOW


@kernel
def _add_aid(g: TribesSetup, s: TribesState, n: Notes) -> None:
    """What two tribes always have next to their capitals (step 12)."""
    for number in range(g.players):
        if g.kinds[number] == IMPERIUS:
            _aid(g, s, n, integer(n.capitals[number]), PLAIN, FRUIT)
        elif g.kinds[number] == BARDUR:
            _aid(g, s, n, integer(n.capitals[number]), FOREST, ANIMAL)


@kernel
def _clean(g: TribesSetup, s: TribesState, n: Notes) -> bool:
    """Remove all notes; returns whether every capital is on the map (aid for a neighbour may have replaced one)."""
    is_whole = True
    for number in range(g.players):
        is_whole = is_whole and s.data[n.capitals[number]].terrain == CITY
    for cell in range(g.cells):
        tile = s.data[cell]
        tile.building, tile.marks, tile.owner = 0, 0, 0
    lists = _list_of(g, s, 0)
    for i in range(-_NOTES_BYTES // 2, g.players * g.cells):
        lists[i] = 0
    return is_whole


@kernel
def generate(g: TribesSetup, s: TribesState, seed: int) -> bool:
    """Write the map of a seed; False: its land has no room for all capitals, and the original would fail, too."""
    n = _notes_of(g, s)
    seed_java(n, seed)
    _make_land(g, s, n)
    _smooth(g, s)
    if not _choose_capitals(g, s, n):
        return False
    _spread(g, s, n)
    _raise_relief(g, s, n)
    _flood_coasts(g, s)
    _choose_villages(g, s, n)
    _add_resources(g, s, n)
    _add_ruins(g, s, n)
    _add_aid(g, s, n)
    return _clean(g, s, n)


@kernel
def write_level(g: TribesSetup, s: TribesState, seed: int) -> None:
    """Write the map of the first usable seed from a given one on; if none is found soon, a plain with four villages."""
    for further in range(TRIES):
        if generate(g, s, seed + further):
            return
    n = _notes_of(g, s)
    _make_land(g, s, n)
    for cell in range(g.cells):
        s.data[cell].terrain = PLAIN
    _clean(g, s, n)
    near, far = 2, g.side - 3
    for number in range(MOST_TRIBES):
        row, column = (near if number & 1 == 0 else far), (near if number == 0 or number == 3 else far)
        tile = s.data[row * g.side + column]
        tile.terrain = CITY if number < g.players else VILLAGE
        tile.resource = CAPITAL_OF + g.kinds[number] if number < g.players else 0
