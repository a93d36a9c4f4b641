"""Randomly played games, on which a game is checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from turnwise.core import calls
from turnwise.core.errors import TurnwiseError
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.testing.checks.failures import Broken

LONGEST_GAME = 2000
LONGEST_RANDOM = 10 * LONGEST_GAME  # random actions, after which a game counts as one without end
MOST_STATES = 100_000  # largest number of states of a sample
ROOM = 4096  # entries beyond the end of a list within which an overrun is still detected


@dataclass(slots=True)
class SampledGame:
    """One random game.

    Attributes:
        seed: Seed of the start.
        states: All states in order; one more than ``codes``.
        codes: The action played in each state.
    """

    seed: int
    states: list[State] = field(default_factory=list)
    codes: list[int] = field(default_factory=list)


class StateSample:
    """Random games and a selection of their states.

    Attributes:
        game: The scenario.
        games: The games, played to the end or to a bounded length.
        states: The selection: the first and last states of every game and random ones between, in a fixed order.
        random: Seeded generator for further choices of the checks.
        setup: Copy of the game's setup row before the first action.
    """

    def __init__(self, game: Game, seed: int, states: int, games: int = 3) -> None:
        """Play the games.

        Args:
            game: The scenario.
            seed: Seed; equal seeds give equal samples.
            states: Approximate number of states to select.
            games: Number of games to play.

        Raises:
            Broken: A game cannot be played.
        """
        self.game = game
        self.setup = game.setup.copy()
        self.random = np.random.default_rng(seed & 0xFFFFFFFFFFFFFFFF)
        self.games = [self._play(seed + number) for number in range(games)]
        self.states: list[State] = []
        share = max(2, states // games)
        for played in self.games:
            length = len(played.states)
            chosen = self.random.choice(length, size=min(share, length), replace=False).tolist()
            self.states += [played.states[i] for i in sorted({0, length - 1, *chosen})]

    def _play(self, seed: int) -> SampledGame:
        start = self.game.start(seed)
        played = SampledGame(seed, [start])
        for code, after in self._course(start, LONGEST_GAME):
            played.codes.append(code)
            played.states.append(after)
        return played

    def play_on(self, state: State, most: int) -> State:
        """The last state after random actions.

        Args:
            state: The first state.
            most: Number of actions after which a game that goes on is left.

        Returns:
            The end of the game, or the state after the last action.

        Raises:
            Broken: The game cannot be played on.
        """
        last = state
        for _, last in self._course(state, most):  # noqa: B007 - the last one is the result
            pass
        return last

    def _course(self, state: State, most: int) -> Iterator[tuple[int, State]]:
        """Random actions from a state on, each with the state after it, until the game or the number ends."""
        for _ in range(most):
            if state.is_over:
                return
            codes = listed_safely(state)
            code = codes[self.random.integers(len(codes))]
            try:
                state = state.play(code)
            except TurnwiseError as error:
                raise Broken(f"playing a listed action failed: {error}", state, text_of(state, code)) from error
            yield code, state

    @cached_property
    def ends(self) -> list[State]:
        """The games' last states after further random actions, up to the first game that seems to have no end."""
        found: list[State] = []
        for played in self.games:
            found.append(self.play_on(played.states[-1], LONGEST_RANDOM))
            if not found[-1].is_over:
                break
        return found

    @property
    def running(self) -> list[State]:
        """The selected states in which the game goes on."""
        return [state for state in self.states if not state.is_over]

    @property
    def all_states(self) -> list[State]:
        """All states of all games, from the start of the first on."""
        return [state for played in self.games for state in played.states]

    def spread(self, most: int) -> list[State]:
        """About that many of the running states, early and late ones of all games."""
        return self.running[:: max(1, len(self.running) // most)]

    def some_actions(self, state: State, most: int = 4) -> Iterator[int]:
        """A few legal actions of a state, chosen at random."""
        codes = state.legal_codes()
        for i in self.random.permutation(len(codes))[:most]:
            yield int(codes[i])

    def twin(self) -> Game:
        """A second game object of the same scenario, without any cached data."""
        return type(self.game)(**self.game.options.model_dump())


def listed_safely(state: State) -> list[int]:
    """The legal list of a running state, in memory with guard words beyond its end.

    Raises:
        Broken: The list is empty or longer than max_actions, or the function wrote beyond it.
    """
    game = state.game
    out = np.full(game.max_actions + ROOM, calls.GUARD, np.int64)
    n = int(calls.call(game, "legal_actions", state.row, out.ctypes.data))
    if n < 1:
        raise Broken(
            "the game goes on (to_move is a player), but the legal list is empty; list at least one action, for "
            "example one that ends the turn",
            state,
        )
    if n > game.max_actions:
        raise Broken(
            f"legal_actions listed {n} actions; max_actions is {game.max_actions}. Searches would write beyond the "
            "memory of a list: raise max_actions to a bound that the rules prove",
            state,
        )
    written = np.flatnonzero(out[game.max_actions :] != calls.GUARD)
    if written.size:
        raise Broken(
            f"legal_actions listed {n} actions, but wrote entry {game.max_actions + int(written[-1])} of a list whose "
            f"capacity is max_actions = {game.max_actions}; raise max_actions, or use no room beyond the list",
            state,
        )
    return [int(code) for code in out[:n]]


def text_of(state: State, code: int) -> str:
    """An action's text for a message; never raises."""
    try:
        return state.text(code)
    except Exception as error:  # the notation itself may be broken
        return f"code {code} (no text: {error})"
