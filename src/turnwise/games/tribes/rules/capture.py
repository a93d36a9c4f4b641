"""Capturing villages and cities (rules 11)."""

from __future__ import annotations

from turnwise.core.chance import draw
from turnwise.games.tribes.rules.buildings import gain_buildings, give_up_buildings, list_building_tiles
from turnwise.games.tribes.rules.cities import (
    MOST_TILES,
    append_city,
    city_at,
    claim_tiles,
    new_city,
    owned_capital,
    remove_city,
)
from turnwise.games.tribes.rules.faults import ABSENT_CAPTORS, has_fault
from turnwise.games.tribes.rules.network import update_networks
from turnwise.games.tribes.rules.units import change_city, last_unit, vanish
from turnwise.games.tribes.rules.vision import clear_view
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import NETWORK, NONE, TribesState, city_of, tribe_of, unit_of
from turnwise.games.tribes.tables import CITY, FINISHED, LOSS, MOST_CITIES, VILLAGE
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.memory import address_of_values, at
from turnwise.jit.record import Address, Ints
from turnwise.jit.stack import stack_room

_FOUNDING_POINTS = 100
_cities = stack_room(MOST_CITIES)
_cells = stack_room(MOST_TILES)
_ints = at(Ints)


@kernel
def capture(g: TribesSetup, s: TribesState, slot: int, rng: Address) -> None:
    """Let a unit capture the village or the city where it stands."""
    u = unit_of(g, s, slot)
    u.status = FINISHED
    cell = integer(u.cell)
    if s.data[cell].terrain == VILLAGE:
        _capture_village(g, s, slot, cell, rng)
        return
    city = city_at(g, s, cell)
    if city != NONE:
        _capture_city(g, s, slot, city, rng)


# ------------------------------------------------------------------------------------------------- villages


@kernel
def _capture_village(g: TribesSetup, s: TribesState, slot: int, cell: int, rng: Address) -> None:
    """Found a city in place of a village."""
    tribe = integer(unit_of(g, s, slot).tribe)
    city = new_city(g, s, tribe, cell)
    if city == NONE:
        return
    clear_view(g, s, tribe, cell, 1, rng)
    tile = s.data[cell]
    tile.marks |= NETWORK
    update_networks(g, s)  # the tile still counts as a road of nobody
    claim_tiles(g, s, city)
    tile.terrain = CITY
    _move_one_in(g, s, slot, city, rng)
    tribe_of(g, s, tribe).score += _FOUNDING_POINTS
    update_networks(g, s)


# --------------------------------------------------------------------------------------------------- cities


@kernel
def _capture_city(g: TribesSetup, s: TribesState, slot: int, city: int, rng: Address) -> None:
    """Let a city change hands."""
    c, tribe = city_of(g, s, city), integer(unit_of(g, s, slot).tribe)
    loser = integer(c.tribe)
    tribe_of(g, s, loser).score -= c.worth
    tribe_of(g, s, tribe).score += c.worth
    follower = integer(c.next)
    room = _cells()
    cells = _ints(address_of_values(room))
    count = list_building_tiles(g, s, city, cells)
    append_city(g, s, tribe, city)
    gain_buildings(g, s, city, tribe, cells, count)
    remove_city(g, s, loser, city, follower)
    give_up_buildings(g, s, city, tribe, loser, cells, count)
    _move_out(g, s, loser, city, rng)
    _move_one_in(g, s, slot, city, rng)
    if s.native != 0 and tribe_of(g, s, loser).cities == 0:
        eliminate(g, s, loser)
    s.data[c.cell].marks |= NETWORK
    update_networks(g, s)


@kernel
def eliminate(g: TribesSetup, s: TribesState, tribe: int) -> None:
    """Let a tribe without cities lose the game; its units vanish and cost no points."""
    t = tribe_of(g, s, tribe)
    t.result = LOSS
    while t.first_extra != NONE:
        vanish(g, s, integer(t.first_extra))


# -------------------------------------------------------------------------------------------------- support


@kernel
def _other_cities(g: TribesSetup, s: TribesState, tribe: int, out: Ints) -> int:
    """Write a tribe's cities other than its original capital in their order; returns their number."""
    t = tribe_of(g, s, tribe)
    count = 0
    city = integer(t.first_city)
    while city != NONE and count < MOST_CITIES:
        if city_of(g, s, city).id != t.capital:
            out[count] = city
            count += 1
        city = integer(city_of(g, s, city).next)
    return count


@kernel
def _shuffle(values: Ints, count: int, rng: Address) -> None:
    """Shuffle a list (rules 1)."""
    for i in range(count - 1, 0, -1):
        other = draw(rng, i + 1)
        values[i], values[other] = values[other], values[i]


@kernel
def _fill(g: TribesSetup, s: TribesState, source: int, target: int) -> None:
    """Move the last units of a city to another one as long as that has room."""
    home = city_of(g, s, target)
    slot = last_unit(g, s, source)
    while slot != NONE and home.units <= home.level:
        change_city(g, s, slot, target)
        slot = last_unit(g, s, source)


@kernel
def _move_out(g: TribesSetup, s: TribesState, tribe: int, city: int, rng: Address) -> None:
    """Let the units of a lost city belong to their tribe's other cities, as far as there is room (rules 11)."""
    c = city_of(g, s, city)
    capital = owned_capital(g, s, tribe)
    if capital != NONE:
        _fill(g, s, city, capital)
    if c.first_unit != NONE:
        room = _cities()
        cities = _ints(address_of_values(room))
        count = _other_cities(g, s, tribe, cities)
        _shuffle(cities, count, rng)
        for i in range(count):
            _fill(g, s, city, cities[i])
    while c.first_unit != NONE:
        change_city(g, s, integer(c.first_unit), NONE)


@kernel
def _move_one_in(g: TribesSetup, s: TribesState, captor: int, city: int, rng: Address) -> None:
    """Let one of a tribe's units belong to its new city: the last one of the capital or of a random other city."""
    if not has_fault(g, ABSENT_CAPTORS):
        change_city(g, s, captor, city)
        return
    tribe = integer(unit_of(g, s, captor).tribe)
    capital = owned_capital(g, s, tribe)
    slot = last_unit(g, s, capital) if capital != NONE else NONE
    if slot == NONE:
        room = _cities()
        cities = _ints(address_of_values(room))
        count = _other_cities(g, s, tribe, cities)
        _shuffle(cities, count, rng)
        for i in range(count):
            slot = last_unit(g, s, cities[i])
            if slot != NONE:
                break
    if slot != NONE:
        change_city(g, s, slot, city)
