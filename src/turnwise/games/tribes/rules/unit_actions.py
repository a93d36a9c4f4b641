"""The actions of units (rules 7)."""

from __future__ import annotations

import numpy as np

from turnwise.games.tribes.rules.codes import (
    ATTACK,
    CAPTURE,
    CONVERT,
    DISBAND,
    EXAMINE,
    HEAL,
    MOVE,
    RECOVER,
    UPGRADE,
    VETERAN,
    actor_of,
    code,
    kind_of,
    target_of,
)
from turnwise.games.tribes.rules.faults import EXHAUSTED_UPGRADES, PATH_SEARCH, has_fault
from turnwise.games.tribes.rules.movement import (
    can_step_onto,
    destinations,
    has_enemy,
    is_destination,
    is_on_track,
    is_seen,
    is_track,
    owner_in,
    resource_in,
    terrain_in,
    tiles_of,
    unit_in,
)
from turnwise.games.tribes.rules.powers import CAN_DISBAND, CAN_UPGRADE_BOAT, CAN_UPGRADE_SHIP
from turnwise.games.tribes.rules.scratch import FOUND, shorts_at
from turnwise.games.tribes.scenario import TribesSetup
from turnwise.games.tribes.state import TribesState, Unit, city_of, tribe_of, unit_of
from turnwise.games.tribes.tables import (
    ARCHER,
    ATTACKED,
    BATTLESHIP,
    BOAT,
    CATAPULT,
    CITY,
    DEFENDER,
    FINISHED,
    FRESH,
    KNIGHT,
    MIND_BENDER,
    MOVED,
    MOVED_AND_ATTACKED,
    RIDER,
    RUINS,
    SHIP,
    SUPERUNIT,
    SWORDMAN,
    UNIT_MOVEMENT,
    UNIT_RANGE,
    UNITS,
    VILLAGE,
    WARRIOR,
)
from turnwise.jit.kernel import inlined, integer, kernel
from turnwise.jit.memory import address_of_values, offset
from turnwise.jit.record import Ints, Words

_VETERAN_KILLS = 3


