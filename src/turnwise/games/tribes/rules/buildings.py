"""Buildings: their order in a city, their effects, building and destroying (rules 9 and 11)."""

from __future__ import annotations

from turnwise.games.tribes.rules.board import column_at, end_line, first_line, row_at
from turnwise.games.tribes.rules.cities import MOST_TILES, add_population, bound_of, is_owned
from turnwise.games.tribes.rules.faults import (
    CAPTURE_LINKS,
    CAPTURED_BUILDINGS_SCORE,
    DESTROYED_TEMPLES_SCORE,
    STICKY_LINKS,
    has_fault,
)
from turnwise.games.tribes.rules.gains import set_monument
from turnwise.games.tribes.rules.network import update_networks
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import NETWORK, Tile, TribesState, city_of, owner_on, tribe_of
from turnwise.games.tribes.tables import (
    BUILDING_BONUS,
    BUILDING_COST,
    BUILT,
    CUSTOMS_HOUSE,
    FARM,
    FIRST_MONUMENT,
    FIRST_TEMPLE,
    LUMBER_HUT,
    MINE,
    PARTNER,
    PLAIN,
    PORT,
    TEMPLE_POINTS,
    TEMPLE_TURNS,
)
from turnwise.games.tribes.temples import is_temple, pack_temple, unpack_temple
from turnwise.jit.kernel import inlined, integer, kernel
from turnwise.jit.record import Ints

_MONUMENT_POINTS = 400
_SOURCES = 1 << FARM | 1 << MINE | 1 << LUMBER_HUT  # give population by themselves and more with their partner
_LINKED_ON_LOSS = _SOURCES | 1 << PORT
_PRODUCERS = 1 << PORT | 1 << CUSTOMS_HOUSE  # their bonuses are production
NEW, CAPTURED = 0, 1  # whether a building comes or goes by itself, or its city changes hands


# ------------------------------------------------------------------------------- the list of a city's buildings


@kernel
def list_building_tiles(g: TribesSetup, s: TribesState, city: int, out: Ints) -> int:
    """Write the tiles of a city's buildings in the order of construction; returns their number.

    Args:
        g: The setup.
        s: The state.
        city: Slot of the city.
        out: int64[MOST_TILES].
    """
    c = city_of(g, s, city)
    x, y, bound = row_at(g, c.cell), column_at(g, c.cell), bound_of(c)
    count = 0
    for row in range(first_line(x, bound), end_line(g, x, bound)):
        for column in range(first_line(y, bound), end_line(g, y, bound)):
            cell = row * g.side + column
            tile = s.data[cell]
            if tile.owner == city + 1 and tile.building != 0 and 0 <= tile.built < MOST_TILES:
                out[tile.built] = cell
                count += 1
    return count


@kernel
def count_buildings(g: TribesSetup, s: TribesState, city: int, after: int) -> int:
    """Number of a city's buildings; those later in its list than ``after`` (-1: none) move up by one place."""
    c = city_of(g, s, city)
    x, y, bound = row_at(g, c.cell), column_at(g, c.cell), bound_of(c)
    count = 0
    for row in range(first_line(x, bound), end_line(g, x, bound)):
        for column in range(first_line(y, bound), end_line(g, y, bound)):
            tile = s.data[row * g.side + column]
            if tile.owner == city + 1 and tile.building != 0:
                count += 1
                if after >= 0 and tile.built > after:
                    tile.built -= 1
    return count


# ------------------------------------------------------------------------------------------------- effects


@inlined
def bonus_of_link(building: int) -> int:
    """What a building and a partner next to it give to the one that multiplies."""
    return integer(BUILDING_BONUS[PARTNER[building] if _SOURCES >> building & 1 != 0 else building])


@kernel
def _link(g: TribesSetup, s: TribesState, city: int, tribe: int, cell: int, sign: int, reason: int) -> None:
    """Give or take the bonuses of a building and its partners on the tiles around it (rules 11)."""
    building = integer(s.data[cell].building)
    partner, amount = PARTNER[building], sign * bonus_of_link(building)
    if _SOURCES >> building & 1 != 0 and reason == NEW:
        add_population(g, s, city, tribe, sign * BUILDING_BONUS[building])
    is_sticky, skips_own = has_fault(g, STICKY_LINKS), reason != NEW and not has_fault(g, CAPTURE_LINKS)
    target = city
    place = 9 * cell
    while g.near[place] >= 0:
        other = integer(g.near[place])
        place += 1
        if s.data[other].building != partner:
            continue
        owner = owner_on(s, other)
        if owner == city:
            if skips_own:
                continue
            target = target if is_sticky else city
        elif is_owned(g, s, owner, tribe):
            target = owner
        elif is_sticky:
            return
        else:
            continue
        if _PRODUCERS >> building & 1 != 0:
            c = city_of(g, s, target)
            c.bonus = max(0, integer(c.bonus) + amount)
        else:
            add_population(g, s, target, tribe, amount)


