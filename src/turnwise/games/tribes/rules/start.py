"""The first state (rules 2): the level, its capitals with their units and tiles, the first turn."""

from __future__ import annotations

from turnwise.core.chance import draw
from turnwise.core.table import game_function
from turnwise.games.tribes.rules.cities import claim_tiles, new_city
from turnwise.games.tribes.rules.level import CAPITAL_OF, write_level
from turnwise.games.tribes.rules.turns import FIRST_STARS
from turnwise.games.tribes.rules.units import new_unit
from turnwise.games.tribes.rules.vision import clear_view
from turnwise.games.tribes.scenario import FROM_CHANCE, FROM_FILE
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import CAPITAL, NONE, TRIBE_WORDS, TribesState, city_of, tribe_of, unit_of
from turnwise.games.tribes.tables import (
    CITY,
    FIRST_TECHNOLOGY,
    FIRST_UNIT,
    FRESH,
    MOST_TRIBES,
    TECH_TIER,
    UNIT_POINTS,
)
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.memory import address_of_record, words_at
from turnwise.jit.record import Address

CITY_POINTS, TECH_POINTS = 100, 100
FOUNDING_VIEW, FIRST_VIEW = 1, 2
_SEED_PART = 1 << 24  # the level generator takes seeds of 48 bits; chance draws them in two parts


@kernel
def clear(g: TribesSetup, s: TribesState) -> None:
    """Make an empty state, whatever was in the row."""
    s.tick, s.next_id, s.active, s.over, s.native, s.cities = 0, 0, 0, 0, 1, 0
    s.units_end, s.ghosts, s.spare = 0, 0, 0
    for number in range(MOST_TRIBES):
        s.capitals[number] = 0
    words = words_at(address_of_record(s.data[0]))
    for word in range(g.tribes + TRIBE_WORDS * g.players):
        words[word] = 0


@kernel
def read_level(g: TribesSetup, s: TribesState) -> None:
    """Write the level of a file; a capital has the mark of its tribe in place of a resource."""
    for cell in range(g.cells):
        tile = s.data[cell]
        tile.terrain, tile.resource = g.level_terrain[cell], g.level_resource[cell]
        if tile.terrain == CITY:
            tile.resource = CAPITAL_OF + g.level_resource[cell]


@kernel
def settle(g: TribesSetup, s: TribesState, number: int, cell: int, rng: Address) -> None:
    """A tribe with its capital, a unit, and the tiles around."""
    tile, t = s.data[cell], tribe_of(g, s, number)
    kind = integer(tile.resource) - CAPITAL_OF
    technology, unit = FIRST_TECHNOLOGY[kind], FIRST_UNIT[kind]
    t.kind, t.stars, t.tech, t.first_extra, t.first_city = kind, FIRST_STARS, 1 << technology, NONE, NONE
    t.score = TECH_POINTS * TECH_TIER[technology] + CITY_POINTS + UNIT_POINTS[unit]
    tile.resource, tile.marks = 0, tile.marks | 1
    city = new_city(g, s, number, cell)
    c = city_of(g, s, city)
    c.marks |= CAPITAL
    s.capitals[number], t.capital = c.id, c.id
    new_unit(g, s, unit, number, city, cell)
    claim_tiles(g, s, city)
    clear_view(g, s, number, cell, FOUNDING_VIEW, rng)


@kernel
def show_all(g: TribesSetup, s: TribesState) -> None:
    """Every tribe sees every tile."""
    for cell in range(g.cells):
        s.data[cell].marks |= ((1 << g.players) - 1) << 1


@game_function("start")
def start(g: TribesSetup, s: TribesState, rng: Address) -> None:
    """The level, the tribes in the order of their capitals, and the start of the first turn."""
    clear(g, s)
    if g.level_from == FROM_FILE:
        read_level(g, s)
    elif g.level_from == FROM_CHANCE:
        high = draw(rng, _SEED_PART)
        write_level(g, s, high << 24 | draw(rng, _SEED_PART))
    else:
        write_level(g, s, g.level_seed)
    if g.full_view != 0:
        show_all(g, s)
    number = 0
    for cell in range(g.cells):
        if s.data[cell].terrain == CITY and number < g.players:
            settle(g, s, number, cell, rng)
            number += 1
    for tribe in range(g.players):
        clear_view(g, s, tribe, integer(city_of(g, s, tribe).cell), FIRST_VIEW, rng)
    unit_of(g, s, 0).status = FRESH
