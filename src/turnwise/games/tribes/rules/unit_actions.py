"""The actions of units (rules 7)."""

from __future__ import annotations

from turnwise.games.tribes.rules.board import row_at
from turnwise.games.tribes.rules.cities import city_at
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
from turnwise.games.tribes.rules.faults import EXHAUSTED_UPGRADES, has_fault
from turnwise.games.tribes.rules.movement import can_step_onto, destinations, entry_masks, is_destination
from turnwise.games.tribes.rules.powers import CAN_DISBAND, CAN_UPGRADE_BOAT, CAN_UPGRADE_SHIP
from turnwise.games.tribes.rules.scratch import FOUND, shorts_at
from turnwise.games.tribes.rules.status import MAY_ATTACK, MAY_MOVE, row_of
from turnwise.games.tribes.rules.tile_word import (
    has_enemy,
    has_sight_bit,
    is_on_track,
    is_track,
    lowest_bit,
    owner_in,
    resource_in,
    terrain_in,
    tiles_of,
    unit_in,
)
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import NONE, TribesState, Unit, city_of, tribe_of, unit_of
from turnwise.games.tribes.tables import (
    BOAT,
    CITY,
    FINISHED,
    FRESH,
    MIND_BENDER,
    RUINS,
    SHIP,
    SUPERUNIT,
    UNIT_MOVEMENT,
    UNIT_RANGE,
    VILLAGE,
)
from turnwise.jit.kernel import inlined, integer, kernel
from turnwise.jit.memory import address_of_values, bit_count, offset
from turnwise.jit.record import Ints, Word, Words

_VETERAN_KILLS = 3


@inlined
def can_move(g: TribesSetup, u: Unit) -> bool:
    """Whether a unit can still move in this turn."""
    return (integer(MAY_MOVE[row_of(g, u.kind)]) >> u.status) & 1 != 0


@inlined
def can_attack(u: Unit) -> bool:
    """Whether a unit can still attack, convert or heal in this turn."""
    return (integer(MAY_ATTACK[u.kind]) >> u.status) & 1 != 0


@inlined
def can_upgrade(g: TribesSetup, u: Unit, powers: int) -> bool:
    """Whether a unit is a ship that can become the next better one."""
    if u.status == FINISHED and not has_fault(g, EXHAUSTED_UPGRADES):
        return False
    return (u.kind == BOAT and powers & CAN_UPGRADE_BOAT != 0) or (u.kind == SHIP and powers & CAN_UPGRADE_SHIP != 0)


@inlined
def can_capture(g: TribesSetup, s: TribesState, u: Unit, tile: int) -> bool:
    """Whether a fresh unit on a tile can capture a village or a city."""
    terrain = terrain_in(tile)
    if terrain == VILLAGE:
        return True
    if terrain != CITY:
        return False
    city = owner_in(tile) - 1
    if city < 0 or city_of(g, s, city).cell != u.cell:  # a centre within the borders of the capital next to it
        city = city_at(g, s, integer(u.cell))
    return city != NONE and city_of(g, s, city).tribe != u.tribe


@inlined
def can_examine(g: TribesSetup, s: TribesState, u: Unit, tile: int) -> bool:
    """Whether a fresh unit on a tile can examine ruins."""
    return resource_in(tile) == RUINS and tribe_of(g, s, integer(u.tribe)).cities > 0


@inlined
def can_become_veteran(u: Unit) -> bool:
    """Whether a unit can become a veteran."""
    return u.kills >= _VETERAN_KILLS and u.veteran == 0 and u.kind != SUPERUNIT and u.status != FINISHED


@inlined
def can_recover(u: Unit) -> bool:
    """Whether a fresh unit can recover by itself."""
    return 0 < u.hp < u.max_hp


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
    return unit_in(tile) != 0 and has_sight_bit(tile, tribe) and has_enemy(g, s, tile, tribe)


# What ``scan_neighbours`` finds: one bit for each neighbour at these places.
_TARGETS, _STEPS, _FREE, _ROADS = 0, 8, 16, 24


