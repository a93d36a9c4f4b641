"""Start, effects of actions, end of turn, end of the game (spec sections 2, 4, 6, 7).

``apply`` is the engine's update: it works out a unit action's effect from the board, accepts more than the legal list,
and ignores what it does not accept.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from turnwise.core.chance import draw
from turnwise.core.kernel import bit_count, integer, kernel, real, store_float, trailing_zeros
from turnwise.core.table import game_function
from turnwise.games.hero_academy.actions import (
    CARD_ITEM,
    DISCARD,
    DROP,
    END,
    INFERNO,
    KIND_MASK,
    POTION,
    attack_targets,
)
from turnwise.games.hero_academy.scenario import CRYSTAL_HP, UNIT_CARDS
from turnwise.games.hero_academy.state import (
    CLASS_HP,
    CLERIC,
    CRYSTAL,
    DRAGONSCALE,
    HELM,
    KNIGHT,
    MAGICAL,
    MAX_HP,
    NINJA,
    PHYSICAL,
    RANGE,
    SCROLL,
    SPEED,
    WIZARD,
    bit,
    card_count,
    has,
    one_card,
    power_at,
    setup_at,
    state_at,
    total_cards,
)

HAND_SIZE = 6
FIRST_HAND_UNITS = 3
DECK_SEEDS = 1000
_MOST_TRIES = 1000  # a deal needs 15 at most by seeds and some by chance; only a tape that has run out never ends
_UNIT_NIBBLES = np.uint64(0xFFFFF)
# Direction index of (sign dx, sign dy), at (sx + 1) * 3 + (sy + 1); and the opposite of each direction.
_DIRECTION = np.array([5, 2, 7, 0, -1, 3, 4, 1, 6], np.int64)
_OPPOSITE = np.array([3, 2, 1, 0, 7, 6, 5, 4], np.int64)
_CHAIN_FACTORS = np.array([0.75, 0.56])
_SCROLL_FLAG = SCROLL << 16
_HP = 0xFFFF

# ------------------------------------------------------------------------------------------------------- pieces


@kernel
def put(s: Any, square: int, owner: int, word: int) -> None:
    """Place a piece (any class, hit points above 0) on a square; whatever stood there is gone."""
    clear(s, square)
    s.units[square] = np.uint32(word)
    s.owned[owner] |= bit(square)


@kernel
def clear(s: Any, square: int) -> None:
    """Take whatever stands on a square off the board."""
    rest = ~bit(square)
    s.owned[0] &= rest
    s.owned[1] &= rest
    s.down &= rest
    s.crystals &= rest
    s.units[square] = np.uint32(0)


@kernel
def relocate(s: Any, origin: int, target: int, owner: int) -> None:
    """Move a piece, standing or knocked out, onto a square; whatever stood there is gone."""
    word = integer(s.units[origin])
    fallen = has(s.down, origin)
    clear(s, origin)
    put(s, target, owner, word)
    if fallen:
        s.down |= bit(target)


@kernel
def knock_out(s: Any, square: int) -> None:
    """Set a unit's hit points to 0."""
    s.units[square] &= np.uint32(0xFFFF0000)
    s.down |= bit(square)


@kernel
def set_hp(s: Any, square: int, hp: int) -> None:
    """Set hit points above 0."""
    s.units[square] = (s.units[square] & np.uint32(0xFFFF0000)) | np.uint32(hp)
    s.down &= ~bit(square)


# -------------------------------------------------------------------------------------------------------- cards


@kernel
def next_card(g: Any, s: Any, player: int, rng: int) -> int:
    """Choose the card that a player draws from a deck that is not empty (spec 2.2)."""
    deck = s.decks[player]
    total = total_cards(deck)
    if g.random_draws != 0:
        rest = draw(rng, total)
    else:
        seed = integer(s.seeds[player])
        seed = integer(seed * 0.1) if seed > 100000 else integer(seed * 1.3 + 7.0)
        s.seeds[player] = np.int32(seed)
        rest = seed % total
    card = 0
    while rest >= card_count(deck, card):
        rest -= card_count(deck, card)
        card += 1
    return card


@kernel
def draw_hand(g: Any, s: Any, player: int, rng: int) -> None:
    """Draw until the hand is full or the deck empty."""
    missing = HAND_SIZE - total_cards(s.hands[player])
    while missing > 0 and s.decks[player] != 0:
        card = next_card(g, s, player, rng)
        s.decks[player] -= one_card(card)
        s.hands[player] += one_card(card)
        missing -= 1


