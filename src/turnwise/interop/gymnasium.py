"""Gymnasium environments: one learner, alone or against planners; importing this module registers all games.

A step is one action, not one turn: the learner acts until its turn is over, then the planners of the other seats play
theirs. Actions are places (the game's function ``index``); ``info["action_mask"]`` marks the legal ones, and
``action_masks()`` is what masked policies of other libraries call.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from turnwise.arena.player import Player
from turnwise.core import arguments
from turnwise.core.budget import Budget, as_budget
from turnwise.core.errors import IllegalActionError, OptionError, shown
from turnwise.core.extras import need
from turnwise.core.game import Game
from turnwise.interop.drawing import checked_mode, draw, drawing_metadata
from turnwise.interop.rewards import RETURNS, checked_reward, reward_of_illegal
from turnwise.interop.stepping import NOBODY, SteppedGame, as_environment_game
from turnwise.registry import GAMES
from turnwise.registry import planner as make_planner
from turnwise.search.plans_turns import PlansTurns, as_planner

need("rl", "turnwise.interop.gymnasium")

import gymnasium  # noqa: E402

from turnwise.interop.spaces import SEEDS, VERSION, action_space, observation_space  # noqa: E402

_MOST_STARTS = 1000  # games in a row in which the learner has no move

Features = NDArray[np.float32]
Opponent = PlansTurns | str
IllegalActions = Literal["lose", "raise"]


class GameEnv(gymnasium.Env[Features, np.int64]):
    """A game in which one seat learns.

    Observations are the game's features as the learner sees them, rewards the return at the end or the growth of an
    evaluation. The seed of :meth:`reset` determines the start, chance, and the planners of the other seats.

    Attributes:
        game: The scenario.
        seat: The learner's seat in the present game, from 0.
    """

    metadata = drawing_metadata("turnwise")

    def __init__(
        self,
        game: Game | str,
        *,
        opponent: Opponent | Mapping[int, Opponent] = "random",
        budget: Budget | str = "forward=1000",
        seat: int | None = 0,
        reward: str | None = None,
        illegal_actions: IllegalActions = "lose",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Make an environment.

        Args:
            game: The scenario, or its text; the game needs ``index`` and ``features``.
            opponent: Who plays the other seats: a planner or its text, or one for each seat.
            budget: Budget of these planners. With a budget of time, games are not reproducible.
            seat: The learner's seat, from 0; None: drawn in every game.
            reward: "returns": the return at the end; or an evaluation, whose growth since the learner's last action is
                the reward. None: the game's default evaluation in games for one player that have one, and else
                "returns".
            illegal_actions: "lose": an action that is not legal ends the game with the game's worst return as the
                reward, and if the growth of an evaluation is the reward, with the fall to its lowest value; "raise": it
                is an error.
            render_mode: "human", "ansi", "rgb_array" or None.
            **options: Options of the game, if it is given as text.

        Raises:
            OptionError: An argument has the wrong type or is out of range.
            UnknownNameError: There is no such game, planner or evaluation.
            GameFunctionError: The game has no ``index`` or no ``features``.
        """
        self.game = as_environment_game(game, **options)
        self._fixed_seat = None if seat is None else self.game.checked_player(seat)
        self.seat = self._fixed_seat or 0
        self._planners = _planners_of(self.game, opponent, self._fixed_seat)
        self._budget = as_budget(budget)
        self._reward = checked_reward(self.game, reward)
        self._loses = arguments.choice(illegal_actions, "illegal_actions", ("lose", "raise")) == "lose"
        self.render_mode = checked_mode(render_mode)
        self.metadata = drawing_metadata(f"turnwise/{self.game.name}-{VERSION}")
        self.observation_space = observation_space(self.game)
        self.action_space = action_space(self.game)
        self._stepped = SteppedGame(self.game)
        self._others: dict[int, Player] = {}
        self._value = 0.0
        self._is_over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Features, dict[str, Any]]:
        """Begin a game, and let the other seats play until the learner is to move.

        Args:
            seed: Seed of this game and the following ones; None: the next game of the series.
            options: Not used.

        Returns:
            float32[game.feature_shape], what the learner sees; and ``action_mask`` (int8[game.indices]) and ``seat``.

        Raises:
            OptionError: Game after game ends before the learner has a move.
        """
        super().reset(seed=seed)
        self._is_over = True  # also if a planner fails
        for _ in range(_MOST_STARTS):  # a game may be over before the learner has moved
            self._stepped.begin(int(self.np_random.integers(SEEDS)))
            drawn = int(self.np_random.integers(self.game.players))
            self.seat = drawn if self._fixed_seat is None else self._fixed_seat
            seeds = self.np_random.integers(SEEDS, size=self.game.players)
            self._others = {
                seat: Player(planner, f"seat {seat}", self.game, seat, self._budget, int(seeds[seat]), notes="none")
                for seat, planner in self._planners.items()
                if seat != self.seat
            }
            self._let_others_play()
            if self._stepped.mover != NOBODY:
                break
        else:
            raise OptionError(
                f"{self.game.spec}: {_MOST_STARTS:,} games ended before seat {self.seat} had a move, so nothing can be "
                "learnt there. Choose another 'seat', another opponent or another start."
            )
        self._is_over = False
        self._value = self._present_value()
        return self._stepped.features(self.seat), self._info()

    def step(self, action: np.int64 | int) -> tuple[Features, float, bool, bool, dict[str, Any]]:
        """Play one action of the learner; if that ends its turn, the other seats play theirs.

        Args:
            action: Place of the action.

        Returns:
            What the learner sees, the reward, whether the game is over, False, and the info as in :meth:`reset`; at the
            end with ``returns``, the results of all seats, or ``illegal_action`` if one ended the game.

        Raises:
            OptionError: The game is over, or the action is no place.
            IllegalActionError: The action is not legal, with ``illegal_actions="raise"``.
        """
        if self._is_over:
            raise OptionError("The game is over, or none has begun: call reset() first.")
        place = arguments.whole_number(action, "The action", 0, self.game.indices - 1)
        try:
            self._stepped.play(place)
        except IllegalActionError:
            if not self._loses:
                raise
            self._is_over = True
            return (
                self._stepped.features(self.seat),
                reward_of_illegal(self.game, self._reward, self._value),
                True,
                False,
                self._info(illegal_action=True),
            )
        self._is_over = True  # if a planner fails in mid-turn, the learner must not play for it
        self._let_others_play()
        self._is_over = self._stepped.mover == NOBODY
        return self._stepped.features(self.seat), self._earned(), self._is_over, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """bool[game.indices], the legal actions: what masked policies ask for."""
        return self._stepped.mask(self.seat).astype(np.bool_)

    def render(self) -> Any:
        """See :func:`turnwise.interop.drawing.draw`; the learner's view of the state. None without a render mode."""
        return None if self.render_mode is None else draw(self._stepped.state.view(self.seat), self.render_mode)

    def close(self) -> None:
        """End the planners of the other seats, and with them the processes of engines; :meth:`reset` starts others."""
        self._others, self._is_over = {}, True

    def _let_others_play(self) -> None:
        while (mover := self._stepped.mover) not in (NOBODY, self.seat):
            self._stepped.play_code(self._others[mover].decide(self._stepped.state)[0])

    def _earned(self) -> float:
        """The reward of the last step."""
        if self._reward == RETURNS:
            return self._stepped.returns()[self.seat] if self._is_over else 0.0
        before, self._value = self._value, self._present_value()
        return self._value - before

    def _present_value(self) -> float:
        return 0.0 if self._reward == RETURNS else self._stepped.value(self.seat, self._reward)

    def _info(self, **more: Any) -> dict[str, Any]:
        if self._stepped.mover == NOBODY:
            more["returns"] = self._stepped.returns()
        return {"action_mask": self._stepped.mask(self.seat), "seat": self.seat, **more}


