"""Where a unit can go (rules 8): the original's search, whose order is that of legal lists, and an exact one.

Movement is counted in eighths of a point. That is exact: the points left are multiples of a half until a step over a road
into a forest halves what is left, and of three points at most that can happen twice before such a step costs the minimum
of half a point. A unit whose steps have added up to exactly its points stops; one that has used less, or between a
quarter and an eighth too much, may go on as long as the sum stays below its points and one. Each step costs half a
point or the whole rest, so a unit with three points makes at most seven steps.
"""

from __future__ import annotations

from turnwise.games.tribes.rules.faults import (
    FOREIGN_PORTS,
    FOREIGN_ROADS,
    HIDDEN_CONTROL,
    PATH_SEARCH,
    has_fault,
)
from turnwise.games.tribes.rules.powers import ENTER_SHIFT
from turnwise.games.tribes.rules.scratch import (
    CONTROL,
    CONTROL_READY,
    COSTS,
    FOUND,
    QUEUE,
    bytes_at,
    ints_at,
    shorts_at,
)
from turnwise.games.tribes.scenario import TribesSetup
from turnwise.games.tribes.state import TribesState, Unit, city_of, unit_of
from turnwise.games.tribes.tables import (
    BATTLESHIP,
    BOAT,
    CITY,
    DEEP,
    FOREST,
    MIND_BENDER,
    MOUNTAIN,
    PORT,
    SHALLOW,
    TERRAINS,
    UNIT_MOVEMENT,
)
from turnwise.jit.kernel import inlined, integer, kernel
from turnwise.jit.memory import address_of_record, address_of_values, offset
from turnwise.jit.record import Ints, Ints8, Ints16, Words

POINT = 8  # one point of movement, in eighths
_HALF = POINT // 2
_WATER = 1 << SHALLOW | 1 << DEEP
_SLOW = 1 << FOREST | 1 << MOUNTAIN | _WATER  # what takes a land unit all that it has left
_ALL = (1 << len(TERRAINS)) - 1
# By terrain | network << 3: whether a tile carries a road or is the centre of a city.
_TRACKS = 1 << CITY | (_ALL & ~_WATER) << 8

_UNIT, _OWNER = 32, 40  # where in the word of a tile these fields begin
_BUILDING, _MARKS = 16, 24


@inlined
def tiles_of(s: TribesState) -> Ints:
    """The words of the tiles."""
    return ints_at(address_of_record(s.data[0]))


@inlined
def terrain_in(tile: int) -> int:
    """Terrain in the word of a tile."""
    return tile & 7


@inlined
def resource_in(tile: int) -> int:
    """Resource in the word of a tile."""
    return (tile >> 8) & 7


@inlined
def building_in(tile: int) -> int:
    """Building in the word of a tile."""
    return (tile >> _BUILDING) & 31


@inlined
def unit_in(tile: int) -> int:
    """Slot of the unit + 1 in the word of a tile; 0: none."""
    return (tile >> _UNIT) & 0xFF


@inlined
def owner_in(tile: int) -> int:
    """Slot of the owning city + 1 in the word of a tile; 0: none."""
    return (tile >> _OWNER) & 0x7F


@inlined
def is_seen(tile: int, tribe: int) -> bool:
    """Whether a tribe sees the tile with this word."""
    return (tile >> _MARKS + 1 + tribe) & 1 != 0


@inlined
def is_track(tile: int) -> bool:
    """Whether the tile with this word carries a road or is the centre of a city."""
    return (_TRACKS >> (terrain_in(tile) | (tile >> _MARKS & 1) << 3)) & 1 != 0


@inlined
def is_ship(kind: int) -> bool:
    """Whether a kind of unit is a ship."""
    return BOAT <= kind <= BATTLESHIP


@inlined
def owner_is(g: TribesSetup, s: TribesState, tile: int, tribe: int) -> bool:
    """Whether a tribe owns the tile with this word."""
    return owner_in(tile) != 0 and city_of(g, s, owner_in(tile) - 1).tribe == tribe


