"""A bot of OpenSpiel as a planner of turnwise."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pyspiel

from turnwise.core.budget import Budget
from turnwise.core.errors import OptionError, TurnwiseError, shown
from turnwise.core.state import State
from turnwise.interop.openspiel.crossing import Crossing, crossing_of
from turnwise.interop.openspiel.exported_game import TurnwiseGame
from turnwise.search.plan import Plan, SearchReport
from turnwise.search.plans_turns import checked_decision

MakeBot = Callable[[Any, int, int], Any]
"""Makes a bot: ``(game: pyspiel.Game, player: int, seed: int) -> pyspiel.Bot``."""
_WITHOUT_LOCK = (pyspiel.MCTSBot, pyspiel.ISMCTSBot)


class BotPlanner:
    """Asks a bot for action after action; it plays OpenSpiel's games, and turnwise's own.

    The bot has limits of its own: budgets do not reach it. Each plan asks a new bot, which has not seen the game so
    far. What its seat does not know is drawn.
    """

    def __init__(self, make_bot: MakeBot, name: str = "openspiel-bot") -> None:
        """Make a planner.

        Args:
            make_bot: ``(game, player, seed) -> bot``, with OpenSpiel's game.
            name: Its name in tables.

        Raises:
            OptionError: ``make_bot`` is no function.
        """
        if not callable(make_bot):
            raise OptionError(
                f"make_bot must be a function (game, player, seed) -> pyspiel.Bot; got {shown(make_bot)}."
            )
        self.name = name
        self._make_bot = make_bot
        self._crossings = CrossingOf()

    def plan(self, state: State, budget: Budget | str, seed: int = 0) -> Plan:
        """The bot's turn, up to where chance or hidden information could surprise it.

        Args:
            state: What the mover knows.
            budget: Not used.
            seed: Seed of the bot.

        Raises:
            OptionError: ``make_bot`` returned no bot, or one that OpenSpiel can only run in games in C++.
            TurnwiseError: The game is over in that state.
        """
        _, seed = checked_decision(state, budget, seed)
        refuse_end(state)
        began = time.perf_counter()
        crossing = self._crossings.of(state)
        bot = self._make_bot(crossing.spiel, state.to_move, seed % 2**31)
        self._check(bot, crossing)
        codes: list[int] = []
        now = state
        while goes_on(state, now, codes):
            codes.append(crossing.code(now, int(bot.step(crossing.to_spiel(now, seed)))))
            now = now.play(codes[-1])
        return Plan.of(state, codes, report=SearchReport(time.perf_counter() - began))

    @staticmethod
    def _check(bot: object, crossing: Crossing) -> None:
        if not isinstance(bot, pyspiel.Bot):
            raise OptionError(f"make_bot must return a bot of OpenSpiel (pyspiel.Bot); got {shown(bot)}.")
        if isinstance(bot, _WITHOUT_LOCK) and isinstance(crossing.spiel, TurnwiseGame):
            raise OptionError(
                f"OpenSpiel's {type(bot).__name__} cannot step in a game that is written in Python, as turnwise's "
                "games are there; the process would end. Use the planner OpenSpielMCTS, or the bot of the same name in "
                "open_spiel.python.algorithms."
            )


class CrossingOf:
    """The crossing of the game that was played last."""

    def __init__(self) -> None:
        self._last: Crossing | None = None

    def of(self, state: State) -> Crossing:
        """The crossing of a state's game."""
        if self._last is None or self._last.game is not state.game:
            self._last = crossing_of(state.game)
        return self._last

    def __reduce__(self) -> tuple[Any, ...]:
        return CrossingOf, ()  # games of OpenSpiel belong to one process


def refuse_end(state: State) -> None:
    """Refuse a state without a mover.

    Raises:
        TurnwiseError: The game is over.
    """
    if state.is_over:
        raise TurnwiseError("The game is over in this state; there is no turn to plan. Check state.is_over first.")


def goes_on(start: State, now: State, codes: list[int]) -> bool:
    """Whether a plan can have another action: the turn is not over, and nothing can have surprised the player."""
    in_turn = (now.to_move, now.turn) == (start.to_move, start.turn) and len(codes) < start.game.max_turn
    return in_turn and (not codes or not (now.outcomes or start.game.reveals_in_turn))
