"""Cities: lists of cities, population, production, borders, founding (rules 5, 9 and 11)."""

from __future__ import annotations

from turnwise.games.tribes.rules.board import column_at, end_line, first_line, row_at
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import (
    BOUND_SHIFT,
    CAPITAL,
    NONE,
    UNKNOWN,
    City,
    TribesState,
    city_of,
    tribe_of,
)
from turnwise.games.tribes.tables import MOST_BOUND
from turnwise.jit.kernel import inlined, integer, kernel

MOST_TILES = (2 * MOST_BOUND + 1) ** 2
_TILE_POINTS = 20
_POPULATION_POINTS = 5


@inlined
def is_owned(g: TribesSetup, s: TribesState, city: int, tribe: int) -> bool:
    """Whether a tribe owns a city; nobody owns a city of which only the id is known, or NONE."""
    if city < 0:
        return False
    c = city_of(g, s, city)
    return c.tribe == tribe and c.marks & UNKNOWN == 0


@inlined
def production(c: City) -> int:
    """Stars that a city gives each turn; negative population costs stars."""
    if c.population < 0:
        return integer(c.population)
    return integer(c.level) + integer(c.bonus) + (c.marks & CAPITAL)


@inlined
def bound_of(c: City) -> int:
    """Radius of a city's borders."""
    return min(MOST_BOUND, (c.marks >> BOUND_SHIFT) & 7)


@kernel
def find_city(g: TribesSetup, s: TribesState, number: int) -> int:
    """Slot of the city with an id; NONE: there is none."""
    for slot in range(s.cities):
        if city_of(g, s, slot).id == number:
            return slot
    return NONE


@inlined
def owned_capital(g: TribesSetup, s: TribesState, tribe: int) -> int:
    """Slot of a tribe's original capital if the tribe owns it, else NONE."""
    slot = find_city(g, s, integer(tribe_of(g, s, tribe).capital))
    return slot if is_owned(g, s, slot, tribe) else NONE


@kernel
def city_at(g: TribesSetup, s: TribesState, cell: int) -> int:
    """The city with its centre on a tile; NONE: there is none."""
    for city in range(s.cities):
        if city_of(g, s, city).cell == cell and city_of(g, s, city).level > 0:
            return city
    return NONE


@kernel
def append_city(g: TribesSetup, s: TribesState, tribe: int, city: int) -> None:
    """Add a city at the end of a tribe's list; the tribe owns it from now on."""
    t, c = tribe_of(g, s, tribe), city_of(g, s, city)
    c.tribe, c.next = tribe, NONE
    t.cities += 1
    if t.first_city == NONE:
        t.first_city = city
        return
    last = integer(t.first_city)
    while city_of(g, s, last).next != NONE:
        last = integer(city_of(g, s, last).next)
    city_of(g, s, last).next = city


@kernel
def remove_city(g: TribesSetup, s: TribesState, tribe: int, city: int, follower: int) -> None:
    """Remove a city from a tribe's list, in which ``follower`` comes after it (NONE: nothing)."""
    t = tribe_of(g, s, tribe)
    t.cities -= 1
    if t.first_city == city:
        t.first_city = follower
        return
    before = integer(t.first_city)
    while before != NONE and city_of(g, s, before).next != city:
        before = integer(city_of(g, s, before).next)
    if before != NONE:
        city_of(g, s, before).next = follower


@kernel
def add_population(g: TribesSetup, s: TribesState, city: int, tribe: int, change: int) -> None:
    """Change a city's population, down to minus its level; the points go to a tribe and to the city's worth."""
    c, t = city_of(g, s, city), tribe_of(g, s, tribe)
    change = max(change, -integer(c.level) - integer(c.population))
    c.population += change
    c.worth += _POPULATION_POINTS * change
    t.score += _POPULATION_POINTS * change


@kernel
def claim_tiles(g: TribesSetup, s: TribesState, city: int) -> None:
    """Take the tiles within a city's borders that nobody owns."""
    c = city_of(g, s, city)
    x, y, bound = row_at(g, c.cell), column_at(g, c.cell), bound_of(c)
    claimed = 0
    for row in range(first_line(x, bound), end_line(g, x, bound)):
        for column in range(first_line(y, bound), end_line(g, y, bound)):
            tile = s.data[row * g.side + column]
            if tile.owner == 0:
                tile.owner = city + 1
                claimed += 1
    c.worth += _TILE_POINTS * claimed
    tribe_of(g, s, integer(c.tribe)).score += _TILE_POINTS * claimed


@kernel
def new_city(g: TribesSetup, s: TribesState, tribe: int, cell: int) -> int:
    """Add a city of the first level without land; returns its slot, or NONE if there is no room for one."""
    slot = integer(s.cities)
    if slot >= g.most_cities:
        return NONE
    s.cities += 1
    s.next_id += 1
    c = city_of(g, s, slot)
    c.id, c.cell, c.level, c.first_unit, c.units = s.next_id, cell, 1, NONE, 0
    c.population, c.worth, c.bonus, c.marks = 0, 0, 0, 1 << BOUND_SHIFT
    append_city(g, s, tribe, slot)
    return slot
