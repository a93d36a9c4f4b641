"""What a player may know (rules 13 and 15), what of it is news, the fingerprint of a state, and metrics.

A view keeps the slots of units and cities, so an action means the same in the view and in the game: a hidden city stays
as ``UNKNOWN``, with nothing but its id, and the slot of a hidden unit is empty.
"""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import mix
from turnwise.core.table import game_function
from turnwise.games.tribes.rules.figures import (
    city_figures,
    extras_of,
    technologies_of,
)
from turnwise.games.tribes.rules.order import buckets_for
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import (
    CITY_WORDS,
    HEAD_WORDS,
    NONE,
    TRIBE_WORDS,
    UNIT_WORDS,
    UNKNOWN,
    TribesState,
    city_of,
    tribe_of,
    unit_of,
)
from turnwise.games.tribes.tables import CLIMBING, CROPS, FISHING, FOG, ORE, ORGANIZATION, WHALES
from turnwise.jit.kernel import inlined, integer, kernel, real
from turnwise.jit.memory import address_of_record, at, copy_words
from turnwise.jit.record import Floats, Word, Words

_A, _B = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_C, _D = np.uint64(0xD6E8FEB86659FD93), np.uint64(0xFF51AFD7ED558CCD)
_S29, _S32 = np.uint64(29), np.uint64(32)
_BY_ID = 1 << 15  # so many buckets that a hash map keeps the order of the ids
_words = at(Words)


@inlined
def _stir(hash_: Word, words: Words, first: int, end: int) -> Word:
    """Mix words into a hash, in four chains so that the processor works on all of them at once."""
    a, b, c, d = hash_ ^ _A, hash_ ^ _B, hash_ ^ _C, hash_ ^ _D
    i = first
    while i + 4 <= end:
        a = (a ^ words[i]) * _B
        b = (b ^ words[i + 1]) * _C
        c = (c ^ words[i + 2]) * _D
        d = (d ^ words[i + 3]) * _A
        a ^= a >> _S32
        b ^= b >> _S32
        c ^= c >> _S32
        d ^= d >> _S32
        i += 4
    while i < end:
        a = (a ^ words[i]) * _B
        a ^= a >> _S32
        i += 1
    return mix(a + b * _B ^ (c + d * _D) * _C)


@game_function("fingerprint")
def fingerprint(g: TribesSetup, s: TribesState) -> Word:
    """64-bit hash of the row without its empty slots."""
    words = _words(address_of_record(s))
    hash_ = _stir(_A, words, 0, HEAD_WORDS + g.cells + UNIT_WORDS * s.units_end)
    first = HEAD_WORDS + g.cities
    hash_ = _stir(hash_, words, first, first + CITY_WORDS * s.cities)
    first = HEAD_WORDS + g.tribes
    return _stir(hash_, words, first, first + TRIBE_WORDS * g.players)


# ------------------------------------------------------------------------------------------------------------- views


@inlined
def is_seen(s: TribesState, cell: int, player: int) -> bool:
    """Whether a tribe has seen a tile."""
    return s.data[cell].marks >> (player + 1) & 1 != 0


@kernel
def resource_shown(resource: int, tech: int) -> int:
    """The resource that a tribe with some technologies recognises; 0: none."""
    needed = NONE
    if resource == CROPS:
        needed = ORGANIZATION
    elif resource == ORE:
        needed = CLIMBING
    elif resource == WHALES:
        needed = FISHING
    return resource if needed == NONE or tech >> needed & 1 != 0 else 0


@kernel
def _hide_buildings(g: TribesSetup, out: TribesState, player: int) -> None:
    """Close the gaps that buildings out of sight leave in the lists of their cities."""
    for hidden in range(g.cells):
        gap = out.data[hidden]
        if gap.building == 0 or is_seen(out, hidden, player):
            continue
        for cell in range(g.cells):
            tile = out.data[cell]
            if tile.owner == gap.owner and tile.built > gap.built:
                tile.built -= 1


@kernel
def _hide_tiles(g: TribesSetup, out: TribesState, player: int) -> None:
    """Tiles out of sight become fog, and unknown resources disappear; of the others it is assumed that they see all."""
    tech = integer(tribe_of(g, out, player).tech)
    everybody = ((1 << g.players) - 1) << 1
    others = everybody & ~(2 << player)
    for cell in range(g.cells):
        tile = out.data[cell]
        if is_seen(out, cell, player):
            tile.resource = resource_shown(integer(tile.resource), tech)
            tile.marks |= others
        else:
            tile.terrain, tile.resource, tile.building, tile.marks = FOG, 0, 0, others
            tile.unit, tile.owner, tile.temple, tile.built = 0, 0, 0, 0


