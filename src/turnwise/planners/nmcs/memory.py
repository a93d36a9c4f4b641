"""The memory of one nested search."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from turnwise.jit.record import Ints
from turnwise.planners.nmcs.search import NestsRecord
from turnwise.search.horizon import line_reach
from turnwise.search.known_line import best_line
from turnwise.search.problem import Line, Problem
from turnwise.search.reply import HorizonMemory

if TYPE_CHECKING:
    from turnwise.planners.nmcs.planner import NMCSParameters


class Nests:
    """The arrays of one search and the record through which kernels see them."""

    def __init__(self, problem: Problem, settings: NMCSParameters) -> None:
        """Allocate.

        Args:
            problem: The search problem.
            settings: The planner's parameters.
        """
        game, levels = problem.game, settings.level + 1
        reach = line_reach(game, settings.horizon)
        horizon = reach.capacity
        self.record = r = NestsRecord(
            levels=levels,
            rows=levels * game.state_words,
            lists=levels * game.max_actions,
            lines=levels * horizon,
            path=horizon,
            best=horizon,
        )
        self.best, r.top = r.array("best"), settings.level
        r.best_value, r.horizon = -np.inf, horizon
        r.memory = settings.memorise
        r.pruned = settings.candidates != "all"
        r.greedy_probability = settings.greedy_probability
        self._lines = HorizonMemory(r.reach[0], problem, reach, settings.reply, settings.greedy_probability)
        r.progress = Ints.of(self._lines.room_for_progress(levels))

    def line(self) -> Line:
        """The best line and the figures."""
        return best_line(self.record, self.best, {"runs": float(self.record.runs)})
