"""Actors: a unit is known by its square, a card type of the hand by 64 plus its number.

Units come first, in the order of their squares, as in the legal list. Crystals and knocked-out units cannot act and are
no actors; a unit that gets up again is an actor again.
"""

from __future__ import annotations

import numpy as np

from turnwise.core.table import game_function
from turnwise.games.hero_academy.rules.actions import DROP, HEAL, KIND_MASK, MOVE, SWAP
from turnwise.games.hero_academy.scenario import UNIT_CARDS, HeroSetup
from turnwise.games.hero_academy.state import CRYSTAL, MAX_HP, HeroState, card_count, has
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.memory import trailing_zeros
from turnwise.jit.record import Ints, Word

FIRST_CARD = 64
CARD_TYPES = 11


@kernel
def steps_to(g: HeroSetup, squares: Word, here: int) -> int:
    """Steps from a square to the closest one of a board word (Manhattan distance); -1: it is empty."""
    nearest = -1
    while squares != 0:
        there = trailing_zeros(squares)
        squares &= squares - np.uint64(1)
        steps = abs(integer(g.x[there]) - integer(g.x[here])) + abs(integer(g.y[there]) - integer(g.y[here]))
        if nearest < 0 or steps < nearest:
            nearest = steps
    return nearest


@kernel
def actor_of(action: int) -> int:
    """From-square of a unit action, 64 + card of a card action, -1 for ``end``."""
    kind, first = action & KIND_MASK, (action >> 8) & 0xFF
    if kind == 0:
        return -1
    return first if kind < DROP else FIRST_CARD + first


@game_function("actor")
def actor(g: HeroSetup, s: HeroState, action: int) -> int:
    """See :func:`actor_of`."""
    return integer(actor_of(action))


@game_function("verb")
def verb(g: HeroSetup, s: HeroState, action: int) -> int:
    """The kind of an action."""
    return integer((action & KIND_MASK) >> 16)


@game_function("actors")
def actors(g: HeroSetup, s: HeroState, player: int, out: Ints) -> int:
    """A player's standing units, then the card types of its hand."""
    n = 0
    units = s.owned[player] & ~s.down & ~s.crystals
    while units != 0:
        out[n] = trailing_zeros(units)
        units &= units - np.uint64(1)
        n += 1
    for card in range(CARD_TYPES):
        if card_count(s.hands[player], card) > 0:
            out[n] = FIRST_CARD + card
            n += 1
    return integer(n)


@game_function("actor_kind")
def actor_kind(g: HeroSetup, s: HeroState, actor: int) -> int:
    """The unit's class, or a number above all classes for each type of card."""
    if actor >= FIRST_CARD:
        return integer(CRYSTAL + 1 + actor - FIRST_CARD)
    return integer(s.units[actor] >> np.uint32(20))


@game_function("actor_health")
def actor_health(g: HeroSetup, s: HeroState, actor: int, steps: int) -> int:
    """The unit's health, of the maximum that it has with its items; cards have full health."""
    if actor >= FIRST_CARD:
        return steps
    word = integer(s.units[actor])
    return integer((word & 0xFFFF) * steps // MAX_HP[word >> 16])


@game_function("enemy_distance")
def enemy_distance(g: HeroSetup, s: HeroState, actor: int) -> int:
    """A unit's steps to the closest standing enemy, crystals among them; -1: none stands, or it is a card."""
    if actor >= FIRST_CARD:
        return integer(-1)
    owner = 0 if has(s.owned[0], actor) else 1
    return integer(steps_to(g, s.owned[1 - owner] & ~s.down, actor))


@game_function("heir")
def heir(g: HeroSetup, s: HeroState, actor: int, action: int) -> int:
    """The square to which an own unit goes; a card becomes the unit that it deploys, or goes with its last copy.

    A cleric that "heals" an enemy's knocked-out unit goes there and crushes it.

    An enemy's unit keeps its number whatever is done to it: compare the states before and after an attack.
    """
    kind, first, second = action & KIND_MASK, (action >> 8) & 0xFF, action & 0xFF
    if actor == actor_of(action):
        if kind in (MOVE, SWAP) or (kind == DROP and first < UNIT_CARDS):
            return integer(second)
        if kind == HEAL and has(s.owned[1 - integer(s.player)], second):
            return integer(second)
        if actor >= FIRST_CARD and card_count(s.hands[integer(s.player)], first) == 1:
            return integer(-1)
    elif kind == SWAP and actor == second:
        return integer(first)
    return integer(actor)
