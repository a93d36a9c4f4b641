"""Attacks, conversions and healing (rules 9 and 10)."""

from __future__ import annotations

import math

from turnwise.games.tribes.rules.board import distance, is_water
from turnwise.games.tribes.rules.cities import is_owned
from turnwise.games.tribes.rules.gains import count_kill
from turnwise.games.tribes.rules.placing import enter
from turnwise.games.tribes.rules.status import AFTER_ATTACK
from turnwise.games.tribes.rules.technology import knows
from turnwise.games.tribes.rules.units import join_list, leave_list, lose, tribe_of_unit
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import NONE, WALLS, TribesState, Unit, city_of, owner_on, unit_of, unit_on
from turnwise.games.tribes.tables import (
    AQUATISM,
    ARCHERY,
    ATTACKED,
    CITY,
    FINISHED,
    FOLLOWERS,
    FOREST,
    FORTIFIERS,
    KNIGHT,
    MEDITATION,
    MIND_BENDER_HEALS,
    MOUNTAIN,
    UNIT_ATTACK,
    UNIT_DEFENCE,
    UNIT_RANGE,
)
from turnwise.jit.kernel import inlined, integer, kernel, real
from turnwise.jit.record import Address

_BONUS, _WALLS_BONUS = 1.5, 4.0
_DAMAGE = 4.5


@kernel
def defence_bonus(g: TribesSetup, s: TribesState, unit: Unit) -> float:
    """The factor of a unit's defence on the tile where it stands."""
    tile, tribe = s.data[unit.cell], tribe_of_unit(g, s, unit)
    terrain = integer(tile.terrain)
    if terrain == CITY:
        owner = owner_on(s, integer(unit.cell))
        if not is_owned(g, s, owner, integer(unit.tribe)):
            return 1.0
        if city_of(g, s, owner).marks & WALLS != 0:
            return _WALLS_BONUS
        return _BONUS if FORTIFIERS >> unit.kind & 1 != 0 else 1.0
    helped = (
        (terrain == MOUNTAIN and knows(tribe, MEDITATION))
        or (is_water(terrain) and knows(tribe, AQUATISM))
        or (terrain == FOREST and knows(tribe, ARCHERY))
    )
    return _BONUS if helped else 1.0


@inlined
def damage(share: float, strength: int) -> int:
    """Hit points of a blow, from the attacker's (defender's) share of both forces and its strength."""
    return integer(math.floor(share * strength * _DAMAGE + 0.5))


@inlined
def _count_kill(g: TribesSetup, s: TribesState, unit: Unit) -> None:
    unit.kills += 1
    if unit.kind == KNIGHT:
        unit.status = ATTACKED
    count_kill(tribe_of_unit(g, s, unit))


@kernel
def attack(g: TribesSetup, s: TribesState, slot: int, other: int, rng: Address) -> None:
    """Attack a unit, which strikes back if it survives and its range suffices (rules 10)."""
    u, v = unit_of(g, s, slot), unit_of(g, s, other)
    u.status = AFTER_ATTACK[u.kind, u.status]
    tribe_of_unit(g, s, u).pacifist = 0
    strength, resistance = UNIT_ATTACK[u.kind], UNIT_DEFENCE[v.kind]
    force = strength * (real(u.hp) / real(u.max_hp))
    defence = resistance * (real(v.hp) / real(v.max_hp)) * defence_bonus(g, s, v)
    total = force + defence
    hit = damage(force / total, strength)
    if v.hp <= hit:
        _count_kill(g, s, u)
        cell = integer(v.cell)
        lose(g, s, other)
        if FOLLOWERS >> u.kind & 1 != 0:
            enter(g, s, slot, cell, rng)
        return
    v.hp -= hit
    if distance(g, integer(u.cell), integer(v.cell)) <= UNIT_RANGE[v.kind]:
        back = damage(defence / total, resistance)
        if u.hp <= back:
            _count_kill(g, s, v)
            lose(g, s, slot)
        else:
            u.hp -= back


@kernel
def convert(g: TribesSetup, s: TribesState, slot: int, other: int) -> None:
    """Let an enemy unit change to the mind bender's tribe, as an extra unit."""
    u, v = unit_of(g, s, slot), unit_of(g, s, other)
    leave_list(g, s, other)
    v.tribe, v.city, v.status = u.tribe, NONE, FINISHED
    join_list(g, s, other)
    u.status = AFTER_ATTACK[u.kind, u.status]


@kernel
def heal_others(g: TribesSetup, s: TribesState, slot: int) -> None:
    """Heal the tribe's units next to a mind bender."""
    u = unit_of(g, s, slot)
    place = 9 * integer(u.cell)
    while g.near[place] >= 0:
        other = unit_on(s, integer(g.near[place]))
        place += 1
        if other != NONE and unit_of(g, s, other).tribe == u.tribe:
            heal(unit_of(g, s, other), MIND_BENDER_HEALS)
    u.status = AFTER_ATTACK[u.kind, u.status]


@inlined
def heal(unit: Unit, points: int) -> None:
    """Give hit points back, up to the unit's maximum."""
    unit.hp = min(integer(unit.max_hp), integer(unit.hp) + points)


@kernel
def recover(g: TribesSetup, s: TribesState, slot: int) -> None:
    """Let a unit rest: it heals, faster on its tribe's land, and can do nothing more in this turn."""
    u = unit_of(g, s, slot)
    is_home = is_owned(g, s, owner_on(s, integer(u.cell)), integer(u.tribe))
    heal(u, 4 if is_home else 2)
    u.status = FINISHED
