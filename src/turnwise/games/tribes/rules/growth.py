"""What a city gets when it grows to the next level (rules 9)."""

from __future__ import annotations

import numpy as np

from turnwise.games.tribes.rules.cities import add_population, claim_tiles
from turnwise.games.tribes.rules.gains import earn, offer_monument
from turnwise.games.tribes.rules.placing import push
from turnwise.games.tribes.rules.ruins import add_free_unit, explore
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import BOUND_SHIFT, NONE, WALLS, TribesState, city_of, tribe_of, unit_on
from turnwise.games.tribes.tables import (
    BORDER_GROWTH,
    CITY_WALL,
    EXPLORER,
    PARK,
    PARK_OF_FORTUNE,
    POP_GROWTH,
    RESOURCES_BONUS,
    WORKSHOP,
)
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.record import Address

_POINTS = np.array([40, 40, 35, 35, 30, 30, 25, 25], np.int64)  # by choice
_STARS, _POPULATION, _PARK_POINTS = 5, 3, 250


@kernel
def level_up(g: TribesSetup, s: TribesState, city: int, choice: int, rng: Address) -> None:
    """Let a city grow to the next level."""
    c, tribe = city_of(g, s, city), integer(s.active)
    t, cell = tribe_of(g, s, tribe), integer(c.cell)
    if choice >= PARK:
        offer_monument(t, PARK_OF_FORTUNE)
    points = _POINTS[choice] + (_PARK_POINTS if choice == PARK else 0)
    t.score += points
    c.worth += points
    c.level += 1
    c.population -= c.level  # what it needed
    if choice == WORKSHOP:
        c.bonus += 1
    elif choice == EXPLORER:
        explore(g, s, tribe, cell, rng)
    elif choice == CITY_WALL:
        c.marks |= WALLS
    elif choice == RESOURCES_BONUS:
        earn(t, _STARS)
    elif choice == POP_GROWTH:
        add_population(g, s, city, tribe, _POPULATION)
    elif choice == BORDER_GROWTH:
        c.marks += 1 << BOUND_SHIFT
        claim_tiles(g, s, city)
    elif choice != PARK:
        if unit_on(s, cell) != NONE:
            push(g, s, unit_on(s, cell), rng)
        add_free_unit(g, s, tribe, city, cell)