def _planners_of(game: Game, opponent: Opponent | Mapping[int, Opponent], learner: int | None) -> dict[int, PlansTurns]:
    """Seat -> planner.

    Args:
        game: The scenario.
        opponent: Who plays the seats, all or by seat.
        learner: The learner's seat, which needs no planner; None: it may get any seat, so all need one.

    Raises:
        OptionError: There is no such seat, no planner for a seat, or something else than a planner.
    """
    if game.players == 1 and opponent != "random":
        raise OptionError(f"{game.spec} has one seat, the learner's; leave 'opponent' out. Got {shown(opponent)}.")
    given = opponent if isinstance(opponent, Mapping) else dict.fromkeys(range(game.players), opponent)
    for seat in given:
        game.checked_player(seat)
    missing = [seat for seat in range(game.players) if seat not in given and seat != learner]
    if missing:
        listed = ", ".join(map(str, missing))
        raise OptionError(f"{game.spec} has {game.players} seats, from 0; no opponent is given for seat {listed}.")
    return {seat: as_planner(make_planner(one) if isinstance(one, str) else one) for seat, one in given.items()}


def register_game(name: str) -> str:
    """Register a game of turnwise as an environment; importing this module does so for all games that it knows.

    Args:
        name: Registry name of the game.

    Returns:
        The environment's id, for ``gymnasium.make``.

    Raises:
        UnknownNameError: There is no such game.
    """
    GAMES.module(name)
    identity = f"turnwise/{name}-{VERSION}"
    if identity not in gymnasium.registry:
        gymnasium.register(
            identity,
            entry_point="turnwise.interop.gymnasium:GameEnv",
            vector_entry_point="turnwise.interop.vector:GameVectorEnv",
            kwargs={"game": name},
        )
    return identity


for _name in GAMES.names():
    register_game(_name)
