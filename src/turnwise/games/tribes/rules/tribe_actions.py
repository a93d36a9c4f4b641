"""The actions of a tribe: roads and research (rules 4 and 7)."""

from __future__ import annotations

import numpy as np

from turnwise.games.tribes.rules.codes import END, RESEARCH, ROAD, choice_of, code, kind_of, target_of
from turnwise.games.tribes.rules.faults import PHILOSOPHY_DISCOUNT, has_fault
from turnwise.games.tribes.rules.movement import has_enemy, is_free_of, is_seen, terrain_in, tiles_of
from turnwise.games.tribes.rules.powers import CAN_BUILD_ROADS
from turnwise.games.tribes.scenario import TribesSetup
from turnwise.games.tribes.state import Tribe, TribesState, tribe_of
from turnwise.games.tribes.tables import FOREST, PHILOSOPHY, PLAIN, TECH_PARENT, TECH_TIER, TECHNOLOGIES, VILLAGE
from turnwise.jit.kernel import inlined, integer, kernel, real
from turnwise.jit.memory import trailing_zeros
from turnwise.jit.record import Ints, Word

_BASE_COST = 4
_CHUNK = 6  # technologies to a table of 64 entries
_ROAD_TERRAINS = 1 << PLAIN | 1 << VILLAGE | 1 << FOREST
_ROOTS = sum(1 << i for i, parent in enumerate(TECH_PARENT) if parent < 0)
_TIERS = np.array([sum(1 << i for i, tier in enumerate(TECH_TIER) if tier == t) for t in range(4)], np.int64)


def _children() -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """For each six technologies a table: which of them are known -> technologies that need one of these."""
    table = np.zeros(len(TECHNOLOGIES) // _CHUNK << _CHUNK, np.int64)
    for child, parent in enumerate(TECH_PARENT):
        if parent >= 0:
            chunk, place = divmod(int(parent), _CHUNK)
            for known in range(1 << _CHUNK):
                table[(chunk << _CHUNK) + known] |= (known >> place & 1) << child
    return table


_CHILDREN = _children()


@inlined
def researchable(tribe: Tribe) -> int:
    """Bits of the technologies that are not known while what they need is."""
    known = integer(tribe.tech)
    reached = _ROOTS
    for chunk in range(4):
        reached |= _CHILDREN[chunk << _CHUNK | (known >> _CHUNK * chunk) & 63]
    return integer(reached & ~known)


@inlined
def tier_cost(g: TribesSetup, tribe: Tribe, tier: int) -> int:
    """Stars for a technology of a tier."""
    cost = _BASE_COST + tier * integer(tribe.cities)
    if (tribe.tech >> PHILOSOPHY) & 1 != 0:
        return integer(real(cost) * (0.2 if has_fault(g, PHILOSOPHY_DISCOUNT) else 0.8))
    return integer(cost)


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
    if (_ROAD_TERRAINS >> terrain_in(tile)) & 1 == 0 or tile >> 24 & 1 != 0 or not is_seen(tile, tribe):
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
        out[n] = code(RESEARCH, 0, 0, integer(trailing_zeros(Word(left))))
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
