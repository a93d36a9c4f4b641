"""The trade network: cities that roads and ports connect to their tribe's capital (rules 12).

Sets of tiles are bits, one number for each row of the board, with an empty row before the first one and one after the
last one. One table holds all sets: for each tribe the tiles that connect and its ports, then what one flood needs.
"""

from __future__ import annotations

import numpy as np

from turnwise.games.tribes.rules.board import WATERS, column_at, is_water, row_at
from turnwise.games.tribes.rules.cities import add_population, find_city, is_owned, owned_capital
from turnwise.games.tribes.rules.faults import CONNECTED_BY_OTHERS, LOST_CAPITALS, has_fault
from turnwise.games.tribes.rules.gains import offer_monument
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import NETWORK, NONE, SEEN_SHIFT, UNKNOWN, Tribe, TribesState, city_of, tribe_of
from turnwise.games.tribes.tables import CITY, GRAND_BAZAR, MOST_CITIES, MOST_SIDE, MOST_TRIBES, PORT
from turnwise.jit.kernel import inlined, integer, kernel
from turnwise.jit.memory import address_of_values, at, bit_count
from turnwise.jit.record import Ints
from turnwise.jit.stack import stack_room

_BAZAR_CITIES = 5
_PORT_STEPS = 4  # over water, from port to port
_ROWS = MOST_SIDE + 2
_PORTS = MOST_TRIBES * _ROWS  # the ports of tribe t begin at _PORTS + t * _ROWS; its tiles that connect, at t * _ROWS
_REACHED = 2 * MOST_TRIBES * _ROWS
_WATER = _REACHED + _ROWS  # that is navigable
_SAILED = _WATER + _ROWS  # tiles reached from some ports over water
_LEFT = _SAILED + _ROWS  # ports from which ships have not been followed yet
_LANDS = _LEFT + _ROWS  # by ``owner`` of a tile: 1 if it is no other tribe's
_room = stack_room(_LANDS + 1 + MOST_CITIES)
_ints = at(Ints)


@inlined
def carries_road(terrain: int, marks: int) -> bool:
    """Whether a tile carries a road."""
    return marks & NETWORK != 0 and terrain != CITY and not is_water(terrain)


# --------------------------------------------------------------------------------------------- sets of tiles


@inlined
def _clear(sets: Ints, first: int, end: int) -> None:
    for i in range(first, end):
        sets[i] = 0


@kernel
def _mark_connections(g: TribesSetup, s: TribesState, sets: Ints) -> None:
    """Write for every tribe the tiles that connect its cities, and its ports."""
    _clear(sets, 0, _REACHED)
    cell = 0
    for row in range(1, g.side + 1):
        for column in range(g.side):
            tile = s.data[cell]
            cell += 1
            if tile.marks & NETWORK == 0:
                continue
            bit, owner, is_road = 1 << column, tile.owner - 1, carries_road(tile.terrain, tile.marks)
            if owner == NONE:
                if is_road:
                    for tribe in range(g.players):
                        sets[tribe * _ROWS + row] |= bit
                continue
            c = city_of(g, s, owner)
            if c.marks & UNKNOWN != 0:
                continue
            place = integer(c.tribe) * _ROWS + row
            is_port = tile.building == PORT
            if is_road or is_port or tile.terrain == CITY:
                sets[place] |= bit
            if is_port:
                sets[_PORTS + place] |= bit


@kernel
def _mark_water(g: TribesSetup, s: TribesState, tribe: int, sets: Ints) -> None:
    """Write the water that a tribe's trade ships can use: visible, and not another tribe's."""
    sets[_LANDS] = 1
    for city in range(s.cities):
        sets[_LANDS + 1 + city] = integer(is_owned(g, s, city, tribe))
    always, seen_shift = integer(g.full_view != 0), tribe + SEEN_SHIFT
    cell = 0
    for row in range(1, g.side + 1):
        bits = 0
        for column in range(g.side):  # without branches: no processor can predict a coast
            tile = s.data[cell]
            usable = WATERS >> tile.terrain & (tile.marks >> seen_shift | always) & sets[_LANDS + tile.owner]
            bits |= usable << column
            cell += 1
        sets[_WATER + row] = bits


