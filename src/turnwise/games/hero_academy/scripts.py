"""Rollout policies of the engine (rules 9.3), and scripts by its action score (rules 9.2).

The policies, random-tree and random-heuristic, first decide between cards and units, then choose one card or unit
uniformly among those with an action, then one of its actions. "The first one in random order that has an action" is the
same distribution as "uniform among those that have an action"; here the choice is made by rejection.
"""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import draw, uniform
from turnwise.core.script import Script
from turnwise.core.table import ALL, NOTHING, game_function
from turnwise.games.hero_academy.purposes import (
    CLOSEST,
    CRYSTALS,
    WEAKEST,
    attack,
    deploy,
    retreat,
    stomp,
    use_item,
)
from turnwise.games.hero_academy.rules.actions import (
    ATTACK,
    DISCARD,
    DROP,
    END,
    HEAL,
    KIND_MASK,
    MOVE,
    SWAP,
    card_targets,
    legal_actions,
    unit_targets,
    wounded_units,
)
from turnwise.games.hero_academy.rules.actors import actor_of
from turnwise.games.hero_academy.rules.selection import score_action
from turnwise.games.hero_academy.scenario import HeroSetup
from turnwise.games.hero_academy.state import (
    CLERIC,
    HeroState,
    bit,
    card_at,
    has,
    total_cards,
)
from turnwise.jit.bits import nth_bit
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.memory import bit_count, trailing_zeros
from turnwise.jit.record import Address, Floats, Ints, Word, Words

RANDOM_HEURISTIC = 1  # place of "random-heuristic" in HeroAcademy.policies; any other index is "random-tree"
_CARDS_FIRST = 0.25
_list_actions = kernel(legal_actions.python)


@kernel
def _unit_action(here: int, there: int, attacks: Word, special: Word, unit: int) -> int:
    kind = MOVE
    if has(attacks, there):
        kind = ATTACK
    elif has(special, there):
        kind = HEAL if unit == CLERIC else SWAP
    return kind | (here << 8) | there


@kernel
def _act_with_unit(g: HeroSetup, s: HeroState, greedy: float, rng: Address) -> int:
    """An action of a random unit: uniform, or with probability ``greedy`` its best-scored one; -1: none can act."""
    units = s.owned[integer(s.player)] & ~s.down & ~s.crystals
    wounded = np.uint64(0)
    while units != 0:
        here = nth_bit(units, draw(rng, bit_count(units)))
        unit = integer(s.units[here] >> np.uint32(20))
        if unit == CLERIC:
            wounded = wounded_units(s, g.near[2 * 64 + here] & s.owned[integer(s.player)] & ~s.down & ~s.crystals)
        moves, attacks, special = unit_targets(g, s, here, wounded)
        targets = moves | attacks | special
        if targets != 0:
            if greedy > 0.0 and uniform(rng) < greedy:
                return _best_of_unit(g, s, here, unit, targets, attacks, special)
            there = nth_bit(targets, draw(rng, bit_count(targets)))
            return _unit_action(here, there, attacks, special, unit)
        units &= ~bit(here)
    return -1


@kernel
def _best_of_unit(g: HeroSetup, s: HeroState, here: int, unit: int, targets: Word, attacks: Word, special: Word) -> int:
    best, best_score = -1, -(1 << 60)
    while targets != 0:
        there = trailing_zeros(targets)
        targets &= targets - np.uint64(1)
        action = _unit_action(here, there, attacks, special, unit)
        score = score_action(g, s, action)
        if score > best_score:
            best, best_score = action, score
    return best


@kernel
def _act_with_card(g: HeroSetup, s: HeroState, greedy: float, rng: Address) -> int:
    """An action of a random card (copies count separately); -1: no card can be played."""
    me = integer(s.player)
    hand = s.hands[me]
    can_discard = 1 if s.decks[me] != 0 else 0
    while hand != 0:
        card = card_at(hand, draw(rng, total_cards(hand)))
        targets = card_targets(g, s, card)
        count = bit_count(targets) + can_discard
        if count > 0:
            if greedy > 0.0 and uniform(rng) < greedy:
                return _best_of_card(g, s, card, targets, can_discard)
            chosen = draw(rng, count)
            if chosen == bit_count(targets):
                return DISCARD | (card << 8)
            return DROP | (card << 8) | nth_bit(targets, chosen)
        hand &= ~(np.uint64(15) << np.uint64(4 * card))
    return -1


@kernel
def _best_of_card(g: HeroSetup, s: HeroState, card: int, targets: Word, can_discard: int) -> int:
    best, best_score = -1, -(1 << 60)
    while targets != 0:
        action = DROP | (card << 8) | trailing_zeros(targets)
        targets &= targets - np.uint64(1)
        score = score_action(g, s, action)
        if score > best_score:
            best, best_score = action, score
    if can_discard and best_score < 0:  # a discard scores 0 and is last in the list
        best = DISCARD | (card << 8)
    return best


@game_function("policy")
def policy(g: HeroSetup, s: HeroState, index: int, parameters: Floats, rng: Address, scratch: Words) -> int:
    """An action by ``random-tree`` (index 0) or ``random-heuristic`` (1; parameters[0] is q)."""
    if s.ap <= 0:
        return integer(END)
    greedy = parameters[0] if index == RANDOM_HEURISTIC else 0.0
    cards_first = uniform(rng) < _CARDS_FIRST
    action = _act_with_card(g, s, greedy, rng) if cards_first else _act_with_unit(g, s, greedy, rng)
    if action < 0:
        action = _act_with_unit(g, s, greedy, rng) if cards_first else _act_with_card(g, s, greedy, rng)
    return integer(END if action < 0 else action)


@game_function("script")
def best_of_kind(g: HeroSetup, s: HeroState, actor: int, parameters: Floats, rng: Address, scratch: Ints) -> int:
    """The best-scored action of one kind (parameters[0]), the first of equals; only scores above 0 count."""
    best, best_score = NOTHING, 0
    for i in range(_list_actions(g, s, scratch)):
        action = scratch[i]
        if action & KIND_MASK == integer(parameters[0]) and (actor == ALL or actor == actor_of(action)):
            score = score_action(g, s, action)
            if score > best_score:
                best, best_score = action, score
    return integer(best)


SCRIPTS = {
    "attack-best": Script(best_of_kind, "the attack with the best score", (ATTACK,)),
    "heal-best": Script(best_of_kind, "the healing or revival with the best score", (HEAL,)),
    "step-best": Script(best_of_kind, "the move to the best special square or fallen unit", (MOVE,)),
    "play-best": Script(best_of_kind, "the card with the best score", (DROP,)),
    "attack-closest": Script(attack, "attack the closest enemy in range, or move closer to one", (CLOSEST,)),
    "attack-weakest": Script(attack, "attack the weakest enemy in range, or move closer to the weakest", (WEAKEST,)),
    "attack-crystals": Script(attack, "attack the closest crystal in range, or move closer to one", (CRYSTALS,)),
    "retreat": Script(retreat, "move away from the closest enemy unit"),
    "stomp": Script(stomp, "step onto a fallen enemy unit, which removes it"),
    "deploy": Script(deploy, "deploy a unit as close as possible to the enemy"),
    "use-item": Script(use_item, "the spell, potion or equipment with the best score"),
}