@kernel
def _sacred_points(g: TribesSetup, tile: Tile, building: int, sign: int) -> int:
    """Points for a temple or monument that comes or goes."""
    if not is_temple(building):
        return sign * _MONUMENT_POINTS
    if sign > 0:
        return integer(TEMPLE_POINTS[1])
    points = 0
    last, _ = unpack_temple(integer(tile.temple))
    for level in range(1, last + 1):
        points += TEMPLE_POINTS[level]
    return points if has_fault(g, DESTROYED_TEMPLES_SCORE) else -points


@kernel
def apply_effects(g: TribesSetup, s: TribesState, city: int, tribe: int, cell: int, sign: int, reason: int) -> None:
    """Let a building take effect (sign 1) or lose its effects (-1).

    Args:
        g: The setup.
        s: The state; the tile still has (already has) the building.
        city: Slot of its city.
        tribe: The tribe that counts as the city's owner.
        cell: Its tile.
        sign: 1 or -1.
        reason: NEW: it is built or destroyed; CAPTURED: its city changes hands.
    """
    tile = s.data[cell]
    building = integer(tile.building)
    if building < FIRST_TEMPLE:
        if building == PORT and reason == NEW:
            add_population(g, s, city, tribe, sign * BUILDING_BONUS[PORT])
        _link(g, s, city, tribe, cell, sign, reason)
        return
    if reason == NEW:
        add_population(g, s, city, tribe, sign * BUILDING_BONUS[building])
    elif not has_fault(g, CAPTURED_BUILDINGS_SCORE):
        return
    tribe_of(g, s, tribe).score += _sacred_points(g, tile, building, sign)


@kernel
def gain_buildings(g: TribesSetup, s: TribesState, city: int, tribe: int, cells: Ints, count: int) -> None:
    """Let a captured city's buildings take effect for their new owner, in their order."""
    for i in range(count):
        apply_effects(g, s, city, tribe, cells[i], 1, CAPTURED)


@kernel
def give_up_buildings(
    g: TribesSetup, s: TribesState, city: int, tribe: int, loser: int, cells: Ints, count: int
) -> None:
    """Take the bonuses of a captured city's buildings; in the original those of some kinds, and from the new owner."""
    is_exact = has_fault(g, CAPTURE_LINKS)
    kinds, owner = (_LINKED_ON_LOSS, tribe) if is_exact else ((1 << FIRST_TEMPLE) - 1, loser)
    for i in range(count):
        if kinds >> s.data[cells[i]].building & 1 != 0:
            apply_effects(g, s, city, owner, cells[i], -1, CAPTURED)


# --------------------------------------------------------------------------------------- building, destroying


@kernel
def build(g: TribesSetup, s: TribesState, city: int, cell: int, building: int) -> None:
    """Build in a city (rules 9)."""
    tile, tribe = s.data[cell], integer(s.active)
    t = tribe_of(g, s, tribe)
    t.stars -= BUILDING_COST[building]
    last = count_buildings(g, s, city, -1)
    tile.building, tile.resource, tile.built = building, 0, last
    if is_temple(building):
        tile.temple = pack_temple(1, TEMPLE_TURNS)
    apply_effects(g, s, city, tribe, cell, 1, NEW)
    if building == PORT:
        tile.marks |= NETWORK
        update_networks(g, s)
    elif building == LUMBER_HUT:
        tile.terrain = PLAIN
    elif building >= FIRST_MONUMENT:
        set_monument(t, building, BUILT)


@kernel
def destroy(g: TribesSetup, s: TribesState, city: int, cell: int) -> None:
    """Destroy a building (rules 9)."""
    tile = s.data[cell]
    if tile.building == PORT:
        tile.marks &= ~NETWORK
        update_networks(g, s)
    apply_effects(g, s, city, integer(s.active), cell, -1, NEW)
    place = integer(tile.built)
    tile.building, tile.temple, tile.built = 0, 0, 0
    count_buildings(g, s, city, place)