@game_function("start")
def start(setup: int, state: int, rng: int) -> None:
    """Draw both deck seeds, deal both hands, place the crystals (spec 2.1)."""
    g, s = setup_at(setup), state_at(state)
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
                and total_cards(s.hands[player] & _UNIT_NIBBLES) == FIRST_HAND_UNITS
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


# -------------------------------------------------------------------------------------------- end of turn and game


@kernel
def out_of_units(s: Any, player: int) -> bool:
    """Neither a unit card in hand or deck nor a unit on the board, knocked-out ones included (spec 7.1)."""
    cards = (s.hands[player] | s.decks[player]) & _UNIT_NIBBLES
    return cards == 0 and (s.owned[player] & ~s.crystals) == 0


@kernel
def out_of_crystals(g: Any, s: Any, player: int) -> bool:
    """None of the player's first crystal squares holds a crystal (spec 7.2)."""
    return (g.crystals[player] & s.crystals & s.owned[player]) == 0


@kernel
def winner(g: Any, s: Any) -> int:
    """The player who is alive when the other is not, in both senses; -1: nobody (spec 7)."""
    if s.turn >= g.turn_limit:
        return -1
    first = not out_of_units(s, 0) and not out_of_crystals(g, s, 0)
    second = not out_of_units(s, 1) and not out_of_crystals(g, s, 1)
    if first == second:
        return -1
    return 0 if first else 1


@kernel
def end_turn(g: Any, s: Any, rng: int) -> None:
    """All steps at the end of a turn (spec 2.3)."""
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
    draw_hand(g, s, 1 - me, rng)  # normally full already; not when it was hidden (spec 2.4)
    s.player = 1 - me
    s.ap = g.action_points
    s.turn += 1


# ------------------------------------------------------------------------------------------------------- combat


@kernel
def assault_bonus(g: Any, s: Any) -> int:
    """300 for every assault square on which the mover has a living unit (spec 4.6)."""
    return 300 * bit_count(g.assault & s.owned[integer(s.player)] & ~s.down & ~s.crystals)


@kernel
def damage(g: Any, attacker: int, origin: int, target_kind: int, target: int) -> int:
    """Damage of one hit (spec 5.2); ``attacker`` and ``target_kind`` are kinds, the others squares."""
    unit = attacker >> 4
    dealt = real(power_at(g, attacker, origin))
    adjacent = has(g.near[64 + origin], target)
    if adjacent and unit == 1:
        dealt *= 0.5
    elif adjacent and unit == NINJA:
        dealt *= 2.0
    if unit in (CLERIC, WIZARD):
        resistance = MAGICAL[target_kind]
    else:
        resistance = PHYSICAL[target_kind] + (20 if has(g.defence, target) else 0)
    return integer(dealt * ((100.0 - resistance) / 100.0))


@kernel
def hurt(g: Any, s: Any, square: int, hp: int) -> None:
    """Give an enemy piece its new hit points; at 0 or below a crystal goes, a unit is knocked out."""
    if hp > 0:
        set_hp(s, square, hp)
    elif has(s.crystals, square):
        clear(s, square)
        if out_of_crystals(g, s, 1 - integer(s.player)):
            s.terminal = 1
    else:
        knock_out(s, square)


@kernel
def push(g: Any, s: Any, origin: int, target: int) -> None:
    """A knight drives its target one square on (spec 4.5)."""
    foe = 1 - integer(s.player)
    direction = _direction(g, origin, target)
    behind = integer(g.step[direction * 64 + target])
    if behind < 0 or has(g.deploy[1 - foe], behind):
        return
    if has((s.owned[0] | s.owned[1]) & ~s.down, behind):
        return
    relocate(s, target, behind, foe)


@kernel
def _direction(g: Any, origin: int, target: int) -> int:
    dx = integer(g.x[target]) - integer(g.x[origin])
    dy = integer(g.y[target]) - integer(g.y[origin])
    sx = (1 if dx > 0 else 0) - (1 if dx < 0 else 0)
    sy = (1 if dy > 0 else 0) - (1 if dy < 0 else 0)
    return _DIRECTION[(sx + 1) * 3 + sy + 1]