# ------------------------------------------------------------------------------------------------- floods


@inlined
def _beside(row: int) -> int:
    return row | row << 1 | row >> 1


@inlined
def _flood_row(sets: Ints, allowed: int, row: int) -> int:
    """Extend what is reached in a row by neighbours that are allowed; returns what is new."""
    r = _REACHED + row
    here = sets[r]
    new = here | (_beside(sets[r - 1] | here | sets[r + 1]) & sets[allowed + row])
    more = _beside(new) & sets[allowed + row] & ~new
    while more != 0:
        new |= more
        more = _beside(new) & sets[allowed + row] & ~new
    sets[r] = new
    return new ^ here


@kernel
def _flood(g: TribesSetup, sets: Ints, allowed: int) -> None:
    """Extend what is reached over all allowed tiles."""
    new = 1
    while new != 0:
        new = 0
        for row in range(1, g.side + 1):
            new |= _flood_row(sets, allowed, row)
        if new != 0:
            new = 0
            for row in range(g.side, 0, -1):
                new |= _flood_row(sets, allowed, row)


@kernel
def _sail(g: TribesSetup, sets: Ints, ports: int) -> int:
    """Add the ports that ships reach from ports reached since the last call; returns whether there are any."""
    begins = 0
    for row in range(1, g.side + 1):
        start = sets[_REACHED + row] & sets[_LEFT + row]
        sets[_SAILED + row] = start
        sets[_LEFT + row] &= ~start
        begins |= start
    if begins == 0:
        return 0
    sets[_SAILED + g.side + 1] = 0
    for _ in range(_PORT_STEPS):
        above = 0
        for row in range(1, g.side + 1):
            here = sets[_SAILED + row]
            sets[_SAILED + row] = here | (_beside(above | here | sets[_SAILED + row + 1]) & sets[_WATER + row])
            above = here
    new = 0
    for row in range(1, g.side + 1):
        found = sets[_SAILED + row] & sets[ports + row] & ~sets[_REACHED + row]
        sets[_REACHED + row] |= found
        new |= found
    return new


@kernel
def _mark_reached(g: TribesSetup, s: TribesState, tribe: int, capital: int, sets: Ints) -> None:
    """Write the tiles that are connected to the capital."""
    allowed, ports = tribe * _ROWS, _PORTS + tribe * _ROWS
    _clear(sets, _REACHED, _REACHED + _ROWS)
    cell = integer(city_of(g, s, capital).cell)
    sets[_REACHED + 1 + row_at(g, cell)] = 1 << column_at(g, cell)
    _flood(g, sets, allowed)
    some, several = 0, 0
    for row in range(1, g.side + 1):
        here = sets[ports + row]
        sets[_LEFT + row] = here
        several |= here & (here - 1) | integer(here != 0 and some != 0)
        some |= here
    if several == 0:
        return
    _mark_water(g, s, tribe, sets)
    while _sail(g, sets, ports) != 0:
        _flood(g, sets, allowed)


# -------------------------------------------------------------------------------------------- connected cities


@inlined
def is_connected(t: Tribe, city: int) -> bool:
    """Whether a city is in a tribe's set of connected cities."""
    return bool((t.connected[city >> 6] >> np.uint64(city & 63)) & np.uint64(1) != 0)


@inlined
def _toggle(t: Tribe, city: int) -> None:
    """Add a city to the set of connected cities, or take it out."""
    t.connected[city >> 6] = t.connected[city >> 6] ^ (np.uint64(1) << np.uint64(city & 63))


@inlined
def connected_cities(t: Tribe) -> int:
    """Size of a tribe's set of connected cities."""
    return bit_count(t.connected[0]) + bit_count(t.connected[1])


