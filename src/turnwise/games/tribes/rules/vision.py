"""Clearing the view, and tribes that meet (rules 13)."""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import draw
from turnwise.games.tribes.rules.board import column_at, end_line, first_line, is_water, row_at
from turnwise.games.tribes.rules.faults import MEETS_ITSELF, has_fault
from turnwise.games.tribes.rules.gains import offer_monument
from turnwise.games.tribes.rules.network import carries_road, update_network
from turnwise.games.tribes.rules.technology import is_researchable, learn_free, nth_technology
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import NONE, SEEN, UNKNOWN, TribesState, city_of, owner_on, tribe_of, unit_of, unit_on
from turnwise.games.tribes.tables import EYE_OF_GOD
from turnwise.jit.kernel import inlined, integer, kernel
from turnwise.jit.memory import bit_count
from turnwise.jit.record import Address

_TILE_POINTS = 5


@kernel
def meet(g: TribesSetup, s: TribesState, tribe: int, other: int, rng: Address) -> None:
    """Let a tribe meet one that it sees, and learn a technology from it if chance picks one that it can research."""
    t, o = tribe_of(g, s, tribe), tribe_of(g, s, other)
    met, shift = integer(t.met), 0
    if other == tribe and (met != 0 or not has_fault(g, MEETS_ITSELF)):
        return
    while met >> shift & 7 != 0:
        if met >> shift & 7 == other + 1:
            return
        shift += 3
    t.met = met | other + 1 << shift
    news = o.tech & ~t.tech
    count = bit_count(np.uint64(news))
    if count == 0:
        return
    technology = nth_technology(news, draw(rng, count))
    if is_researchable(t, technology):
        learn_free(g, t, technology)


@kernel
def _see(g: TribesSetup, s: TribesState, tribe: int, cell: int, rng: Address) -> int:
    """Let a tribe see a tile and whoever is there; returns 2 if it is new and has a road or water, 1 if it is new."""
    tile = s.data[cell]
    new = 0
    if tile.marks & SEEN << tribe == 0:
        tile.marks |= SEEN << tribe
        tribe_of(g, s, tribe).score += _TILE_POINTS
        new = 2 if is_water(tile.terrain) or carries_road(tile.terrain, tile.marks) else 1
    unit = unit_on(s, cell)
    if unit != NONE:
        meet(g, s, tribe, integer(unit_of(g, s, unit).tribe), rng)
    owner = owner_on(s, cell)
    if owner != NONE and city_of(g, s, owner).marks & UNKNOWN == 0:
        meet(g, s, tribe, integer(city_of(g, s, owner).tribe), rng)
    return new


@kernel
def _sees_all(g: TribesSetup, s: TribesState, tribe: int) -> bool:
    for cell in range(g.cells):  # noqa: SIM110 - a loop compiles, a generator does not
        if s.data[cell].marks & SEEN << tribe == 0:
            return False
    return True


@kernel
def clear_view(g: TribesSetup, s: TribesState, tribe: int, cell: int, radius: int, rng: Address) -> bool:
    """Let a tribe see the tiles around one, then that one; returns whether a new one has a road or water.

    Where everything is visible this has no effects.
    """
    if g.full_view != 0:
        return False
    x, y = row_at(g, cell), column_at(g, cell)
    new = 0
    for row in range(first_line(x, radius), end_line(g, x, radius)):
        for column in range(first_line(y, radius), end_line(g, y, radius)):
            if row != x or column != y:
                new |= _see(g, s, tribe, row * g.side + column, rng)
    new |= _see(g, s, tribe, cell, rng)
    if new != 0 and _sees_all(g, s, tribe):
        offer_monument(tribe_of(g, s, tribe), EYE_OF_GOD)
    return new & 2 != 0


@inlined
def clear_view_and_connect(g: TribesSetup, s: TribesState, tribe: int, cell: int, radius: int, rng: Address) -> None:
    """Clear the view around a tile; new roads and water can connect cities."""
    if clear_view(g, s, tribe, cell, radius, rng):
        update_network(g, s, tribe)
