"""One game as environments of all libraries step it: places instead of action codes, features instead of rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from turnwise.core.batch import Batch
from turnwise.core.errors import OptionError
from turnwise.core.game import Game, as_game
from turnwise.core.state import State
from turnwise.registry import make

NOBODY = -1
"""The mover of a game that is over."""


def as_environment_game(game: Game | str, **options: object) -> Game:
    """The scenario of an environment.

    Args:
        game: The scenario, or its text.
        **options: More options of the game, if it is given as text.

    Raises:
        OptionError: The value is neither, or options come with a scenario that is already made.
        UnknownNameError: There is no such game.
        GameFunctionError: The game has no ``index`` or no ``features``.
    """
    if isinstance(game, str):
        made = make(game, **options)
    elif options:
        raise OptionError(
            f"A game that is already made has its options; got {', '.join(options)} as well. Pass its text instead: "
            f"{as_game(game).spec!r}."
        )
    else:
        made = as_game(game)
    if not made.indices:
        raise made.without("index")
    if not made.feature_shape:
        raise made.without("features")
    return made


class SteppedGame:
    """A game that is played by places of actions (the game's function ``index``).

    Attributes:
        game: The scenario.
        mover: The player to move, or ``NOBODY``.
    """

    def __init__(self, game: Game) -> None:
        """Begin a game; :meth:`begin` begins others.

        Args:
            game: The scenario, with ``index`` and ``features``.
        """
        self.game = game
        self._batch = Batch(game, 1, auto_reset=False)
        self._to_see: State | None = None

    def begin(self, seed: int) -> None:
        """Begin a new game, whose start and chance follow from a seed."""
        self._batch.restart(seeds=[seed])
        self._to_see = None

    @property
    def mover(self) -> int:
        """See the class."""
        return int(self._batch.movers[0])

    @property
    def state(self) -> State:
        """The state, with a chance stream that is not the game's."""
        if self._to_see is None:
            self._to_see = self._batch.state(0)
        return self._to_see

    def play(self, place: int) -> None:
        """Play the legal action that has a place.

        Raises:
            IllegalActionError: No legal action has it; nothing has been played then.
        """
        self._batch.step_indices([place])
        self._to_see = None

    def play_code(self, code: int) -> None:
        """Play a legal action by its code.

        Raises:
            IllegalActionError: The action is not legal; nothing has been played then.
        """
        self._batch.step([code])
        self._to_see = None

    def mask(self, player: int) -> NDArray[np.int8]:
        """int8[game.indices], 1 at the places of the legal actions; all 0 for a player who is not to move."""
        if player != self.mover:
            return np.zeros(self.game.indices, np.int8)
        mask: NDArray[np.int8] = self._batch.masks()[0].astype(np.int8)
        return mask

    def features(self, player: int) -> NDArray[np.float32]:
        """float32[game.feature_shape], what a player sees."""
        seen: NDArray[np.float32] = self._batch.features(player)[0].copy()
        return seen

    def returns(self) -> tuple[float, ...]:
        """The results of all players; the game must be over."""
        return tuple(float(result) for result in self._batch.results[0])

    def value(self, player: int, evaluation: str) -> float:
        """Value of the state for a player by an evaluation that is not a rollout."""
        return float(self._batch.evaluate(player, evaluation)[0])
