"""What a tribe's technologies, stars and monuments allow, as one word for the whole legal list (rules 2, 4 and 7)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from turnwise.games.tribes.rules.faults import FORESTS_AND_BUILDINGS, GATHERING_ANYWHERE, has_fault
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import Tribe
from turnwise.games.tribes.tables import (
    ANIMAL,
    AVAILABLE,
    BUILDING_COST,
    BUILDING_RESOURCE,
    BUILDING_TECH,
    BUILDING_TERRAINS,
    BUILDINGS,
    CHIVALRY,
    CLIMBING,
    CONSTRUCTION,
    CUSTOMS_HOUSE,
    DEEP,
    FIRST_MONUMENT,
    FISH,
    FISHING,
    FOREST,
    FORESTRY,
    FORGE,
    FREE_SPIRIT,
    FRUIT,
    HUNTING,
    MONUMENTS,
    MOUNTAIN,
    NAVIGATION,
    ORGANIZATION,
    PLAIN,
    RESOURCES,
    ROADS,
    SAILING,
    SAWMILL,
    SHALLOW,
    SPAWNED_UNITS,
    SPIRITUALISM,
    TECHNOLOGIES,
    TERRAINS,
    UNIT_COST,
    UNIT_TECH,
    WHALES,
    WHALING,
    WINDMILL,
)
from turnwise.jit.kernel import inlined, integer, kernel

# Bits of the word. The first 20 are the buildings by number, then come the other actions on a city's tiles.
CAN_BURN, CAN_CLEAR, CAN_DESTROY, CAN_GROW = (1 << len(BUILDINGS) + i for i in range(4))
_GATHER = len(BUILDINGS) + 4  # bit of gathering resource 0, which does not exist
SPAWN_SHIFT = 32
"""Where the bits of the kinds of units begin that can be spawned."""
CAN_UPGRADE_BOAT, CAN_UPGRADE_SHIP, CAN_BUILD_ROADS, CAN_DISBAND = (1 << 40 + i for i in range(4))
ENTER_SHIFT = 48
"""Where the bits of the terrains begin that units can enter."""

CAN_BUILD = (1 << len(BUILDINGS)) - 2
CAN_GATHER = sum(1 << _GATHER + resource for resource in (FISH, FRUIT, ANIMAL, WHALES))
OF_CITY_TILES = CAN_BUILD | CAN_BURN | CAN_CLEAR | CAN_DESTROY | CAN_GROW | CAN_GATHER
ONE_PER_CITY = sum(1 << building for building in (FORGE, WINDMILL, CUSTOMS_HOUSE, SAWMILL))
"""The buildings that need a partner next to them and of which a city has one."""

ROAD_COST = 2
FOREST_COST = 5  # of burning and of growing one
SHIP_COST, BATTLESHIP_COST = 5, 15  # of upgrades
GATHER_COST = np.array([0, 2, 2, 2, 0, 0, 0, 0], np.int64)  # by resource
GATHER_TECH = np.array([-1, FISHING, ORGANIZATION, HUNTING, WHALING, -1, -1, -1], np.int64)
_HABITAT = {FISH: SHALLOW, FRUIT: PLAIN, ANIMAL: FOREST, WHALES: DEEP}
_MOST_COST = 20
_CHUNK = 6  # technologies to a table of 64 entries


def _needs() -> Iterable[tuple[int, int, int]]:
    """For each bit its technology (-1: none) and its price; terrains that all units can enter need nothing."""
    for building in range(1, len(BUILDINGS)):
        yield 1 << building, int(BUILDING_TECH[building]), int(BUILDING_COST[building])
    yield CAN_BURN, CHIVALRY, FOREST_COST
    yield CAN_CLEAR, FORESTRY, 0
    yield CAN_DESTROY, CONSTRUCTION, 0
    yield CAN_GROW, SPIRITUALISM, FOREST_COST
    for resource in _HABITAT:
        yield 1 << _GATHER + resource, int(GATHER_TECH[resource]), int(GATHER_COST[resource])
    for kind in range(SPAWNED_UNITS):
        yield 1 << SPAWN_SHIFT + kind, int(UNIT_TECH[kind]), int(UNIT_COST[kind])
    yield CAN_UPGRADE_BOAT, SAILING, SHIP_COST
    yield CAN_UPGRADE_SHIP, NAVIGATION, BATTLESHIP_COST
    yield CAN_BUILD_ROADS, ROADS, ROAD_COST
    yield CAN_DISBAND, FREE_SPIRIT, 0
    keys = {MOUNTAIN: CLIMBING, SHALLOW: SAILING, DEEP: NAVIGATION}
    for terrain in range(len(TERRAINS)):
        yield 1 << ENTER_SHIFT + terrain, keys.get(terrain, -1), 0


def _by_technologies() -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """For each six technologies a table: which of them are known -> bits that need one of these."""
    table = np.zeros(len(TECHNOLOGIES) // _CHUNK << _CHUNK, np.int64)
    for bits, technology, _ in _needs():
        if technology >= 0:
            chunk, place = divmod(technology, _CHUNK)
            for known in range(1 << _CHUNK):
                table[(chunk << _CHUNK) + known] |= bits if known >> place & 1 else 0
    return table


_BY_TECHNOLOGIES = _by_technologies()
_WITHOUT_TECHNOLOGY = sum(bits for bits, technology, _ in _needs() if technology < 0)
_BY_STARS = np.array([sum(b for b, _, cost in _needs() if cost <= stars) for stars in range(_MOST_COST + 1)], np.int64)
_ALL_MONUMENTS = sum(1 << FIRST_MONUMENT + i for i in range(MONUMENTS))


def _terrain_bits(terrain: int, strict: bool) -> int:
    """What a tile's terrain allows; strict: resources are gathered where they grow only."""
    bits = sum(1 << b for b in range(1, len(BUILDINGS)) if BUILDING_TERRAINS[b] >> terrain & 1)
    bits |= CAN_BURN | CAN_CLEAR if terrain == FOREST else 0
    bits |= CAN_GROW if terrain == PLAIN else 0
    gathered = sum(1 << _GATHER + r for r, home in _HABITAT.items() if home == terrain or not strict)
    return bits | CAN_DESTROY | gathered