def _in_statuses(**by_kinds: tuple[tuple[int, ...], tuple[int, ...]]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """For each kind of unit one bit for each status."""
    table = np.zeros(len(UNITS), np.int64)
    for kinds, statuses in by_kinds.values():
        for kind in kinds:
            table[kind] = sum(1 << status for status in statuses)
    return table


_SLOW_KINDS = (MIND_BENDER, CATAPULT, DEFENDER)
_USUAL_KINDS = (ARCHER, WARRIOR, SWORDMAN, BOAT, SHIP, BATTLESHIP)
MAY_MOVE = _in_statuses(
    slow=((*_SLOW_KINDS, SUPERUNIT), (FRESH,)),
    usual=((*_USUAL_KINDS, KNIGHT), (FRESH,)),
    rider=((RIDER,), (FRESH, ATTACKED, MOVED_AND_ATTACKED)),
)
"""Statuses in which a unit can move, a bit each, by kind."""
MAY_ATTACK = _in_statuses(
    slow=(_SLOW_KINDS, (FRESH,)),
    usual=((*_USUAL_KINDS, SUPERUNIT, RIDER), (FRESH, MOVED)),
    knight=((KNIGHT,), (FRESH, MOVED, ATTACKED)),
)
"""As ``MAY_MOVE``, for attacks; converting and healing count as attacks."""


@inlined
def can_move(u: Unit) -> bool:
    """Whether a unit can still move in this turn."""
    return (MAY_MOVE[u.kind] >> u.status) & 1 != 0


@inlined
def can_attack(u: Unit) -> bool:
    """Whether a unit can still attack, convert or heal in this turn."""
    return (MAY_ATTACK[u.kind] >> u.status) & 1 != 0


@inlined
def can_upgrade(g: TribesSetup, u: Unit, powers: int) -> bool:
    """Whether a unit is a ship that can become the next better one."""
    if u.status == FINISHED and not has_fault(g, EXHAUSTED_UPGRADES):
        return False
    return (u.kind == BOAT and powers & CAN_UPGRADE_BOAT != 0) or (u.kind == SHIP and powers & CAN_UPGRADE_SHIP != 0)


@inlined
def can_capture(g: TribesSetup, s: TribesState, u: Unit, tile: int) -> bool:
    """Whether a unit on a tile can capture a village or a city."""
    if u.status != FRESH:
        return False
    terrain = terrain_in(tile)
    if terrain == VILLAGE:
        return True
    return terrain == CITY and owner_in(tile) != 0 and city_of(g, s, owner_in(tile) - 1).tribe != u.tribe


@inlined
def can_examine(g: TribesSetup, s: TribesState, u: Unit, tile: int) -> bool:
    """Whether a unit on a tile can examine ruins."""
    return u.status == FRESH and resource_in(tile) == RUINS and tribe_of(g, s, integer(u.tribe)).cities > 0


@inlined
def can_become_veteran(u: Unit) -> bool:
    """Whether a unit can become a veteran."""
    return u.kills >= _VETERAN_KILLS and u.veteran == 0 and u.kind != SUPERUNIT and u.status != FINISHED


@inlined
def can_recover(u: Unit) -> bool:
    """Whether a unit can recover by itself."""
    return u.status == FRESH and 0 < u.hp < u.max_hp


@kernel
def can_heal(g: TribesSetup, s: TribesState, u: Unit) -> bool:
    """Whether a unit next to a mind bender that can act needs healing."""
    tiles = tiles_of(s)
    for place in range(9 * integer(u.cell), 9 * integer(u.cell) + 8):
        if g.near[place] < 0:
            break
        tile = tiles[g.near[place]]
        if unit_in(tile) != 0:
            other = unit_of(g, s, unit_in(tile) - 1)
            if other.tribe == u.tribe and other.hp < other.max_hp:
                return True
    return False


@inlined
def is_target(g: TribesSetup, s: TribesState, tile: int, tribe: int) -> bool:
    """Whether a tribe sees an enemy on the tile with this word."""
    return unit_in(tile) != 0 and is_seen(tile, tribe) and has_enemy(g, s, tile, tribe)


@kernel
def list_targets(g: TribesSetup, s: TribesState, kind: int, slot: int, out: Ints, n: int) -> int:
    """Add a unit's attacks or conversions to a list of n actions; returns its new length."""
    u, tiles = unit_of(g, s, slot), tiles_of(s)
    tribe, reach, cell = integer(u.tribe), integer(UNIT_RANGE[u.kind]), integer(u.cell)
    if reach == 1:
        for place in range(9 * cell, 9 * cell + 8):
            if g.near[place] < 0:
                break
            tile = tiles[g.near[place]]
            if is_target(g, s, tile, tribe):
                out[n] = code(kind, slot, unit_in(tile) - 1, 0)
                n += 1
        return n
    x = cell // g.side
    y = cell - x * g.side
    first, last = max(0, y - reach), min(g.side - 1, y + reach)
    for row in range(max(0, x - reach), min(g.side - 1, x + reach) + 1):
        for other in range(row * g.side + first, row * g.side + last + 1):
            if is_target(g, s, tiles[other], tribe) and other != cell:
                out[n] = code(kind, slot, unit_in(tiles[other]) - 1, 0)
                n += 1
    return n


@kernel
def list_steps(g: TribesSetup, s: TribesState, slot: int, powers: int, out: Ints, n: int) -> int:
    """Add the moves of a unit with a single point of movement; -1: a road makes a search necessary.

    Each step then uses up the point, and with equal keys the original's heap yields the first neighbour, then the others
    from the last one on.
    """
    u, tiles = unit_of(g, s, slot), tiles_of(s)
    cell, tribe = integer(u.cell), integer(u.tribe)
    on_track = is_on_track(g, s, tiles[cell], tribe)
    begin = n
    for place in range(9 * cell, 9 * cell + 8):
        to = integer(g.near[place])
        if to < 0:
            break
        tile = tiles[to]
        if has_enemy(g, s, tile, tribe) or not can_step_onto(g, s, u, powers, tile):
            continue
        if on_track and is_track(tile):
            return -1
        out[n] = code(MOVE, slot, to, 0) if unit_in(tile) == 0 else -1
        n += 1
    low, high = begin + 1, n - 1
    while low < high:
        out[low], out[high] = out[high], out[low]
        low += 1
        high -= 1
    kept = begin
    for place in range(begin, n):  # drop the tiles of own units
        out[kept] = out[place]
        kept += integer(out[place] >= 0)
    return kept


@kernel
def list_moves(g: TribesSetup, s: TribesState, slot: int, powers: int, room: Words, out: Ints, n: int) -> int:
    """Add a unit's moves to a list of n actions; returns its new length."""
    u = unit_of(g, s, slot)
    if UNIT_MOVEMENT[u.kind] == 1 and has_fault(g, PATH_SEARCH):
        length = list_steps(g, s, slot, powers, out, n)
        if length >= 0:
            return length
    tiles, count = tiles_of(s), destinations(g, s, u, powers, room)
    found = shorts_at(address_of_values(offset(room, FOUND)))
    for place in range(count):
        cell = integer(found[place])
        out[n] = code(MOVE, slot, cell, 0)
        n += integer(unit_in(tiles[cell]) == 0)
    return n


@kernel
def list_unit(g: TribesSetup, s: TribesState, slot: int, powers: int, room: Words, out: Ints, n: int) -> int:
    """Add all actions of a unit of the tribe to move to a list of n actions; returns its new length."""
    u = unit_of(g, s, slot)
    own = code(0, slot, 0, 0)
    if can_upgrade(g, u, powers):
        out[n] = own | UPGRADE
        n += 1
    if u.status == FINISHED:
        return n
    tile = tiles_of(s)[u.cell]
    attacks, is_bender, is_fresh = can_attack(u), u.kind == MIND_BENDER, u.status == FRESH
    if attacks and not is_bender:
        n = list_targets(g, s, ATTACK, slot, out, n)
    if can_capture(g, s, u, tile):
        out[n] = own | CAPTURE
        n += 1
    if attacks and is_bender:
        n = list_targets(g, s, CONVERT, slot, out, n)
    if is_fresh and powers & CAN_DISBAND != 0:
        out[n] = own | DISBAND
        n += 1
    if can_examine(g, s, u, tile):
        out[n] = own | EXAMINE
        n += 1
    if attacks and is_bender and can_heal(g, s, u):
        out[n] = own | HEAL
        n += 1
    if can_become_veteran(u):
        out[n] = own | VETERAN
        n += 1
    if can_move(u):
        n = list_moves(g, s, slot, powers, room, out, n)
    if can_recover(u):
        out[n] = own | RECOVER
        n += 1
    return n


# ---------------------------------------------------------------------------------------------------- test of legality


@kernel
def can_reach(g: TribesSetup, s: TribesState, u: Unit, other: int) -> bool:
    """Whether a unit sees an enemy, on whose tile no other unit stands, within its range; ``other`` may be any number."""
    if other >= s.units_end or unit_of(g, s, other).id == 0:
        return False
    cell = integer(unit_of(g, s, other).cell)
    tile = tiles_of(s)[cell]
    if unit_in(tile) != other + 1 or not is_target(g, s, tile, integer(u.tribe)):
        return False
    x, other_x = u.cell // g.side, cell // g.side
    steps = max(abs(x - other_x), abs(u.cell - x * g.side - cell + other_x * g.side))
    return 0 < steps <= UNIT_RANGE[u.kind]


@kernel
def unit_allows(g: TribesSetup, s: TribesState, powers: int, action: int, room: Words) -> bool:
    """Whether an action of a unit of the tribe to move is legal, while no city grows."""
    kind, u = kind_of(action), unit_of(g, s, actor_of(action))
    is_bender, tile = u.kind == MIND_BENDER, tiles_of(s)[u.cell]
    if kind == UPGRADE:
        return can_upgrade(g, u, powers)
    if u.status == FINISHED:
        return False
    if kind == MOVE:
        cell = target_of(action)
        return can_move(u) and cell < g.cells and is_destination(g, s, u, powers, cell, False, room)
    if kind == ATTACK or kind == CONVERT:
        return can_attack(u) and is_bender == (kind == CONVERT) and can_reach(g, s, u, target_of(action))
    if kind == CAPTURE:
        return can_capture(g, s, u, tile)
    if kind == DISBAND:
        return u.status == FRESH and powers & CAN_DISBAND != 0
    if kind == EXAMINE:
        return can_examine(g, s, u, tile)
    if kind == HEAL:
        return is_bender and can_attack(u) and can_heal(g, s, u)
    if kind == VETERAN:
        return can_become_veteran(u)
    return can_recover(u)