@inlined
def scan_neighbours(g: TribesSetup, s: TribesState, cell: int, tribe: int, masks: int) -> int:
    """The neighbours with visible enemies, and where a unit could step, which of these are free, and which have roads.

    Args:
        g: The setup.
        s: The state.
        cell: Where the unit is.
        tribe: Its tribe.
        masks: The tiles onto which it may step (:func:`entry_masks`); 0: none.
    """
    tiles, seen = tiles_of(s), 0
    for i in range(8):
        to = integer(g.near[9 * cell + i])
        if to < 0:
            break
        tile = tiles[to]
        if unit_in(tile) == 0:
            if can_step_onto(g, s, masks, tribe, tile):
                seen |= ((1 << _STEPS | 1 << _FREE) | integer(is_track(tile)) << _ROADS) << i
        elif has_enemy(g, s, tile, tribe):
            seen |= integer(has_sight_bit(tile, tribe)) << i
        elif can_step_onto(g, s, masks, tribe, tile):
            seen |= (1 << _STEPS | integer(is_track(tile)) << _ROADS) << i
    return seen


@inlined
def list_near(g: TribesSetup, s: TribesState, kind: int, slot: int, cell: int, targets: int, out: Ints, n: int) -> int:
    """Add attacks or conversions of the neighbours with these bits."""
    tiles = tiles_of(s)
    while targets != 0:
        tile = tiles[g.near[9 * cell + lowest_bit(targets)]]
        out[n] = code(kind, slot, unit_in(tile) - 1, 0)
        n += 1
        targets &= targets - 1
    return n


@kernel
def list_far(g: TribesSetup, s: TribesState, slot: int, out: Ints, n: int) -> int:
    """Add the attacks of a unit that reaches further than its neighbours."""
    u, tiles = unit_of(g, s, slot), tiles_of(s)
    tribe, reach, cell = integer(u.tribe), integer(UNIT_RANGE[u.kind]), integer(u.cell)
    x = row_at(g, cell)
    y = cell - x * g.side
    first, last = max(0, y - reach), min(g.side - 1, y + reach)
    for row in range(max(0, x - reach), min(g.side - 1, x + reach) + 1):
        for other in range(row * g.side + first, row * g.side + last + 1):
            if is_target(g, s, tiles[other], tribe) and other != cell:
                out[n] = code(ATTACK, slot, unit_in(tiles[other]) - 1, 0)
                n += 1
    return n


@inlined
def list_steps(g: TribesSetup, slot: int, cell: int, steps: int, free: int, out: Ints, n: int) -> int:
    """Add the moves of a unit that has no more than one step.

    All of them use up its movement, and with equal keys the original's heap yields the first neighbour, then the others
    from the last one on.
    """
    first, base = steps & -steps, code(MOVE, slot, 0, 0)
    if first & free != 0:
        out[n] = base | code(0, 0, integer(g.near[9 * cell + lowest_bit(first)]), 0)
        n += 1
    rest = free & ~first
    n += integer(bit_count(Word(rest)))
    place = n
    while rest != 0:
        place -= 1
        out[place] = base | code(0, 0, integer(g.near[9 * cell + lowest_bit(rest)]), 0)
        rest &= rest - 1
    return n


@kernel
def list_moves(g: TribesSetup, s: TribesState, slot: int, powers: int, room: Words, out: Ints, n: int) -> int:
    """Add a unit's moves to a list of n actions; returns its new length."""
    tiles, count, base = tiles_of(s), destinations(g, s, unit_of(g, s, slot), powers, room), code(MOVE, slot, 0, 0)
    found = shorts_at(address_of_values(offset(room, FOUND)))
    for place in range(1, count):
        cell = integer(found[place])
        out[n] = base | code(0, 0, cell, 0)
        n += integer(unit_in(tiles[cell]) == 0)
    return n


