"""Recorded deals (rules 11.4): for every deck and draw seed the number of tries, the hand, and the remaining order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from turnwise.core import calls
from turnwise.core.chance import generator
from turnwise.core.conformance import Document, JSONRecord, Mismatches
from turnwise.core.errors import DamagedFileError, NotationError
from turnwise.core.game import Game
from turnwise.games.hero_academy.rules.actions import END
from turnwise.games.hero_academy.rules.cards import DECK_SEEDS, FIRST_HAND_UNITS, HAND_SIZE
from turnwise.games.hero_academy.scenario import CARDS, DECKS, UNIT_CARDS, pack_counts, unpack_counts
from turnwise.games.hero_academy.state import HeroState

if TYPE_CHECKING:
    from turnwise.games.hero_academy.game import HeroAcademy

_FULL = pack_counts([HAND_SIZE] + [0] * (len(CARDS) - 1))
_ONE_MISSING = pack_counts([HAND_SIZE - 1] + [0] * (len(CARDS) - 1))


class DrawPile:
    """A deck from which the compiled rules draw one card at a time.

    The rules draw only at the end of a turn and up to a full hand. Therefore the player gets a hand of five knights,
    the turn is ended, and the sixth card is the one drawn.

    Args:
        game: A scenario with determined draws.
        counts: The deck.
        seed: Its draw seed.
    """

    def __init__(self, game: Game, counts: Sequence[int], seed: int) -> None:
        self.game = game
        self._row = np.zeros(HeroState.dtype.itemsize // 8, np.uint64)
        self._row[: game.state_words] = game.start().row
        self._state: Any = self._row.view(HeroState.dtype)
        self._rng = generator(0)
        self._state["decks"][0, 0] = pack_counts(list(counts))
        self._state["hands"][0, 1], self._state["decks"][0, 1] = _FULL, 1
        self._state["seeds"][0, 0] = seed

    @property
    def seed(self) -> int:
        """The current draw seed."""
        return int(self._state["seeds"][0, 0])

    @property
    def cards(self) -> int:
        """Number of cards left."""
        return sum(unpack_counts(self._state["decks"][0, 0]))

    def draw(self) -> str:
        """Take the next card."""
        self._state["turn"], self._state["player"] = 1, 0
        self._state["hands"][0, 0] = _ONE_MISSING
        calls.call(self.game, "apply", self._row, END, self._rng.ctypes.data)
        gained = int(self._state["hands"][0, 0]) - _ONE_MISSING
        return CARDS[(gained.bit_length() - 1) // 4]

    def put_back(self, cards: Sequence[str]) -> None:
        """Return cards to the deck."""
        for card in cards:
            self._state["decks"][0, 0] += np.uint64(1 << (4 * CARDS.index(card)))


def verify_deals(game_class: type[HeroAcademy], document: Document, tally: Mismatches) -> None:
    """Deal every recorded seed with the compiled rules, card by card and as a whole."""
    decks = JSONRecord(document.source, document.first)
    for deck in decks.data:
        game = game_class(map="a", deck=deck)
        for number, entry in enumerate(decks.get(deck, list)):
            _verify_deal(game, deck, JSONRecord(f"{document.source}, {deck} deck, entry {number + 1}", entry), tally)


def _verify_deal(game: Game, deck: str, record: JSONRecord, tally: Mismatches) -> None:
    tally.step(record.where)
    seed = record.get("seed", int)
    if not 0 <= seed < DECK_SEEDS:
        raise DamagedFileError(f"{record.where}: expected a seed from 0 to {DECK_SEEDS - 1}, got {seed}.")
    pile = DrawPile(game, DECKS[deck], seed)
    hand: list[str] = []
    tries = 0
    while len(hand) != HAND_SIZE or sum(CARDS.index(card) < UNIT_CARDS for card in hand) != FIRST_HAND_UNITS:
        pile.put_back(hand)
        hand = [pile.draw() for _ in range(min(HAND_SIZE, pile.cards))]
        tries += 1
    seed_after = pile.seed
    rest = [pile.draw() for _ in range(pile.cards)]
    try:
        dealt = game.start(outcomes=[seed, seed]).to_dict()
    except NotationError as error:
        raise DamagedFileError(f"{record.where}: {error}") from None
    tally.compare("tries", record.get("tries", int), tries)
    tally.compare("hand_order", record.get("hand_order", list), hand)
    tally.compare("rest_order", record.get("rest_order", list), rest)
    for player in range(2):
        tally.compare("hand", record.get("hand", list), dealt["hands"][player])
        tally.compare("seed_after", record.get("seed_after", int), dealt["seeds"][player])
    tally.compare("seed_after", record.data["seed_after"], seed_after)