@kernel
def _hide_tribes(g: TribesSetup, out: TribesState, player: int) -> None:
    """Of other tribes only score, result and capital are known; lists of cities and units are filled later."""
    for number in range(g.players):
        if number != player:
            tribe = tribe_of(g, out, number)
            tribe.stars, tribe.tech, tribe.knows_all, tribe.kills, tribe.pacifist = 0, 0, 0, 0, 0
            tribe.monuments, tribe.monuments_hidden, tribe.met = 0, 1, 0
            tribe.connected[0], tribe.connected[1] = 0, 0
            tribe.first_extra, tribe.first_city, tribe.cities = NONE, NONE, 0


@inlined
def _place_in_map(id_: int, buckets: int) -> int:
    """Sorts ids as a hash map with a number of buckets does."""
    return (id_ & (buckets - 1)) << 15 | id_


@kernel
def _link_unit(g: TribesSetup, out: TribesState, slot: int, buckets: int) -> None:
    """Put a unit into its tribe's list of extra units, in the order of a hash map."""
    unit = unit_of(g, out, slot)
    place = _place_in_map(integer(unit.id), buckets)
    tribe = tribe_of(g, out, unit.tribe)
    before, after = NONE, integer(tribe.first_extra)
    while after != NONE and _place_in_map(integer(unit_of(g, out, after).id), buckets) < place:
        before, after = after, integer(unit_of(g, out, after).next)
    unit.next = after
    if before == NONE:
        tribe.first_extra = slot
    else:
        unit_of(g, out, before).next = slot


@kernel
def _link_city(g: TribesSetup, out: TribesState, slot: int, buckets: int) -> None:
    """Put a city into its tribe's list, in the order of a hash map."""
    city = city_of(g, out, slot)
    place = _place_in_map(integer(city.id), buckets)
    tribe = tribe_of(g, out, city.tribe)
    tribe.cities += 1
    before, after = NONE, integer(tribe.first_city)
    while after != NONE and _place_in_map(integer(city_of(g, out, after).id), buckets) < place:
        before, after = after, integer(city_of(g, out, after).next)
    city.next = after
    if before == NONE:
        tribe.first_city = slot
    else:
        city_of(g, out, before).next = slot


@kernel
def _hide_units(g: TribesSetup, out: TribesState, player: int, buckets: int) -> None:
    """Other tribes' units that are out of sight disappear; of the others neither city nor kills are known."""
    end = 0
    for slot in range(out.units_end):
        unit = unit_of(g, out, slot)
        if unit.id != 0 and unit.tribe != player:
            if is_seen(out, integer(unit.cell), player):
                unit.city, unit.kills = NONE, 0
                _link_unit(g, out, slot, buckets)
            else:
                remove_unit(g, out, slot)
        end = slot + 1 if unit.id != 0 else end
    out.units_end = end


@kernel
def remove_unit(g: TribesSetup, out: TribesState, slot: int) -> None:
    """Empty a slot of a unit that is in no list."""
    unit = unit_of(g, out, slot)
    tile = out.data[unit.cell]
    if (tile.unit & 0xFF) == slot + 1:
        tile.unit = 0
    elif tile.terrain != FOG:  # units in the fog have been taken off their tiles
        out.ghosts -= 1
    words = _words(address_of_record(unit))
    for word in range(UNIT_WORDS):
        words[word] = 0


@kernel
def _hide_cities(g: TribesSetup, out: TribesState, player: int, buckets: int) -> None:
    """Other tribes' cities that are out of sight are unknown; of the others neither growth nor units are known."""
    for slot in range(out.cities):
        city = city_of(g, out, slot)
        if city.tribe == player and city.marks & UNKNOWN == 0:
            continue
        if city.marks & UNKNOWN == 0 and is_seen(out, integer(city.cell), player):
            city.population, city.bonus, city.units, city.first_unit = 0, 0, 0, NONE
            _link_city(g, out, slot, buckets)
        else:
            forget_city(g, out, slot)


