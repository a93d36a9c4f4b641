"""Action codes, the legal list in native order, and the legality test (rules 3 and 3.1).

A code is ``kind << 16 | first << 8 | second``: from- and to-square of a unit action, card and square of a drop, card of
a discard.
"""

from __future__ import annotations

import numpy as np

from turnwise.core.table import game_function
from turnwise.games.hero_academy.scenario import BLOCKERS, UNIT_CARDS, HeroSetup
from turnwise.games.hero_academy.state import (
    CLERIC,
    MAX_HP,
    NINJA,
    RANGE,
    SPEED,
    HeroState,
    bit,
    card_count,
    has,
)
from turnwise.jit.bits import list_bits, union_where
from turnwise.jit.kernel import inlined, integer, kernel
from turnwise.jit.memory import trailing_zeros
from turnwise.jit.record import Ints, Word

END = 0
MOVE, ATTACK, HEAL, SWAP, DROP, DISCARD = (kind << 16 for kind in range(1, 7))
KIND_MASK = 0xFF0000
CODE_BITS = 24
INFERNO, POTION = 5, 6
_ONE = np.uint64(1)
# Item bit of each card (0: not equipment).
CARD_ITEM = np.array([0, 0, 0, 0, 0, 0, 0, 2, 8, 1, 4], np.int64)


@inlined
def attack_targets(g: HeroSetup, s: HeroState, here: int, reach: int, enemies: Word) -> Word:
    """Living enemies within reach and in sight (board word). Only living enemies block sight."""
    hidden = union_where(g.blocker, g.hides, here * BLOCKERS, enemies)
    hidden |= union_where(g.blocker, g.hides, here * BLOCKERS + BLOCKERS // 2, enemies)
    return g.near[reach * 64 + here] & enemies & ~hidden


@inlined
def unit_targets(g: HeroSetup, s: HeroState, here: int, wounded: Word) -> tuple[Word, Word, Word]:
    """What a living unit of the mover can do: board words (moves, attacks, heals or swaps).

    Args:
        g: The scenario.
        s: The state; not changed.
        here: The unit's square.
        wounded: Board word of the mover's living units, without crystals, that are not at full health (read for
            clerics only).
    """
    me = integer(s.player)
    unit = integer(s.units[here] >> np.uint32(20))
    own, other = s.owned[me], s.owned[1 - me]
    free = (g.board & ~(own | other)) | s.down
    reachable = free & ~g.deploy[1 - me]
    moves = g.near[SPEED[unit] * 64 + here] & reachable
    attacks = attack_targets(g, s, here, RANGE[unit], other & ~s.down)
    # All cases are computed, and one is chosen without a branch: the class of the next unit is unpredictable.
    swaps = own & ~s.down & ~s.crystals & ~bit(here) if unit == NINJA else np.uint64(0)
    fallen = moves & s.down
    heals = fallen | (g.near[2 * 64 + here] & wounded)
    special = heals if unit == CLERIC else swaps
    moves ^= fallen if unit == CLERIC else np.uint64(0)
    return moves, attacks, special


@inlined
def wounded_units(s: HeroState, units: Word) -> Word:
    """The units of a board word that are not at full health."""
    found = np.uint64(0)
    while units != 0:
        here = trailing_zeros(units)
        units &= units - np.uint64(1)
        word = integer(s.units[here])
        if (word & 0xFFFF) != MAX_HP[word >> 16]:
            found |= bit(here)
    return found


@inlined
def without_item(s: HeroState, units: Word, item: int) -> Word:
    """The units of a board word that do not wear an item."""
    found = np.uint64(0)
    flag = integer(item) << 16
    while units != 0:
        here = trailing_zeros(units)
        units &= units - np.uint64(1)
        if integer(s.units[here]) & flag == 0:
            found |= bit(here)
    return found


@inlined
def card_targets(g: HeroSetup, s: HeroState, card: int) -> Word:
    """Squares onto which a card of the hand can be played (board word)."""
    me = integer(s.player)
    if card < UNIT_CARDS:
        return g.deploy[me] & ((g.board & ~(s.owned[0] | s.owned[1])) | s.down)
    if card == INFERNO:
        return g.board
    units = s.owned[me] & ~s.crystals
    if card == POTION:
        return wounded_units(s, units)
    return without_item(s, units & ~s.down, CARD_ITEM[card])


@inlined
def _list_cards(g: HeroSetup, s: HeroState, out: Ints, n: int) -> int:
    """Append the card actions; returns the new length."""
    me = integer(s.player)
    hand = s.hands[me]
    has_deck = s.decks[me] != 0
    nothing = np.uint64(0)
    while hand != 0:
        card = trailing_zeros(hand) >> 2
        hand &= ~(np.uint64(15) << np.uint64(4 * card))
        n = list_bits(out, n, card_targets(g, s, card), DROP | (card << 8), (nothing, nothing), (0, 0))
        if has_deck:
            out[n] = DISCARD | (card << 8)
            n += 1
    return n


@game_function("legal_actions")
def legal_actions(g: HeroSetup, s: HeroState, out: Ints) -> int:
    """The legal list in native order.

    A deviation only in form: where the rules list nothing and the driver ends the turn, the list is [end].
    """
    n = 0
    if s.ap > 0:
        units = s.owned[integer(s.player)] & ~s.down & ~s.crystals
        wounded = wounded_units(s, units)
        while units != 0:
            here = trailing_zeros(units)
            units &= units - np.uint64(1)
            moves, attacks, special = unit_targets(g, s, here, wounded)
            special_more = (HEAL if (s.units[here] >> np.uint32(20)) == CLERIC else SWAP) - MOVE
            targets = moves | attacks | special
            n = list_bits(out, n, targets, MOVE | (here << 8), (attacks, special), (ATTACK - MOVE, special_more))
        n = _list_cards(g, s, out, n)
    if n == 0:
        out[0] = END
        n = 1
    return n


@kernel
def is_listed(g: HeroSetup, s: HeroState, action: int) -> bool:
    """Whether an action other than ``end`` is in the legal list; ``action`` may be any number."""
    kind, first, second = action & KIND_MASK, (action >> 8) & 0xFF, action & 0xFF
    if action >> CODE_BITS != 0 or s.ap <= 0 or first > 63 or second >= g.squares:
        return False
    me = integer(s.player)
    if kind == DISCARD:
        return second == 0 and first < 11 and card_count(s.hands[me], first) > 0 and s.decks[me] != 0
    if kind == DROP:
        return first < 11 and card_count(s.hands[me], first) > 0 and has(card_targets(g, s, first), second)
    if first >= g.squares or kind < MOVE or kind > SWAP:
        return False
    if not has(s.owned[me] & ~s.down & ~s.crystals, first):
        return False
    target = bit(second)
    wounded = np.uint64(0)
    unit = integer(s.units[first] >> np.uint32(20))
    if kind == HEAL:
        wounded = wounded_units(s, s.owned[me] & ~s.down & ~s.crystals & target)
    moves, attacks, special = unit_targets(g, s, first, wounded)
    if kind == MOVE:
        return bool((moves & target) != 0)
    if kind == ATTACK:
        return bool((attacks & target) != 0)
    return (special & target) != 0 and (unit == CLERIC) == (kind == HEAL)


@game_function("is_legal")
def is_legal(g: HeroSetup, s: HeroState, action: int) -> int:
    """Listed actions, and ``end`` at any time: the rules let a player give up the rest of a turn."""
    return integer(action == END or is_listed(g, s, action))
