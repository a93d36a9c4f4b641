"""From states and actions of turnwise to those of OpenSpiel and back, for players of one side in games of the other."""

from __future__ import annotations

from typing import Any, Protocol

import pyspiel

from turnwise.core.errors import IllegalActionError
from turnwise.core.game import Game, as_game
from turnwise.core.state import State
from turnwise.interop.openspiel.exported_game import TurnwiseGame
from turnwise.interop.openspiel.exported_state import TurnwiseState
from turnwise.interop.openspiel.foreign_game import OpenSpielGame
from turnwise.interop.openspiel.loading import loaded
from turnwise.interop.stepping import as_environment_game


class Crossing(Protocol):
    """A game that both sides know.

    Attributes:
        game: Turnwise's side.
        spiel: OpenSpiel's side.
    """

    game: Game
    spiel: Any

    def to_spiel(self, state: State, seed: int) -> Any:
        """OpenSpiel's state of one of turnwise; what the mover does not know is drawn."""

    def to_turnwise(self, spiel: Any) -> State:
        """Turnwise's state of one of OpenSpiel."""

    def code(self, state: State, action: int) -> int:
        """Turnwise's code of OpenSpiel's action.

        Raises:
            IllegalActionError: No legal action has that number, in a game of turnwise.
        """

    def action(self, state: State, code: int) -> int:
        """OpenSpiel's action of turnwise's code."""


def crossing_of(game: object) -> Crossing:
    """The two sides of a game.

    Args:
        game: A game of either side, or a text: OpenSpiel's of its own games, turnwise's of all others.

    Raises:
        OptionError: Not a game, or one that planners cannot play.
        UnknownNameError: There is no such game.
        GameFunctionError: A game of turnwise without ``index`` or ``features``.
    """
    if isinstance(game, str):
        known = game.partition("(")[0].strip() in pyspiel.registered_names()
        game = loaded(game) if known else as_environment_game(game)
    if isinstance(game, TurnwiseGame):
        return _OwnGame(game)
    if isinstance(game, pyspiel.Game):
        return _ForeignGame(OpenSpielGame(game))
    scenario = as_game(game)
    return _ForeignGame(scenario) if isinstance(scenario, OpenSpielGame) else _OwnGame(TurnwiseGame(scenario))


class _ForeignGame:
    """A game of OpenSpiel."""

    def __init__(self, game: OpenSpielGame) -> None:
        self.game: Game = game
        self._game = game
        self.spiel = game.spiel

    def to_spiel(self, state: State, seed: int) -> Any:
        return self._game.state_of(state.determinise(state.to_move, seed).row).spiel.clone()

    def to_turnwise(self, spiel: Any) -> State:
        return self._game.state_from(spiel)

    def code(self, state: State, action: int) -> int:
        return self._game.code_of(action)

    def action(self, state: State, code: int) -> int:
        return self._game.number_of(state, code)


class _OwnGame:
    """A game of turnwise."""

    def __init__(self, spiel: TurnwiseGame) -> None:
        self.spiel = spiel
        self.game: Game = spiel.game

    def to_spiel(self, state: State, seed: int) -> Any:
        return self.spiel.state_from(state.determinise(state.to_move, seed))

    def to_turnwise(self, spiel: TurnwiseState) -> State:
        return spiel.state

    def code(self, state: State, action: int) -> int:
        legal: list[int] = state.legal_codes().tolist()
        found = next((code for code in legal if state.index(code) == action), None)
        if found is None:
            places = ", ".join(str(state.index(code)) for code in legal[:12])
            raise IllegalActionError(
                f"Action {action} is not legal here. Expected one of state.legal_actions(), the places that "
                f"{self.game.spec} gives its actions: {places}."
            )
        return found

    def action(self, state: State, code: int) -> int:
        return state.index(code)