def _resource_bits(resource: int) -> int:
    """What a tile's resource allows."""
    lacking = sum(1 << b for b in range(1, len(BUILDINGS)) if BUILDING_RESOURCE[b] not in (0, resource))
    return (OF_CITY_TILES & ~lacking & ~CAN_GATHER) | (1 << _GATHER + resource & CAN_GATHER)


_BY_TERRAIN = np.array([_terrain_bits(t, strict) for strict in (False, True) for t in range(len(TERRAINS))], np.int64)
_BY_RESOURCE = np.array([_resource_bits(r) for r in range(len(RESOURCES))], np.int64)
_WITH_BUILDING = OF_CITY_TILES & ~CAN_BUILD
_STRICT_WITH_BUILDING = _WITH_BUILDING & ~(CAN_BURN | CAN_CLEAR | CAN_GROW)


@kernel
def powers_of(tribe: Tribe) -> int:
    """Bits of everything that a tribe's technologies, stars and monuments allow."""
    known, stars = integer(tribe.tech), integer(tribe.stars)
    allowed = _WITHOUT_TECHNOLOGY
    for chunk in range(4):
        allowed |= _BY_TECHNOLOGIES[chunk << _CHUNK | (known >> _CHUNK * chunk) & 63]
    allowed &= _BY_STARS[max(0, min(stars, _MOST_COST))]
    statuses = integer(tribe.monuments)
    available = statuses & ~(statuses >> 1) & 0x1555  # the low bit of each AVAILABLE
    if available == 0:
        return integer(allowed & ~_ALL_MONUMENTS)
    for monument in range(MONUMENTS):
        if (statuses >> 2 * monument) & 3 != AVAILABLE:
            allowed &= ~(1 << FIRST_MONUMENT + monument)
    return integer(allowed)


@inlined
def gather_bit(resource: int) -> int:
    """The bit of gathering a resource, in a city's tiles."""
    return 1 << _GATHER + resource


@inlined
def variant_of(g: TribesSetup) -> int:
    """Where the part of the table by terrain begins that a scenario uses."""
    return 0 if has_fault(g, GATHERING_ANYWHERE) else len(TERRAINS)


@inlined
def with_building_of(g: TribesSetup) -> int:
    """Bits of what is possible on tiles with a building."""
    return _WITH_BUILDING if has_fault(g, FORESTS_AND_BUILDINGS) else _STRICT_WITH_BUILDING


@inlined
def on_tile(powers: int, variant: int, with_building: int, terrain: int, resource: int, building: int) -> int:
    """The actions of a city that a tile's terrain, resource and building allow, partners of buildings aside."""
    fitting = powers & _BY_TERRAIN[variant + terrain] & _BY_RESOURCE[resource]
    return integer(fitting & (~CAN_DESTROY if building == 0 else with_building))
