"""A state of a turnwise game as a state of OpenSpiel: places of actions, and chance as nodes of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel

from turnwise.core import calls
from turnwise.core.chance import derive_seed
from turnwise.core.errors import IllegalActionError
from turnwise.core.game import Game
from turnwise.core.state import State

if TYPE_CHECKING:
    from turnwise.interop.openspiel.exported_game import TurnwiseGame


class Held:
    """A state of turnwise as copies of OpenSpiel's state share it, with the places of its actions."""

    __slots__ = ("_codes", "_state", "_text")

    def __init__(self, state: State | None, text: str = "") -> None:
        self._state, self._text = state, text
        self._codes: Mapping[int, int] | None = None

    def state(self, game: Game) -> State:
        """The state; one that another process has written is read first."""
        if self._state is None:
            self._state = State.from_json(self._text, game)
        return self._state

    def codes(self, game: Game) -> Mapping[int, int]:
        """Place -> code of the legal actions, in the order of their places."""
        if self._codes is None:
            state = self.state(game)
            found = {
                int(calls.call_at(game, "index", state.address, code)): code for code in state.legal_codes().tolist()
            }
            self._codes = dict(sorted(found.items()))
        return self._codes

    def __deepcopy__(self, memo: dict[int, Any]) -> Held:
        return self  # a state is immutable

    def __reduce__(self) -> tuple[Any, ...]:
        """What OpenSpiel's serialisation writes: the state as JSON."""
        return Held, (None, self._text if self._state is None else self._state.to_json())


class TurnwiseState(pyspiel.State):  # type: ignore[misc]
    """A state of a game, or a chance node: an action that has been played and whose outcome is not drawn yet.

    OpenSpiel copies a state by copying its attributes.
    """

    def __init__(self, game: TurnwiseGame, held: Held | None) -> None:
        """Begin; only the game makes states.

        Args:
            game: The game.
            held: The state; None: chance decides how the game begins.
        """
        super().__init__(game)
        self._held = held
        self._played: int | None = None  # the action whose outcome is to be drawn
        self._drawn: tuple[int, ...] = ()  # what was drawn of it

    @property
    def _door(self) -> TurnwiseGame:
        game: TurnwiseGame = self.get_game()
        return game

    @property
    def _waits(self) -> bool:
        """Whether chance is to come."""
        return self._held is None or self._played is not None

    @property
    def state(self) -> State:
        """The state of turnwise; at a chance node the one in which the action was played.

        Raises:
            IllegalActionError: Chance has not decided yet how the game begins.
        """
        if self._held is None:
            raise IllegalActionError(
                "This state is a chance node before the start of the game, so there is no state of turnwise yet. Apply "
                "one of state.chance_outcomes() first, as OpenSpiel's examples do."
            )
        return self._held.state(self._door.game)

    # ------------------------------------------------------------------------------------------ what OpenSpiel asks

    def current_player(self) -> int:
        """The player to move, chance, or that the game is over."""
        if self._waits:
            return int(pyspiel.PlayerId.CHANCE)
        mover = self.state.to_move
        return mover if mover >= 0 else int(pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return not self._waits and self.state.is_over

    def returns(self) -> list[float]:
        """Results of all players; 0 before the end."""
        return list(self.state.returns) if self.is_terminal() else [0.0] * self._door.game.players

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Numbers that are equally likely, from which the outcome of the action, or the start, follows."""
        count = self._door.chance_outcomes
        return [(outcome, 1.0 / count) for outcome in range(count)]

    def _legal_actions(self, player: int) -> list[int]:
        return list(self._held.codes(self._door.game)) if self._held is not None else []

    def _apply_action(self, action: int) -> None:
        if self._waits:
            self._draw(action)
            return
        assert self._held is not None
        state, code = self.state, self._code(action)
        after = state.with_chance(0).play(code)
        if after.outcomes:
            self._played = code
        else:
            self._held = Held(after)

    def _draw(self, outcome: int) -> None:
        """Play what waits for chance."""
        door, drawn = self._door, (*self._drawn, outcome)
        if self._held is None:
            if len(drawn) < door.nodes_at_start:
                self._drawn = drawn
                return
            after = door.game.start(derive_seed("openspiel start", *drawn))
        else:
            state, code = self.state, self._played
            assert code is not None
            after = state.with_chance(derive_seed("openspiel", state.fingerprint, code, *drawn)).play(code)
        self._held, self._played, self._drawn = Held(after), None, ()

    def _code(self, place: int) -> int:
        """The code of the legal action at a place.

        Raises:
            IllegalActionError: There is none.
        """
        assert self._held is not None
        codes = self._held.codes(self._door.game)
        if place not in codes:
            raise IllegalActionError(
                f"Action {place} is not legal here. Expected one of state.legal_actions(), the places that "
                f"{self._door.game.spec} gives its actions: {', '.join(map(str, list(codes)[:12]))}."
            )
        return codes[place]

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"chance {action}"
        codes = {} if self._held is None else self._held.codes(self._door.game)
        return self.state.text(codes[action]) if action in codes else f"place {action}"

    def __str__(self) -> str:
        """The board; and what waits for chance."""
        if self._held is None:
            return f"before the start; drawn: {list(self._drawn)}"
        board = str(self.state)
        return board if self._played is None else f"{board}\nchance decides after {self.state.text(self._played)}"

    # --------------------------------------------------------------------------------------------- hidden information

    def resample_from_infostate(self, player: int, probability_sampler: Any) -> TurnwiseState:
        """A state that agrees with what a player knows; its history stays that of this state.

        Args:
            player: The player.
            probability_sampler: Gives a number from 0 to below 1.
        """
        other: TurnwiseState = self.clone()
        if self._played is None and not self.is_terminal():
            seed = int(probability_sampler() * 2**53)
            other._held = Held(self.state.view(player).determinise(player, seed))
        return other

    def features(self, player: int) -> np.ndarray[Any, np.dtype[np.float32]]:
        """What a player sees as numbers: the game's features; zeros before chance has decided how the game begins."""
        game = self._door.game
        return np.zeros(game.feature_shape, np.float32) if self._held is None else self._door.seen(self.state, player)
