"""What players of a turnwise game see, as OpenSpiel asks for it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from turnwise.core.errors import OptionError
from turnwise.core.game import Game

if TYPE_CHECKING:
    from turnwise.interop.openspiel.exported_state import TurnwiseState


class FeatureObserver:
    """OpenSpiel's observer of a game: its features, and what a player may know as a text.

    With perfect recall there is only a text, the history, in games that hide nothing: features do not hold the past.

    Attributes:
        tensor: float32[product of feature_shape]; None with perfect recall.
        dict: Name -> the same numbers in the shape of the features.
    """

    def __init__(self, game: Game, iig_obs_type: Any = None) -> None:
        """Make an observer.

        Args:
            game: The scenario.
            iig_obs_type: OpenSpiel's type of observation; None: what a player sees now.
        """
        self._recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        self._hidden = game.spec if game.pointers["view"] else ""
        shaped = np.zeros(game.feature_shape, np.float32)
        self.tensor: NDArray[np.float32] | None = None if self._recalls else shaped.reshape(-1)
        self.dict: dict[str, NDArray[np.float32]] = {} if self._recalls else {"features": shaped}

    def set_from(self, state: TurnwiseState, player: int) -> None:
        """Write what a player sees in a state."""
        if not self._recalls:
            self.dict["features"][:] = state.features(player)

    def string_from(self, state: TurnwiseState, player: int) -> str:
        """What a player knows, or the history.

        Raises:
            OptionError: With perfect recall in a game that hides something: the history shows what a player must not
                know.
        """
        if self._recalls and self._hidden:
            raise OptionError(
                f"{self._hidden} hides parts of its states, and its history would show them, so there is no text with "
                "perfect recall. Ask for what a player sees now: an observation type with perfect_recall=False, or "
                "state.observation_string(player)."
            )
        if self._recalls:
            return str(state.history_str())
        return (
            ""
            if state.is_initial_state() and state.is_chance_node()
            else json.dumps(state.state.view(player).to_dict())
        )
