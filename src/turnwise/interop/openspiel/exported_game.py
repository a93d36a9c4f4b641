"""A turnwise game as a game of OpenSpiel."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from turnwise.core import arguments
from turnwise.core.batch import Batch
from turnwise.core.game import Game
from turnwise.core.state import State, as_state
from turnwise.interop.openspiel.exported_state import Held, TurnwiseState
from turnwise.interop.openspiel.observer import FeatureObserver
from turnwise.interop.stepping import as_environment_game

MOST_ACTIONS = 100_000
"""Longest game that is declared to OpenSpiel; turnwise's games declare none."""
CHANCE_OUTCOMES = 256
"""Outcomes of a chance node, unless others are asked for."""
PARAMETERS: dict[str, Any] = {"options": "", "chance_outcomes": CHANCE_OUTCOMES}
"""The parameters of every turnwise game in OpenSpiel, with their defaults."""
_NODES_AT_START = 2  # so that many different games begin
_MOST_PLAYERS = 64


class TurnwiseGame(pyspiel.Game):  # type: ignore[misc]
    """A game with OpenSpiel's interface. A turn of several actions is several moves of one player.

    Actions are the places that the game's function ``index`` gives them, observations its ``features``. An action whose
    outcome depends on chance is followed by a chance node, whose outcomes are equally likely seeds.

    Attributes:
        game: The scenario.
        chance_outcomes: Number of outcomes of a chance node.
        nodes_at_start: Number of chance nodes before the first move.
    """

    def __init__(self, game: Game | str, parameters: dict[str, Any] | None = None, **options: Any) -> None:
        """Wrap a game; :func:`turnwise.interop.openspiel.as_openspiel` also registers it.

        Args:
            game: The scenario, or its text; the game needs ``index`` and ``features``.
            parameters: OpenSpiel's parameters, from which it makes the game again.
            **options: Options of the game, if it is given as text.

        Raises:
            OptionError: An argument has the wrong type or is out of range.
            UnknownNameError: There is no such game.
            GameFunctionError: The game has no ``index`` or no ``features``.
        """
        given = dict(parameters or {})
        count = given.get("chance_outcomes", CHANCE_OUTCOMES)
        self.game = scenario = as_environment_game(game, **options)
        self.chance_outcomes = arguments.whole_number(count, "chance_outcomes", 1, 2**20)
        start = scenario.start(0)
        self.nodes_at_start = _NODES_AT_START if start.outcomes else 0
        self._first = None if start.outcomes else Held(start)
        self._sight = Batch(scenario, 1, auto_reset=False)
        low, high = scenario.return_bounds()
        super().__init__(
            _type_of(scenario, has_chance=bool(start.outcomes) or scenario.is_stochastic),
            pyspiel.GameInfo(
                num_distinct_actions=scenario.indices,
                max_chance_outcomes=self.chance_outcomes,
                num_players=scenario.players,
                min_utility=float(low),
                max_utility=float(high),
                max_game_length=MOST_ACTIONS,
            ),
            given,
        )

    def new_initial_state(self) -> TurnwiseState:
        """The start of a game: a chance node if chance takes part in it."""
        return TurnwiseState(self, self._first)

    def state_from(self, state: State) -> TurnwiseState:
        """A state of turnwise in OpenSpiel, without a history.

        Raises:
            OptionError: It is not a state of this scenario.
        """
        return TurnwiseState(self, Held(as_state(state, self.game)))

    def max_chance_nodes_in_history(self) -> int:
        """A bound on the number of chance nodes in a game."""
        return MOST_ACTIONS

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> FeatureObserver:
        """What players see; see OpenSpiel's ``observation.py``."""
        return FeatureObserver(self.game, iig_obs_type)

    def seen(self, state: State, player: int) -> NDArray[np.float32]:
        """What a player sees in a state as numbers."""
        self._sight.set(0, state)
        seen: NDArray[np.float32] = self._sight.features(player)[0]
        return seen


def short_name(name: str) -> str:
    """OpenSpiel's name of a game of turnwise."""
    return f"turnwise_{name.replace('-', '_')}"


def general_type(name: str) -> Any:
    """What OpenSpiel wants to know about a game of which no scenario has been made."""
    return _type(short_name(name), f"{name} (turnwise)", 1, _MOST_PLAYERS, has_chance=True, hides=True)


def _type_of(game: Game, *, has_chance: bool) -> Any:
    """What OpenSpiel wants to know about a scenario."""
    hides, players = bool(game.pointers["view"]), game.players
    return _type(
        short_name(game.name), f"{game.title} (turnwise)", players, players, has_chance=has_chance, hides=hides
    )


def _type(name: str, title: str, fewest: int, most: int, *, has_chance: bool, hides: bool) -> Any:
    kinds = pyspiel.GameType
    return kinds(
        short_name=name,
        long_name=title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if has_chance else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.IMPERFECT_INFORMATION if hides else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=fewest,
        provides_information_state_string=not hides,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )
