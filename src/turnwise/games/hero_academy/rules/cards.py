"""Drawing cards (rules 2.2)."""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import draw
from turnwise.games.hero_academy.scenario import HeroSetup
from turnwise.games.hero_academy.state import HeroState, card_count, one_card, total_cards
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.record import Address

HAND_SIZE = 6
FIRST_HAND_UNITS = 3
DECK_SEEDS = 1000
UNIT_NIBBLES = np.uint64(0xFFFFF)


@kernel
def next_card(g: HeroSetup, s: HeroState, player: int, rng: Address) -> int:
    """Choose the card that a player draws from a deck that is not empty (rules 2.2)."""
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
def draw_hand(g: HeroSetup, s: HeroState, player: int, rng: Address) -> None:
    """Draw until the hand is full or the deck empty."""
    missing = HAND_SIZE - total_cards(s.hands[player])
    while missing > 0 and s.decks[player] != 0:
        card = next_card(g, s, player, rng)
        s.decks[player] -= one_card(card)
        s.hands[player] += one_card(card)
        missing -= 1
