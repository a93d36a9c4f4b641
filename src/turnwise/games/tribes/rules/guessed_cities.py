"""Guessing where cities are of which a player knows only an id or some tiles, and which unseen villages there are.

A hidden city is put into the dark, as near as possible to the border tiles that are seen.
"""

from __future__ import annotations

from turnwise.core.chance import draw, one_of_equals
from turnwise.games.tribes.rules.board import column_at, distance, row_at
from turnwise.games.tribes.rules.cities import MOST_TILES, append_city
from turnwise.games.tribes.rules.figures import is_known
from turnwise.games.tribes.rules.guessed_land import happens
from turnwise.games.tribes.rules.knowledge import is_seen
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import BOUND_SHIFT, CAPITAL, NETWORK, NONE, TribesState, city_of, owner_on, tribe_of
from turnwise.games.tribes.tables import (
    CITY,
    FOREST,
    LOSS,
    MOST_BOUND,
    PLAIN,
    PORT,
    TEMPLE_TURNS,
    VILLAGE,
    WIDE_LEVEL,
)
from turnwise.games.tribes.temples import is_temple, pack_temple
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.record import Address

_VILLAGE = 60  # percent, where there is room for one
_VILLAGES_APART = 3
_ROUNDS_PER_LEVEL = 8
_MOST_LEVEL = WIDE_LEVEL  # the first one with wide borders
_TILE_WORTH = 20


@kernel
def _has_room(g: TribesSetup, s: TribesState, cell: int) -> bool:
    """Whether a tile is far enough from all cities and villages for another one."""
    row, column, apart = row_at(g, cell), column_at(g, cell), _VILLAGES_APART - 1
    for near_row in range(max(0, row - apart), min(g.side, row + apart + 1)):
        for near_column in range(max(0, column - apart), min(g.side, column + apart + 1)):
            terrain = s.data[near_row * g.side + near_column].terrain
            if terrain in (CITY, VILLAGE):
                return False
    return True


@kernel
def _borders(g: TribesSetup, s: TribesState, slot: int, cell: int) -> int:
    """How well a cell fits as a city's centre: its tiles up to two away count most, then own and others' next to it."""
    row, column, count = row_at(g, cell), column_at(g, cell), 0
    for near_row in range(max(0, row - 2), min(g.side, row + 3)):
        for near_column in range(max(0, column - 2), min(g.side, column + 3)):
            near = near_row * g.side + near_column
            owner, is_next = owner_on(s, near), integer(distance(g, cell, near) <= 1)
            if owner == slot:
                count += MOST_TILES + is_next
            elif owner != NONE:
                count -= is_next
    return count


@kernel
def _has_land(g: TribesSetup, s: TribesState, slot: int) -> bool:
    """Whether any tile is known to be a city's."""
    for cell in range(g.cells):  # noqa: SIM110 - a loop compiles, a generator does not
        if owner_on(s, cell) == slot:
            return True
    return False


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
            found = one_of_equals(rng, found, cell, ties)
    return found


@kernel
def _owner_of_hidden(g: TribesSetup, s: TribesState, player: int, slot: int, rng: Address) -> int:
    """The tribe whose capital a hidden city is, else a random one of the others that are in the game, or were."""
    for number in range(g.players):
        if s.capitals[number] == city_of(g, s, slot).id and number != player:
            return number
    found, ties = NONE, 0
    for number in range(g.players):
        is_in = tribe_of(g, s, number).result != LOSS or s.over != 0  # at the end all but one have lost
        if number != player and is_in:
            ties += 1
            found = one_of_equals(rng, found, number, ties)
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
            tile.marks &= ~NETWORK if tile.building == PORT else -1
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
    tile.terrain, tile.resource, tile.marks, tile.owner = CITY, 0, tile.marks | NETWORK, slot + 1
    _number_buildings(g, s, slot)
    _claim_unseen(g, s, player, slot, radius)


@kernel
def _number_buildings(g: TribesSetup, s: TribesState, slot: int) -> None:
    """Give the buildings that are seen on a hidden city's tiles an order, and temples their first level."""
    count = 0
    for cell in range(g.cells):
        tile = s.data[cell]
        if owner_on(s, cell) == slot and tile.building != 0:
            tile.built, tile.temple = count, pack_temple(1, TEMPLE_TURNS) if is_temple(tile.building) else 0
            count += 1


@kernel
def fill_cities(g: TribesSetup, s: TribesState, player: int, rng: Address) -> None:
    """Hidden cities, then unseen villages; growth of other tribes' cities.

    Cities with border tiles in sight come first: another one could take the place where all of these fit.
    """
    for slot in range(s.cities):
        if not is_known(city_of(g, s, slot)) and _has_land(g, s, slot):
            _found_hidden(g, s, player, slot, rng)
    for slot in range(s.cities):
        if not is_known(city_of(g, s, slot)):
            _found_hidden(g, s, player, slot, rng)
    room = g.most_cities - s.cities
    for cell in range(g.cells):
        room -= integer(s.data[cell].terrain == VILLAGE)
    for cell in range(g.cells):
        tile = s.data[cell]
        is_dark = not is_seen(s, cell, player) and tile.owner == 0 and tile.terrain in (PLAIN, FOREST)
        if room > 0 and is_dark and _has_room(g, s, cell) and happens(rng, _VILLAGE):
            tile.terrain, tile.resource = VILLAGE, 0
            room -= 1
    for slot in range(s.cities):
        city = city_of(g, s, slot)
        if is_known(city) and city.tribe != player:
            city.population = draw(rng, integer(city.level) + 1)
            city.bonus = draw(rng, 2) if city.level > 1 else 0
