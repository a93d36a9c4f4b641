"""Start and end of a turn, and the end of the game (rules 6 and 15)."""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import draw
from turnwise.games.tribes.rules.cities import find_city, is_owned, production
from turnwise.games.tribes.rules.combat import recover
from turnwise.games.tribes.rules.faults import ALTAR_AGAIN, EXTRA_ROUND, NEGATIVE_CITIES, WINNING_LOSERS, has_fault
from turnwise.games.tribes.rules.gains import earn, offer_monument, set_monument
from turnwise.games.tribes.rules.technology import knows
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import NONE, Tile, TribesState, city_of, owner_on, tribe_of, unit_of, unit_on
from turnwise.games.tribes.tables import (
    ALTAR_OF_PEACE,
    AVAILABLE,
    FRESH,
    INCOMPLETE,
    LOSS,
    MEDITATION,
    MOST_TEMPLE_LEVEL,
    MOVED,
    PUSHED,
    TEMPLE_POINTS,
    TEMPLE_TURNS,
    WIN,
)
from turnwise.games.tribes.temples import pack_temple, unpack_temple
from turnwise.jit.kernel import inlined, integer, kernel
from turnwise.jit.memory import address_of_record, bit_count, words_at
from turnwise.jit.record import Address

FIRST_STARS = 5
_PEACEFUL_TURNS = 5
_TEMPLE_BITS = np.uint64(0xFF << 8 * Tile.fields["temple"].offset)  # in the word of a tile


# ------------------------------------------------------------------------------------------------- start of a turn


@kernel
def _income(g: TribesSetup, s: TribesState, tribe: int) -> int:
    """Stars from a tribe's cities; those with an enemy in their centre give none."""
    stars = 0
    city = integer(tribe_of(g, s, tribe).first_city)
    while city != NONE:
        c = city_of(g, s, city)
        unit = unit_on(s, integer(c.cell))
        if unit == NONE or unit_of(g, s, unit).tribe == tribe:
            gain = production(c)
            stars += gain if gain > 0 or has_fault(g, NEGATIVE_CITIES) else 0
        city = integer(c.next)
    return max(0, stars)


@inlined
def _has_temples(g: TribesSetup, s: TribesState) -> bool:
    """Whether there is a temple on any tile; the union of all words takes a tenth of the time of looking at each."""
    words = words_at(address_of_record(s.data[0]))
    union = words[0]
    for cell in range(1, g.cells):
        union |= words[cell]
    return bool(union & _TEMPLE_BITS != 0)


@kernel
def _grow_temples(g: TribesSetup, s: TribesState, tribe: int) -> None:
    """Let the temples of a tribe's cities grow every few turns."""
    if not _has_temples(g, s):
        return
    for cell in range(g.cells):
        tile = s.data[cell]
        if tile.temple == 0:
            continue
        level, countdown = unpack_temple(integer(tile.temple))
        city = owner_on(s, cell)
        if level >= MOST_TEMPLE_LEVEL or not is_owned(g, s, city, tribe):
            continue
        countdown -= 1
        if countdown == 0:
            level, countdown = level + 1, TEMPLE_TURNS
            tribe_of(g, s, tribe).score += TEMPLE_POINTS[level]
            city_of(g, s, city).worth += TEMPLE_POINTS[level]
        tile.temple = pack_temple(level, countdown)


@kernel
def start_turn(g: TribesSetup, s: TribesState, tribe: int) -> None:
    """Let a tribe's turn begin."""
    t = tribe_of(g, s, tribe)
    income = _income(g, s, tribe)
    _grow_temples(g, s, tribe)
    if s.tick == 0:
        t.stars = FIRST_STARS
    else:
        earn(t, income)
    for slot in range(s.units_end):
        u = unit_of(g, s, slot)
        if u.id != 0 and u.tribe == tribe:
            u.status = MOVED if u.status == PUSHED else FRESH
    if knows(t, MEDITATION):
        t.pacifist += 1
        if t.pacifist == _PEACEFUL_TURNS:
            if has_fault(g, ALTAR_AGAIN):
                set_monument(t, ALTAR_OF_PEACE, AVAILABLE)  # also for a tribe whose monuments are hidden
            else:
                offer_monument(t, ALTAR_OF_PEACE)


# --------------------------------------------------------------------------------------------------- end of a turn


