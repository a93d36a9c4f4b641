"""OpenSpiel's Monte Carlo tree search as a planner of turnwise, with turnwise's budgets."""

from __future__ import annotations

import math
import time
from random import Random
from typing import Any, ClassVar

import pyspiel
from pydantic import Field

from turnwise.core.budget import Budget
from turnwise.core.chance import derive_seed
from turnwise.core.errors import OptionError
from turnwise.core.state import State
from turnwise.interop.openspiel.bot_planner import CrossingOf, goes_on, refuse_end
from turnwise.interop.openspiel.crossing import Crossing
from turnwise.search.plan import Plan, SearchReport
from turnwise.search.planner import Planner
from turnwise.search.planner_parameters import PlannerParameters
from turnwise.search.plans_turns import checked_decision

_SAMPLES = 4  # turns played at random to learn how many actions a turn has
_LEAST = 2  # simulations after which the root has children; OpenSpiel finds no action before
_ENDLESS = 2**31 - 1  # simulations of a search that time ends


class OpenSpielMCTSParameters(PlannerParameters):
    """Parameters of OpenSpiel's search."""

    uct_c: float = Field(2.0, ge=0, le=1e6, description="weight of exploration")
    rollouts: int = Field(1, ge=1, le=10_000, description="games played at random from each new node")
    solve: bool = Field(True, description="whether proven results are backed up")
    memory: int = Field(1000, ge=1, le=1_000_000, description="megabytes of the tree")


class OpenSpielMCTS(Planner[OpenSpielMCTSParameters]):
    """Asks ``pyspiel.MCTSBot`` for every action; the turn's budget is divided among its usual number of actions.

    It plays OpenSpiel's games, and turnwise's own, through Python and therefore slowly. What its seat does not know is
    drawn once for each action.
    """

    name: ClassVar[str] = "openspiel-mcts"
    title: ClassVar[str] = "MCTS of OpenSpiel"
    iteration: ClassVar[str] = "one simulation"
    value_of: ClassVar[str] = "the game's result"

    def __init__(self, /, *, preset: str = "", **parameters: Any) -> None:
        """See :class:`turnwise.search.planner.Planner`."""
        super().__init__(preset=preset, **parameters)
        self._crossings = CrossingOf()

    def plan(self, state: State, budget: Budget | str, seed: int = 0) -> Plan:
        """See :meth:`Planner.plan`; the plan ends where chance or hidden information could surprise it.

        Raises:
            OptionError: The budget counts forward calls, which OpenSpiel does not.
            TurnwiseError: The game is over in that state.
        """
        limits, seed = checked_decision(state, budget, seed)
        refuse_end(state)
        if limits.forward_calls is not None:
            raise OptionError(
                "OpenSpiel's search counts no forward calls, so they cannot limit it. Give a budget of iterations, "
                "evaluations or time: iterations=1000, time=100ms."
            )
        report, value = SearchReport.nothing(), 0.0
        codes: list[int] = []
        now = state
        parts = 1.0 if limits.scope == "action" else _actions_of_turn(state, Random(seed))
        while goes_on(state, now, codes):
            left = limits if limits.scope == "action" else limits.less(report).scaled(1 / max(1.0, parts - len(codes)))
            code, value, cost = self._search(now, left, derive_seed(seed, len(codes)))
            report = report + cost
            codes.append(code)
            now = now.play(code)
        return Plan.of(state, codes, value, report=report)

    def _search(self, state: State, limits: Budget, seed: int) -> tuple[int, float, SearchReport]:
        """The next action, its value for the mover, and what it cost."""
        crossing, began, simulations = self._crossings.of(state), time.perf_counter(), self._simulations(limits)
        there = crossing.to_spiel(state, seed)
        root = self._root(crossing, there, simulations, limits.seconds, seed)
        if not root.children:  # time was up after one simulation
            root = self._root(crossing, there, _LEAST, None, seed)
        best, done = root.best_child(), int(root.explore_count)
        value = best.total_reward / best.explore_count if best.explore_count else 0.0
        stopped_by = "budget" if done >= simulations else "time" if limits.is_timed else "done"
        cost = SearchReport(time.perf_counter() - began, 0, done * self.parameters.rollouts, done, stopped_by)
        return crossing.code(state, int(best.action)), float(value), cost

    def _root(self, crossing: Crossing, there: Any, simulations: int, seconds: float | None, seed: int) -> Any:
        """The root of a search; ``step`` of the bot would release Python's lock, and games in Python would crash."""
        own, seed = self.parameters, seed % 2**31
        rollouts = pyspiel.RandomRolloutEvaluator(own.rollouts, seed)
        clock = -1.0 if seconds is None else max(seconds, 1e-6)
        bot = pyspiel.MCTSBot(
            crossing.spiel,
            rollouts,
            own.uct_c,
            simulations,
            own.memory,
            own.solve,
            seed,
            False,
            max_wall_clock_time=clock,
        )
        return bot.mcts_search(there)

    def _simulations(self, limits: Budget) -> int:
        """How many simulations a search may run."""
        counts = [_ENDLESS, limits.iterations]
        if limits.evaluations is not None:
            counts.append(limits.evaluations // self.parameters.rollouts)
        return max(_LEAST, min(count for count in counts if count is not None))


def _actions_of_turn(state: State, random: Random) -> float:
    """How many actions the rest of a turn has on average, if it is played at random."""
    count = 0
    for _ in range(_SAMPLES):
        codes: list[int] = []
        now = state
        while goes_on(state, now, codes):
            codes.append(random.choice(now.legal_codes().tolist()))
            now = now.play(codes[-1])
        count += len(codes)
    return math.ceil(count / _SAMPLES)
