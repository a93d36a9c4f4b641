"""The memory of a maximin search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from turnwise.core.budget import Budget
from turnwise.core.game import Game
from turnwise.jit.record import Records, Word
from turnwise.planners.turn_maximin.search import collect, compare, conclude, find_best, settle_more
from turnwise.planners.turn_maximin.tables import MOST_REPLIES, NONE, Comparison, Maximin, TurnBeam, WorldStart
from turnwise.search.beam.layers import best_child
from turnwise.search.beam.reading import LayerReader
from turnwise.search.horizon import LONGEST
from turnwise.search.memory_pool import SearchMemory
from turnwise.search.outcome_table import likely_states, rounded_up, slots_for
from turnwise.search.problem import Line, Problem
from turnwise.search.reply import everyone
from turnwise.search.worlds import AUTOMATIC, World

if TYPE_CHECKING:
    from turnwise.planners.turn_maximin.planner import TurnMaximinParameters

_MOST_NODES = 1 << 22  # of the own beam
_REFUTATIONS = "refutations"
_MOST_KEPT = 16  # from one decision to the next
_LATER_OUTCOMES = 64  # of the own next turn
_KEYS = 4  # keys in the table of known outcomes for each that is kept


class TurnSizes(NamedTuple):
    """Largest numbers in a search over one own turn.

    Attributes:
        outcomes: Own outcomes.
        futures: States in which they are examined.
        widest: Width of a beam over own turns.
        widest_reply: Width of a beam over replies.
        nodes: States that a beam keeps.
    """

    outcomes: int
    futures: int
    widest: int
    widest_reply: int
    nodes: int


class Refutation(NamedTuple):
    """A known reply.

    Attributes:
        actions: int64[n].
        free: Bit set of the opponents whose actions they are.
        hits: How useful it has been lately.
    """

    actions: NDArray[np.int64]
    free: Word
    hits: float


class TurnBeamMemory:
    """The arrays of a beam over turns: it fills a record and keeps what that points to.

    Attributes:
        size: Their bytes.
        reader: Reads its lines.
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
        self.reader = LayerReader(record, room)


class TurnMemory:
    """The arrays of a maximin search over one own turn: it fills a record and keeps what that points to.

    Attributes:
        size: Their bytes.
    """

    def __init__(self, record: Maximin, problem: Problem, sizes: TurnSizes, settings: TurnMaximinParameters) -> None:
        """Write the record.

        Args:
            record: The search.
            problem: The search problem.
            sizes: Largest numbers.
            settings: The planner's parameters.
        """
        game = problem.game
        longest = min(game.max_turn * max(1, game.players - 1), LONGEST)
        known = slots_for(_KEYS * sizes.outcomes)
        self._room = room = Maximin(
            outcomes=sizes.outcomes,
            keys=sizes.outcomes,
            order=sizes.outcomes,
            known=known,
            futures=sizes.futures,
            rows=sizes.futures * game.state_words,
            work=game.state_words,
            spare=game.state_words,
            line=max(game.max_turn, longest),
            listed=game.max_actions,
            replies=MOST_REPLIES * longest,
        )
        room.room, room.known_mask, room.future_room, room.reply_room = (
            sizes.outcomes,
            known - 1,
            sizes.futures,
            longest,
        )
        room.most_free = settings.free_of(game)
        room.replying, room.samples = settings.expects_replies(game), settings.samples
        room.pooling, room.static = settings.pool, settings.static
        room.first_width, room.growth = settings.first_reply_width, settings.growth
        room.levels = room.most_levels = settings.reply_searches
        room.rollouts, room.greedy_probability = settings.rollout_turns > 0, settings.greedy_probability
        record.become(room)
        self._rollouts = everyone(record.rollout[0], problem, settings.rollout_turns)
        self._record = record
        nodes = min(2 * game.max_turn * sizes.widest + 1, sizes.nodes)
        self._own = TurnBeamMemory(record.own[0], game, sizes.widest, game.max_turn, nodes)
        nodes = min(longest * sizes.widest_reply + 1, sizes.nodes)
        self._reply = TurnBeamMemory(record.reply[0], game, sizes.widest_reply, longest, nodes)
        self.size = room.total_bytes + self._own.size + self._reply.size

    @property
    def own(self) -> LayerReader:
        """Reads the lines of own turns."""
        return self._own.reader

    def outcomes(self) -> NDArray[np.void]:
        """All outcomes for which there is room."""
        return self._room.array("outcomes")

    def refutations(self) -> list[Refutation]:
        """The known replies that have been useful lately, the most useful ones first."""
        m, replies = self._record, self._room.array("replies").reshape(MOST_REPLIES, -1)
        hits = {place: float(m.hits[place]) for place in range(m.reply_count)}
        places = sorted((place for place in hits if hits[place] >= 1), key=lambda place: -hits[place])[:_MOST_KEPT]
        return [Refutation(replies[place, : m.lengths[place]].copy(), m.free[place], hits[place]) for place in places]

    def learn(self, refutations: list[Refutation]) -> None:
        """Begin with known replies; there are none yet."""
        m, replies = self._record, self._room.array("replies").reshape(MOST_REPLIES, -1)
        for place, (actions, free, hits) in enumerate(refutations):
            replies[place, : len(actions)] = actions
            m.lengths[place], m.free[place], m.hits[place] = len(actions), free, hits
        m.reply_count = len(refutations)

    def forget_outcomes(self) -> None:
        """Empty the table of known ones."""
        self._room.array("known")[:] = 0


