"""Examining ruins, and explorers (rules 9)."""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import draw
from turnwise.games.tribes.rules.board import is_water
from turnwise.games.tribes.rules.cities import add_population, owned_capital
from turnwise.games.tribes.rules.faults import BRITTLE_BATTLESHIPS, FREE_SUPER_UNITS, has_fault
from turnwise.games.tribes.rules.gains import earn
from turnwise.games.tribes.rules.placing import push
from turnwise.games.tribes.rules.technology import is_passable, learn_free, nth_technology, researchable
from turnwise.games.tribes.rules.units import new_unit, points_of
from turnwise.games.tribes.rules.vision import clear_view_and_connect
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import NONE, Tribe, TribesState, tribe_of, unit_of
from turnwise.games.tribes.tables import BATTLESHIP, FINISHED, SUPERUNIT, UNIT_HP, WARRIOR
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.memory import bit_count
from turnwise.jit.record import Address

_SUPER_UNIT, _RESEARCH, _POPULATION, _EXPLORER, _STARS = range(5)
_FINDS = 5
_RUIN_STARS, _RUIN_POPULATION = 10, 3
_STEPS, _TRIES = 15, 45  # of an explorer
_REDRAWS = 1000


@kernel
def examine(g: TribesSetup, s: TribesState, slot: int, rng: Address) -> None:
    """Let a unit examine the ruins where it stands."""
    u = unit_of(g, s, slot)
    cell, tribe, number = integer(u.cell), integer(u.tribe), integer(u.id)
    t = tribe_of(g, s, tribe)
    find = draw(rng, _FINDS)
    for _ in range(_REDRAWS):
        if find != _RESEARCH or t.knows_all == 0:
            break
        find = draw(rng, _FINDS)
    if find == _SUPER_UNIT:
        push(g, s, slot, rng)
        add_free_unit(g, s, tribe, NONE, cell)
    elif find == _RESEARCH:
        _learn_any(g, t, rng)
    elif find == _POPULATION:
        home = owned_capital(g, s, tribe)
        add_population(g, s, home if home != NONE else integer(t.first_city), tribe, _RUIN_POPULATION)
    elif find == _EXPLORER:
        explore(g, s, tribe, cell, rng)
    else:
        earn(t, _RUIN_STARS)
    s.data[cell].resource = 0
    if u.id == number:  # it may have been lost
        u.status = FINISHED


@kernel
def add_free_unit(g: TribesSetup, s: TribesState, tribe: int, city: int, cell: int) -> None:
    """Add a super unit that nobody paid for: on water a battleship without hit points of its own."""
    if is_water(s.data[cell].terrain):
        slot = new_unit(g, s, BATTLESHIP, tribe, city, cell)
        if slot != NONE:
            u = unit_of(g, s, slot)
            u.carried = WARRIOR
            if not has_fault(g, BRITTLE_BATTLESHIPS):
                u.hp = u.max_hp = UNIT_HP[WARRIOR]
    else:
        slot = new_unit(g, s, SUPERUNIT, tribe, city, cell)
    if slot != NONE and not has_fault(g, FREE_SUPER_UNITS):
        tribe_of(g, s, tribe).score += points_of(g, unit_of(g, s, slot))


@kernel
def _learn_any(g: TribesSetup, t: Tribe, rng: Address) -> None:
    """Learn one of the technologies that the tribe can research."""
    technologies = researchable(t)
    if technologies != 0:
        learn_free(g, t, nth_technology(technologies, draw(rng, bit_count(np.uint64(technologies)))))


@kernel
def explore(g: TribesSetup, s: TribesState, tribe: int, cell: int, rng: Address) -> None:
    """Send an explorer on a random walk, on which it clears the view."""
    t = tribe_of(g, s, tribe)
    for _ in range(_STEPS):
        count = 0
        while g.near[9 * cell + count] >= 0:
            count += 1
        for _ in range(_TRIES):
            other = integer(g.near[9 * cell + draw(rng, count)])
            if is_passable(t, integer(s.data[other].terrain)):
                cell = other
                clear_view_and_connect(g, s, tribe, cell, 1, rng)
                break