@kernel
def list_unit(g: TribesSetup, s: TribesState, slot: int, powers: int, room: Words, out: Ints, n: int) -> int:
    """Add all actions of a unit of the tribe to move to a list of n actions; returns its new length."""
    u, own = unit_of(g, s, slot), code(0, slot, 0, 0)
    kind, status, cell, tribe = integer(u.kind), integer(u.status), integer(u.cell), integer(u.tribe)
    if can_upgrade(g, u, powers):
        out[n] = own | UPGRADE
        n += 1
    if status == FINISHED:
        return n
    tile = tiles_of(s)[cell]
    attacks, moves, is_bender, is_fresh = can_attack(u), can_move(g, u), kind == MIND_BENDER, status == FRESH
    is_slow = UNIT_MOVEMENT[kind] == 1
    seen, is_near = 0, UNIT_RANGE[kind] == 1
    if (attacks and is_near) or (moves and is_slow):
        seen = scan_neighbours(g, s, cell, tribe, entry_masks(g, kind, powers) if moves and is_slow else 0)
    if attacks and not is_bender:
        if not is_near:
            n = list_far(g, s, slot, out, n)
        elif seen & 0xFF != 0:
            n = list_near(g, s, ATTACK, slot, cell, seen & 0xFF, out, n)
    if is_fresh and can_capture(g, s, u, tile):
        out[n] = own | CAPTURE
        n += 1
    if attacks and is_bender:
        n = list_near(g, s, CONVERT, slot, cell, seen & 0xFF, out, n)
    if is_fresh and powers & CAN_DISBAND != 0:
        out[n] = own | DISBAND
        n += 1
    if is_fresh and can_examine(g, s, u, tile):
        out[n] = own | EXAMINE
        n += 1
    if attacks and is_bender and can_heal(g, s, u):
        out[n] = own | HEAL
        n += 1
    if can_become_veteran(u):
        out[n] = own | VETERAN
        n += 1
    if moves:
        if is_slow and (seen >> _ROADS == 0 or not is_on_track(g, s, tile, tribe)):
            n = list_steps(g, slot, cell, (seen >> _STEPS) & 0xFF, (seen >> _FREE) & 0xFF, out, n)
        else:
            n = list_moves(g, s, slot, powers, room, out, n)
    if is_fresh and can_recover(u):
        out[n] = own | RECOVER
        n += 1
    return n


# ---------------------------------------------------------------------------------------------------- test of legality


@kernel
def can_reach(g: TribesSetup, s: TribesState, u: Unit, other: int) -> bool:
    """Whether a unit sees an enemy on its tile within its range; ``other`` may be any number."""
    if other >= s.units_end or unit_of(g, s, other).id == 0:
        return False
    cell = integer(unit_of(g, s, other).cell)
    tile = tiles_of(s)[cell]
    if unit_in(tile) != other + 1 or not is_target(g, s, tile, integer(u.tribe)):
        return False
    x, other_x = row_at(g, u.cell), row_at(g, cell)
    steps = max(abs(x - other_x), abs(u.cell - x * g.side - cell + other_x * g.side))
    return 0 < steps <= integer(UNIT_RANGE[u.kind])


@kernel
def unit_allows(g: TribesSetup, s: TribesState, powers: int, action: int, exactly: bool, room: Words) -> bool:
    """Whether an action of a unit of the tribe to move is legal, while no city grows (``exactly``: see ``allows``)."""
    kind, u = kind_of(action), unit_of(g, s, actor_of(action))
    is_bender, tile = u.kind == MIND_BENDER, tiles_of(s)[u.cell]
    if kind == UPGRADE:
        return can_upgrade(g, u, powers)
    if u.status == FINISHED:
        return False
    if kind == MOVE:
        cell = target_of(action)
        return can_move(g, u) and cell < g.cells and is_destination(g, s, u, powers, cell, exactly, room)
    if kind in (ATTACK, CONVERT):
        return can_attack(u) and is_bender == (kind == CONVERT) and can_reach(g, s, u, target_of(action))
    if kind == CAPTURE:
        return u.status == FRESH and can_capture(g, s, u, tile)
    if kind == DISBAND:
        return u.status == FRESH and powers & CAN_DISBAND != 0
    if kind == EXAMINE:
        return u.status == FRESH and can_examine(g, s, u, tile)
    if kind == HEAL:
        return is_bender and can_attack(u) and can_heal(g, s, u)
    if kind == VETERAN:
        return can_become_veteran(u)
    return u.status == FRESH and can_recover(u)
