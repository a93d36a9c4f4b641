"""The reference engine's conventions, for comparing recorded play: hash, empty lists, one position at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from turnwise.core import calls
from turnwise.core.chance import as_outcomes, as_record, generator, tape
from turnwise.core.game import Game
from turnwise.core.table import game_function
from turnwise.games.hero_academy.notation import engine_dict, state_row
from turnwise.games.hero_academy.rules import actions, selection
from turnwise.games.hero_academy.scenario import CARDS, HeroSetup
from turnwise.games.hero_academy.state import HeroState
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Ints

_list = kernel(actions.legal_actions.python)
_prune = kernel(selection.prune.python)
_survives = kernel(selection.survives.python)


@game_function("legal_actions")
def engine_list(g: HeroSetup, s: HeroState, out: Ints) -> int:
    """The engine's legal list for perft: empty in finished games and where no action is possible."""
    if s.terminal != 0:
        return np.int64(0)  # type: ignore[return-value]
    n = _list(g, s, out)
    return np.int64(0 if s.ap > 0 and out[0] == actions.END else n)  # type: ignore[return-value]


@game_function("legal_actions")
def engine_pruned_list(g: HeroSetup, s: HeroState, out: Ints) -> int:
    """The engine's pruned list within one turn (rules 9.4): finished games continue, ap 0 is a leaf."""
    n = _list(g, s, out)
    if s.ap <= 0 or out[0] == actions.END:
        return np.int64(0)  # type: ignore[return-value]
    n = _prune(g, s, out, n)
    # Where the pruner would drop everything, ours keeps the whole list; the engine's list is empty.
    return np.int64(n if _survives(g, s, out[0]) != 0 else 0)  # type: ignore[return-value]


# --------------------------------------------------------------------------------------------------------- hash

_HASH_CLASS = {"AR": 0, "CR": 1, "KN": 2, "NI": 3, "CL": 4, "WI": 5}
_HASH_ITEM = {"D": 1, "R": 2, "H": 4, "S": 8}


def _signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def _cards_hash(counts: Sequence[int]) -> int:
    found = 1
    for count in (*counts, 0):  # the engine's list has a twelfth card, the crystal, with a count of 0
        found = _signed(7 * found + count, 32)
    return found


def engine_hash(state: Mapping[str, Any]) -> int:
    """The engine's 64-bit hash of a state in the engine's form (rules 9.9), signed.

    It ignores the mover and the seeds, and some boards collide; it is only for comparison with recordings.
    """
    hands, decks = state["hands"], state["decks"]
    parts = [state["ap"], state["turn"], 0 if state["terminal"] else 1]
    parts += [_cards_hash(cards) for cards in (hands[0], decks[1], hands[1], decks[0])]
    for x, y, owner, unit, hp, items in state["units"]:
        word = 16 + sum(_HASH_ITEM[item] for item in items)
        word = (word * 6553 + hp) * 2 + (owner - 1)
        parts.append(((word * 6 + _HASH_CLASS[unit]) * 5 + x) * 5 + y)
    found = 1
    for part in parts:
        found = found * 1193 + part
    return _signed(found, 64)


# ----------------------------------------------------------------------------------------------------- positions


