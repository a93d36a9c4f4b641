"""Start, effects of actions, end of turn (rules 2.1, 2.3, 4, 6).

``apply`` is the engine's update: it derives the effect of a unit action from the board, accepts more than the legal
list, and ignores what it does not accept.
"""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import draw
from turnwise.core.table import game_function
from turnwise.games.hero_academy.rules.actions import (
    CARD_ITEM,
    DISCARD,
    DROP,
    END,
    INFERNO,
    KIND_MASK,
    POTION,
    attack_targets,
)
from turnwise.games.hero_academy.rules.cards import DECK_SEEDS, FIRST_HAND_UNITS, HAND_SIZE, UNIT_NIBBLES, draw_hand
from turnwise.games.hero_academy.rules.combat import attack, heal, inferno
from turnwise.games.hero_academy.rules.pieces import HP, clear, put, relocate, set_hp
from turnwise.games.hero_academy.rules.victory import out_of_crystals, out_of_units, winner
from turnwise.games.hero_academy.scenario import CRYSTAL_HP, UNIT_CARDS, HeroSetup
from turnwise.games.hero_academy.state import (
    CLASS_HP,
    CLERIC,
    CRYSTAL,
    DRAGONSCALE,
    HELM,
    MAX_HP,
    NINJA,
    RANGE,
    SPEED,
    HeroState,
    card_count,
    has,
    one_card,
    total_cards,
)
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.memory import trailing_zeros
from turnwise.jit.record import Address, Floats

_MOST_TRIES = 1000  # a deal needs at most 15 by seeds, a few by chance; only an exhausted tape would never end


@game_function("start")
def start(g: HeroSetup, s: HeroState, rng: Address) -> None:
    """Draw both deck seeds, deal both hands, place the crystals (rules 2.1)."""
    s.turn, s.ap, s.player, s.terminal = 1, g.first_turn_points, 0, 0
    for player in range(2):
        s.hands[player], s.decks[player], s.owned[player] = np.uint64(0), g.deck, np.uint64(0)
        s.seeds[player] = draw(rng, DECK_SEEDS)
    s.down = s.crystals = np.uint64(0)
    for square in range(g.squares):
        s.units[square] = np.uint32(0)
    for player in range(2):
        for _ in range(_MOST_TRIES):
            if (
                total_cards(s.hands[player]) == HAND_SIZE
                and total_cards(s.hands[player] & UNIT_NIBBLES) == FIRST_HAND_UNITS
            ):
                break
            s.decks[player] += s.hands[player]
            s.hands[player] = np.uint64(0)
            draw_hand(g, s, player, rng)
        squares = g.crystals[player]
        while squares != 0:
            put(s, trailing_zeros(squares), player, (CRYSTAL << 20) | CRYSTAL_HP)
            squares &= squares - np.uint64(1)
        s.crystals |= g.crystals[player]


@kernel
def end_turn(g: HeroSetup, s: HeroState, rng: Address) -> None:
    """All steps at the end of a turn (rules 2.3)."""
    me = integer(s.player)
    fallen = s.owned[me] & s.down
    while fallen != 0:
        clear(s, trailing_zeros(fallen))
        fallen &= fallen - np.uint64(1)
    if out_of_units(s, 0) or out_of_units(s, 1) or out_of_crystals(g, s, 1 - me) or s.turn >= g.turn_limit:
        s.terminal = 1
    if s.terminal != 0:
        return
    draw_hand(g, s, me, rng)
    draw_hand(g, s, 1 - me, rng)  # normally full already, but not if it was hidden (rules 2.4)
    s.player = 1 - me
    s.ap = g.action_points
    s.turn += 1