@kernel
def forget_city(g: TribesSetup, out: TribesState, slot: int) -> None:
    """Keep only the id of a city that is in no list; of its buildings that are seen, only the kind."""
    city = city_of(g, out, slot)
    city.cell, city.population, city.worth, city.first_unit, city.units = 0, 0, 0, NONE, 0
    city.level, city.bonus, city.tribe, city.marks, city.next = 0, 0, NONE, UNKNOWN, NONE
    for cell in range(g.cells):
        tile = out.data[cell]
        if tile.owner == slot + 1:
            tile.built, tile.temple = 0, 0


@kernel
def _buckets_for(g: TribesSetup, s: TribesState) -> int:
    """Buckets of the original's map of all units and cities."""
    count = integer(s.cities)
    for slot in range(s.units_end):
        count += integer(unit_of(g, s, slot).id != 0)
    return buckets_for(count)


@kernel
def hide(g: TribesSetup, out: TribesState, player: int) -> None:
    """Remove from a state all that a player cannot know."""
    buckets = _buckets_for(g, out) if g.as_coded != 0 else _BY_ID
    hidden = 0
    for slot in range(out.units_end):  # ghosts in the fog, while it is still known which unit stands on a tile
        unit = unit_of(g, out, slot)
        if unit.id != 0 and not is_seen(out, integer(unit.cell), player):
            hidden += integer((out.data[unit.cell].unit & 0xFF) != slot + 1)
    out.ghosts -= hidden
    if g.full_view == 0:
        _hide_buildings(g, out, player)
    _hide_tiles(g, out, player)
    _hide_tribes(g, out, player)
    _hide_units(g, out, player, buckets)
    _hide_cities(g, out, player, buckets)


@kernel
def make_copy(g: TribesSetup, out: TribesState) -> None:
    """Turn a state into one that the original's forward model advances (rules 15): cities are worth nothing in it."""
    out.native = 0
    for slot in range(out.cities):
        city_of(g, out, slot).worth = 0


@game_function("view")
def view(g: TribesSetup, s: TribesState, player: int, out: TribesState) -> None:
    """What a player may know; with the option copies=as-coded exactly the copy that the original gives its agents."""
    copy_words(address_of_record(out), address_of_record(s), HEAD_WORDS + g.tribes + TRIBE_WORDS * g.players)
    if g.as_coded != 0:
        make_copy(g, out)
    if g.as_coded != 0 or g.full_view == 0:
        hide(g, out, player)


# -------------------------------------------------------------------------------------------------------------- news


@kernel
def _units_differ(g: TribesSetup, expected: TribesState, seen: TribesState) -> bool:
    """Whether any known unit differs in more than its id."""
    for slot in range(max(integer(expected.units_end), integer(seen.units_end))):
        one, other = unit_of(g, expected, slot), unit_of(g, seen, slot)
        if (one.id == 0) != (other.id == 0) or one.cell != other.cell or one.tribe != other.tribe:
            return True
        if one.kind != other.kind or one.hp != other.hp or one.status != other.status or one.city != other.city:
            return True
    return False


@kernel
def _cities_differ(g: TribesSetup, expected: TribesState, seen: TribesState) -> bool:
    """Whether any known city differs in what a plan depends on."""
    if expected.cities != seen.cities:
        return True
    for slot in range(seen.cities):
        one, other = city_of(g, expected, slot), city_of(g, seen, slot)
        if one.marks != other.marks or one.tribe != other.tribe or one.level != other.level:
            return True
        if one.population != other.population or one.units != other.units:
            return True
    return False


@game_function("news")
def news(g: TribesSetup, expected: TribesState, seen: TribesState, player: int) -> int:
    """Whether a unit, a city, or the player's own stars or technologies differ; tiles alone do not matter."""
    one, other = tribe_of(g, expected, player), tribe_of(g, seen, player)
    differ = expected.tick != seen.tick or expected.active != seen.active or expected.over != seen.over
    differ = differ or one.stars != other.stars or one.tech != other.tech or one.monuments != other.monuments
    return integer(differ or _units_differ(g, expected, seen) or _cities_differ(g, expected, seen))


@game_function("metrics")
def metrics(g: TribesSetup, s: TribesState, player: int, out: Floats) -> None:
    """Score, technologies, cities, production, units and kills."""
    tribe = tribe_of(g, s, player)
    production, _, units = city_figures(g, s, player)
    out[0], out[1], out[2] = real(tribe.score), real(technologies_of(g, s, player)), real(tribe.cities)
    out[3], out[4], out[5] = real(production), real(units + extras_of(g, s, player)), real(tribe.kills)
