"""A planner of turnwise as a bot of OpenSpiel."""

from __future__ import annotations

from typing import Any

import pyspiel

from turnwise.arena.player import Player
from turnwise.core import arguments
from turnwise.core.budget import Budget, as_budget
from turnwise.core.chance import derive_seed
from turnwise.core.errors import OptionError
from turnwise.core.game import Game
from turnwise.interop.openspiel.crossing import crossing_of
from turnwise.registry import planner as make_planner
from turnwise.search.plans_turns import PlansTurns, as_planner


class PlannerBot(pyspiel.Bot):  # type: ignore[misc]
    """A planner at one seat of a game of OpenSpiel, or of a turnwise game there.

    It plans whole turns, keeps its memory between them, and sees what its seat may know.
    """

    def __init__(
        self,
        game: Any | Game | str,
        player: int,
        planner: PlansTurns | str,
        budget: Budget | str = "forward=1000",
        seed: int = 0,
    ) -> None:
        """Make a bot.

        Args:
            game: OpenSpiel's game, or its text; or a game of turnwise, such as an
                :class:`~turnwise.interop.openspiel.foreign_game.OpenSpielGame` with an evaluation of your own.
            player: The seat, from 0.
            planner: The planner, or its text.
            budget: Limits of a turn.
            seed: Seed of the bot's games; after each restart the next one of the series.

        Raises:
            OptionError: An argument has the wrong type or is out of range, or planners cannot play the game.
            UnknownNameError: There is no such game or planner.
        """
        super().__init__()
        self._crossing = crossing_of(game)
        self._seat = self._crossing.game.checked_player(player)
        self._planner = as_planner(make_planner(planner) if isinstance(planner, str) else planner)
        self._budget = as_budget(budget)
        self._seed = arguments.seed(seed)
        self._games = 0
        self.restart()

    def restart(self) -> None:
        """Begin another game."""
        name = getattr(self._planner, "name", type(self._planner).__name__)
        seed = derive_seed(self._seed, "bot", self._games)
        self._games += 1
        game = self._crossing.game
        self._player = Player(self._planner, name, game, self._seat, self._budget, seed, notes="none")

    def restart_at(self, state: Any) -> None:
        """Begin another game, from a state."""
        self.restart()

    def step(self, state: Any) -> int:
        """The next action at a state in which the bot's seat is to move.

        Raises:
            OptionError: Another player or chance is to move, or it is a state of another game.
        """
        if state.current_player() != self._seat:
            raise OptionError(
                f"This bot plays seat {self._seat}; in this state OpenSpiel's player {state.current_player()} is to "
                "move. Make a bot for each seat; chance is played by the caller."
            )
        here = self._crossing.to_turnwise(state)
        code, _ = self._player.decide(here)
        return self._crossing.action(here, code)