@kernel
def act_with_unit(g: HeroSetup, s: HeroState, origin: int, target: int) -> bool:
    """Carry out a unit action, whose effect follows from the board (rules 6); returns whether it had any."""
    me = integer(s.player)
    if not has(s.owned[me] & ~s.down, origin):
        return False
    unit = integer(s.units[origin] >> np.uint32(20))
    standing = ~s.down
    if has(s.owned[1 - me] & standing, target):
        if not has(attack_targets(g, s, origin, RANGE[unit], s.owned[1 - me] & standing), target):
            return False
        attack(g, s, origin, target)
        return True
    if has(s.owned[me], target) and (has(standing, target) or unit == CLERIC):
        return _help(g, s, unit, origin, target)
    if not has(g.near[SPEED[unit] * 64 + origin] & ~g.deploy[1 - me], target):
        return False
    relocate(s, origin, target, me)
    return True


@kernel
def _help(g: HeroSetup, s: HeroState, unit: int, origin: int, target: int) -> bool:
    """Swap with or heal a piece of the mover; returns whether that was possible."""
    if unit == NINJA:
        if has(s.crystals, target):
            return False
        s.units[origin], s.units[target] = s.units[target], s.units[origin]
        return True
    word = integer(s.units[target])
    in_reach = origin == target or has(g.near[2 * 64 + origin], target)
    if unit != CLERIC or not in_reach or (word & HP) == MAX_HP[word >> 16]:
        return False
    heal(g, s, origin, target)
    return True


@kernel
def play_card(g: HeroSetup, s: HeroState, card: int, square: int) -> bool:
    """Carry out a drop of a card in the hand; returns whether it had an effect (rules 4.8-4.10, 6)."""
    me = integer(s.player)
    if card < UNIT_CARDS:
        if has(g.deploy[1 - me], square):
            return False
        put(s, square, me, (card << 20) | CLASS_HP[card])
        return True
    if card == INFERNO:
        inferno(g, s, square)
        return True
    if not has(s.owned[me] & ~s.crystals, square):
        return False
    word = integer(s.units[square])
    hp, kind = word & HP, word >> 16
    if card == POTION:
        if hp == MAX_HP[kind]:
            return False
        set_hp(s, square, min(100 if hp == 0 else hp + 1000, MAX_HP[kind]))
        return True
    item = CARD_ITEM[card]
    if hp == 0 or kind & item != 0:
        return False
    kind |= item
    if item in (DRAGONSCALE, HELM):
        hp = integer(hp + hp / 10.0)
    s.units[square] = np.uint32((kind << 16) | min(hp, MAX_HP[kind]))
    return True


@game_function("apply")
def apply(g: HeroSetup, s: HeroState, action: int, rng: Address) -> None:
    """The engine's update (rules 4 and 6): what it does not accept changes nothing and costs nothing."""
    if action == END:
        end_turn(g, s, rng)
        return
    if s.ap <= 0:
        end_turn(g, s, rng)
    kind, first, second = action & KIND_MASK, (action >> 8) & 0xFF, action & 0xFF
    me = integer(s.player)
    if kind < DROP:
        if act_with_unit(g, s, first, second):
            s.ap -= 1
    elif card_count(s.hands[me], first) > 0:
        if kind == DISCARD:
            s.decks[me] += one_card(first)
        elif not play_card(g, s, first, second):
            return
        s.hands[me] -= one_card(first)
        s.ap -= 1


@game_function("to_move")
def to_move(g: HeroSetup, s: HeroState) -> int:
    """The player to move, -1 when the game is over."""
    return integer(-1 if s.terminal != 0 else s.player)


@game_function("turn")
def turn(g: HeroSetup, s: HeroState) -> int:
    """The turn number, from 1."""
    return integer(s.turn)


@game_function("returns")
def returns(g: HeroSetup, s: HeroState, out: Floats) -> None:
    """1 for a win, -1 for a loss, 0 for a draw and while the game runs."""
    won = winner(g, s) if s.terminal != 0 else -1
    out[0] = 0.0 if won < 0 else (1.0 if won == 0 else -1.0)
    out[1] = 0.0 if won < 0 else (1.0 if won == 1 else -1.0)