class MaximinMemory(SearchMemory):
    """One search.

    Attributes:
        record: The record that kernels take.
        width: Of the last beam over own turns.
    """

    record: Comparison
    width = 0

    def __init__(self, problem: Problem, settings: TurnMaximinParameters, budget: Budget) -> None:
        """Allocate in proportion to the budget.

        Args:
            problem: The search problem.
            settings: The planner's parameters.
            budget: Limits.
        """
        game, likely = problem.game, likely_room(budget)
        most = max(1 + settings.compared, -(-settings.halving // settings.streams))
        self.record = r = Comparison(best=most, worth=most, after=game.state_words)
        nodes = min(likely, _MOST_NODES)
        futures = min(settings.outcomes * max(settings.samples, settings.worlds or AUTOMATIC), likely)
        widest = settings.widest_reply
        sizes = TurnSizes(settings.outcomes, futures, settings.widest, widest, nodes)
        self._now = TurnMemory(r.now[0], problem, sizes, settings)
        sizes = TurnSizes(_LATER_OUTCOMES, _LATER_OUTCOMES * settings.samples, widest, widest, nodes)
        self._next = TurnMemory(r.next[0], problem, sizes, settings)
        self._later_world = Records.of_array(WorldStart, np.ones(1, WorldStart.dtype))
        r.next[0].worlds, r.next[0].world_count, r.next[0].ahead = self._later_world, 1, 1
        self.more_bytes = self._now.size + self._next.size
        r.most_best, r.most_halved, r.further, r.widest = 1 + settings.compared, most, settings.further, widest
        r.plies = settings.plies
        r.now[0].streams = settings.streams
        self._before_comparison = (NONE, 0.0, 0, 0)  # answer, value, numbers of comparisons

    def begin(self, problem: Problem, worlds: list[World], stream: int) -> None:
        """Begin a search.

        Args:
            problem: The search problem.
            worlds: The worlds in which replies are searched; none: the state as the mover knows it.
            stream: Which one of the streams it is.
        """
        r = self.record.now[0]
        r.stream = stream
        self._now.forget_outcomes()
        r.own[0].number = problem.record.turn_number
        self._worlds = np.zeros(max(1, len(worlds)), WorldStart.dtype)
        records = Records.of_array(WorldStart, self._worlds)
        for i, world in enumerate(worlds):
            records[i].start = records[i].root = world.state.address
            records[i].weight = world.weight
        if not worlds:
            records[0].start = records[0].root = problem.state.address
            records[0].weight = 1
        r.worlds, r.world_count = records, len(self._worlds)

    def recall(self, memory: dict[str, Any]) -> None:
        """Begin with the refutations of the last decision: of its replies to the own turn, and to the own next turn.

        Args:
            memory: What the player remembers.
        """
        now, later = memory.get(_REFUTATIONS, ([], []))
        self._now.learn(now)
        self._next.learn(later)

    def remember(self, memory: dict[str, Any]) -> None:
        """Keep the refutations for the next decision.

        Those of the own next turn become those of the own turn, after the ones that are known for it.

        Args:
            memory: What the player remembers; changed.
        """
        now, later = self._now.refutations(), self._next.refutations()
        memory[_REFUTATIONS] = (now + later)[:_MOST_KEPT], later

    def collect(self, problem: Problem, width: int) -> int:
        """See :func:`collect`."""
        return collect(problem.record, self.record.now[0], width)

    def find_best(self, problem: Problem) -> None:
        """See :func:`find_best`."""
        find_best(problem.record, self.record)

    def settle_more(self, problem: Problem) -> None:
        """See :func:`settle_more`."""
        settle_more(problem.record, self.record)

    def compare(self, problem: Problem) -> bool:
        """See :func:`compare`."""
        s = self.record
        self._before_comparison = int(s.answer), float(s.value), int(s.compared), int(s.deep)
        return bool(compare(problem.record, s))

    def forget_last_comparison(self) -> None:
        """Return to the answer before the last comparison, which other streams have not completed."""
        s = self.record
        s.answer, s.value, s.compared, s.deep = self._before_comparison

    def conclude(self, problem: Problem) -> None:
        """See :func:`conclude`."""
        conclude(problem.record, self.record, problem.state.address)

    @property
    def rank(self) -> tuple[bool, float]:
        """How its answer ranks among those of other streams: settled ones first, by their last comparison."""
        s = self.record
        if s.answer == NONE or s.best_count == 0:
            return False, self._highest_bound
        return True, s.value if s.compared > 0 else float(s.now[0].outcomes[s.answer].bound)

    @property
    def _highest_bound(self) -> float:
        """Of the outcomes whose replies were searched, or of all if none were."""
        found = self._now.outcomes()[: self.record.now[0].count]
        searched = found[found["searches"] > 0]
        return float(np.max((searched if len(searched) else found)["bound"], initial=-np.inf))

    def line(self, most: int) -> Line:
        """The best turn.

        Args:
            most: Maximum number of other turns.
        """
        s, r = self.record, self.record.now[0]
        found = self._now.outcomes()[: r.count]
        figures = {
            "outcomes": float(r.count),
            "examined": float(r.examined),
            "reply_searches": float(r.reply_searches + s.next[0].reply_searches),
            "tests": float(r.tests + s.next[0].tests),
            "replies": float(r.reply_count),
            "deepest": float(r.deepest),
            "comparisons": float(s.compared),
            "deep_comparisons": float(s.deep),
            "halved": float(s.halved),
            "width": float(self.width),
        }
        if r.count == 0:  # as far as the first turn came
            length = int(best_child(r.own[0], r.line))
            return Line([int(r.line[i]) for i in range(length)], details=figures)
        is_answer = np.arange(r.count) == s.answer
        ranked = np.lexsort((np.arange(r.count), -found["bound"], found["searches"] == 0, ~is_answer))
        turns = [(self._codes(found[c]), float(found["bound"][c])) for c in ranked[: 1 + most]]
        (codes, value), *others = turns
        figures["static"] = float(found["static"][ranked[0]])
        return Line(codes, value, others, figures)

    def turns_so_far(self, most: int) -> list[tuple[int, list[int], float]]:
        """The best turns so far, as :meth:`line` ranks them, also during the search.

        Args:
            most: How many at most.

        Returns:
            Of each turn: 0, the answer; 1, replies to it were searched; 2, none were; its actions; its bound. Before
            the first turn is complete these are the best beginnings of turns.
        """
        s = self.record
        found = self._now.outcomes()[: max(0, s.now[0].count)].copy()
        if len(found) == 0:
            return [(2, codes, value) for codes, value in self._now.own.best_children(most)]
        kinds = np.where(found["searches"] > 0, 1, 2)
        if s.best_count > 0 and 0 <= s.answer < len(found):
            kinds[s.answer] = 0
        ranked = np.lexsort((-found["bound"], kinds))[:most].tolist()
        return [(int(kinds[c]), self._codes(found[c]), float(found["bound"][c])) for c in ranked]

    def _codes(self, outcome: np.void) -> list[int]:
        """The actions of an outcome's line, of which the nodes of the own beam know the parents; none: half written."""
        before = self._now.own.line_to(int(outcome["parent"]))
        return [] if before is None else [*before, int(outcome["action"])]


def likely_room(budget: Budget) -> int:
    """For how many states there is room, so that searches of nearly equal budgets use the same memory."""
    return rounded_up(likely_states(budget, 1 << 10))
