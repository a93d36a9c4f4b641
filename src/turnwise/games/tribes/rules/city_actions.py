"""The actions of cities (rules 7)."""

from __future__ import annotations

from turnwise.games.tribes.rules.board import row_at
from turnwise.games.tribes.rules.codes import (
    BUILD,
    BURN,
    GATHER,
    GROW,
    LEVEL_UP,
    SPAWN,
    actor_of,
    choice_of,
    code,
    kind_of,
    target_of,
)
from turnwise.games.tribes.rules.faults import FOREIGN_PARTNERS, has_fault
from turnwise.games.tribes.rules.powers import (
    CAN_BUILD,
    CAN_BURN,
    CAN_GATHER,
    OF_CITY_TILES,
    ONE_PER_CITY,
    SPAWN_SHIFT,
    gather_bit,
    on_tile,
    variant_of,
    with_building_of,
)
from turnwise.games.tribes.rules.scratch import CITY_BITS, CITY_TILES, ints_at
from turnwise.games.tribes.rules.tile_word import (
    building_in,
    lowest_bit,
    owner_in,
    owner_is,
    resource_in,
    terrain_in,
    tiles_of,
    unit_in,
)
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import NONE, City, TribesState, city_of, tribe_of
from turnwise.games.tribes.tables import (
    CUSTOMS_HOUSE,
    FORGE,
    MOST_BOUND,
    PARTNER,
    SAWMILL,
    SPAWNED_UNITS,
    WIDE_LEVEL,
    WINDMILL,
)
from turnwise.jit.kernel import inlined, integer, kernel
from turnwise.jit.memory import address_of_values, offset
from turnwise.jit.record import Ints, Words

_LAST_CHOICES = 4  # the choices of this level come again and again


# ---------------------------------------------------------------------------------------------------------- growing


@inlined
def is_growing(c: City) -> bool:
    """Whether a city has the population for its next level."""
    return c.population > c.level


@kernel
def growing_city(g: TribesSetup, s: TribesState, tribe: int) -> int:
    """Slot of the first city in a tribe's list that grows to the next level; NONE: no city does."""
    slot = integer(tribe_of(g, s, tribe).first_city)
    while slot != NONE:
        c = city_of(g, s, slot)
        if is_growing(c):
            return slot
        slot = integer(c.next)
    return NONE


@inlined
def first_choice(c: City) -> int:
    """The first of the two choices of a growing city; the other one has the next number."""
    return 2 * (min(integer(c.level), _LAST_CHOICES) - 1)


@inlined
def list_choices(g: TribesSetup, s: TribesState, slot: int, out: Ints) -> int:
    """List what a growing city can get; returns how many."""
    first = first_choice(city_of(g, s, slot))
    out[0], out[1] = code(LEVEL_UP, slot, 0, first), code(LEVEL_UP, slot, 0, first + 1)
    return 2


# ------------------------------------------------------------------------------------------------------------ tiles


@inlined
def radius_of(c: City) -> int:
    """Radius within which the tiles lie where a city can act."""
    return MOST_BOUND if c.level >= WIDE_LEVEL else 1


@kernel
def partners_near(g: TribesSetup, s: TribesState, cell: int, tribe: int) -> int:
    """Bits of the buildings that may be built on a tile as far as their partners next to it are concerned."""
    tiles, near = tiles_of(s), 0
    for place in range(9 * cell, 9 * cell + 8):
        if g.near[place] < 0:
            break
        tile = tiles[g.near[place]]
        if has_fault(g, FOREIGN_PARTNERS) or owner_is(g, s, tile, tribe):
            near |= 1 << building_in(tile)
    allowed = 0
    for building in (FORGE, WINDMILL, CUSTOMS_HOUSE, SAWMILL):
        allowed |= ((near >> PARTNER[building]) & 1) << building
    return integer(allowed)


@kernel
def find_tiles(g: TribesSetup, s: TribesState, slot: int, powers: int, tiles_found: Ints, bits_found: Ints) -> int:
    """Find the tiles on which a city can act, and the bits of its actions there, in the order of the board.

    Returns:
        How many tiles there are; the union of their bits is written after the bits of the last one.
    """
    c, tiles, n = city_of(g, s, slot), tiles_of(s), 0
    radius, tribe = radius_of(c), integer(c.tribe)
    x = row_at(g, c.cell)
    y = c.cell - x * g.side
    first, last = max(0, y - radius), min(g.side - 1, y + radius)
    built, total, variant, with_building = 0, 0, variant_of(g), with_building_of(g)
    for row in range(max(0, x - radius), min(g.side - 1, x + radius) + 1):
        for cell in range(row * g.side + first, row * g.side + last + 1):
            tile = tiles[cell]
            if owner_in(tile) != slot + 1:
                continue
            built |= 1 << building_in(tile)
            bits = on_tile(powers, variant, with_building, terrain_in(tile), resource_in(tile), building_in(tile))
            tiles_found[n], bits_found[n] = cell, bits
            n += integer(bits != 0)
            total |= bits
    if total & ONE_PER_CITY != 0:
        total = 0
        for i in range(n):
            bits = bits_found[i]
            if bits & ONE_PER_CITY != 0:
                bits &= ~ONE_PER_CITY | (partners_near(g, s, tiles_found[i], tribe) & ~built)
                bits_found[i] = bits
            total |= bits
    bits_found[n] = total
    return n


