"""Where a unit can go (rules 8): the original's search, whose order is that of legal lists, and an exact one.

Movement is counted in eighths of a point. That is exact: the points left are multiples of a half until a step over a
road into a forest halves what is left, and of three points at most that can happen twice before such a step costs the
minimum of half a point. A unit whose steps have added up to exactly its points stops; one that has used less, or less
than half a point too much, may go on as long as the sum stays below its points and one. Each step costs half a point
or the whole rest, so a unit with three points makes at most seven steps.
"""

from __future__ import annotations

from turnwise.games.tribes.rules.faults import FOREIGN_PORTS, FOREIGN_ROADS, HIDDEN_CONTROL, PATH_SEARCH, has_fault
from turnwise.games.tribes.rules.powers import ENTER_SHIFT
from turnwise.games.tribes.rules.scratch import (
    CONTROL,
    CONTROL_READY,
    COSTS,
    FOUND,
    QUEUE,
    WAYS,
    bytes_at,
    ints_at,
    shorts_at,
)
from turnwise.games.tribes.rules.tile_word import (
    TRACKS,
    WATER,
    has_enemy,
    has_sight_bit,
    is_free_of,
    is_on_track,
    terrain_and_network,
    terrain_and_port,
    terrain_in,
    tiles_of,
    unit_in,
)
from turnwise.games.tribes.rules.units import is_ship
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import TribesState, Unit, unit_of
from turnwise.games.tribes.tables import CITY, FOREST, MIND_BENDER, MOUNTAIN, UNIT_MOVEMENT
from turnwise.jit.kernel import inlined, integer, kernel
from turnwise.jit.memory import address_of_values, offset
from turnwise.jit.record import Ints8, Ints16, Words

POINT = 8  # one point of movement, in eighths
_HALF = POINT // 2
_SLOW = 1 << FOREST | 1 << MOUNTAIN | WATER  # what takes a land unit all that it has left
_LAND = 0xFF & ~WATER  # what takes a ship all that it has left
_ASK_SHIFT = 16
_CITIES = (1 << CITY | 1 << CITY + 8) << _ASK_SHIFT


@inlined
def entry_masks(g: TribesSetup, kind: int, powers: int) -> int:
    """Bits, by terrain | port << 3, of the tiles that a unit may enter; 16 bits later, of those that others bar."""
    enters = (powers >> ENTER_SHIFT) & 0xFF
    if is_ship(kind):
        return enters | enters << 8
    masks = enters & ~WATER | enters << 8
    if not has_fault(g, FOREIGN_PORTS):
        masks |= WATER << 8 + _ASK_SHIFT
    return masks | _CITIES if kind == MIND_BENDER else masks


@inlined
def can_step_onto(g: TribesSetup, s: TribesState, masks: int, tribe: int, tile: int) -> bool:
    """Whether a unit may step onto a tile that has no enemy, as far as view, technologies, ports and cities say."""
    place = terrain_and_port(tile)
    if not has_sight_bit(tile, tribe) or (masks >> place) & 1 == 0:
        return False
    return (masks >> place + _ASK_SHIFT) & 1 == 0 or is_free_of(g, s, tile, tribe)


# --------------------------------------------------------------------------------------------------- zones of control


@kernel
def mark_control(g: TribesSetup, s: TribesState, tribe: int, control: Ints8) -> None:
    """Mark the tiles next to units of other tribes."""
    words, tiles = ints_at(address_of_values(control)), tiles_of(s)
    for i in range((g.cells + 7) >> 3):
        words[i] = 0
    for slot in range(s.units_end):
        u = unit_of(g, s, slot)
        if u.id == 0 or u.tribe == tribe:
            continue
        tile = tiles[u.cell]
        if unit_in(tile) == slot + 1 and (has_fault(g, HIDDEN_CONTROL) or has_sight_bit(tile, tribe)):
            place, end = 9 * integer(u.cell), 9 * integer(u.cell) + 8
            while place < end and g.near[place] >= 0:
                control[g.near[place]] = 1
                place += 1