@inlined
def _can_change(t: Tribe) -> bool:
    return t.cities > 1 or connected_cities(t) != 0


@kernel
def _update(g: TribesSetup, s: TribesState, tribe: int, sets: Ints) -> None:
    """Update a tribe's set of connected cities, with the effects on their population and the capital's."""
    t, capital = tribe_of(g, s, tribe), owned_capital(g, s, tribe)
    if capital == NONE:
        if not has_fault(g, LOST_CAPITALS):
            _take_back(g, s, tribe)
        t.connected[0] = t.connected[1] = 0
        return
    _mark_reached(g, s, tribe, capital, sets)
    before_low, before_high = t.connected[0], t.connected[1]
    gained, lost = 0, 0
    city = integer(t.first_city)
    while city != NONE:
        c = city_of(g, s, city)
        cell = integer(c.cell)
        is_reached = (sets[_REACHED + 1 + row_at(g, cell)] >> column_at(g, cell)) & 1 != 0
        if city != capital and is_reached != is_connected(t, city):
            _toggle(t, city)
            if is_reached:
                gained += 1
            else:
                lost += 1
                add_population(g, s, city, tribe, -1)
        city = integer(c.next)
    for city in range(s.cities):
        if is_connected(t, city) and not is_owned(g, s, city, tribe):
            _toggle(t, city)
            lost += 1
            add_population(g, s, city, tribe, -1)
    if gained != lost:
        add_population(g, s, capital, tribe, gained - lost)
    if connected_cities(t) >= _BAZAR_CITIES:
        offer_monument(t, GRAND_BAZAR)
    if gained != 0 and (tribe == s.active or not has_fault(g, CONNECTED_BY_OTHERS)):
        _reward(g, s, tribe, t.connected[0] & ~before_low, t.connected[1] & ~before_high)


@kernel
def _take_back(g: TribesSetup, s: TribesState, tribe: int) -> None:
    """Take the population that connections gave to a tribe's cities and to its capital, which it has lost.

    The points go where the cities' worth has gone, to their owners of now.
    """
    t = tribe_of(g, s, tribe)
    capital = find_city(g, s, integer(t.capital))
    for city in range(s.cities):
        if is_connected(t, city):
            _lose_connection(g, s, city)
            _lose_connection(g, s, capital)


@kernel
def _lose_connection(g: TribesSetup, s: TribesState, city: int) -> None:
    """Take one population from a city, if it is known."""
    if city != NONE and city_of(g, s, city).marks & UNKNOWN == 0:
        add_population(g, s, city, integer(city_of(g, s, city).tribe), -1)


@kernel
def _reward(g: TribesSetup, s: TribesState, tribe: int, low: np.uint64, high: np.uint64) -> None:
    """Give the cities of a set, which were connected just now, one population each."""
    for city in range(s.cities):
        word = low if city < 64 else high
        if (word >> np.uint64(city & 63)) & np.uint64(1) != 0:
            add_population(g, s, city, tribe, 1)


@kernel
def update_network(g: TribesSetup, s: TribesState, tribe: int) -> None:
    """Update the network of one tribe."""
    if _can_change(tribe_of(g, s, tribe)):
        room = _room()
        sets = _ints(address_of_values(room))
        _mark_connections(g, s, sets)
        _update(g, s, tribe, sets)


@kernel
def update_networks(g: TribesSetup, s: TribesState) -> None:
    """Update the networks of all tribes after a road, port or city centre has come or gone.

    In copies only that of the tribe to move is updated (rules 15).
    """
    if s.native == 0:
        update_network(g, s, integer(s.active))
        return
    is_marked = False
    room = _room()
    sets = _ints(address_of_values(room))
    for tribe in range(g.players):
        if _can_change(tribe_of(g, s, tribe)):
            if not is_marked:
                _mark_connections(g, s, sets)
                is_marked = True
            _update(g, s, tribe, sets)
