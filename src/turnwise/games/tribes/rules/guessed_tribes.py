"""Guessing what other tribes have that a player does not see: technologies, stars, and what they have seen.

They know what their visible units and buildings need, and further technologies as the rounds go by.
"""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import draw
from turnwise.games.tribes.rules.board import column_at, row_at
from turnwise.games.tribes.rules.cities import production
from turnwise.games.tribes.rules.figures import is_known
from turnwise.games.tribes.rules.gains import set_monument
from turnwise.games.tribes.rules.technology import learn, researchable
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import NONE, TribesState, city_of, owner_on, tribe_of, unit_of
from turnwise.games.tribes.tables import (
    BUILDING_TECH,
    BUILT,
    DEEP,
    FIRST_MONUMENT,
    FIRST_TECHNOLOGY,
    NAVIGATION,
    SAILING,
    TECH_PARENT,
    UNIT_TECH,
)
from turnwise.jit.bits import nth_bit
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.memory import bit_count
from turnwise.jit.record import Address

_ROUNDS_PER_TECHNOLOGY = 2
_SIGHT = 2  # around what a tribe owns


@kernel
def _learn_with_parents(g: TribesSetup, s: TribesState, number: int, technology: int) -> None:
    """Let a tribe know a technology and what it needs."""
    for _ in range(3):
        if technology >= 0:
            learn(tribe_of(g, s, number), technology)
            technology = TECH_PARENT[technology]


@kernel
def fill_technologies(g: TribesSetup, s: TribesState, number: int, rng: Address) -> None:
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
def fill_stars(g: TribesSetup, s: TribesState, number: int, rng: Address) -> None:
    """Up to the income of two turns."""
    income = 0
    for slot in range(s.cities):
        city = city_of(g, s, slot)
        income += production(city) if is_known(city) and city.tribe == number else 0
    tribe_of(g, s, number).stars = draw(rng, 1 + 2 * max(0, income))


@kernel
def fill_sight(g: TribesSetup, s: TribesState, number: int) -> None:
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
    row, column = row_at(g, centre), column_at(g, centre)
    for near_row in range(max(0, row - _SIGHT), min(g.side, row + _SIGHT + 1)):
        for near_column in range(max(0, column - _SIGHT), min(g.side, column + _SIGHT + 1)):
            s.data[near_row * g.side + near_column].marks |= 2 << number


@kernel
def have_met(g: TribesSetup, s: TribesState, player: int, number: int) -> bool:
    """Whether a player has met a tribe."""
    met = integer(tribe_of(g, s, player).met)
    for place in range(g.players):  # noqa: SIM110 - a loop compiles, a generator does not
        if met >> 3 * place & 7 == number + 1:
            return True
    return False