@inlined
def control_of(g: TribesSetup, s: TribesState, tribe: int, room: Words) -> Ints8:
    """Bytes by cell: whether a unit of another tribe is next to it; they are made at the first use."""
    control = bytes_at(address_of_values(offset(room, CONTROL)))
    if room[CONTROL_READY] == 0:
        mark_control(g, s, tribe, control)
        room[CONTROL_READY] = 1
    return control


# -------------------------------------------------------------------------------------------------------------- a heap


@inlined
def cost_at(costs: Ints8, queue: Ints16, place: int) -> int:
    """Movement + 1 that leads to a cell of the queue."""
    return integer(costs[queue[place]])


@inlined
def push(costs: Ints8, queue: Ints16, size: int, cell: int, cost: int) -> None:
    """Add a cell to a heap of ``size`` cells."""
    place = size
    while place > 0 and cost < cost_at(costs, queue, (place - 1) >> 1):
        queue[place] = queue[(place - 1) >> 1]
        place = (place - 1) >> 1
    queue[place] = cell


@inlined
def sink(costs: Ints8, queue: Ints16, size: int, cell: int) -> None:
    """Put a cell at the root of a heap of ``size`` cells, the root included, and move it down to its place."""
    place, child, cost = 0, 1, integer(costs[cell])
    while child < size:
        least = cost_at(costs, queue, child)
        if child + 1 < size:
            right = cost_at(costs, queue, child + 1)
            if right < least:
                child, least = child + 1, right
        if cost <= least:
            break
        queue[place] = queue[child]
        place, child = child, 2 * child + 1
    queue[place] = cell


# ----------------------------------------------------------------------------------------------------------- searches


@inlined
def step_cost(
    g: TribesSetup,
    s: TribesState,
    tribe: int,
    kind: int,
    masks: int,
    is_controlled: bool,
    on_track: bool,
    used: int,
    tile: int,
) -> int:
    """Movement that a unit's step takes; 0: it cannot make it.

    Args:
        g: The setup.
        s: The state.
        tribe: The unit's tribe.
        kind: Its kind.
        masks: Where it may step (:func:`entry_masks`).
        is_controlled: Whether an enemy is next to the tile.
        on_track: Whether the step begins on a road.
        used: Movement used before.
        tile: The tile's word.
    """
    if has_enemy(g, s, tile, tribe) or not can_step_onto(g, s, masks, tribe, tile):
        return 0
    most = POINT * integer(UNIT_MOVEMENT[kind])
    rest = most - used if used < most else most
    if is_controlled:
        return rest if used + rest <= most else 0
    slow, tracks = (_LAND, 0) if is_ship(kind) else (_SLOW, TRACKS)
    cost = rest if (slow >> terrain_in(tile)) & 1 != 0 else POINT
    is_road = on_track and (tracks >> terrain_and_network(tile)) & 1 != 0
    if is_road and (has_fault(g, FOREIGN_ROADS) or is_free_of(g, s, tile, tribe)):
        cost = max(_HALF, cost >> 1)
    return cost if used + cost < most + POINT else 0


@inlined
def expand(
    g: TribesSetup,
    s: TribesState,
    tribe: int,
    kind: int,
    masks: int,
    control: Ints8,
    costs: Ints8,
    queue: Ints16,
    size: int,
    cell: int,
) -> int:
    """Make all steps from a cell; cells reached for the first time join the heap. Returns its new size."""
    tiles, most, used = tiles_of(s), POINT * integer(UNIT_MOVEMENT[kind]), integer(costs[cell]) - 1
    if used == most:
        return size
    on_track = is_on_track(g, s, tiles[cell], tribe)
    least = _HALF if on_track else POINT
    if used < most:
        least = min(least, most - used)
    for place in range(9 * cell, 9 * cell + 8):
        to = integer(g.near[place])
        if to < 0:
            break
        known = integer(costs[to])
        if known != 0 and known <= used + least + 1:
            continue
        cost = step_cost(g, s, tribe, kind, masks, control[to] != 0, on_track, used, tiles[to])
        if cost == 0 or (known != 0 and known <= used + cost + 1):
            continue
        costs[to] = used + cost + 1
        if known == 0:
            push(costs, queue, size, to, used + cost + 1)
            size += 1
    return size


