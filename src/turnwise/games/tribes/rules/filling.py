"""A guess at what a player cannot know, drawn by chance (rules 13): the state that a search under fog plays on.

Unseen tiles get terrain and resources with the frequencies of generated maps, water mostly next to water and land next
to land. Hidden cities of which an id is known are put into the dark, next to the border tiles that are seen. Other
tribes know what their visible units and buildings need and further technologies as the rounds go by, and have some more
units near their cities.
"""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import draw
from turnwise.core.table import game_function
from turnwise.games.tribes.rules.board import distance, is_water
from turnwise.games.tribes.rules.cities import MOST_BOUND, append_city, find_city, production
from turnwise.games.tribes.rules.figures import is_known
from turnwise.games.tribes.rules.gains import set_monument
from turnwise.games.tribes.rules.knowledge import is_seen
from turnwise.games.tribes.rules.technology import can_enter, knows, learn, researchable
from turnwise.games.tribes.rules.units import change_city, new_unit, vanish
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import (
    BOUND_SHIFT,
    CAPITAL,
    NONE,
    TribesState,
    city_of,
    owner_on,
    tribe_of,
    unit_of,
)
from turnwise.games.tribes.tables import (
    ANIMAL,
    BUILDING_TECH,
    BUILT,
    CITY,
    CLIMBING,
    CROPS,
    DEEP,
    FIRST_MONUMENT,
    FIRST_TECHNOLOGY,
    FIRST_TEMPLE,
    FISH,
    FISHING,
    FOG,
    FOREST,
    FRUIT,
    INCOMPLETE,
    LAST_TEMPLE,
    LOSS,
    MOUNTAIN,
    NAVIGATION,
    ORE,
    ORGANIZATION,
    PLAIN,
    PORT,
    RUINS,
    SAILING,
    SHALLOW,
    SPAWNED_UNITS,
    TECH_PARENT,
    TEMPLE_TURNS,
    UNIT_TECH,
    VILLAGE,
    WHALES,
)
from turnwise.jit.bits import nth_bit
from turnwise.jit.kernel import inlined, integer, kernel
from turnwise.jit.memory import bit_count
from turnwise.jit.record import Address

# Chances in percent.
_LIKE_NEIGHBOUR, _LAND = 75, 48
_FOREST, _MOUNTAIN = 36, 17  # of land
_SHALLOW = 36  # of water
_FRUIT, _CROPS, _ANIMAL, _ORE, _FISH, _WHALES, _RUINS = 34, 13, 48, 38, 29, 17, 3
_VILLAGE = 60  # where there is room for one

_VILLAGES_APART = 3
_ROUNDS_PER_TECHNOLOGY, _ROUNDS_PER_LEVEL, _ROUNDS_PER_UNIT = 2, 8, 4
_MOST_LEVEL = 4  # with wide borders
_TILE_WORTH = 20
_SIGHT = 2  # around what a tribe owns
_NETWORK = 1
_NEW_TEMPLE = 1 | TEMPLE_TURNS << 3
_MOST_TRIES = 64


@kernel
def _happens(rng: Address, percent: int) -> bool:
    return draw(rng, 100) < percent


@kernel
def _is_land_here(g: TribesSetup, s: TribesState, cell: int, rng: Address) -> bool:
    """Whether an unseen tile is land; a random neighbour tells, if it is known."""
    neighbours = 0
    while neighbours < 8 and g.near[9 * cell + neighbours] >= 0:
        neighbours += 1
    terrain = s.data[g.near[9 * cell + draw(rng, neighbours)]].terrain
    if terrain != FOG and _happens(rng, _LIKE_NEIGHBOUR):
        return not is_water(terrain)
    return _happens(rng, _LAND)


@kernel
def _draw_terrain(is_land: bool, rng: Address) -> int:
    value = draw(rng, 100)
    if not is_land:
        return SHALLOW if value < _SHALLOW else DEEP
    if value < _FOREST:
        return FOREST
    return MOUNTAIN if value < _FOREST + _MOUNTAIN else PLAIN


