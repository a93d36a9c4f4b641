"""Scripts with a purpose each: attack, retreat, stomp, deploy, use an item (portfolios are made of them).

The first of equals in the order of the legal list is taken. Units of the mover never step onto its own fallen units,
which would remove them, and move only where that serves the purpose.
"""

from __future__ import annotations

import numpy as np

from turnwise.core.table import ALL, NOTHING, game_function
from turnwise.games.hero_academy.rules.actions import ATTACK, DROP, MOVE, card_targets, unit_targets
from turnwise.games.hero_academy.rules.actors import FIRST_CARD, steps_to
from turnwise.games.hero_academy.rules.selection import score_action
from turnwise.games.hero_academy.scenario import UNIT_CARDS, HeroSetup
from turnwise.games.hero_academy.state import MAX_HP, HeroState, bit, card_count
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.memory import trailing_zeros
from turnwise.jit.record import Address, Floats, Ints, Word

CLOSEST, WEAKEST, CRYSTALS = range(3)  # what an attack aims at
_FAR = 1 << 40  # above all distances and hit points
_CARD_TYPES = 11


@kernel
def units_of(s: HeroState, actor: int) -> Word:
    """Board word of the mover's standing units that an actor, or ``ALL``, stands for; a card stands for none.

    Without action points nothing can act.
    """
    if actor >= FIRST_CARD or s.ap <= 0:
        return np.uint64(0)
    units = s.owned[integer(s.player)] & ~s.down & ~s.crystals
    return units if actor == ALL else units & bit(actor)


@kernel
def cards_of(s: HeroState, actor: int, first: int, past: int) -> tuple[int, int]:
    """The range of card types, within ``first`` to ``past`` - 1, that an actor, or ``ALL``, stands for.

    Without action points no card can be played.
    """
    if s.ap <= 0:
        return past, past
    if actor == ALL:
        return first, past
    card = actor - FIRST_CARD
    return (card, card + 1) if first <= card < past else (past, past)


@kernel
def standing_enemies(s: HeroState) -> Word:
    """Board word of the opponent's crystals and standing units."""
    return s.owned[1 - integer(s.player)] & ~s.down


@kernel
def hit_points(s: HeroState, square: int) -> int:
    """Hit points of the piece on a square."""
    return integer(s.units[square]) & 0xFFFF


@kernel
def weakest_of(s: HeroState, pieces: Word) -> Word:
    """Board word of the piece with the fewest hit points; empty: there is none."""
    found, least = np.uint64(0), _FAR
    while pieces != 0:
        there = trailing_zeros(pieces)
        pieces &= pieces - np.uint64(1)
        if hit_points(s, there) < least:
            found, least = bit(there), hit_points(s, there)
    return found


@kernel
def attack_by(g: HeroSetup, s: HeroState, units: Word, wanted: Word, rule: int) -> int:
    """The attack of one of the units on the closest wanted piece, or on the weakest one; NOTHING: there is none."""
    best, least = NOTHING, _FAR
    while units != 0:
        here = trailing_zeros(units)
        units &= units - np.uint64(1)
        _, attacks, _ = unit_targets(g, s, here, np.uint64(0))
        attacks &= wanted
        while attacks != 0:
            there = trailing_zeros(attacks)
            attacks &= attacks - np.uint64(1)
            value = hit_points(s, there) if rule == WEAKEST else steps_to(g, bit(there), here)
            if value < least:
                best, least = ATTACK | (here << 8) | there, value
    return best


@kernel
def safe_moves(g: HeroSetup, s: HeroState, here: int) -> Word:
    """Squares to which a unit can step without removing a fallen unit of its own side."""
    moves, _, _ = unit_targets(g, s, here, np.uint64(0))
    return moves & ~(s.owned[integer(s.player)] & s.down)


