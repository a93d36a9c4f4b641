"""Where a game is, by the messages ``position``: a state, or actions since the start or the last position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from turnwise.core import arguments
from turnwise.core.chance import derive_seed
from turnwise.core.errors import brief
from turnwise.core.game import Game
from turnwise.core.saved_state import content_of
from turnwise.core.state import State
from turnwise.interop.engines.messages import MessageError


@dataclass(frozen=True, slots=True)
class ReportedPlace:
    """Where messages have brought a game.

    Attributes:
        state: Its state; the true one if it follows from the seed of a start, else what the mover knows.
        is_true: Whether it is the true one, with the game's own chance.
    """

    state: State
    is_true: bool

    @property
    def known(self) -> State:
        """What the mover knows, with a chance of its own; the state itself when the game is over."""
        mover = self.state.to_move
        if not self.is_true or mover < 0:
            return self.state
        return self.state.view(mover).with_chance(derive_seed(self.state.chance, "view"))


def followed(game: Game, last: ReportedPlace | None, message: Mapping[str, Any]) -> ReportedPlace:
    """Where a game is after a message ``position``.

    Args:
        game: The scenario.
        last: Where it was before; None: unknown.
        message: The state (``state``); or ``actions`` since the last position, or since the start that the seed
            ``start`` gives. With a state, the actions that led to it make no difference.

    Raises:
        MessageError: The message has no such fields, or actions alone do not say where the game is.
        NotationError: The state or an action cannot be read.
        IllegalActionError: An action is not legal.
        OptionError: The state is of another game.
    """
    state, start, actions = message.get("state"), message.get("start"), message.get("actions")
    if (state is not None and start is not None) or (state is None and start is None and actions is None):
        raise MessageError(
            "Expected a position with the field state, an object, or start, the seed of a start, or actions since the "
            f"last position; got {brief(dict(message))}."
        )
    if actions is not None and not (isinstance(actions, list) and all(isinstance(one, str) for one in actions)):
        raise MessageError(f"Expected actions as a list of texts; got {brief(actions)}.")
    if state is not None:
        if not isinstance(state, dict):
            raise MessageError(f"Expected a position with the field state, an object; got {brief(state)}.")
        return ReportedPlace(game.from_dict(content_of(state, game)), is_true=False)
    if start is not None:
        place = ReportedPlace(game.start(arguments.seed(start)), is_true=True)
    elif last is None:
        raise MessageError("Expected state or start in the first position of a game; got actions only.")
    else:
        place = last
    return _after(place, actions or [])


def _after(place: ReportedPlace, actions: list[str]) -> ReportedPlace:
    """Where the game is after actions.

    Raises:
        MessageError: Chance or hidden parts make the result unknown.
    """
    game = place.state.game
    why = "has chance" if game.is_stochastic else "hides parts of its states" if game.pointers["view"] else ""
    if actions and why and not place.is_true:
        raise MessageError(
            f"{game.spec} {why}, so actions alone do not say what the state is after them. Send the state with every "
            "position, or begin with start, the seed of the game's start, from which all chance follows."
        )
    state = place.state
    for action in actions:
        state = state.play(action)
    return ReportedPlace(state, place.is_true)