@kernel
def _draw_resource(terrain: int, rng: Address) -> int:
    """A resource for an unseen tile; 0: none."""
    value = draw(rng, 100)
    if terrain != SHALLOW and value >= 100 - _RUINS:
        return RUINS
    if terrain == PLAIN:
        return FRUIT if value < _FRUIT else CROPS if value < _FRUIT + _CROPS else 0
    if terrain == FOREST:
        return ANIMAL if value < _ANIMAL else 0
    if terrain == MOUNTAIN:
        return ORE if value < _ORE else 0
    if terrain == SHALLOW:
        return FISH if value < _FISH else 0
    return WHALES if value < _WHALES else 0


@kernel
def _fill_seen(g: TribesSetup, s: TribesState, cell: int, tech: int, rng: Address) -> None:
    """Perhaps put a resource onto a seen tile that the player would not recognise there."""
    tile = s.data[cell]
    if tile.resource != 0 or tile.building != 0:
        return
    if tile.terrain == PLAIN and tech >> ORGANIZATION & 1 == 0 and _happens(rng, _CROPS):
        tile.resource = CROPS
    elif tile.terrain == MOUNTAIN and tech >> CLIMBING & 1 == 0 and _happens(rng, _ORE):
        tile.resource = ORE
    elif tile.terrain == DEEP and tech >> FISHING & 1 == 0 and _happens(rng, _WHALES):
        tile.resource = WHALES


@kernel
def _fill_tiles(g: TribesSetup, s: TribesState, player: int, rng: Address) -> None:
    """Terrain and resources."""
    tech = integer(tribe_of(g, s, player).tech)
    for cell in range(g.cells):
        tile = s.data[cell]
        if tile.terrain == FOG:
            tile.terrain = _draw_terrain(_is_land_here(g, s, cell, rng), rng)
            tile.resource = _draw_resource(integer(tile.terrain), rng)
        else:
            _fill_seen(g, s, cell, tech, rng)


@kernel
def _has_room(g: TribesSetup, s: TribesState, cell: int) -> bool:
    """Whether a tile is far enough from all cities and villages for another one."""
    row, column, apart = cell // g.side, cell % g.side, _VILLAGES_APART - 1
    for near_row in range(max(0, row - apart), min(g.side, row + apart + 1)):
        for near_column in range(max(0, column - apart), min(g.side, column + apart + 1)):
            terrain = s.data[near_row * g.side + near_column].terrain
            if terrain in (CITY, VILLAGE):
                return False
    return True


@kernel
def _borders(g: TribesSetup, s: TribesState, slot: int, cell: int) -> int:
    """How many tiles of a city are next to a cell, or two away."""
    row, column, count = cell // g.side, cell % g.side, 0
    for near_row in range(max(0, row - 2), min(g.side, row + 3)):
        for near_column in range(max(0, column - 2), min(g.side, column + 3)):
            count += integer(owner_on(s, near_row * g.side + near_column) == slot)
    return count


@kernel
def _is_surrounded(g: TribesSetup, s: TribesState, player: int, cell: int) -> bool:
    """Whether no tile around is seen to be nobody's: a city would own it."""
    for place in range(9 * cell, 9 * cell + 8):
        near = integer(g.near[place])
        if near < 0:
            break
        if is_seen(s, near, player) and owner_on(s, near) == NONE:
            return False
    return True


@kernel
def _place_for_city(g: TribesSetup, s: TribesState, player: int, slot: int, rng: Address) -> int:
    """A random unseen tile for a hidden city, as near as possible to its tiles that are seen; NONE: there is none."""
    found, most, ties = NONE, 0, 0
    for cell in range(g.cells):
        if is_seen(s, cell, player) or owner_on(s, cell) != NONE or not _has_room(g, s, cell):
            continue
        value = 2 * _borders(g, s, slot, cell) + integer(_is_surrounded(g, s, player, cell))
        if value > most:
            most, ties = value, 0
        if value == most:
            ties += 1
            if draw(rng, ties) == 0:
                found = cell
    return found


@kernel
def _owner_of_hidden(g: TribesSetup, s: TribesState, player: int, slot: int, rng: Address) -> int:
    """The tribe whose capital a hidden city is, else a random one of the others that are in the game."""
    for number in range(g.players):
        if s.capitals[number] == city_of(g, s, slot).id and number != player:
            return number
    found, ties = NONE, 0
    for number in range(g.players):
        if number != player and tribe_of(g, s, number).result != LOSS:
            ties += 1
            if draw(rng, ties) == 0:
                found = number
    return found


@kernel
def _drop_borders(g: TribesSetup, s: TribesState, slot: int, centre: int) -> int:
    """Free a city's tiles that are too far from its centre (NONE: all); returns the radius that the others need."""
    radius = 1
    for cell in range(g.cells):
        tile = s.data[cell]
        if tile.owner != slot + 1:
            continue
        apart = distance(g, centre, cell) if centre != NONE else g.side
        if apart <= MOST_BOUND:
            radius = max(radius, apart)
        else:
            tile.marks &= ~_NETWORK if tile.building == PORT else -1
            tile.owner, tile.building, tile.temple, tile.built = 0, 0, 0, 0
    return radius


@kernel
def _claim_unseen(g: TribesSetup, s: TribesState, player: int, slot: int, radius: int) -> None:
    """Take the unseen tiles within a hidden city's borders that nobody owns."""
    city = city_of(g, s, slot)
    for cell in range(g.cells):
        tile = s.data[cell]
        if tile.owner == 0 and not is_seen(s, cell, player) and distance(g, integer(city.cell), cell) <= radius:
            tile.owner = slot + 1
        city.worth += _TILE_WORTH if tile.owner == slot + 1 else 0