@kernel
def move_by(g: HeroSetup, s: HeroState, units: Word, points: Word, sign: int) -> int:
    """The move that ends closest to the points, or farthest from them, if that is better for the unit than to stay.

    Args:
        g: The scenario.
        s: The state.
        units: Board word of the units that may move.
        points: Board word of what they move towards or away from; NOTHING where it is empty.
        sign: 1: towards; -1: away.
    """
    best, least = NOTHING, _FAR
    while units != 0 and points != 0:
        here = trailing_zeros(units)
        units &= units - np.uint64(1)
        bound = min(least, sign * steps_to(g, points, here))
        moves = safe_moves(g, s, here)
        while moves != 0:
            there = trailing_zeros(moves)
            moves &= moves - np.uint64(1)
            value = sign * steps_to(g, points, there)
            if value < bound:
                best, bound, least = MOVE | (here << 8) | there, value, value
    return best


@game_function("script")
def attack(g: HeroSetup, s: HeroState, actor: int, parameters: Floats, rng: Address, scratch: Ints) -> int:
    """Attack a piece in range, otherwise move closer; parameters[0]: the closest, the weakest, or crystals only."""
    rule, units, wanted = integer(parameters[0]), units_of(s, actor), standing_enemies(s)
    if rule == CRYSTALS:
        wanted &= s.crystals
    action = attack_by(g, s, units, wanted, rule)
    if action == NOTHING:
        action = move_by(g, s, units, weakest_of(s, wanted) if rule == WEAKEST else wanted, 1)
    return integer(action)


@game_function("script")
def retreat(g: HeroSetup, s: HeroState, actor: int, parameters: Floats, rng: Address, scratch: Ints) -> int:
    """Move as far away as possible from the closest standing enemy unit."""
    return integer(move_by(g, s, units_of(s, actor), standing_enemies(s) & ~s.crystals, -1))


@game_function("script")
def stomp(g: HeroSetup, s: HeroState, actor: int, parameters: Floats, rng: Address, scratch: Ints) -> int:
    """Step onto a fallen enemy unit, which removes it: the one with the most hit points in health."""
    best, most = NOTHING, 0
    units, fallen = units_of(s, actor), s.owned[1 - integer(s.player)] & s.down
    while units != 0 and fallen != 0:
        here = trailing_zeros(units)
        units &= units - np.uint64(1)
        squares = safe_moves(g, s, here) & fallen
        while squares != 0:
            there = trailing_zeros(squares)
            squares &= squares - np.uint64(1)
            worth = integer(MAX_HP[integer(s.units[there]) >> 16])
            if worth > most:
                best, most = MOVE | (here << 8) | there, worth
    return integer(best)


@game_function("script")
def deploy(g: HeroSetup, s: HeroState, actor: int, parameters: Floats, rng: Address, scratch: Ints) -> int:
    """Deploy a unit on the square closest to a standing enemy, but not on a fallen unit of the own side."""
    best, least = NOTHING, _FAR
    me = integer(s.player)
    first, past = cards_of(s, actor, 0, UNIT_CARDS)
    for card in range(first, past):
        squares = np.uint64(0)
        if card_count(s.hands[me], card) > 0:
            squares = card_targets(g, s, card) & ~(s.owned[me] & s.down)
        while squares != 0:
            there = trailing_zeros(squares)
            squares &= squares - np.uint64(1)
            steps = steps_to(g, standing_enemies(s), there)
            if steps < least:
                best, least = DROP | (card << 8) | there, steps
    return integer(best)


@game_function("script")
def use_item(g: HeroSetup, s: HeroState, actor: int, parameters: Floats, rng: Address, scratch: Ints) -> int:
    """Play the spell, potion or piece of equipment with the best score; only scores above 0 count."""
    best, most = NOTHING, 0
    first, past = cards_of(s, actor, UNIT_CARDS, _CARD_TYPES)
    for card in range(first, past):
        squares = np.uint64(0)
        if card_count(s.hands[integer(s.player)], card) > 0:
            squares = card_targets(g, s, card)
        while squares != 0:
            there = trailing_zeros(squares)
            squares &= squares - np.uint64(1)
            action = DROP | (card << 8) | there
            score = score_action(g, s, action)
            if score > most:
                best, most = action, score
    return integer(best)
