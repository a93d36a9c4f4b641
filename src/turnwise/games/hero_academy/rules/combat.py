"""Hits and their consequences, healing, Inferno (rules 4.3-4.7, 4.10, 5.2)."""

from __future__ import annotations

import numpy as np

from turnwise.games.hero_academy.rules.pieces import HP, clear, knock_out, relocate, set_hp
from turnwise.games.hero_academy.rules.victory import out_of_crystals
from turnwise.games.hero_academy.scenario import HeroSetup
from turnwise.games.hero_academy.state import (
    CLERIC,
    KNIGHT,
    MAGICAL,
    MAX_HP,
    NINJA,
    PHYSICAL,
    SCROLL,
    WIZARD,
    HeroState,
    has,
    power_at,
)
from turnwise.jit.kernel import integer, kernel, real
from turnwise.jit.memory import bit_count, trailing_zeros

# Direction index of (sign dx, sign dy), at (sx + 1) * 3 + (sy + 1); and the opposite of each direction.
_DIRECTION = np.array([5, 2, 7, 0, -1, 3, 4, 1, 6], np.int64)
_OPPOSITE = np.array([3, 2, 1, 0, 7, 6, 5, 4], np.int64)
_CHAIN_FACTORS = np.array([0.75, 0.56])
_SCROLL_FLAG = SCROLL << 16


@kernel
def assault_bonus(g: HeroSetup, s: HeroState) -> int:
    """300 for every assault square on which the mover has a living unit (rules 4.6)."""
    return 300 * bit_count(g.assault & s.owned[integer(s.player)] & ~s.down & ~s.crystals)


@kernel
def damage(g: HeroSetup, attacker: int, origin: int, target_kind: int, target: int) -> int:
    """Damage of one hit (rules 5.2); ``attacker`` and ``target_kind`` are kinds, the others squares."""
    unit = attacker >> 4
    dealt = real(power_at(g, attacker, origin))
    adjacent = has(g.near[64 + origin], target)
    if adjacent and unit == 1:
        dealt *= 0.5
    elif adjacent and unit == NINJA:
        dealt *= 2.0
    if unit in (CLERIC, WIZARD):
        resistance = MAGICAL[target_kind]
    else:
        resistance = PHYSICAL[target_kind] + (20 if has(g.defence, target) else 0)
    return integer(dealt * ((100.0 - resistance) / 100.0))


@kernel
def hurt(g: HeroSetup, s: HeroState, square: int, hp: int) -> None:
    """Set the new hit points of an enemy piece; at 0 or below, a crystal is removed and a unit is knocked out."""
    if hp > 0:
        set_hp(s, square, hp)
    elif has(s.crystals, square):
        clear(s, square)
        if out_of_crystals(g, s, 1 - integer(s.player)):
            s.terminal = 1
    else:
        knock_out(s, square)


@kernel
def push(g: HeroSetup, s: HeroState, origin: int, target: int) -> None:
    """Push a knight's target one square further (rules 4.5)."""
    foe = 1 - integer(s.player)
    direction = _direction(g, origin, target)
    behind = integer(g.step[direction * 64 + target])
    if behind < 0 or has(g.deploy[1 - foe], behind):
        return
    if has((s.owned[0] | s.owned[1]) & ~s.down, behind):
        return
    relocate(s, target, behind, foe)


@kernel
def _direction(g: HeroSetup, origin: int, target: int) -> int:
    dx = integer(g.x[target]) - integer(g.x[origin])
    dy = integer(g.y[target]) - integer(g.y[origin])
    sx = (1 if dx > 0 else 0) - (1 if dx < 0 else 0)
    sy = (1 if dy > 0 else 0) - (1 if dy < 0 else 0)
    return integer(_DIRECTION[(sx + 1) * 3 + sy + 1])


@kernel
def chain(g: HeroSetup, s: HeroState, origin: int, target: int) -> None:
    """Let a wizard's lightning jump up to twice (rules 4.7): straight on, else N, E, W, S, NE, NW, SE, SW."""
    attacker = integer(s.units[origin]) >> 16
    foe = 1 - integer(s.player)
    direction = _direction(g, origin, target)
    here = target
    for jump in range(2):
        living = s.owned[foe] & ~s.down
        found, chosen = -1, direction
        for attempt in range(-1, 8):
            way = direction if attempt < 0 else attempt
            there = integer(g.step[way * 64 + here])
            if there >= 0 and way != _OPPOSITE[direction] and has(living, there):
                found, chosen = there, way
                break
        if found < 0:
            return
        word = integer(s.units[found])
        dealt = integer(damage(g, attacker, origin, word >> 16, found) * _CHAIN_FACTORS[jump])
        if has(s.crystals, found):
            dealt += assault_bonus(g, s)
        hurt(g, s, found, (word & HP) - dealt)
        here, direction = found, chosen


@kernel
def attack(g: HeroSetup, s: HeroState, origin: int, target: int) -> None:
    """Hit, then push or chain, then use up the scroll (rules 4.4)."""
    attacker = integer(s.units[origin]) >> 16
    word = integer(s.units[target])
    is_crystal = has(s.crystals, target)
    dealt = damage(g, attacker, origin, word >> 16, target)
    if is_crystal:
        dealt += assault_bonus(g, s)
    hurt(g, s, target, (word & HP) - dealt)
    if attacker >> 4 == KNIGHT and not is_crystal:
        push(g, s, origin, target)
    if attacker >> 4 == WIZARD:
        chain(g, s, origin, target)
    s.units[origin] &= ~np.uint32(_SCROLL_FLAG)


@kernel
def heal(g: HeroSetup, s: HeroState, origin: int, target: int) -> None:
    """Let a cleric heal by three times or revive with twice its power; uses up the scroll (rules 4.3)."""
    word = integer(s.units[target])
    hp = word & HP
    power = power_at(g, integer(s.units[origin]) >> 16, origin)
    set_hp(s, target, min(hp + power * (2 if hp == 0 else 3), MAX_HP[word >> 16]))
    s.units[origin] &= ~np.uint32(_SCROLL_FLAG)


@kernel
def inferno(g: HeroSetup, s: HeroState, centre: int) -> None:
    """Deal 350 magical damage to all enemies in a 3x3 block; knocked-out ones are removed (rules 4.10)."""
    targets = g.area[centre] & s.owned[1 - integer(s.player)]
    while targets != 0:
        there = trailing_zeros(targets)
        targets &= targets - np.uint64(1)
        if has(s.down, there):
            clear(s, there)
            continue
        word = integer(s.units[there])
        dealt = 350.0
        if has(s.crystals, there):
            dealt += assault_bonus(g, s)
        dealt = dealt * ((100.0 - MAGICAL[word >> 16]) / 100.0)
        hurt(g, s, there, integer((word & HP) - dealt))
