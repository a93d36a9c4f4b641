"""Greedy turn: depth-first enumeration of one turn with a table of visited states."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from pydantic import Field

from turnwise.core.budget import Budget
from turnwise.jit.cache import announce
from turnwise.jit.kernel import first_record
from turnwise.jit.lazy_arrays import lazy_zeros
from turnwise.planners.greedy_turn.search import ENUMERATION, GROW, enumerate_turns
from turnwise.search.outcome_table import likely_states, rehash, slots_for
from turnwise.search.parameters import RankingParameters
from turnwise.search.problem import Line, Problem
from turnwise.search.search_planner import SearchPlanner

_STATES_PER_OUTCOME = 3
_FIRST_SLOTS = 1 << 22
_BATCH = 8  # children made at a time; one where forward calls are limited, so that none is made in vain
_ARRAYS = ("rows", "keys", "nodes", "lists", "scores", "cursor", "path", "lines", "values", "outcome_rows")


class GreedyTurnParameters(RankingParameters):
    """Parameters of :class:`GreedyTurn`."""

    sort: Literal["all", "root", "none"] = Field(
        default="all", description="where candidates are tried best-ordered first: everywhere, at the root, nowhere"
    )
    evaluate_at: Literal["hand-over", "before-end"] = Field(
        default="hand-over",
        description="'hand-over': outcomes are rated after the turn has ended; 'before-end': before an end of the turn "
        "that is the only candidate (no end-of-turn effects)",
    )
    ties: Literal["first", "last"] = Field(
        default="first",
        description="'first': a turn must be better to replace the best one; 'last': as good is enough, "
        "values compared in whole hundredths",
    )
    roots: Literal["visited", "free"] = Field(
        default="visited",
        description="'visited': the states after the first action are entered into the table like all others; 'free': "
        "they are not, so that first actions with equal effect are all searched",
    )
    table: int = Field(
        default=1 << 24,
        ge=1 << 10,
        le=1 << 30,
        description="most visited states that are remembered (8 to 24 bytes each)",
    )


class GreedyTurn(SearchPlanner):
    """Enumerate the turns depth first, visit no state twice, keep the one with the best outcome.

    An outcome is the fingerprint of the state at the hand-over; the details count distinct ones. The search is
    anytime; unless the budget ends it, the enumeration is exhaustive (over the pruned lists) and ``stopped_by`` is
    "done". The table of visited states starts small and doubles up to ``table`` entries; when it is full the search
    stops with ``stopped_by`` "memory". In games of chance every action is played once with sampled chance.

    Source: Justesen, Mahlmann, Togelius 2016, section 2.4 "Greedy search among turns". The text sorts the candidates
    at every node (as the default does); the engine's agent does not, rates states before the end of the turn, lets a
    later turn replace one that is as good, and does not enter the states after the first action into its table
    ("as-coded"). Not kept: the engine plays on after a win as long as there are action points, which only adds leaves.

    Cost: one forward call per edge, one evaluation per distinct outcome; details: outcomes, exhaustive (0/1), states,
    table_load, table_bytes.
    """

    name = "greedy-turn"
    title = "Greedy turn"
    source = "Justesen, Mahlmann & Togelius, Online Evolution for Multi-Action Adversarial Games, 2016, section 2.4"
    iteration = "one distinct outcome evaluated"
    Parameters = GreedyTurnParameters
    presets = {  # noqa: RUF012
        "as-published": {"evaluation": "as-published", "evaluate_at": "before-end"},
        "as-coded": {
            "evaluation": "as-coded",
            "sort": "none",
            "evaluate_at": "before-end",
            "ties": "last",
            "roots": "free",
        },
    }

    def search(self, problem: Problem, budget: Budget, memory: dict[str, Any]) -> Line:
        """See :meth:`SearchPlanner.search`."""
        announce(enumerate_turns, "the greedy-turn planner")
        run = Enumeration(problem, self.parameters, budget)
        while enumerate_turns(problem.record, run.record) == GROW:
            run.grow()
        return run.line()


class Enumeration:
    """The memory of one enumeration and the record through which the kernel sees it."""

    def __init__(self, problem: Problem, settings: GreedyTurnParameters, budget: Budget) -> None:
        """Allocate in proportion to the budget.

        Args:
            problem: The search problem.
            settings: The planner's parameters.
            budget: Limits, from which the first size of the table follows.
        """
        game = problem.game
        depths = game.max_turn + 2
        batch = _BATCH if budget.forward_calls is None else 1
        self.kept = settings.alternatives + 1
        self.rows = lazy_zeros((depths, batch, game.state_words), np.uint64)
        self.keys = np.zeros((depths, batch), np.uint64)
        self.nodes = np.zeros(depths, np.uint64)
        self.lists = np.zeros((depths, game.max_actions), np.int64)
        self.scores = np.zeros(game.max_actions)
        self.cursor = np.zeros((depths, 4), np.int64)
        self.path = np.zeros(depths, np.int64)
        self.lines = np.zeros((self.kept + 1, depths + 1), np.int64)
        self.values = np.zeros(self.kept + 1)
        self.outcome_rows = np.zeros((2, game.state_words), np.uint64)
        self.root = problem.state.row
        self.nodes[0] = self.root.ctypes.data
        self.largest = slots_for(settings.table)
        likely = slots_for(likely_states(budget, _STATES_PER_OUTCOME))
        self.table = lazy_zeros(min(self.largest, likely, _FIRST_SLOTS), np.uint64)
        self.record = first_record(np.zeros(1, ENUMERATION))
        r = self.record
        for name in _ARRAYS:
            r[name][0] = getattr(self, name).ctypes.data
        r["line_words"][0], r["kept"][0], r["batch"][0] = depths + 1, self.kept, batch
        r["sort_where"][0] = ("none", "root", "all").index(settings.sort)
        r["before_end"][0] = settings.evaluate_at == "before-end"
        r["last_of_equals"][0] = settings.ties == "last"
        r["free_roots"][0] = settings.roots == "free"
        self._point_at_table()

    def _point_at_table(self) -> None:
        r = self.record
        r["table"][0], r["mask"][0] = self.table.ctypes.data, len(self.table) - 1
        r["room"][0] = len(self.table) - len(self.table) // 3
        r["may_grow"][0] = len(self.table) < self.largest

    def grow(self) -> None:
        """Double the table."""
        larger = lazy_zeros(2 * len(self.table), np.uint64)
        rehash(self.table, larger.ctypes.data, len(larger) - 1)
        self.table = larger
        self._point_at_table()

    def line(self) -> Line:
        """The best turn, the next ones, and the figures."""
        r = self.record
        found = int(r["found"][0])
        turns = [(self._codes(i), float(self.values[i])) for i in range(found)]
        states = int(r["states"][0])
        details = {
            "outcomes": float(r["outcomes"][0]),
            "exhaustive": float(r["exhaustive"][0]),
            "states": float(states),
            "table_load": states / len(self.table),
            "table_bytes": float(self.table.nbytes),
        }
        if not turns:
            return Line([], details=details)
        return Line(turns[0][0], turns[0][1], turns[1:], details)

    def _codes(self, index: int) -> list[int]:
        length = int(self.lines[index, 0])
        return [int(code) for code in self.lines[index, 1 : 1 + length]]