@kernel
def _found_hidden(g: TribesSetup, s: TribesState, player: int, slot: int, rng: Address) -> None:
    """Put a hidden city somewhere; where no place is left for it, it remains unknown, without tiles."""
    owner, cell = _owner_of_hidden(g, s, player, slot, rng), _place_for_city(g, s, player, slot, rng)
    radius = _drop_borders(g, s, slot, cell if owner != NONE else NONE)
    if owner == NONE or cell == NONE:
        return
    city, tile = city_of(g, s, slot), s.data[cell]
    is_capital = False
    for number in range(g.players):
        is_capital = is_capital or s.capitals[number] == city.id
    city.cell, city.marks = cell, (CAPITAL if is_capital else 0) | radius << BOUND_SHIFT
    city.level = _MOST_LEVEL if radius > 1 else min(_MOST_LEVEL, 1 + s.tick // _ROUNDS_PER_LEVEL)
    append_city(g, s, owner, slot)
    tile.terrain, tile.resource, tile.marks, tile.owner = CITY, 0, tile.marks | _NETWORK, slot + 1
    _number_buildings(g, s, slot)
    _claim_unseen(g, s, player, slot, radius)


@inlined
def _is_temple(building: int) -> bool:
    return FIRST_TEMPLE <= building <= LAST_TEMPLE


@kernel
def _number_buildings(g: TribesSetup, s: TribesState, slot: int) -> None:
    """Give the buildings that are seen on a hidden city's tiles an order, and temples their first level."""
    count = 0
    for cell in range(g.cells):
        tile = s.data[cell]
        if owner_on(s, cell) == slot and tile.building != 0:
            tile.built, tile.temple = count, _NEW_TEMPLE if _is_temple(tile.building) else 0
            count += 1


@kernel
def _fill_cities(g: TribesSetup, s: TribesState, player: int, rng: Address) -> None:
    """Hidden cities, then unseen villages; growth of other tribes' cities."""
    for slot in range(s.cities):
        if not is_known(city_of(g, s, slot)):
            _found_hidden(g, s, player, slot, rng)
    room = g.most_cities - s.cities
    for cell in range(g.cells):
        room -= integer(s.data[cell].terrain == VILLAGE)
    for cell in range(g.cells):
        tile = s.data[cell]
        is_dark = not is_seen(s, cell, player) and tile.owner == 0 and tile.terrain in (PLAIN, FOREST)
        if room > 0 and is_dark and _has_room(g, s, cell) and _happens(rng, _VILLAGE):
            tile.terrain, tile.resource = VILLAGE, 0
            room -= 1
    for slot in range(s.cities):
        city = city_of(g, s, slot)
        if is_known(city) and city.tribe != player:
            city.population = draw(rng, integer(city.level) + 1)
            city.bonus = draw(rng, 2) if city.level > 1 else 0


@kernel
def _learn_with_parents(g: TribesSetup, s: TribesState, number: int, technology: int) -> None:
    """Let a tribe know a technology and what it needs."""
    for _ in range(3):
        if technology >= 0:
            learn(tribe_of(g, s, number), technology)
            technology = TECH_PARENT[technology]


@kernel
def _fill_technologies(g: TribesSetup, s: TribesState, number: int, rng: Address) -> None:
    """What a tribe's units and buildings show, then random ones."""
    tribe = tribe_of(g, s, number)
    learn(tribe, integer(FIRST_TECHNOLOGY[tribe.kind]))
    for slot in range(s.units_end):
        unit = unit_of(g, s, slot)
        if unit.id != 0 and unit.tribe == number:
            _learn_with_parents(g, s, number, integer(UNIT_TECH[unit.kind]))
            if unit.carried != NONE:
                _learn_with_parents(g, s, number, SAILING)
                _learn_with_parents(g, s, number, integer(UNIT_TECH[unit.carried]))
            if s.data[unit.cell].terrain == DEEP:
                _learn_with_parents(g, s, number, NAVIGATION)
    for cell in range(g.cells):
        owner, building = owner_on(s, cell), integer(s.data[cell].building)
        if owner != NONE and building != 0 and city_of(g, s, owner).tribe == number:
            _learn_with_parents(g, s, number, integer(BUILDING_TECH[building]))
            if building >= FIRST_MONUMENT:
                set_monument(tribe, building, BUILT)
    wanted = 1 + s.tick // _ROUNDS_PER_TECHNOLOGY
    for _ in range(wanted - bit_count(np.uint64(tribe.tech))):
        choices = np.uint64(researchable(tribe))
        if choices != 0:
            learn(tribe, nth_bit(choices, draw(rng, bit_count(choices))))


@kernel
def _assign_units(g: TribesSetup, s: TribesState, number: int) -> None:
    """Let a tribe's visible units, of which the cities are not known, belong to its cities."""
    slot = integer(tribe_of(g, s, number).first_extra)
    city = integer(tribe_of(g, s, number).first_city)
    while slot != NONE and city != NONE:
        if city_of(g, s, city).units <= city_of(g, s, city).level:
            following = integer(unit_of(g, s, slot).next)
            change_city(g, s, slot, city)
            slot = following
        else:
            city = integer(city_of(g, s, city).next)


@kernel
def _place_for_unit(g: TribesSetup, s: TribesState, player: int, number: int, city: int, rng: Address) -> int:
    """An unseen, free land tile near a city; NONE: none was found."""
    centre, found, nearest, ties = integer(city_of(g, s, city).cell), NONE, 2 + draw(rng, 4), 0
    tribe = tribe_of(g, s, number)
    for cell in range(g.cells):
        tile = s.data[cell]
        if is_seen(s, cell, player) or tile.unit != 0 or is_water(tile.terrain) or not can_enter(tribe, tile.terrain):
            continue
        if distance(g, centre, cell) <= nearest:
            ties += 1
            if draw(rng, ties) == 0:
                found = cell
    return found


@kernel
def _draw_kind(g: TribesSetup, s: TribesState, number: int, rng: Address) -> int:
    """A random kind of unit that a tribe can spawn."""
    tribe, found, ties = tribe_of(g, s, number), 0, 0
    for kind in range(SPAWNED_UNITS):
        if UNIT_TECH[kind] < 0 or knows(tribe, UNIT_TECH[kind]):
            ties += 1
            if draw(rng, ties) == 0:
                found = kind
    return found


@kernel
def _add_units(g: TribesSetup, s: TribesState, player: int, number: int, rng: Address) -> None:
    """Hidden units, as many as the round makes likely; their number is not known."""
    tribe = tribe_of(g, s, number)
    units = 0
    for slot in range(s.units_end):
        unit = unit_of(g, s, slot)
        units += integer(unit.id != 0 and unit.tribe == number)
    wanted = 1 + s.tick // _ROUNDS_PER_UNIT + draw(rng, 2)
    city = integer(tribe.first_city)
    for _ in range(_MOST_TRIES):
        if city == NONE or units >= wanted:
            return
        cell = NONE
        if city_of(g, s, city).units <= city_of(g, s, city).level:
            cell = _place_for_unit(g, s, player, number, city, rng)
        if cell != NONE and new_unit(g, s, _draw_kind(g, s, number, rng), number, city, cell) != NONE:
            units += 1
        else:
            city = integer(city_of(g, s, city).next)


@kernel
def _fill_stars(g: TribesSetup, s: TribesState, number: int, rng: Address) -> None:
    """Up to the income of two turns."""
    income = 0
    for slot in range(s.cities):
        city = city_of(g, s, slot)
        income += production(city) if is_known(city) and city.tribe == number else 0
    tribe_of(g, s, number).stars = draw(rng, 1 + 2 * max(0, income))


@kernel
def _fill_sight(g: TribesSetup, s: TribesState, number: int) -> None:
    """A tribe has seen what is near its cities and units."""
    for cell in range(g.cells):
        s.data[cell].marks &= ~(2 << number)
    for slot in range(s.cities):
        city = city_of(g, s, slot)
        if is_known(city) and city.tribe == number:
            _mark_seen(g, s, number, integer(city.cell))
    for slot in range(s.units_end):
        unit = unit_of(g, s, slot)
        if unit.id != 0 and unit.tribe == number:
            _mark_seen(g, s, number, integer(unit.cell))


@kernel
def _mark_seen(g: TribesSetup, s: TribesState, number: int, centre: int) -> None:
    row, column = centre // g.side, centre % g.side
    for near_row in range(max(0, row - _SIGHT), min(g.side, row + _SIGHT + 1)):
        for near_column in range(max(0, column - _SIGHT), min(g.side, column + _SIGHT + 1)):
            s.data[near_row * g.side + near_column].marks |= 2 << number


@kernel
def _have_met(g: TribesSetup, s: TribesState, player: int, number: int) -> bool:
    """Whether a player has met a tribe."""
    met = integer(tribe_of(g, s, player).met)
    for place in range(g.players):  # noqa: SIM110 - a loop compiles, a generator does not
        if met >> 3 * place & 7 == number + 1:
            return True
    return False


@kernel
def _is_id_used(g: TribesSetup, s: TribesState, number: int) -> bool:
    """Whether a unit or a city has an id."""
    for slot in range(s.units_end):
        if unit_of(g, s, slot).id == number:
            return True
    return find_city(g, s, number) != NONE


@kernel
def _use_old_ids(g: TribesSetup, s: TribesState, last: int) -> None:
    """Give guessed units ids that the player has not seen; units for which there are none left were too many.

    Args:
        g: The scenario.
        s: The state.
        last: The last id that was given in the game, which stays the last one.
    """
    free = last
    for slot in range(s.units_end):
        if unit_of(g, s, slot).id > last:
            while free > 0 and _is_id_used(g, s, free):
                free -= 1
            if free > 0:
                unit_of(g, s, slot).id = free
            else:
                vanish(g, s, slot)
    s.next_id = last


@game_function("determinise")
def determinise(g: TribesSetup, s: TribesState, player: int, rng: Address) -> None:
    """Fill in what a player cannot know; a state that hides nothing stays as it is."""
    hides = False
    for number in range(g.players):
        hides = hides or tribe_of(g, s, number).monuments_hidden != 0
    if not hides:
        return
    last = integer(s.next_id)
    _fill_tiles(g, s, player, rng)
    _fill_cities(g, s, player, rng)
    for number in range(g.players):
        tribe = tribe_of(g, s, number)
        if number != player and tribe.monuments_hidden != 0:
            tribe.monuments_hidden = 0
            if tribe.result == INCOMPLETE:
                _fill_technologies(g, s, number, rng)
                _assign_units(g, s, number)
                _add_units(g, s, player, number, rng)
                _fill_stars(g, s, number, rng)
            if g.full_view == 0:
                _fill_sight(g, s, number)
                tribe.met = player + 1 if _have_met(g, s, player, number) else 0
    _use_old_ids(g, s, last)
