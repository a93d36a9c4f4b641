"""The memory of a beam search."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from turnwise.core.game import Game
from turnwise.jit.record import Ints, Word
from turnwise.search.beam.layers import BeamNode
from turnwise.search.beam.reading import LayerReader
from turnwise.search.beam.search import BeamRecord, search_pass
from turnwise.search.horizon import line_reach
from turnwise.search.known_line import best_line
from turnwise.search.memory_limit import memory_of_stream, working_bytes
from turnwise.search.memory_pool import SearchMemory
from turnwise.search.outcome_table import SMALLEST, slots_for
from turnwise.search.problem import Line, Problem
from turnwise.search.reply import HorizonMemory, progress_words

if TYPE_CHECKING:
    from turnwise.search.beam.parameters import BeamSearchParameters

_PER_ROW = 128  # bytes for each row in addition to the state, by which recorded searches chose their width


_DEFAULT = 512 << 20  # bytes


def memory_of(settings: BeamSearchParameters, game: Game) -> int:
    """Bytes that a search may have: one half for pools and small arrays, the other one for the parents."""
    if settings.memory is None:
        return _DEFAULT
    return memory_of_stream(settings, game, 2 * (_fixed_bytes(settings, game) + _state_bytes(settings, game)))


def most_states(settings: BeamSearchParameters, game: Game) -> int:
    """The largest width that fits into the memory: two pools of twice the width."""
    half = memory_of(settings, game) // 2
    exact = (half - _fixed_bytes(settings, game)) // _state_bytes(settings, game)
    return max(1, min(exact, half // (4 * (8 * game.state_words + _PER_ROW))))


def _state_bytes(settings: BeamSearchParameters, game: Game) -> int:
    """Bytes for each state of the width: four rows and progresses, sixteen numbers, six slots of a table at most."""
    return 4 * 8 * (game.state_words + progress_words(game, settings.reply)) + (16 + 6) * 8


def _fixed_bytes(settings: BeamSearchParameters, game: Game) -> int:
    horizon = line_reach(game, settings.horizon).capacity
    return 8 * SMALLEST + working_bytes(game, rows=1, lists=2, words=2 * horizon)


class Beam(SearchMemory):
    """The memory of passes of one width; pages are touched only when they are needed.

    Attributes:
        width: Maximum number of states in a layer.
        reader: Reads its lines during the search.
    """

    record: BeamRecord

    def __init__(self, problem: Problem, settings: BeamSearchParameters, width: int) -> None:
        """Allocate.

        Args:
            problem: The search problem.
            settings: The planner's parameters.
            width: Maximum number of states in a layer.
        """
        game, pool = problem.game, 2 * width
        reach = line_reach(game, settings.horizon)
        horizon = reach.capacity
        nodes = min(memory_of(settings, game) // 2 // BeamNode.dtype.itemsize, horizon * width + 1)
        self.width = width
        rows = dict.fromkeys(("layer_rows", "rows"), pool * game.state_words)
        states = ("layer_order", "order", "layer_nodes", "nodes", "parents", "actions", "values", "keys")
        lists = dict.fromkeys(("listed", "listed_in_rollout"), game.max_actions)
        lines = dict.fromkeys(("played", "best"), horizon)
        room = {**rows, **dict.fromkeys(states, pool), **lists, **lines}
        slots = slots_for(pool)
        self.record = r = BeamRecord(**room, arena=nodes, spare=game.state_words, seen=slots)
        r.array("layer_order")[:] = r.array("order")[:] = np.arange(pool)
        r.mask = slots - 1
        r.arena_room, r.best_value, self.best = nodes, -np.inf, r.array("best")
        r.width, r.horizon = width, horizon
        self.reader = LayerReader(r, r)
        self._lines = HorizonMemory(r.reach[0], problem, reach, settings.reply, settings.greedy_probability)
        r.layer_progress, r.progress = (Ints.of(self._lines.room_for_progress(pool)) for _ in range(2))
        self.more_bytes = 2 * 8 * pool * (1 + r.reach[0].assigned)
        r.pruned = settings.candidates != "all"
        r.rollouts, r.greedy_probability, r.noise = settings.rollouts, settings.greedy_probability, settings.noise

    def attach(self, problem: Problem) -> None:
        """Give a (new) search what the replies of other seats need."""
        self._lines.attach(problem)

    def run(self, problem: Problem, number: int) -> int:
        """One pass; see :func:`search_pass`.

        Args:
            problem: The search problem.
            number: Number of the pass; with the search's seed it determines the noise.
        """
        self.record.salt = Word((problem.seed * 0x9E3779B97F4A7C15 + number) & 0xFFFFFFFFFFFFFFFF)
        return search_pass(problem.record, self.record)

    def line(self) -> Line:
        """The best line, so far during the search; without a value if none was finished."""
        return best_line(self.record, self.best, {"depth": float(self.record.deepest)})
