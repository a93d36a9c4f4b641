"""Guessing the units of other tribes: to which cities the visible ones belong, and which ones are out of sight.

Guessed units take ids of the past, so that they look like units that the player has not met.
"""

from __future__ import annotations

from turnwise.core.chance import draw, one_of_equals
from turnwise.games.tribes.rules.board import distance, is_water
from turnwise.games.tribes.rules.knowledge import is_seen
from turnwise.games.tribes.rules.technology import is_passable, knows
from turnwise.games.tribes.rules.units import change_city, is_id_used, new_unit, vanish
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import NONE, TribesState, city_of, tribe_of, unit_of
from turnwise.games.tribes.tables import SPAWNED_UNITS, UNIT_TECH
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.record import Address

_ROUNDS_PER_UNIT = 4
_MOST_TRIES = 64
_LEAST_APART, _DISTANCES = 2, 4  # a hidden unit is at most 2 to 5 tiles from its city


@kernel
def assign_units(g: TribesSetup, s: TribesState, number: int) -> None:
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
    centre, found, apart, ties = integer(city_of(g, s, city).cell), NONE, _LEAST_APART + draw(rng, _DISTANCES), 0
    tribe = tribe_of(g, s, number)
    for cell in range(g.cells):
        tile = s.data[cell]
        if is_seen(s, cell, player) or tile.unit != 0 or is_water(tile.terrain) or not is_passable(tribe, tile.terrain):
            continue
        if distance(g, centre, cell) <= apart:
            ties += 1
            found = one_of_equals(rng, found, cell, ties)
    return found


@kernel
def _draw_kind(g: TribesSetup, s: TribesState, number: int, rng: Address) -> int:
    """A random kind of unit that a tribe can spawn."""
    tribe, found, ties = tribe_of(g, s, number), 0, 0
    for kind in range(SPAWNED_UNITS):
        if UNIT_TECH[kind] < 0 or knows(tribe, UNIT_TECH[kind]):
            ties += 1
            found = one_of_equals(rng, found, kind, ties)
    return found


@kernel
def add_units(g: TribesSetup, s: TribesState, player: int, number: int, rng: Address) -> None:
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
def use_old_ids(g: TribesSetup, s: TribesState, last: int) -> None:
    """Give guessed units ids that the player has not seen; units for which there are none left were too many.

    Args:
        g: The scenario.
        s: The state.
        last: The last id that was given in the game, which stays the last one.
    """
    free = last
    for slot in range(s.units_end):
        if unit_of(g, s, slot).id > last:
            while free > 0 and is_id_used(g, s, free):
                free -= 1
            if free > 0:
                unit_of(g, s, slot).id = free
            else:
                vanish(g, s, slot)
    s.next_id = last
