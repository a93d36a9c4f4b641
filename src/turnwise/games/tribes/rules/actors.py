"""Actors: units by their slots, then cities, then the tribe itself."""

from __future__ import annotations

from turnwise.core.table import game_function
from turnwise.games.tribes.rules.board import distance
from turnwise.games.tribes.rules.city_actions import growing_city, list_choices, list_city
from turnwise.games.tribes.rules.codes import BUILD, END, UPGRADE, actor_of, kind_of
from turnwise.games.tribes.rules.powers import powers_of
from turnwise.games.tribes.rules.scratch import CONTROL_READY, stack_scratch
from turnwise.games.tribes.rules.tile_word import has_sight_bit, tiles_of, unit_in
from turnwise.games.tribes.rules.tribe_actions import list_tribe
from turnwise.games.tribes.rules.unit_actions import list_unit
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import NONE, UNKNOWN, TribesState, city_of, tribe_of, unit_of
from turnwise.games.tribes.tables import LOSS, UNITS
from turnwise.jit.kernel import inlined, integer, kernel
from turnwise.jit.record import Ints

CITY_ACTOR = 256
"""Number of the city in slot 0."""
TRIBE_ACTOR = 512
"""Number of a tribe."""
CITY_KIND, TRIBE_KIND = len(UNITS), len(UNITS) + 1


@inlined
def is_unit(actor: int) -> bool:
    """Whether an actor is a unit."""
    return 0 <= actor < CITY_ACTOR


@inlined
def is_city(actor: int) -> bool:
    """Whether an actor is a city."""
    return CITY_ACTOR <= actor < TRIBE_ACTOR


@game_function("actor")
def actor(g: TribesSetup, s: TribesState, action: int) -> int:
    """The unit or city that acts, or the tribe; -1 for the end of the turn."""
    if kind_of(action) >= UPGRADE:
        return integer(actor_of(action))
    if kind_of(action) >= BUILD:
        return integer(CITY_ACTOR + actor_of(action))
    return NONE if action == END else TRIBE_ACTOR


@game_function("verb")
def verb(g: TribesSetup, s: TribesState, action: int) -> int:
    """The kind of an action."""
    return integer(kind_of(action))


@game_function("actors")
def actors(g: TribesSetup, s: TribesState, player: int, out: Ints) -> int:
    """A player's units, its cities, and its tribe unless that has lost."""
    n = 0
    for slot in range(s.units_end):
        u = unit_of(g, s, slot)
        out[n] = slot
        n += integer(u.id != 0 and u.tribe == player)
    for slot in range(s.cities):
        c = city_of(g, s, slot)
        out[n] = CITY_ACTOR + slot
        n += integer(c.tribe == player and c.marks & UNKNOWN == 0)
    out[n] = TRIBE_ACTOR
    return integer(n + integer(tribe_of(g, s, player).result != LOSS))


@game_function("actor_kind")
def actor_kind(g: TribesSetup, s: TribesState, actor: int) -> int:
    """The unit's kind; cities and tribes are kinds of their own."""
    if is_unit(actor):
        return integer(unit_of(g, s, actor).kind)
    return CITY_KIND if is_city(actor) else TRIBE_KIND


@game_function("actor_health")
def actor_health(g: TribesSetup, s: TribesState, actor: int, steps: int) -> int:
    """A unit's share of its hit points; whatever hits a battleship from ruins destroys it. Cities cannot be hurt."""
    if not is_unit(actor):
        return steps
    u = unit_of(g, s, actor)
    return integer(steps * integer(u.hp) // integer(u.max_hp)) if u.max_hp > 0 else 0


@game_function("enemy_distance")
def enemy_distance(g: TribesSetup, s: TribesState, actor: int) -> int:
    """Steps from a unit or a city to the closest enemy that its tribe sees."""
    if not is_unit(actor) and not is_city(actor):
        return NONE
    tribe, cell = 0, 0
    if is_unit(actor):
        tribe, cell = integer(unit_of(g, s, actor).tribe), integer(unit_of(g, s, actor).cell)
    else:
        slot = actor - CITY_ACTOR
        tribe, cell = integer(city_of(g, s, slot).tribe), integer(city_of(g, s, slot).cell)
    tiles, nearest = tiles_of(s), NONE
    for slot in range(s.units_end):
        u = unit_of(g, s, slot)
        if (
            u.id != 0
            and u.tribe != tribe
            and unit_in(tiles[u.cell]) == slot + 1
            and has_sight_bit(tiles[u.cell], tribe)
        ):
            steps = distance(g, cell, integer(u.cell))
            if nearest == NONE or steps < nearest:
                nearest = steps
    return integer(nearest)


@kernel
def list_actor(g: TribesSetup, s: TribesState, actor: int, out: Ints) -> int:
    """An actor's part of the legal list; the end of the turn is nobody's."""
    if s.over != 0:
        return 0
    tribe = integer(s.active)
    growing = growing_city(g, s, tribe)
    if growing != NONE:
        return list_choices(g, s, growing, out) if actor == CITY_ACTOR + growing else 0
    powers = powers_of(tribe_of(g, s, tribe))
    if is_unit(actor):
        if unit_of(g, s, actor).tribe != tribe or unit_of(g, s, actor).id == 0:
            return 0
        room = stack_scratch()
        room[CONTROL_READY] = 0
        return list_unit(g, s, actor, powers, room, out, 0)
    if is_city(actor):
        if city_of(g, s, actor - CITY_ACTOR).tribe != tribe:
            return 0
        return list_city(g, s, actor - CITY_ACTOR, powers, stack_scratch(), out, 0)
    return integer(list_tribe(g, s, tribe, powers, out, 0) - 1)


@game_function("actor_actions")
def actor_actions(g: TribesSetup, s: TribesState, actor: int, out: Ints) -> int:
    """An actor's part of the legal list; the end of the turn is nobody's."""
    return list_actor(g, s, actor, out)
