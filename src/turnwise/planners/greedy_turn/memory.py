"""The memory of an enumeration of turns: its arrays, and the record through which kernels see them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

import numpy as np

from turnwise.core.budget import Budget
from turnwise.core.game import Game
from turnwise.jit.large_arrays import Start, large_array
from turnwise.jit.record import Address, Floats, Ints, Record, Records, Word, Words
from turnwise.search.candidates import sorting_room
from turnwise.search.memory_limit import Entries, within_memory, working_bytes
from turnwise.search.outcome_table import likely_states, rehash, slots_for
from turnwise.search.problem import Line, Problem
from turnwise.search.turn_replies import TurnReplies, TurnRepliesMemory

if TYPE_CHECKING:
    from turnwise.planners.greedy_turn.planner import GreedyTurnParameters

NOWHERE, ROOT, EVERYWHERE = 0, 1, 2  # where candidates are sorted
_STATES_PER_OUTCOME = 3
_FIRST_SLOTS = 1 << 22
_SLOTS_AT_A_TIME = 1 << 15  # of a table that is moved, between two readings of the clock
ROWS = 4  # of waiting outcomes, a power of two
_BATCH = 8  # children generated at a time, a power of two; one if forward calls are limited, so that none is wasted
_AHEAD = 4  # under a time limit the next batch is generated when so many are left, to be prefetched in time
LEAST_STATES, MOST_STATES = 1 << 10, 1 << 30


def within_limits(settings: GreedyTurnParameters, game: Game) -> GreedyTurnParameters:
    """The parameters with the number of states that the table remembers."""
    depths = game.max_turn + 2
    rows = depths * 2 * _BATCH + 2
    words = depths * (2 * _BATCH + Level.dtype.itemsize // 8 + settings.alternatives + 4)
    words += 2 * settings.alternatives + 8 + sorting_room(game.max_actions)

    def size(entries: Entries) -> int:
        slots = slots_for(entries["table"])
        slots += slots // 2  # while the table grows, the smaller one is still there
        return working_bytes(game, rows=rows, lists=depths, words=words + slots)

    return within_memory(settings, game, lambda states: {"table": states}, size, LEAST_STATES, MOST_STATES)


class Level(Record):
    """One depth of the line that is being searched: a node, its candidates, and some of its children."""

    node: Address  # row of its state
    actions: Ints  # int64[max_actions]: its candidates
    rows: Address  # uint64[ring, state_words]: child i is in row i modulo the length of the ring
    keys: Words  # uint64[ring]: their table keys
    next: int  # the candidate to look at next
    count: int  # candidates
    end: int  # the first whose child has not been generated


class Outcome(Record):
    """A turn that has been played to its end from the current node, and whose outcome has yet to be looked up."""

    key: Word
    length: int  # actions of the turn
    actions: Annotated[Ints, 2]  # its last ones, from the current depth on


class EnumerationRecord(Record):
    """A depth-first enumeration of the turns from one state."""

    levels: Records[Level]  # [depths]: the current line, the root first
    rows: Address  # uint64[depths, ring, state_words]: the children of all levels
    keys: Words  # uint64[depths, ring]: their table keys
    lists: Ints  # int64[depths, max_actions]: candidates of all levels
    depths: int
    scores: Floats  # float64[sorting_room(max_actions)]: scratch of sorting
    path: Ints  # int64[depths]: the actions of the current line
    lines: Ints  # int64[kept + 1, line_words]: length and actions of the best turns
    values: Floats  # float64[kept + 1]: their values, best first; NaN: the only one has none
    table: Words  # uint64[mask + 1]: keys of the states seen
    mask: int
    room: int  # states that the table holds when it is full
    may_grow: int
    line_words: int
    kept: int  # turns that are kept
    batch: int  # how many children are generated at a time, a power of two
    ring: int  # children of a level for which there is room: two batches
    ahead: int  # how many may be left when the next ones are generated
    sort_where: int  # NOWHERE, ROOT, EVERYWHERE
    before_end: int  # whether outcomes are rated before a forced end of the turn
    last_of_equals: int  # an equally good turn replaces the best one
    free_roots: int  # states after the first action are not entered into the table
    started: int
    depth: int  # of the node that is being searched
    states: int  # entries of the table
    outcomes: int  # rated so far
    found: int  # turns kept so far
    exhaustive: int  # all turns have been seen
    outcome_rows: Address  # uint64[ROWS, state_words]: a ring of waiting outcomes, and room for the next one
    outcomes_waiting: Annotated[Records[Outcome], ROWS]
    first_row: int  # which of them has waited longest
    waiting: int  # how many wait
    most_waiting: int
    replies: Annotated[Records[TurnReplies], 1]


class Enumeration:
    """One enumeration.

    Attributes:
        record: The record that kernels take.
    """

    def __init__(self, problem: Problem, settings: GreedyTurnParameters, budget: Budget) -> None:
        """Allocate in proportion to the budget.

        Args:
            problem: The search problem.
            settings: The planner's parameters.
            budget: Limits, which determine the initial size of the table.
        """
        self.problem = problem
        game = problem.game
        depths = game.max_turn + 2
        batch = _BATCH if budget.forward_calls is None else 1
        kept = settings.alternatives + 1
        self.record = r = EnumerationRecord(
            levels=depths,
            keys=depths * 2 * batch,
            scores=sorting_room(game.max_actions),
            path=depths,
            lines=(kept + 1) * (depths + 1),
            values=kept + 1,
            outcome_rows=ROWS * game.state_words,
            lists=depths * game.max_actions,
            rows=depths * 2 * batch * game.state_words,
        )
        self._replies = TurnRepliesMemory(r.replies[0], problem, settings)
        self.lines, self.values = r.array("lines").reshape(kept + 1, depths + 1), r.array("values")
        self.largest = slots_for(settings.table)
        likely = slots_for(likely_states(budget, _STATES_PER_OUTCOME))
        self.table = large_array(min(self.largest, likely, _FIRST_SLOTS), np.uint64, Start.TABLE)
        r.depths = depths
        r.line_words, r.kept, r.batch, r.ring = depths + 1, kept, batch, 2 * batch
        counts = (budget.forward_calls, budget.evaluations, budget.iterations)
        is_timed = budget.seconds is not None and all(count is None for count in counts)
        # Other searches end at the same step, after as many forward calls, on every machine.
        r.most_waiting, r.ahead = (ROWS - 1, _AHEAD) if is_timed else (1, 0)
        r.sort_where = {"none": NOWHERE, "root": ROOT, "all": EVERYWHERE}[settings.sort]
        r.before_end = settings.evaluate_at == "before-end"
        r.last_of_equals = settings.ties == "last"
        r.free_roots = settings.roots == "free"
        self._point_at_table()

    def _point_at_table(self) -> None:
        r, slots = self.record, len(self.table)
        r.table, r.mask = Words.of(self.table), slots - 1
        r.room = slots - slots // 3
        r.may_grow = slots < self.largest

    def grow(self) -> bool:
        """Double the table; False if the search had to end while it was moved."""
        larger = large_array(2 * len(self.table), np.uint64, Start.TABLE)
        for begin in range(0, len(self.table), _SLOTS_AT_A_TIME):
            if self.problem.must_end():
                return False
            rehash(self.table[begin : begin + _SLOTS_AT_A_TIME], Words.of(larger), len(larger) - 1)
        self.table = larger
        self._point_at_table()
        return True

    def line(self) -> Line:
        """The best turn, the alternatives, and the figures."""
        r = self.record
        turns = [(self._codes(i), float(self.values[i])) for i in range(r.found)]
        details = {
            "outcomes": float(r.outcomes),
            "exhaustive": float(r.exhaustive),
            "states": float(r.states),
            "table_load": r.states / len(self.table),
            "table_bytes": float(self.table.nbytes),
        }
        if not turns:
            return Line([], details=details)
        best, value = turns[0]
        return Line(best, None if math.isnan(value) else value, turns[1:], details)

    def _codes(self, index: int) -> list[int]:
        length = int(self.lines[index, 0])
        return [int(code) for code in self.lines[index, 1 : 1 + length]]