@kernel
def rest(g: TribesSetup, s: TribesState) -> None:
    """Let the damaged units recover that the tribe to move has not used."""
    for slot in range(s.units_end):
        u = unit_of(g, s, slot)
        if u.id != 0 and u.tribe == s.active and u.status == FRESH and 0 < u.hp < u.max_hp:
            recover(g, s, slot)


@kernel
def end_turn(g: TribesSetup, s: TribesState, rng: Address) -> None:
    """End the turn; the next tribe's begins unless the game ends."""
    rest(g, s)
    check_end(g, s, rng)
    if s.native == 0:
        _next_in_copy(g, s)
        return
    if s.over != 0:
        return
    tribe = s.active + 1
    for _ in range(g.players):
        if tribe == g.players:
            tribe = 0
            s.tick += 1
            check_end(g, s, rng)
            if s.over != 0:
                return
        if tribe_of(g, s, tribe).result == INCOMPLETE:
            break
        tribe += 1
    s.active = tribe
    start_turn(g, s, tribe)


@kernel
def _next_in_copy(g: TribesSetup, s: TribesState) -> None:
    """Let the next tribe's turn begin in a copy, in the same round (rules 15)."""
    tribe = integer(s.active)
    for _ in range(g.players):
        tribe = tribe + 1 if tribe + 1 < g.players else 0
        if tribe_of(g, s, tribe).result != LOSS:
            break
    s.active = tribe
    start_turn(g, s, tribe)


# ------------------------------------------------------------------------------------------------- end of the game


@kernel
def _holds_capitals(g: TribesSetup, s: TribesState, tribe: int) -> bool:
    for other in range(g.players):  # noqa: SIM110 - a loop compiles, a generator does not
        if not is_owned(g, s, find_city(g, s, integer(s.capitals[other])), tribe):
            return False
    return True


@kernel
def check_end(g: TribesSetup, s: TribesState, rng: Address) -> None:
    """End the game if a tribe holds all capitals, if one is left (mode Score), or after the last round."""
    left, is_over = 0, False
    for tribe in range(g.players):
        t = tribe_of(g, s, tribe)
        if t.result == LOSS:
            continue
        left += 1
        if g.score_mode == 0 and _holds_capitals(g, s, tribe):
            t.result = WIN
            is_over = True
            break
    if g.score_mode != 0 and left <= 1:
        is_over = True
    last = g.limit if has_fault(g, EXTRA_ROUND) else g.limit - 1
    if is_over or s.tick > last:
        s.over = 1
        _rank(g, s, rng)


@kernel
def _total_production(g: TribesSetup, s: TribesState, tribe: int) -> int:
    total = 0
    city = integer(tribe_of(g, s, tribe).first_city)
    while city != NONE:
        total += production(city_of(g, s, city))
        city = integer(city_of(g, s, city).next)
    return total


@kernel
def _comparison(g: TribesSetup, s: TribesState, first: int, second: int) -> int:
    """Positive: the first tribe is ahead at the end; negative: the second one; 0: neither."""
    a, b = tribe_of(g, s, first), tribe_of(g, s, second)
    difference = integer(a.result == WIN) - integer(b.result == WIN)
    if difference == 0 and not has_fault(g, WINNING_LOSERS):
        difference = integer(b.result == LOSS) - integer(a.result == LOSS)
    if difference == 0:
        difference = integer(a.score) - integer(b.score)
    if difference == 0:
        difference = bit_count(np.uint64(a.tech)) - bit_count(np.uint64(b.tech))
    if difference == 0:
        difference = integer(a.cities) - integer(b.cities)
    if difference == 0:
        difference = _total_production(g, s, first) - _total_production(g, s, second)
    return difference


@kernel
def _rank(g: TribesSetup, s: TribesState, rng: Address) -> None:
    """Give the results at the end of the game; chance decides between tribes that are equal in everything.

    Each of them wins with the same probability. For two this is the original's coin; how often its sorting would toss
    one for three or four is not recorded.
    """
    best, equal = 0, 1
    for tribe in range(1, g.players):
        difference = _comparison(g, s, tribe, best)
        if difference > 0:
            best, equal = tribe, 1
        elif difference == 0:
            equal += 1
            if draw(rng, equal) == equal - 1:
                best = tribe
    for tribe in range(g.players):
        tribe_of(g, s, tribe).result = WIN if tribe == best else LOSS
