"""Figures of a tribe that metrics, evaluations and rankings use: production, units, levels and the like (rules 5)."""

from __future__ import annotations

import numpy as np

from turnwise.games.tribes.rules.cities import production
from turnwise.games.tribes.rules.network import connected_cities
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import NONE, UNKNOWN, City, TribesState, city_of, tribe_of, unit_of
from turnwise.jit.kernel import inlined, integer, kernel
from turnwise.jit.memory import bit_count


@inlined
def is_known(city: City) -> bool:
    """Whether more than the id of a city is known."""
    return city.marks & UNKNOWN == 0


@inlined
def technologies_of(g: TribesSetup, s: TribesState, player: int) -> int:
    """Number of technologies that a tribe knows."""
    return bit_count(np.uint64(tribe_of(g, s, player).tech))


@inlined
def connected_of(g: TribesSetup, s: TribesState, player: int) -> int:
    """Number of cities connected to a tribe's capital."""
    return connected_cities(tribe_of(g, s, player))


@kernel
def extras_of(g: TribesSetup, s: TribesState, player: int) -> int:
    """Number of a tribe's units that belong to no city."""
    count, slot = 0, integer(tribe_of(g, s, player).first_extra)
    while slot != NONE and count < g.most_units:
        count += 1
        slot = integer(unit_of(g, s, slot).next)
    return count


@kernel
def tiles_seen(g: TribesSetup, s: TribesState, player: int) -> int:
    """Number of tiles that a tribe has seen."""
    if g.full_view != 0:
        return g.cells
    count = 0
    for cell in range(g.cells):
        count += s.data[cell].marks >> (player + 1) & 1
    return count


@kernel
def city_figures(g: TribesSetup, s: TribesState, player: int) -> tuple[int, int, int]:
    """Sums over a tribe's cities: production, levels, and units that belong to them."""
    stars, levels, units = 0, 0, 0
    for slot in range(s.cities):
        city = city_of(g, s, slot)
        if city.tribe == player and is_known(city):
            stars += production(city)
            levels += integer(city.level)
            units += integer(city.units)
    return stars, levels, units
