"""The memory of a maximin search."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from turnwise.core.budget import Budget
from turnwise.core.game import Game
from turnwise.jit.record import Records
from turnwise.planners.turn_maximin.search import collect, search_replies
from turnwise.planners.turn_maximin.tables import MOST_REPLIES, REPLY, Maximin, TurnBeam, World
from turnwise.search.beam.layers import best_child
from turnwise.search.horizon import LONGEST
from turnwise.search.memory_pool import SearchMemory
from turnwise.search.outcome_table import likely_states, rounded_up, slots_for
from turnwise.search.problem import Line, Problem
from turnwise.search.worlds import World as DrawnWorld

if TYPE_CHECKING:
    from turnwise.planners.turn_maximin.planner import TurnMaximinParameters

_MOST_NODES = 1 << 22  # of the own beam
_KEYS = 4  # keys in the table of known outcomes for each that is kept


class TurnBeamMemory:
    """The arrays of a beam over turns: it fills a record and keeps what that points to.

    Attributes:
        size: Their bytes.
    """

    def __init__(self, record: TurnBeam, game: Game, width: int, longest: int, nodes: int) -> None:
        """Write the record.

        Args:
            record: The search's beam.
            game: The scenario.
            width: Largest width of a pass.
            longest: Maximum number of actions in a line.
            nodes: Maximum number of states kept in all layers.
        """
        pool = 2 * width
        of_rows = ("layer_order", "order", "layer_nodes", "nodes", "layer_progress", "progress")
        states = (*of_rows, "parents", "actions", "values", "keys")
        rows = dict.fromkeys(("layer_rows", "rows"), pool * game.state_words)
        self._room = room = TurnBeam(
            **rows, **dict.fromkeys(states, pool), arena=nodes, seen=slots_for(pool), listed=game.max_actions
        )
        room.array("layer_order")[:] = room.array("order")[:] = np.arange(pool)
        room.arena_room, room.longest, room.arena_used = nodes, longest, 1
        record.become(room)
        self.size = room.total_bytes


class MaximinMemory(SearchMemory):
    """One search.

    Attributes:
        record: The record that kernels take.
    """

    record: Maximin

    def __init__(self, problem: Problem, settings: TurnMaximinParameters, budget: Budget) -> None:
        """Allocate in proportion to the budget.

        Args:
            problem: The search problem.
            settings: The planner's parameters.
            budget: Limits.
        """
        game, likely = problem.game, likely_room(budget)
        longest = min(game.max_turn * max(1, game.players - 1), LONGEST)
        futures = min(settings.outcomes * max(settings.samples, settings.worlds or 4), likely)
        known = slots_for(_KEYS * settings.outcomes)
        self.record = r = Maximin(
            outcomes=settings.outcomes,
            keys=settings.outcomes,
            order=settings.outcomes,
            known=known,
            futures=futures,
            rows=futures * game.state_words,
            work=game.state_words,
            after=game.state_words,
            best=1 + settings.compared,
            line=max(game.max_turn, longest),
            listed=game.max_actions,
            replies=MOST_REPLIES * longest,
        )
        r.room, r.known_mask, r.future_room, r.reply_room = settings.outcomes, known - 1, futures, longest
        widest, most = settings.widest, min(likely, _MOST_NODES)
        self._own = TurnBeamMemory(r.own[0], game, widest, game.max_turn, min(2 * game.max_turn * widest + 1, most))
        widest = settings.widest_reply
        self._reply = TurnBeamMemory(r.reply[0], game, widest, longest, min(longest * widest + 1, most))
        self.more_bytes = self._own.size + self._reply.size
        r.reply[0].part, r.replying = REPLY, settings.reply != "none"
        r.most_best, r.further, r.widest_next = 1 + settings.compared, settings.further, widest
        r.samples, r.growth = settings.samples, settings.growth
        r.first_width, r.levels = settings.first_reply_width, settings.reply_searches

    def begin(self, problem: Problem, worlds: list[DrawnWorld]) -> None:
        """Begin a search.

        Args:
            problem: The search problem.
            worlds: The worlds in which replies are searched; none: the state as the mover knows it.
        """
        r = self.record
        r.array("known")[:] = 0
        self._worlds = np.zeros(max(1, len(worlds)), World.dtype)
        records = Records.of_array(World, self._worlds)
        for i, world in enumerate(worlds):
            records[i].root, records[i].weight = world.state.address, world.weight
        if not worlds:
            records[0].root, records[0].weight = problem.state.address, 1
        r.worlds, r.world_count = records, len(self._worlds)

    def collect(self, problem: Problem, width: int) -> int:
        """See :func:`collect`."""
        return collect(problem.record, self.record, width)

    def search_replies(self, problem: Problem) -> None:
        """See :func:`search_replies`."""
        search_replies(problem.record, self.record)

    def line(self, most: int) -> Line:
        """The best turn.

        Args:
            most: Maximum number of other turns.
        """
        r = self.record
        found = r.array("outcomes")[: r.count]
        figures = {
            "outcomes": float(r.count),
            "examined": float(r.examined),
            "reply_searches": float(r.reply_searches),
            "tests": float(r.tests),
            "replies": float(r.reply_count),
            "deepest": float(r.deepest),
            "comparisons": float(r.compared),
        }
        if r.count == 0:  # as far as the first turn came
            length = int(best_child(r.own[0], r.line))
            return Line([int(code) for code in r.array("line")[:length]], details=figures)
        is_answer = np.arange(r.count) == r.answer
        ranked = np.lexsort((np.arange(r.count), -found["bound"], found["searches"] == 0, ~is_answer))
        turns = [(self._codes(found[c]), float(found["bound"][c])) for c in ranked[: 1 + most]]
        (codes, value), *others = turns
        figures["static"] = float(found["static"][ranked[0]])
        return Line(codes, value, others, figures)

    def _codes(self, outcome: np.void) -> list[int]:
        """The actions of an outcome's line, of which the nodes of the own beam know the parents."""
        codes, node, arena = [int(outcome["action"])], int(outcome["parent"]), self.record.own[0].arena
        for _ in range(int(outcome["length"]) - 1):
            codes.append(int(arena[node].action))
            node = int(arena[node].parent)
        return codes[::-1]


def likely_room(budget: Budget) -> int:
    """For how many states there is room, so that searches of nearly equal budgets use the same memory."""
    return rounded_up(likely_states(budget, 1 << 10))
