"""Cards by number in a hand or deck."""

import random

import numpy as np

from turnwise.games.hero_academy.scenario import DECKS, pack_counts
from turnwise.games.hero_academy.state import card_at
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Word


@kernel
def _card(cards: Word, number: int) -> int:
    return card_at(cards, number)


def test_every_number_gives_the_card_that_lies_there():
    source = random.Random(3)
    hands = [tuple(source.randrange(count + 1) for count in deck) for deck in DECKS.values() for _ in range(50)]
    for counts in [*DECKS.values(), *hands, (0,) * 10 + (1,), (1,) + (0,) * 10]:
        in_order = [card for card, count in enumerate(counts) for _ in range(count)]
        cards = np.uint64(pack_counts(counts))
        assert [_card(cards, number) for number in range(len(in_order))] == in_order


def test_no_deck_has_more_cards_than_the_count_by_bytes_allows():
    assert all(sum(deck) <= 127 for deck in DECKS.values())