@inlined
def costs_in(g: TribesSetup, room: Words) -> Ints8:
    """The table of movement + 1 that leads to each cell, where nothing is known yet (0)."""
    words = ints_at(address_of_values(offset(room, COSTS)))
    for i in range((g.cells + 7) >> 3):
        words[i] = 0
    return bytes_at(address_of_values(words))


@kernel
def search(g: TribesSetup, s: TribesState, u: Unit, powers: int, room: Words) -> int:
    """Find a unit's destinations, those with own units included, in the order of the original (rules 8).

    Entries of its heap change in place when a shorter way is found, and cells that were taken out are not put in again:
    some destinations over roads are missed.

    Returns:
        How many there are; they are in the scratch memory at ``FOUND``.
    """
    tribe, kind, cell, n = integer(u.tribe), integer(u.kind), integer(u.cell), 0
    masks, control, costs = entry_masks(g, kind, powers), control_of(g, s, tribe, room), costs_in(g, room)
    queue = shorts_at(address_of_values(offset(room, QUEUE)))
    found = shorts_at(address_of_values(offset(room, FOUND)))
    queue[0], costs[cell], size = cell, 1, 1
    while size > 0:
        cell = integer(queue[0])
        size -= 1
        sink(costs, queue, size, integer(queue[size]))
        found[n] = cell
        n += 1
        size = expand(g, s, tribe, kind, masks, control, costs, queue, size, cell)
    return n


@kernel
def search_exactly(g: TribesSetup, s: TribesState, u: Unit, powers: int, room: Words) -> int:
    """As :func:`search`, but all cells to which any sequence of steps leads.

    The shortest ways are not enough: who arrives with a little more than its movement used may make another step, who
    arrives with exactly its movement used may not. Each cell has one bit for each movement that leads to it.
    """
    tribe, kind, n, tiles = integer(u.tribe), integer(u.kind), 1, tiles_of(s)
    masks, control, most = entry_masks(g, kind, powers), control_of(g, s, tribe, room), POINT * UNIT_MOVEMENT[kind]
    found, ways = shorts_at(address_of_values(offset(room, FOUND))), ints_at(address_of_values(offset(room, WAYS)))
    for cell in range(g.cells):
        ways[cell] = 0
    found[0], ways[u.cell] = integer(u.cell), 1
    for used in range(most + _HALF):
        place = 0 if used != most else n
        while place < n:  # cells that join the list meanwhile have used more
            cell = integer(found[place])
            place += 1
            if (ways[cell] >> used) & 1 == 0:
                continue
            on_track = is_on_track(g, s, tiles[cell], tribe)
            for i in range(9 * cell, 9 * cell + 8):
                to = integer(g.near[i])
                if to < 0:
                    break
                cost = step_cost(g, s, tribe, kind, masks, control[to] != 0, on_track, used, tiles[to])
                if cost != 0:
                    found[n] = to
                    n += integer(ways[to] == 0)
                    ways[to] |= 1 << used + cost
    return n


@inlined
def destinations(g: TribesSetup, s: TribesState, u: Unit, powers: int, room: Words) -> int:
    """The cells at ``FOUND`` that a unit can reach, by the search that a scenario's legal lists are made with.

    Returns:
        How many there are, the unit's own at the beginning included.
    """
    if has_fault(g, PATH_SEARCH):
        return search(g, s, u, powers, room)
    return search_exactly(g, s, u, powers, room)


@kernel
def is_destination(g: TribesSetup, s: TribesState, u: Unit, powers: int, cell: int, exactly: bool, room: Words) -> bool:
    """Whether a unit can go to a cell, by an exact search or by that of legal lists."""
    if unit_in(tiles_of(s)[cell]) != 0 or cell == u.cell:
        return False
    n = search_exactly(g, s, u, powers, room) if exactly else destinations(g, s, u, powers, room)
    found = shorts_at(address_of_values(offset(room, FOUND)))
    for place in range(1, n):  # noqa: SIM110 - a loop compiles, a generator does not
        if found[place] == cell:
            return True
    return False
