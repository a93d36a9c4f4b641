"""Many games at once as a Gymnasium vector environment, on a :class:`turnwise.Batch`.

Games for one player are played by the learner alone. In games for several players either the learner has all seats
(self-play: each observation is that of the player to move), or one seat, and the others play randomly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from turnwise.core import arguments
from turnwise.core.batch import Batch
from turnwise.core.chance import derive_seed
from turnwise.core.errors import OptionError, shown
from turnwise.core.extras import need
from turnwise.core.game import Game
from turnwise.interop.drawing import drawing_metadata
from turnwise.interop.rewards import RETURNS, checked_reward
from turnwise.interop.stepping import as_environment_game

need("rl", "turnwise.interop.vector")

from gymnasium.vector import AutoresetMode, VectorEnv  # noqa: E402
from gymnasium.vector.utils import batch_space  # noqa: E402

from turnwise.interop.spaces import SEEDS, action_space, observation_space  # noqa: E402

Features = NDArray[np.float32]
Others = Literal["self", "random"]


class GameVectorEnv(VectorEnv[Features, NDArray[np.int64], NDArray[Any]]):
    """Games of one scenario that are stepped together.

    A game that ends begins again in the next step, whose action is ignored there (Gymnasium's ``NEXT_STEP``). Its last
    observation is what the learner sees at the end; in self-play, where nobody is to move then, it is zeros. Actions
    must be legal.

    Attributes:
        game: The scenario.
        batch: The games.
    """

    def __init__(
        self,
        game: Game | str,
        num_envs: int = 1,
        *,
        opponent: Others = "self",
        seat: int = 0,
        reward: str | None = None,
        threads: int = 1,
        copy: bool = True,
        **options: Any,
    ) -> None:
        """Make an environment.

        Args:
            game: The scenario, or its text; the game needs ``index`` and ``features``.
            num_envs: Number of games.
            opponent: "self": the learner plays all seats, and the reward is that of the player who acted; "random":
                it has one seat, and the others choose legal actions uniformly.
            seat: The learner's seat, from 0, with random opponents.
            reward: "returns" or an evaluation, as in :class:`turnwise.interop.gymnasium.GameEnv`.
            threads: Threads that share a step, each with at least 64 games.
            copy: Whether observations and masks are new arrays in every step. Without copies a step is quicker, above
                all in large games, but the next step overwrites these arrays, and they are read-only.
            **options: Options of the game, if it is given as text.

        Raises:
            OptionError: An argument has the wrong type or is out of range.
            UnknownNameError: There is no such game or evaluation.
            GameFunctionError: The game has no ``index`` or no ``features``.
        """
        self.game = as_environment_game(game, **options)
        self.batch = Batch(self.game, num_envs, threads=threads, auto_reset=False)
        self.num_envs = num_envs
        self._has_all_seats = arguments.choice(opponent, "opponent", ("self", "random")) == "self"
        self._seat = self.game.checked_player(seat)
        self._reward = checked_reward(self.game, reward)
        self._copies = arguments.instance(copy, bool, "copy", "True or False")
        if self._has_all_seats and self.game.players > 1 and self._reward != RETURNS:
            raise OptionError(
                f"In self-play the reward is 'returns'; got {reward!r}. Evaluations belong to one player: choose "
                "opponent='random' and a seat."
            )
        self.metadata = {**drawing_metadata(f"turnwise/{self.game.name}"), "autoreset_mode": AutoresetMode.NEXT_STEP}
        self.single_observation_space = observation_space(self.game)
        self.single_action_space = action_space(self.game)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._is_over = np.zeros(num_envs, np.bool_)
        self._values = np.zeros(num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Features, dict[str, Any]]:
        """Begin all games, or those of ``options["reset_mask"]`` (bool[num_envs]).

        Args:
            seed: One seed, from which those of the games are derived; one for each game; or None: the games' next ones.
                With its seed a game repeats itself, random opponents included.
            options: See above.

        Returns:
            ``float32[num_envs, *game.feature_shape]``, ``action_mask`` (bool[num_envs, game.indices]) and ``player``
            (int64[num_envs], the player to move).

        Raises:
            OptionError: The seeds or the mask have another form.
        """
        where = (options or {}).get("reset_mask")
        if where is not None and (np.shape(where) != (self.num_envs,) or np.asarray(where).dtype != np.bool_):
            raise OptionError(f"options['reset_mask'] must be bool[{self.num_envs}], one per game; got {shown(where)}.")
        if seed is None or isinstance(seed, int | np.integer):
            super().reset(seed=None if seed is None else int(seed))
            first = int(self.np_random.integers(SEEDS))
            seeds = [derive_seed(first, number) for number in range(self.num_envs)]
        else:
            seeds = self._own_seeds(seed)
        self.batch.restart(where, seeds)
        self._let_others_play()
        self._is_over = self.batch.movers < 0
        self._values = self._present_values()
        return self._seen(), self._info()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Features, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play one action in every game, and begin those again that ended in the step before.

        Args:
            actions: int64[num_envs], places of legal actions; ignored where a game begins.

        Returns:
            What the learner sees (in self-play the player to move; zeros where the game is over); float64[num_envs]
            rewards of the players who acted; bool[num_envs], which games are over; no truncations; the info as in
            :meth:`reset`, with ``returns`` (float64[num_envs, players]) where a game is over.

        Raises:
            OptionError: Not as many whole numbers as games.
            IllegalActionError: An action is not legal; nothing has been played then.
        """
        begins = self._is_over
        actors = self.batch.movers.copy() if self._has_all_seats else np.full(self.num_envs, self._seat)
        self.batch.step_indices(actions, ~begins)
        if begins.any():
            self.batch.restart(begins)
        self._let_others_play()
        self._is_over = self.batch.movers < 0
        rewards = self._earned(actors, begins)
        return self._seen(), rewards, self._is_over.copy(), np.zeros(self.num_envs, np.bool_), self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """bool[num_envs, game.indices], the legal actions; none where a game is over."""
        return self.batch.masks().copy()

    def _let_others_play(self) -> None:
        """Let random opponents play until the learner is to move, or the game is over."""
        if self._has_all_seats:
            return
        others = (self.batch.movers >= 0) & (self.batch.movers != self._seat)
        while others.any():
            self.batch.step(self.batch.sample(others), others)  # a game's draws depend on no other game
            others = (self.batch.movers >= 0) & (self.batch.movers != self._seat)

    def _earned(self, actors: NDArray[np.int64], begins: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The rewards of the last step; 0 where a game has begun."""
        if self._reward == RETURNS:
            results = self.batch.results[np.arange(self.num_envs), actors]
            return np.where(self._is_over & ~begins, results, 0.0)
        before, self._values = self._values, self._present_values()
        return np.where(begins, 0.0, self._values - before)

    def _present_values(self) -> NDArray[np.float64]:
        if self._reward == RETURNS:
            return self._values
        return self.batch.evaluate(self._seat, self._reward).copy()

    def _seen(self) -> Features:
        everybody = self._has_all_seats and self.game.players > 1
        seen = self.batch.features(None if everybody else self._seat)
        return seen.copy() if self._copies else seen

    def _info(self) -> dict[str, Any]:
        """What is known of each game; as in all vector environments, ``_name`` marks the games that have ``name``."""
        masks = self.batch.masks()
        known = {"action_mask": masks.copy() if self._copies else masks, "player": self.batch.movers.copy()}
        info: dict[str, Any] = {}
        for name, values in known.items():
            info |= {name: values, f"_{name}": np.ones(self.num_envs, np.bool_)}
        if self._is_over.any():
            info |= {"returns": self.batch.results.copy(), "_returns": self._is_over.copy()}
        return info

    def _own_seeds(self, seeds: Sequence[int | None]) -> list[int]:
        given = list(seeds)
        if len(given) != self.num_envs:
            raise OptionError(f"Expected one seed, or {self.num_envs}, one for each game; got {len(given)}.")
        drawn = self.np_random.integers(SEEDS, size=self.num_envs)
        return [arguments.seed(int(drawn[number]) if one is None else one) for number, one in enumerate(given)]
