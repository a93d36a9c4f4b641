"""The actions of a tribe: roads and research (rules 4 and 7)."""

from __future__ import annotations

import numpy as np

from turnwise.games.tribes.rules.codes import END, RESEARCH, ROAD, choice_of, code, kind_of, target_of
from turnwise.games.tribes.rules.powers import CAN_BUILD_ROADS
from turnwise.games.tribes.rules.technology import researchable, tier_cost
from turnwise.games.tribes.rules.tile_word import (
    NETWORK_BIT,
    has_enemy,
    is_free_of,
    lowest_bit,
    sight_bit,
    terrain_in,
    tiles_of,
)
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import Tribe, TribesState, tribe_of
from turnwise.games.tribes.tables import FOREST, PLAIN, TECH_TIER, VILLAGE
from turnwise.jit.kernel import inlined, integer, kernel
from turnwise.jit.record import Ints

_ROAD_TERRAINS = 1 << PLAIN | 1 << VILLAGE | 1 << FOREST
_TIERS = np.array([sum(1 << i for i, tier in enumerate(TECH_TIER) if tier == t) for t in range(4)], np.int64)


@kernel
def affordable(g: TribesSetup, tribe: Tribe) -> int:
    """Bits of the technologies that a tribe can research now."""
    tiers = 0
    for tier in range(1, 4):
        if tribe.stars >= tier_cost(g, tribe, tier):
            tiers |= _TIERS[tier]
    return integer(tiers & researchable(tribe)) if tiers != 0 else 0


@inlined
def can_build_road(g: TribesSetup, s: TribesState, tribe: int, tile: int) -> bool:
    """Whether a tribe that knows roads may build one on the tile with this word."""
    if (_ROAD_TERRAINS >> terrain_in(tile)) & 1 == 0 or tile & (NETWORK_BIT | sight_bit(tribe)) != sight_bit(tribe):
        return False
    return is_free_of(g, s, tile, tribe) and not has_enemy(g, s, tile, tribe)


@kernel
def list_roads(g: TribesSetup, s: TribesState, tribe: int, out: Ints, n: int) -> int:
    """Add the roads that a tribe can build to a list of n actions; returns its new length."""
    tiles = tiles_of(s)
    for cell in range(g.cells):
        if can_build_road(g, s, tribe, tiles[cell]):
            out[n] = code(ROAD, 0, cell, 0)
            n += 1
    return n


@kernel
def list_tribe(g: TribesSetup, s: TribesState, number: int, powers: int, out: Ints, n: int) -> int:
    """Add the actions of the tribe to move to a list of n actions, the end of its turn last; returns its new length."""
    if powers & CAN_BUILD_ROADS != 0:
        n = list_roads(g, s, number, out, n)
    left = affordable(g, tribe_of(g, s, number))
    while left != 0:
        out[n] = code(RESEARCH, 0, 0, lowest_bit(left))
        n += 1
        left &= left - 1
    out[n] = END
    return n + 1


@kernel
def tribe_allows(g: TribesSetup, s: TribesState, number: int, powers: int, action: int) -> bool:
    """Whether an action of the tribe itself is legal, while no city grows."""
    kind = kind_of(action)
    if kind == RESEARCH:
        return (affordable(g, tribe_of(g, s, number)) >> choice_of(action)) & 1 != 0
    if kind == ROAD:
        cell = target_of(action)
        if cell >= g.cells or powers & CAN_BUILD_ROADS == 0:
            return False
        return can_build_road(g, s, number, tiles_of(s)[cell])
    return True
