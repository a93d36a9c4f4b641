"""What a player may know (rules 2.4), and the fingerprint of a state."""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import draw
from turnwise.core.table import game_function
from turnwise.games.hero_academy.rules.cards import HAND_SIZE
from turnwise.games.hero_academy.scenario import HeroSetup
from turnwise.games.hero_academy.state import (
    HEAD_WORDS,
    HeroState,
    card_at,
    one_card,
    total_cards,
)
from turnwise.jit.kernel import integer, kernel, real
from turnwise.jit.memory import address_of_record, bit_count, copy_words, trailing_zeros
from turnwise.jit.record import Address, Floats, Word, Words

_K = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(0x165667B19E3779F9))
_K0, _K1, _K2 = _K
_HALF = np.uint64(32)


@kernel
def _stir(lane: Word, one: Word, other: Word) -> Word:
    """Mix two words into a lane; the second product does not wait for the first."""
    mixed = (lane ^ one) * _K0 + other * _K1
    return mixed ^ (mixed >> _HALF)


@game_function("fingerprint")
def fingerprint(g: HeroSetup, state: Words) -> Word:
    """64-bit hash of the whole row; three lanes of two words per step hide the latency of the multiplications."""
    words = HEAD_WORDS + (g.squares + 1) // 2
    a, b, c = _K0, _K1, _K2
    i = 0
    while i + 5 < words:
        a = _stir(a, state[i], state[i + 1])
        b = _stir(b, state[i + 2], state[i + 3])
        c = _stir(c, state[i + 4], state[i + 5])
        i += 6
    while i < words:
        a = _stir(a, state[i], _K2)
        i += 1
    return _stir(_stir(a, b, c), c, b)


@game_function("view")
def view(g: HeroSetup, state: Address, player: int, out: HeroState) -> None:
    """The opponent's hand is put back into the opponent's deck; the draw seed stays."""
    copy_words(address_of_record(out), state, HEAD_WORDS + (g.squares + 1) // 2)
    out.decks[1 - player] += out.hands[1 - player]
    out.hands[1 - player] = np.uint64(0)


@game_function("determinise")
def determinise(g: HeroSetup, s: HeroState, player: int, rng: Address) -> None:
    """Deal the opponent a full hand, if there are enough cards, uniformly from all that are not on the board."""
    other = 1 - player
    if s.hands[other] != 0:
        return
    while total_cards(s.hands[other]) < HAND_SIZE and s.decks[other] != 0:
        card = card_at(s.decks[other], draw(rng, total_cards(s.decks[other])))
        s.decks[other] -= one_card(card)
        s.hands[other] += one_card(card)


@game_function("metrics")
def metrics(g: HeroSetup, s: HeroState, player: int, out: Floats) -> None:
    """Crystal hit points, crystals, standing units, knocked-out units, cards in hand and deck."""
    crystals = s.crystals & s.owned[player]
    standing, fallen = s.owned[player] & ~s.crystals & ~s.down, s.owned[player] & s.down
    count = bit_count(crystals)
    hp = 0
    while crystals != 0:
        hp += integer(s.units[trailing_zeros(crystals)]) & 0xFFFF
        crystals &= crystals - np.uint64(1)
    out[0] = real(hp)
    out[1] = real(count)
    out[2] = real(bit_count(standing))
    out[3] = real(bit_count(fallen))
    out[4] = real(total_cards(s.hands[player]) + total_cards(s.decks[player]))
