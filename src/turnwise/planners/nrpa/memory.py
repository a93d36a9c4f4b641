"""The memory of nested rollout policy adaptation."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from turnwise.core.budget import UNLIMITED, Budget
from turnwise.core.game import Game
from turnwise.planners.nrpa.policy import Move, Saved
from turnwise.planners.nrpa.positions import Level, NestingRecord, Position, Step, Store
from turnwise.planners.nrpa.search import search
from turnwise.search.horizon import Reach, line_reach
from turnwise.search.known_line import best_line
from turnwise.search.memory_limit import Entries, within_memory, working_bytes
from turnwise.search.memory_pool import SearchMemory
from turnwise.search.outcome_table import rounded_up
from turnwise.search.problem import Line, Problem
from turnwise.search.reply import HorizonMemory, progress_words

if TYPE_CHECKING:
    from turnwise.planners.nrpa.planner import NRPAParameters

_ENTRIES = 24  # average number of legal actions of a position that the store has room for
_MOVES_PER_POSITION = 64  # where memory is limited in bytes; as in the default numbers
LEAST_POSITIONS, MOST_POSITIONS = 64, 1 << 22
LEAST_MOVES, MOST_MOVES = 1 << 10, 1 << 23


def within_limits(settings: NRPAParameters, game: Game) -> NRPAParameters:
    """The parameters with the numbers of moves and positions of one stream."""

    def entries(positions: int) -> Entries:
        return {"positions": positions, "moves": min(positions * _MOVES_PER_POSITION, MOST_MOVES)}

    size = partial(nesting_bytes, game, settings)
    return within_memory(settings, game, entries, size, LEAST_POSITIONS, MOST_POSITIONS)


def nesting_bytes(game: Game, settings: NRPAParameters, entries: Entries) -> int:
    """Size of a search's memory with room for numbers of moves and positions."""
    moves, levels, horizon = entries["moves"], settings.levels, line_reach(game, settings.horizon).capacity
    most, actions = store_room(game, levels, horizon, entries["positions"])
    move = Move.dtype.itemsize + 2 * 8 + levels * Saved.dtype.itemsize
    row = Position.dtype.itemsize + 8 * (game.state_words + progress_words(game, settings.reply))
    stores = 2 * (most * row + actions * 3 * 8)
    lines = (levels + 1) * (horizon * Step.dtype.itemsize + Level.dtype.itemsize) // 8
    return (moves + 1) * move + 8 * slots_for(moves) + stores + working_bytes(game, lists=1, words=lines + horizon)


def slots_for(moves: int) -> int:
    """Number of slots in the table of moves: a power of two, at least twice the moves."""
    return 1 << max(12, (2 * moves - 1).bit_length())


def store_room(game: Game, levels: int, horizon: int, positions: int) -> tuple[int, int]:
    """How many positions, and how many actions of them, a store holds.

    Args:
        game: The scenario.
        levels: Nesting levels above the playout.
        horizon: Maximum number of actions in a line.
        positions: Positions in addition to the best lines and the one that is being played.
    """
    most = positions + (levels + 2) * horizon
    return most, max(most * min(_ENTRIES, game.max_actions), 64 * (levels + 2) * game.max_actions)


class Nesting(SearchMemory):
    """The memory of one search and the record through which kernels see it; pages are touched only when needed."""

    record: NestingRecord

    def __init__(self, problem: Problem, settings: NRPAParameters, reach: Reach, positions: int) -> None:
        """Allocate what a search can reach, within the bounds that the parameters set.

        Args:
            problem: The search problem.
            settings: The planner's parameters.
            reach: How far lines go.
            positions: How many positions the search can enter.
        """
        game, levels = problem.game, settings.levels
        horizon = reach.capacity
        self._reach = positions
        moves = min(settings.moves, self._reach * game.max_actions)
        numbers, slots = moves + 1, slots_for(moves)
        self.record = r = NestingRecord(
            lines=(levels + 1) * horizon,
            levels=levels + 1,
            sums=game.max_actions,
            best=horizon,
            moves=numbers,
            odds=numbers,
            changing=numbers,
            journal=levels * numbers,
            table=slots,
        )
        self.best = r.array("best")
        self._lines = HorizonMemory(r.reach[0], problem, reach, settings.reply)
        self._add_stores(game, settings, horizon)
        r.top, r.room, r.most_slots = levels, settings.moves, slots
        r.alpha, r.temperature = settings.alpha, settings.temperature
        r.horizon = horizon
        r.playouts, r.repeats = settings.playouts, settings.repeats
        r.prior_weight = settings.prior_weight if settings.policy else 0.0

    def _add_stores(self, game: Game, settings: NRPAParameters, horizon: int) -> None:
        r, levels = self.record, settings.levels
        most, entries = store_room(game, levels, horizon, settings.positions)
        r.most, r.fresh, r.entries = most, settings.positions, entries
        r.line_entries = max(game.max_actions, entries // (2 * (levels + 1)) - game.max_actions)
        most, entries = min(most, self._reach), min(entries, self._reach * game.max_actions)
        lists = dict.fromkeys(("actions", "numbers", "children"), entries)
        progress = most * (1 + self._lines.record.assigned)
        room = {"positions": most, "rows": most * game.state_words, "progress": progress, **lists}
        self._stores = [Store(**room) for _ in range(2)]  # nested records do not keep arrays alive
        self.more_bytes = sum(store.total_bytes for store in self._stores)
        for place, store in enumerate(self._stores):
            r.stores[place].become(store)

    def attach(self, problem: Problem) -> None:
        """Give a (new) search what the replies of other seats need."""
        self._lines.attach(problem)

    def learn(self, problem: Problem, iterations: int) -> Line:
        """Run nested searches from an untrained policy up to the problem's limits; returns best line and figures.

        Args:
            problem: The search problem.
            iterations: N, calls of the next lower level by each level.
        """
        r = self.record
        r.iterations, r.best_value, r.best_length = iterations, -np.inf, 0
        search(problem.record, r)
        return best_line(r, self.best, {"runs": float(r.runs), "cut": float(r.cut), "moves": float(r.known)})


def nesting_for(problem: Problem, settings: NRPAParameters, budget: Budget) -> Nesting:
    """The memory of a search, as much as it can reach under a budget.

    Args:
        problem: The search problem.
        settings: The planner's parameters.
        budget: Limits.
    """
    reach = line_reach(problem.game, settings.horizon)
    positions = rounded_up(positions_in_reach(budget, reach.capacity))
    kind = (Nesting, settings, positions)
    # A search begins by forgetting what its memory holds.
    nesting = problem.memory(kind, lambda: Nesting(problem, settings, reach, positions))
    nesting.attach(problem)
    return nesting


def positions_in_reach(budget: Budget, horizon: int) -> int:
    """How many positions a search under a budget can enter: every action played enters one at most.

    Args:
        budget: Limits.
        horizon: Maximum number of actions in a line.
    """
    playouts = [limit for limit in (budget.iterations, budget.evaluations) if limit is not None]
    actions = [(limit + 1) * horizon for limit in playouts]
    if budget.forward_calls is not None:
        actions.append(budget.forward_calls)
    return min([UNLIMITED, *actions]) + 2