@kernel
def chain(g: Any, s: Any, origin: int, target: int) -> None:
    """A wizard's lightning jumps on, twice at most (spec 4.7): straight on, else N, E, W, S, NE, NW, SE, SW."""
    attacker = integer(s.units[origin]) >> 16
    foe = 1 - integer(s.player)
    direction = _direction(g, origin, target)
    here = target
    for jump in range(2):
        living = s.owned[foe] & ~s.down
        found, chosen = -1, direction
        for attempt in range(-1, 8):
            way = direction if attempt < 0 else attempt
            there = integer(g.step[way * 64 + here])
            if there >= 0 and way != _OPPOSITE[direction] and has(living, there):
                found, chosen = there, way
                break
        if found < 0:
            return
        word = integer(s.units[found])
        dealt = integer(damage(g, attacker, origin, word >> 16, found) * _CHAIN_FACTORS[jump])
        if has(s.crystals, found):
            dealt += assault_bonus(g, s)
        hurt(g, s, found, (word & _HP) - dealt)
        here, direction = found, chosen


@kernel
def attack(g: Any, s: Any, origin: int, target: int) -> None:
    """Hit, then push or chain, then the scroll is used up (spec 4.4)."""
    attacker = integer(s.units[origin]) >> 16
    word = integer(s.units[target])
    is_crystal = has(s.crystals, target)
    dealt = damage(g, attacker, origin, word >> 16, target)
    if is_crystal:
        dealt += assault_bonus(g, s)
    hurt(g, s, target, (word & _HP) - dealt)
    if attacker >> 4 == KNIGHT and not is_crystal:
        push(g, s, origin, target)
    if attacker >> 4 == WIZARD:
        chain(g, s, origin, target)
    s.units[origin] &= ~np.uint32(_SCROLL_FLAG)


@kernel
def heal(g: Any, s: Any, origin: int, target: int) -> None:
    """A cleric heals threefold or revives twofold; the scroll is used up (spec 4.3)."""
    word = integer(s.units[target])
    hp = word & _HP
    power = power_at(g, integer(s.units[origin]) >> 16, origin)
    set_hp(s, target, min(hp + power * (2 if hp == 0 else 3), MAX_HP[word >> 16]))
    s.units[origin] &= ~np.uint32(_SCROLL_FLAG)


@kernel
def inferno(g: Any, s: Any, centre: int) -> None:
    """350 magical damage to all enemies in the 3x3 block, knocked-out ones are burnt (spec 4.10)."""
    targets = g.area[centre] & s.owned[1 - integer(s.player)]
    while targets != 0:
        there = trailing_zeros(targets)
        targets &= targets - np.uint64(1)
        if has(s.down, there):
            clear(s, there)
            continue
        word = integer(s.units[there])
        dealt = 350.0
        if has(s.crystals, there):
            dealt += assault_bonus(g, s)
        dealt = dealt * ((100.0 - MAGICAL[word >> 16]) / 100.0)
        hurt(g, s, there, integer((word & _HP) - dealt))


# ------------------------------------------------------------------------------------------------------- actions


@kernel
def act_with_unit(g: Any, s: Any, origin: int, target: int) -> bool:
    """A unit action's effect, worked out from the board (spec 6); whether there was one."""
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
def _help(g: Any, s: Any, unit: int, origin: int, target: int) -> bool:
    """Swap with or heal an own piece; whether it was possible."""
    if unit == NINJA:
        if has(s.crystals, target):
            return False
        s.units[origin], s.units[target] = s.units[target], s.units[origin]
        return True
    word = integer(s.units[target])
    in_reach = origin == target or has(g.near[2 * 64 + origin], target)
    if unit != CLERIC or not in_reach or (word & _HP) == MAX_HP[word >> 16]:
        return False
    heal(g, s, origin, target)
    return True


@kernel
def play_card(g: Any, s: Any, card: int, square: int) -> bool:
    """A drop's effect; whether there was one (spec 4.8-4.10, 6). The card is in the hand."""
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
    hp, kind = word & _HP, word >> 16
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
def apply(setup: int, state: int, action: int, rng: int) -> None:
    """The engine's update (spec 4 and 6): what it does not accept changes nothing and costs nothing."""
    g, s = setup_at(setup), state_at(state)
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
def to_move(setup: int, state: int) -> int:
    """The player to move, -1 when the game is over."""
    s = state_at(state)
    return integer(-1 if s.terminal != 0 else s.player)


@game_function("turn")
def turn(setup: int, state: int) -> int:
    """The turn number, from 1."""
    return integer(state_at(state).turn)


@game_function("returns")
def returns(setup: int, state: int, out: int) -> None:
    """1 for a win, -1 for a loss, 0 for a draw and while the game runs."""
    g, s = setup_at(setup), state_at(state)
    won = winner(g, s) if s.terminal != 0 else -1
    store_float(out, 0, 0.0 if won < 0 else (1.0 if won == 0 else -1.0))
    store_float(out, 1, 0.0 if won < 0 else (1.0 if won == 1 else -1.0))
