"""The pruner and the cheap action score (rules 9.1, 9.2)."""

from __future__ import annotations

import numpy as np

from turnwise.core.table import game_function
from turnwise.games.hero_academy.rules.actions import (
    ATTACK,
    DISCARD,
    DROP,
    END,
    HEAL,
    INFERNO,
    KIND_MASK,
    MOVE,
    POTION,
    is_listed,
)
from turnwise.games.hero_academy.scenario import UNIT_CARDS, HeroSetup
from turnwise.games.hero_academy.state import MAX_HP, WIZARD, HeroState, card_count, has, power_at
from turnwise.jit.kernel import inlined, integer, kernel, real
from turnwise.jit.memory import trailing_zeros
from turnwise.jit.record import Ints, Word

_INFERNO_DROP = DROP | (INFERNO << 8)
_CARD_MASK = KIND_MASK | 0xFF00


@kernel
def inferno_targets(g: HeroSetup, s: HeroState, centre: int) -> Word:
    """Enemy pieces that an Inferno would cover (board word)."""
    return g.area[centre] & s.owned[1 - integer(s.player)]


@kernel
def is_best_inferno(g: HeroSetup, s: HeroState, centre: int) -> bool:
    """Whether a centre covers a piece, none covers more, and it is the first of those that cover the same pieces."""
    mine = inferno_targets(g, s, centre)
    if mine == 0:
        return False
    for other in range(g.squares):
        theirs = inferno_targets(g, s, other)
        if mine & ~theirs == 0 and (theirs != mine or other < centre):
            return False
    return True


@kernel
def keep_best_infernos(g: HeroSetup, s: HeroState, actions: Ints, first: int, count: int, to: int) -> int:
    """Write the best Infernos of the ``count`` listed ones from ``first`` on to place ``to``; returns the new end.

    The survivors' target sets form an antichain: each new set is dropped if a kept one covers it, and kept ones that
    are proper subsets of it are dropped. Survivors stay in native order; of equal sets the first stays.
    """
    end = to
    for i in range(first, first + count):
        action = actions[i]
        mine = inferno_targets(g, s, action & 0xFF)
        covered = mine == 0
        kept = to
        for j in range(to, end):
            other = actions[j]
            theirs = inferno_targets(g, s, other & 0xFF)
            if mine & ~theirs == 0:
                covered = True
                break
            if theirs & ~mine != 0:
                actions[kept] = other
                kept += 1
        if not covered:
            actions[kept] = action
            end = kept + 1
    return end


@game_function("prune")
def prune(g: HeroSetup, s: HeroState, actions: Ints, n: int) -> int:
    """Drop discards of single cards and Infernos that another one covers; a list of one action stays."""
    hand = s.hands[integer(s.player)]
    kept = 0
    while kept < n and actions[kept] < DROP:  # the actions of units come first, and all of them stay
        kept += 1
    i = kept
    while i < n:
        action = actions[i]
        if action & _CARD_MASK == _INFERNO_DROP:
            count = 1
            while i + count < n and actions[i + count] & _CARD_MASK == _INFERNO_DROP:
                count += 1
            kept = keep_best_infernos(g, s, actions, i, count, kept)
            i += count
            continue
        if action & KIND_MASK != DISCARD or card_count(hand, (action >> 8) & 0xFF) > 1:
            actions[kept] = action
            kept += 1
        i += 1
    if kept == 0:  # everything was pruned: the mover must still act
        return n
    return kept


@game_function("survives")
def survives(g: HeroSetup, s: HeroState, action: int) -> int:
    """Whether an action is in the pruned legal list."""
    if action == END:
        return integer(s.ap <= 0)
    if not is_listed(g, s, action):
        return integer(0)
    kind, card = action & KIND_MASK, (action >> 8) & 0xFF
    if kind == DISCARD:
        return integer(card_count(s.hands[integer(s.player)], card) > 1)
    if kind == DROP and card == INFERNO:
        return integer(is_best_inferno(g, s, action & 0xFF))
    return integer(1)


@inlined
def _inferno_score(g: HeroSetup, s: HeroState, centre: int) -> int:
    score = -500
    targets = inferno_targets(g, s, centre)
    while targets != 0:
        there = trailing_zeros(targets)
        targets &= targets - np.uint64(1)
        score += 2 * MAX_HP[integer(s.units[there]) >> 16] if has(s.down, there) else 300
    return score


@inlined
def _drop_score(g: HeroSetup, s: HeroState, card: int, square: int) -> int:
    if card < UNIT_CARDS:
        return 200
    if card == INFERNO:
        return _inferno_score(g, s, square)
    word = integer(s.units[square])
    hp, kind = word & 0xFFFF, word >> 16
    if card == POTION:
        if hp != 0:
            return integer(MAX_HP[kind] - hp - 300)
        worn = (kind & 1) + ((kind >> 1) & 1) + ((kind >> 2) & 1) + ((kind >> 3) & 1)
        return integer(MAX_HP[kind] + 200 * worn)
    return power_at(g, kind, square) if hp == MAX_HP[kind] else 0


@inlined
def score_action(g: HeroSetup, s: HeroState, action: int) -> int:
    """The engine's action score; an integer."""
    kind, first, second = action & KIND_MASK, (action >> 8) & 0xFF, action & 0xFF
    if kind == MOVE:
        if has(s.down, second):
            return integer(2 * MAX_HP[integer(s.units[second]) >> 16])
        return 30 if has(g.special, second) else 0
    if kind == ATTACK:
        attacker = integer(s.units[first]) >> 16
        return power_at(g, attacker, first) + (200 if attacker >> 4 == WIZARD else 0)
    if kind == HEAL:
        word = integer(s.units[second])
        hp = word & 0xFFFF
        return 1400 if hp == 0 else MAX_HP[word >> 16] - hp
    if kind == DROP:
        return _drop_score(g, s, first, second)
    if action == END and s.ap <= 0:
        return 10000
    return 0


@game_function("action_score")
def action_score(g: HeroSetup, s: HeroState, action: int) -> float:
    """The engine's "complex comparator" score (rules 9.2), higher is better."""
    return real(score_action(g, s, action))