class Position:
    """A state that recorded actions are applied to in place, with the engine's view of lists and endings.

    Args:
        game: A Hero Academy scenario.
        state: JSON form 1 or 2.

    Raises:
        NotationError: The state is impossible in this scenario.
    """

    def __init__(self, game: Game, state: Mapping[str, Any]) -> None:
        self.game = game
        self.set(state)
        self._buffer = np.zeros(game.max_actions, np.int64)
        self._texts: dict[int, str] = {}
        self._generator = generator(0)

    @property
    def head(self) -> Any:
        """The state's fields by name; a copy."""
        padded = np.zeros(HeroState.dtype.itemsize // 8, np.uint64)
        padded[: len(self.row)] = self.row
        return padded.view(HeroState.dtype)[0]

    def set(self, state: Mapping[str, Any]) -> None:
        """Continue from another state. In recorded states made by hand, either player may be to move in any turn.

        Raises:
            NotationError: The state is impossible in this scenario.
        """
        self.row = state_row(self.game.setup, self.game.state_words, state)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form of the engine's recordings: players are 1 and 2."""
        return engine_dict(self.game.setup, self.row)

    def text(self, code: int) -> str:
        """Text of an action."""
        if code not in self._texts:
            self._texts[code] = self.game.action_text(self.row, code)
        return self._texts[code]

    def codes(self) -> NDArray[np.int64]:
        """The engine's legal list in native order: empty where the engine lists nothing; also for finished games."""
        n = calls.call(self.game, "legal_actions", self.row, self._buffer.ctypes.data)
        if self._buffer[0] == actions.END and int(self.head["ap"]) > 0:
            return self._buffer[:0]
        return self._buffer[:n].copy()

    def pruned(self, codes: NDArray[np.int64]) -> list[int]:
        """The engine's legal list after its pruner."""
        if len(codes) == 0:
            return []
        self._buffer[: len(codes)] = codes
        n = calls.call(self.game, "prune", self.row, self._buffer.ctypes.data, len(codes))
        kept = [int(code) for code in self._buffer[:n]]
        return kept if calls.call(self.game, "survives", self.row, kept[0]) else []

    def scores(self, codes: NDArray[np.int64]) -> list[float]:
        """The action score of each listed action."""
        return [calls.call(self.game, "action_score", self.row, int(code)) for code in codes]

    def apply(self, code: int, outcomes: Sequence[int] | None = None) -> int:
        """Play an action, legal or not, as the engine's update does.

        Args:
            code: The action.
            outcomes: Chance outcomes in the order in which they are drawn; None: the rules need none, or any are fine.

        Returns:
            Number of outcomes too many or too few, plus those that did not fit; 0 if exactly all of them were drawn.
        """
        if outcomes is None:
            calls.call(self.game, "apply", self.row, code, self._generator.ctypes.data)
            return 0
        recorded = as_outcomes(outcomes)
        rng = tape(recorded)
        calls.call(self.game, "apply", self.row, code, rng.ctypes.data)
        end = as_record(rng)
        return abs(int(end["position"]) - len(recorded)) + int(end["faults"])

    def after(self, code: int) -> Position:
        """A copy in which an action has been played."""
        child = object.__new__(Position)
        child.__dict__.update(self.__dict__)
        child.row = self.row.copy()
        child.apply(code)
        return child

    def value(self, player: int, evaluation: str) -> float:
        """An evaluation for a player (0 or 1)."""
        return calls.value(self.game, self.game.evaluation(evaluation)[1], self.row, self.row, player)

    @property
    def is_over(self) -> bool:
        """Whether the terminal flag is set."""
        return bool(calls.call(self.game, "to_move", self.row) < 0)

    @property
    def winner(self) -> int | None:
        """The winner in the engine's numbering: 1 or 2, 0 for a draw, None while the game runs."""
        if not self.is_over:
            return None
        out = np.zeros(2)
        calls.call(self.game, "returns", self.row, out.ctypes.data)
        return 0 if out[0] == 0 else (1 if out[0] > 0 else 2)


def draws_between(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[list[Any]]:
    """Cards that came into the hands at an end of turn: ``[player, card]`` by player (from 1) and card order."""
    found = []
    for player in range(2):
        gained = [a - b for a, b in zip(after["hands"][player], before["hands"][player], strict=True)]
        found += [[player + 1, card] for card, count in zip(CARDS, gained, strict=True) for _ in range(count)]
    return found


def tape_of(draws: Sequence[Sequence[Any]], state: Mapping[str, Any]) -> list[int] | None:
    """Chance outcomes that reproduce recorded random draws: first those of the player who ends the turn.

    Args:
        draws: ``[player, card]`` in any order; the order within a player's draws does not matter for the result.
        state: The state in which the turn is ended.

    Returns:
        Place of each card in the rest of the deck, sorted in card order; None if a deck does not hold the cards.
    """
    outcomes = []
    for player in (state["player"], 3 - state["player"]):
        deck = list(state["decks"][player - 1])
        for who, card in draws:
            if who != player:
                continue
            if card not in CARDS or deck[CARDS.index(card)] == 0:
                return None
            outcomes.append(sum(deck[: CARDS.index(card)]))
            deck[CARDS.index(card)] -= 1
    return outcomes