@inlined
def list_on_tiles(kind: int, bit: int, slot: int, tiles: Ints, bits: Ints, count: int, out: Ints, n: int) -> int:
    """Add an action for each tile that has its bit."""
    for i in range(count):
        out[n] = code(kind, slot, tiles[i], 0)
        n += integer(bits[i] & bit != 0)
    return n


@kernel
def list_builds(slot: int, tiles: Ints, bits: Ints, count: int, out: Ints, n: int) -> int:
    """Add the buildings that can be built, tile by tile."""
    for i in range(count):
        left = bits[i] & CAN_BUILD
        while left != 0:
            out[n] = code(BUILD, slot, tiles[i], lowest_bit(left))
            n += 1
            left &= left - 1
    return n


@inlined
def can_spawn(s: TribesState, c: City) -> bool:
    """Whether a city has room for another unit."""
    return c.units <= c.level and unit_in(tiles_of(s)[c.cell]) == 0


@kernel
def list_city(g: TribesSetup, s: TribesState, slot: int, powers: int, room: Words, out: Ints, n: int) -> int:
    """Add all actions of a city, while none of the tribe to move grows, to a list of n actions; returns its length."""
    c = city_of(g, s, slot)
    if powers & OF_CITY_TILES != 0:
        tiles = ints_at(address_of_values(offset(room, CITY_TILES)))
        bits = ints_at(address_of_values(offset(room, CITY_BITS)))
        count = find_tiles(g, s, slot, powers, tiles, bits)
        total = bits[count]
        if total & CAN_BUILD != 0:
            n = list_builds(slot, tiles, bits, count, out, n)
        for kind in range(BURN, GROW + 1):  # burn, clear, destroy, grow
            bit = CAN_BURN << kind - BURN
            if total & bit != 0:
                n = list_on_tiles(kind, bit, slot, tiles, bits, count, out, n)
        if total & CAN_GATHER != 0:
            board = tiles_of(s)
            for i in range(count):
                out[n] = code(GATHER, slot, tiles[i], resource_in(board[tiles[i]]))
                n += integer(bits[i] & CAN_GATHER != 0)
    kinds = (powers >> SPAWN_SHIFT) & ((1 << SPAWNED_UNITS) - 1)
    if kinds != 0 and can_spawn(s, c):
        while kinds != 0:
            out[n] = code(SPAWN, slot, 0, lowest_bit(kinds))
            n += 1
            kinds &= kinds - 1
    return n


# ---------------------------------------------------------------------------------------------------- test of legality


@inlined
def is_choice(g: TribesSetup, s: TribesState, slot: int, action: int) -> bool:
    """Whether an action is one of the choices of a growing city."""
    return action & ~code(0, 0, 0, 1) == code(LEVEL_UP, slot, 0, first_choice(city_of(g, s, slot)))


@kernel
def city_allows(g: TribesSetup, s: TribesState, powers: int, action: int, room: Words) -> bool:
    """Whether an action of a city of the tribe to move is legal, while no city grows."""
    kind, slot, choice = kind_of(action), actor_of(action), choice_of(action)
    if kind == SPAWN:
        return (
            choice < SPAWNED_UNITS and (powers >> SPAWN_SHIFT + choice) & 1 != 0 and can_spawn(s, city_of(g, s, slot))
        )
    tiles, wanted = tiles_of(s), target_of(action)
    if wanted >= g.cells or owner_in(tiles[wanted]) != slot + 1:
        return False
    if kind == BUILD:
        bit = 1 << choice & CAN_BUILD
    elif kind == GATHER:
        bit = gather_bit(choice) & CAN_GATHER if choice == resource_in(tiles[wanted]) else 0
    else:
        bit = CAN_BURN << kind - BURN
    if powers & bit == 0:
        return False
    found = ints_at(address_of_values(offset(room, CITY_TILES)))
    bits = ints_at(address_of_values(offset(room, CITY_BITS)))
    for i in range(find_tiles(g, s, slot, powers, found, bits)):
        if found[i] == wanted:
            return bits[i] & bit != 0
    return False
