"""A game of OpenSpiel as a game that every planner plays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from importlib.metadata import version
from random import Random
from typing import Any, ClassVar

import numpy as np
import pyspiel
from numpy.typing import NDArray
from pydantic import Field

from turnwise.core.errors import NotationError, OptionError, brief
from turnwise.core.game import GameOptions, Row
from turnwise.core.state import State
from turnwise.interop.openspiel import foreign_states as states
from turnwise.interop.openspiel.foreign_states import NOBODY, SpielState
from turnwise.interop.openspiel.loading import as_game_text, loaded, refuse_unknowable
from turnwise.plain_python.chance import Chance
from turnwise.plain_python.game import PythonGame, PythonGameOptions
from turnwise.plain_python.pickling import AsJson

_SEVERAL = 32  # actions in a turn of a game for several players; longer turns are planned in parts
_ONLY_HIDDEN = ("view", "determinise")


class OpenSpielOptions(PythonGameOptions):
    """Options of a game of OpenSpiel."""

    game: str = Field(min_length=1, description="OpenSpiel's text of the game: 'hex(board_size=5)'")
    open: bool = Field(False, description="whether players see what the game hides")
    max_objects: int = Field(
        200_000, ge=1000, description="largest number of states kept at a time (some kB each); then a search stops"
    )


class OpenSpielGame(PythonGame[SpielState, int]):
    """A sequential game of OpenSpiel: with or without chance, hidden information, and any number of players.

    A turn is all that a player plays until another one is to move; in games for one player it is one action. Chance
    takes part in the action before it. Two states are equal if the same actions have led to them.

    Attributes:
        spiel: OpenSpiel's game.
        is_hidden: Whether players do not see everything.
    """

    name: ClassVar[str] = "openspiel"
    title: ClassVar[str] = "Game of OpenSpiel"
    Options: ClassVar[type[GameOptions]] = OpenSpielOptions
    options: OpenSpielOptions

    def __init__(self, /, game: Any = None, **options: Any) -> None:
        """Load a game.

        Args:
            game: OpenSpiel's text of the game, as in ``"hex(board_size=5)"``, or its object.
            **options: See :class:`OpenSpielOptions`.

        Raises:
            UnknownNameError: OpenSpiel has no game of that name.
            OptionError: OpenSpiel refuses the parameters; players move at the same time; or chance or hidden
                information have a form that planners cannot use.
        """
        given = options if game is None else {"game": as_game_text(game), **options}
        self.spiel = spiel = loaded(self.read_options(**given).game)  # type: ignore[attr-defined]
        kind = spiel.get_type()
        hides = kind.information != pyspiel.GameType.Information.PERFECT_INFORMATION
        self.players = spiel.num_players()
        self.is_hidden = hides and self.players > 1 and not given.get("open")
        self.is_stochastic = kind.chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC
        self.reveals_in_turn = self.is_stochastic or self.is_hidden
        self.shares_goal = kind.utility == pyspiel.GameType.Utility.IDENTICAL
        self.rules_version = f"open-spiel-{version('open_spiel')}"
        self.max_turn = 1 if self.players == 1 else _SEVERAL
        self.max_actions = self.indices = spiel.num_distinct_actions()
        self.feature_shape = _tensor_shape(spiel)
        self.bounds = (spiel.min_utility(), spiel.max_utility())
        self._pays_early = kind.reward_model == pyspiel.GameType.RewardModel.REWARDS
        super().__init__(**given)
        if self.is_hidden:
            refuse_unknowable(spiel)

    def overrides(self, name: str) -> bool:
        """Whether the game has a function; OpenSpiel's games differ in what is hidden, seen and paid early."""
        if name in _ONLY_HIDDEN:
            return self.is_hidden
        if name == "features":
            return bool(self.feature_shape)
        if name == "evaluate" and type(self).evaluate is OpenSpielGame.evaluate:
            return bool(self._pays_early)
        return super().overrides(name)

    @cached_property
    def _is_solo(self) -> bool:
        return self.players == 1

    # ------------------------------------------------------------------------------------------------------ rules

    def first_state(self, random: Chance) -> SpielState:
        """See :meth:`PythonRules.first_state`."""
        return states.begun(self.spiel, random)

    def legal_actions(self, state: SpielState) -> Sequence[int]:
        """See :meth:`PythonRules.legal_actions`: OpenSpiel's numbers of actions."""
        legal: list[int] = state.spiel.legal_actions()
        return legal

    def play(self, state: SpielState, action: int, random: Chance) -> SpielState:
        """See :meth:`PythonRules.play`."""
        return states.after(state, action, random, is_solo=self._is_solo)

    def to_move(self, state: SpielState) -> int:
        """See :meth:`PythonRules.to_move`."""
        return state.mover

    def turn(self, state: SpielState) -> int:
        """See :meth:`PythonRules.turn`: how often the mover has changed; in games for one player, the actions."""
        return state.turn

    def returns(self, state: SpielState) -> Sequence[float]:
        """See :meth:`PythonRules.returns`."""
        results: list[float] = state.spiel.returns()
        return results

    def evaluate(self, state: SpielState, player: int) -> float:
        """What a player has been paid so far."""
        low, high = self.bounds
        return min(high, max(low, float(state.spiel.returns()[player])))

    def view(self, state: SpielState, player: int) -> SpielState:
        """See :meth:`PythonRules.view`: a state of OpenSpiel's that agrees with what the player knows."""
        if state.seer == player:
            return state
        return states.known_to(state, player, lambda known: Random(known).random)

    def determinise(self, state: SpielState, player: int, random: Chance) -> SpielState:
        """See :meth:`PythonRules.determinise`."""
        other = state.spiel.resample_from_infostate(player, _source(random))
        return states.truth(other, state.turn)

    def index(self, state: SpielState, action: int) -> int:
        """See :meth:`PythonRules.index`: OpenSpiel's number of the action."""
        return action

    def features(self, state: SpielState, player: int) -> NDArray[np.float32]:
        """See :meth:`PythonRules.features`: OpenSpiel's observation, or what the player has seen so far."""
        spiel = state.spiel
        observes = spiel.get_game().get_type().provides_observation_tensor
        tensor = spiel.observation_tensor(player) if observes else spiel.information_state_tensor(player)
        return np.array(tensor, np.float32).reshape(self.feature_shape)

    def fingerprint(self, state: SpielState) -> int:
        """See :meth:`PythonRules.fingerprint`."""
        text = f"{state.key}|{state.seer}"
        return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")

    # --------------------------------------------------------------------------------------- states of OpenSpiel

    def state_from(self, spiel: Any) -> State:
        """A state of OpenSpiel's, in which a player is to move or the game is over, as a state of this game.

        Raises:
            OptionError: It is none, or of another game.
        """
        if not isinstance(spiel, pyspiel.State) or str(spiel.get_game()) != str(self.spiel) or spiel.is_chance_node():
            raise OptionError(
                f"Expected a state of {self.spiel} (pyspiel.State) that is no chance node; got {brief(spiel)}. Play "
                "the outcome of chance first, and take states from the same game."
            )
        own = states.truth(spiel.clone(), states.turn_of(spiel, is_solo=self._is_solo))
        return State(self, self.unpacked_row(own))

    def code_of(self, number: int) -> int:
        """Turnwise's code of OpenSpiel's number of an action."""
        return self._table.code(number, "OpenSpiel")

    def number_of(self, state: State, code: int) -> int:
        """OpenSpiel's number of an action, by turnwise's code.

        Raises:
            NotationError: No action has that code.
        """
        return int(super().action_text(state.row, code))

    # --------------------------------------------------------------------------------------------------- notation

    def texts(self, state: SpielState) -> dict[int, str]:
        """Action -> text of the legal actions; OpenSpiel's number distinguishes those with the same text."""
        spiel, found = state.spiel, dict[int, str]()
        for action in spiel.legal_actions() if state.mover != NOBODY else ():
            text = " ".join(spiel.action_to_string(state.mover, action).split())
            found[action] = text
        repeated = len(set(found.values())) < len(found)
        return {action: f"{text} #{action}" for action, text in found.items()} if repeated else found

    def action_text(self, row: Row, action: int) -> str:
        """See :meth:`Game.action_text`: OpenSpiel's text of a legal action, ``#NUMBER`` for others."""
        number = int(super().action_text(row, action))  # the default text is the number
        return self.texts(self.state_of(row)).get(number, f"#{number}")

    def parse_action(self, row: Row, text: str) -> int:
        """See :meth:`Game.parse_action`."""
        known = self.texts(self.state_of(row))
        for action, shown in known.items():
            if text in (shown, f"#{action}"):
                return self.code_of(action)
        if text.startswith("#") and text[1:].isdecimal() and int(text[1:]) < self.indices:
            return self.code_of(int(text[1:]))
        legal = ", ".join(repr(shown) for shown in list(known.values())[:12])
        raise NotationError(
            f"{brief(text)} is not an action of {self.spec} in this state. Legal here: {legal or 'nothing'}; or write "
            "OpenSpiel's number of an action, as in '#3'."
        )

    def show(self, state: SpielState) -> str:
        """See :meth:`PythonRules.show`: OpenSpiel's text, or what the player knows."""
        return str(state.spiel) if state.seer == NOBODY else str(state.key)

    def to_json(self, state: SpielState) -> dict[str, Any]:
        """See :meth:`PythonRules.to_json`: the history, in which the outcomes of chance are actions as well."""
        seer = {} if state.seer == NOBODY else {"seer": state.seer}
        return {"history": list(state.spiel.history()), **seer}

    def from_json(self, data: Any) -> SpielState:
        """See :meth:`PythonRules.from_json`.

        Raises:
            NotationError: No such history is possible.
        """
        form: Mapping[str, Any] = data if isinstance(data, Mapping) else {}
        history, seer = form.get("history"), form.get("seer", NOBODY)
        is_seer = type(seer) is int and NOBODY <= seer < self.players
        is_whole = isinstance(history, list) and all(type(action) is int for action in history)
        if history is None or not is_whole or not is_seer or set(form) - {"history", "seer"}:
            raise NotationError(
                f"A state of {self.spec} must be a dictionary with 'history', a list of OpenSpiel's actions, and "
                f"perhaps 'seer', a player from 0 to {self.players - 1}; got {brief(data)}."
            )
        try:
            state = states.replayed(self.spiel, history, is_solo=self._is_solo)
        except (pyspiel.SpielError, ValueError, TypeError) as error:
            raise NotationError(
                f"The history {brief(history)} is not possible in {self.spec}: {str(error).strip():.200}. Check that "
                "it comes from the same game with the same parameters."
            ) from None
        if seer == NOBODY:
            return state
        return SpielState(states.knowledge(state.spiel, seer), state.turn, seer, state.spiel)

    def packed_row(self, row: Row) -> AsJson:
        """See :meth:`Game.packed_row`: the JSON form, since OpenSpiel's states belong to one process."""
        return AsJson(self.state_dict(row))


def _tensor_shape(game: Any) -> tuple[int, ...]:
    """The shape of what a player sees as numbers; empty: the game gives no numbers."""
    kind = game.get_type()
    if kind.provides_observation_tensor:
        return tuple(game.observation_tensor_shape())
    return tuple(game.information_state_tensor_shape()) if kind.provides_information_state_tensor else ()


def _source(random: Chance) -> Callable[[], float]:
    """Chance as OpenSpiel asks for it: numbers from 0 to below 1."""
    return lambda: random.draw(2**31) / 2**31