@inlined
def is_free_of(g: TribesSetup, s: TribesState, tile: int, tribe: int) -> bool:
    """Whether no other tribe owns the tile with this word."""
    return owner_in(tile) == 0 or city_of(g, s, owner_in(tile) - 1).tribe == tribe


@kernel
def can_step_onto(g: TribesSetup, s: TribesState, u: Unit, powers: int, tile: int) -> bool:
    """Whether a unit may be on a tile that has no enemy, as far as view, technologies, ports and cities say."""
    terrain, tribe = terrain_in(tile), integer(u.tribe)
    if not is_seen(tile, tribe) or (powers >> ENTER_SHIFT + terrain) & 1 == 0:
        return False
    if (_WATER >> terrain) & 1 != 0:
        if is_ship(u.kind):
            return True
        return building_in(tile) == PORT and (has_fault(g, FOREIGN_PORTS) or owner_is(g, s, tile, tribe))
    return terrain != CITY or u.kind != MIND_BENDER or is_free_of(g, s, tile, tribe)


@inlined
def has_enemy(g: TribesSetup, s: TribesState, tile: int, tribe: int) -> bool:
    """Whether a unit of another tribe is on the tile with this word."""
    return unit_in(tile) != 0 and unit_of(g, s, unit_in(tile) - 1).tribe != tribe


@inlined
def is_on_track(g: TribesSetup, s: TribesState, tile: int, tribe: int) -> bool:
    """Whether steps from a tile may be along a road."""
    return is_track(tile) and is_free_of(g, s, tile, tribe)


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
        if unit_in(tile) == slot + 1 and (has_fault(g, HIDDEN_CONTROL) or is_seen(tile, tribe)):
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


# --------------------------------------------------------------------------------------------------------- one step


@inlined
def step_cost(
    g: TribesSetup, s: TribesState, u: Unit, on_track: bool, controlled: bool, rest: int, used: int, tile: int
) -> int:
    """Movement that a step takes, 0: it is too much; the tile's word is ``tile``, and the unit may be there.

    Args:
        g: The setup.
        s: The state.
        u: The unit.
        on_track: Whether the step begins on a road.
        controlled: Whether an enemy is next to the tile.
        rest: Movement left.
        used: Movement used.
        tile: Word of the tile.
    """
    most = integer(UNIT_MOVEMENT[u.kind])
    if controlled:
        return rest if used + rest <= POINT * most else 0
    terrain = terrain_in(tile)
    if is_ship(u.kind):
        cost = POINT if (_WATER >> terrain) & 1 != 0 else rest
    else:
        cost = rest if (_SLOW >> terrain) & 1 != 0 else POINT
        if on_track and is_track(tile) and (has_fault(g, FOREIGN_ROADS) or is_free_of(g, s, tile, integer(u.tribe))):
            cost = max(_HALF, cost >> 1)
    return cost if used + cost < POINT * (most + 1) else 0


@inlined
def cost_at(costs: Ints8, queue: Ints16, place: int) -> int:
    """Movement + 1 that leads to a cell of the queue."""
    return integer(costs[queue[place]])


@inlined
def push(costs: Ints8, queue: Ints16, size: int, cell: int) -> None:
    """Add a cell to a heap of ``size`` cells."""
    place, cost = size, integer(costs[cell])
    while place > 0 and cost < cost_at(costs, queue, (place - 1) >> 1):
        queue[place] = queue[(place - 1) >> 1]
        place = (place - 1) >> 1
    queue[place] = cell


@inlined
def sink(costs: Ints8, queue: Ints16, size: int, cell: int) -> None:
    """Put a cell at the root of a heap of ``size`` cells, the root included, and move it down to its place."""
    place, cost = 0, integer(costs[cell])
    while 2 * place + 1 < size:
        child = 2 * place + 1
        if child + 1 < size and cost_at(costs, queue, child + 1) < cost_at(costs, queue, child):
            child += 1
        if cost <= cost_at(costs, queue, child):
            break
        queue[place] = queue[child]
        place = child
    queue[place] = cell


@inlined
def expand(
    g: TribesSetup,
    s: TribesState,
    u: Unit,
    powers: int,
    control: Ints8,
    costs: Ints8,
    queue: Ints16,
    size: int,
    cell: int,
    is_heap: bool,
) -> int:
    """Make all steps from a cell; cells reached for the first time join the queue. Returns its new size."""
    tiles, tribe = tiles_of(s), integer(u.tribe)
    most, used = POINT * integer(UNIT_MOVEMENT[u.kind]), integer(costs[cell]) - 1
    if used == most:
        return size
    rest = most - used if used < most else most
    on_track = is_on_track(g, s, tiles[cell], tribe)
    least = min(rest, _HALF if on_track else POINT)
    for place in range(9 * cell, 9 * cell + 8):
        to = integer(g.near[place])
        if to < 0:
            break
        known = integer(costs[to])
        if known != 0 and known <= used + least + 1:
            continue
        tile = tiles[to]
        if has_enemy(g, s, tile, tribe) or not can_step_onto(g, s, u, powers, tile):
            continue
        cost = step_cost(g, s, u, on_track, control[to] != 0, rest, used, tile)
        if cost == 0 or (known != 0 and known <= used + cost + 1):
            continue
        costs[to] = used + cost + 1
        if known == 0:
            if is_heap:
                push(costs, queue, size, to)
            else:
                queue[size] = to
            size += 1
    return size


# -------------------------------------------------------------------------------------------------------- searches


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
    control, costs = control_of(g, s, integer(u.tribe), room), costs_in(g, room)
    queue = shorts_at(address_of_values(offset(room, QUEUE)))
    found = shorts_at(address_of_values(offset(room, FOUND)))
    cell = integer(u.cell)
    costs[cell] = 1
    size, n = expand(g, s, u, powers, control, costs, queue, 0, cell, True), 0
    while size > 0:
        cell = integer(queue[0])
        size -= 1
        sink(costs, queue, size, integer(queue[size]))
        found[n] = cell
        n += 1
        size = expand(g, s, u, powers, control, costs, queue, size, cell, True)
    return n


@kernel
def search_exactly(g: TribesSetup, s: TribesState, u: Unit, powers: int, room: Words) -> int:
    """As :func:`search`, without its gaps: cells are expanded when their shortest way is known."""
    control, costs = control_of(g, s, integer(u.tribe), room), costs_in(g, room)
    found = shorts_at(address_of_values(offset(room, FOUND)))
    costs[u.cell] = 1
    n = expand(g, s, u, powers, control, costs, found, 0, integer(u.cell), False)
    for used in range(1, POINT * UNIT_MOVEMENT[u.kind] + _HALF):
        place = 0
        while place < n:  # cells that join the queue meanwhile have used more
            if costs[found[place]] == used + 1:
                n = expand(g, s, u, powers, control, costs, found, n, integer(found[place]), False)
            place += 1
    return n


@inlined
def destinations(g: TribesSetup, s: TribesState, u: Unit, powers: int, room: Words) -> int:
    """The search that a scenario's legal lists are made with."""
    if has_fault(g, PATH_SEARCH):
        return search(g, s, u, powers, room)
    return search_exactly(g, s, u, powers, room)


@kernel
def is_destination(g: TribesSetup, s: TribesState, u: Unit, powers: int, cell: int, exactly: bool, room: Words) -> bool:
    """Whether a unit can go to a cell, in the view of either search."""
    if unit_in(tiles_of(s)[cell]) != 0:
        return False
    n = search_exactly(g, s, u, powers, room) if exactly else destinations(g, s, u, powers, room)
    found = shorts_at(address_of_values(offset(room, FOUND)))
    for place in range(n):  # noqa: SIM110 - a loop compiles, a generator does not
        if found[place] == cell:
            return True
    return False
