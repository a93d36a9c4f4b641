"""Maximin over whole turns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from turnwise.core.budget import Budget
from turnwise.core.errors import CapacityError
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.jit.cache import announce
from turnwise.planners.turn_maximin.memory import MaximinMemory, likely_room
from turnwise.planners.turn_maximin.search import find_best
from turnwise.planners.turn_maximin.streams import joint_line, lines_so_far, search_replies
from turnwise.search.beam.parameters import BeamSearchParameters
from turnwise.search.beam.passes import find_line, next_growth, share_spent
from turnwise.search.beam.search import FINISHED
from turnwise.search.forward_model import RUNNING
from turnwise.search.known_line import best_known, remembered
from turnwise.search.parameters import (
    BUILT_IN_GREEDINESS,
    ROLLOUT_POLICY,
    PolicyText,
    RankingParameters,
    StreamParameters,
    rollout_policy,
)
from turnwise.search.plan import Plan
from turnwise.search.problem import Line, Problem
from turnwise.search.search_planner import SearchPlanner
from turnwise.search.streams import Streams, memories
from turnwise.search.turn_rating import TurnRating
from turnwise.search.worlds import World, draw_worlds

_WIDEST = 1 << 16  # of all beams
MOST_PLAYERS = 60  # where some of them choose freely: bits of a set of opponents
_LEAST_GROWTH = 1.5  # of a pass over own turns: a slightly wider one finds little


class TurnMaximinParameters(StreamParameters, RankingParameters):
    """Parameters of :class:`TurnMaximin`."""

    reply: Literal["paranoid", "brs+", "opps", "none"] = Field(
        default="paranoid",
        description="what is assumed of the other seats: all reply together with what is worst for the planner "
        "(paranoid), one does (brs+) or some do (opps) while the others play best-scored actions, or nobody replies",
    )
    free_opponents: int = Field(
        default=1,
        ge=1,
        le=MOST_PLAYERS,
        description="number of opponents who reply freely (reply=opps)",
    )
    share: float = Field(
        default=0.3,
        gt=0,
        le=1,
        description="share of the budget for the outcomes of the own turn; the rest is for replies",
    )
    outcomes: int = Field(default=2000, ge=1, le=1 << 20, description="maximum number of own outcomes that are kept")
    first_width: int = Field(default=1, ge=1, le=_WIDEST, description="width of the first beam over the own turn")
    least_width: int = Field(
        default=64,
        ge=1,
        le=_WIDEST,
        description="width that the beam over the own turn must have reached before replies are searched, even if that "
        "takes more than its share of the budget",
    )
    widest: int = Field(default=2048, ge=1, le=_WIDEST, description="largest width of a beam over the own turn")
    first_reply_width: int = Field(default=2, ge=1, le=1 << 12, description="width of the first beam over replies")
    growth: int = Field(
        default=4, ge=2, le=16, description="how much wider the next beam over replies to the same outcome is"
    )
    reply_searches: int = Field(
        default=5,
        ge=1,
        le=6,
        description="beams over replies to an outcome, after which it is played if it is the best",
    )
    pool: bool = Field(
        default=True,
        description="whether replies that refuted one outcome are tried against the others before new ones are "
        "searched",
    )
    static: float = Field(
        default=0.0, ge=0, le=1, description="weight of the value before any reply in what an outcome is worth"
    )
    compared: int = Field(
        default=15,
        ge=0,
        le=1000,
        description="other outcomes that are compared with the best one by the own next turn, with what is left of the "
        "budget",
    )
    further: float = Field(
        default=0.5, ge=0, le=1, description="weight of the value after the own next turn in that comparison"
    )
    plies: int = Field(
        default=3,
        ge=3,
        le=4,
        description="turns that the comparison looks ahead, at most: 3: to the end of the own next turn, 4: to the "
        "replies to it",
    )
    halving: int = Field(
        default=1000,
        ge=0,
        le=1000,
        description="outcomes that are compared, at most (of all streams together), and four turns ahead, where a beam "
        "of the widest width leaves nine tenths of the budget; the better half of them stays after each comparison "
        "from the third on; as few as 'compared' or fewer: no more than with small budgets",
    )
    keep: bool = Field(
        default=True,
        description="whether replies that refuted turns are tried first in the next decision of the same game, too",
    )
    rollout_turns: int = Field(
        default=0,
        ge=0,
        le=10_000,
        description="number of turns that a rollout plays for all seats from the end of an own turn or of a reply, "
        "whose value is that of the state after them; 0: no rollout",
    )
    policy: PolicyText = ROLLOUT_POLICY
    greedy_probability: float = BUILT_IN_GREEDINESS
    samples: int = Field(
        default=4, ge=1, le=1000, description="how often a turn or a reply in which chance takes part is played"
    )

    @property
    def widest_reply(self) -> int:
        """Width of the last beam over replies to an outcome."""
        return int(self.first_reply_width * self.growth ** (self.reply_searches - 1))

    def expects_replies(self, game: Game) -> bool:
        """Whether anybody plays against the planner."""
        return self.reply != "none" and game.players > 1 and not game.shares_goal

    def free_of(self, game: Game) -> int:
        """How many opponents reply with what is worst for the planner."""
        others = game.players - 1
        return min(others, {"brs+": 1, "opps": self.free_opponents}.get(self.reply, others))

    @model_validator(mode="after")
    def _not_too_wide(self) -> Self:
        if self.widest_reply > _WIDEST:
            raise ValueError(
                f"first_reply_width={self.first_reply_width}, growth={self.growth} and reply_searches="
                f"{self.reply_searches} give a last beam over replies of width {self.widest_reply}; expected at most "
                f"{_WIDEST}. Give smaller ones"
            )
        return self


class TurnMaximin(SearchPlanner[TurnMaximinParameters]):
    """Find the own turn whose worst reply is best.

    A beam over the own turn collects distinct outcomes. The outcome with the highest bound is then examined: known
    replies, the most successful ones first, are tried against it, and if its bound is still the highest, ever wider
    beams search a new reply. A reply that lowers a bound joins the pool of known ones. So few searches of replies are
    needed, and most outcomes are refuted by a reply that was found to another one. A player remembers the most useful
    replies for its next decision.

    Where a beam of the widest width leaves nine tenths of the budget, up to ``halving`` outcomes are settled and
    compared, four turns ahead, and the better half of them stays after each comparison from the third on (sequential
    halving: Karnin, Koren & Somekh 2013).

    Several ``streams``: each has a share of the own outcomes, and a pool of its own; all compare their best outcomes at
    the same depth, and the best of these is the answer. One player: there is one search, whatever their number.

    One player: nobody replies, and the planner is a beam search, to the end of the game where there is no chance.
    Players who share a goal: nobody replies, and the best outcome is chosen. Three and more players: all others reply
    together with what is worst for the planner (paranoid), or only some of them (brs+, opps). Hidden information: own
    turns are searched as the mover knows the state, replies in several worlds; a turn is worth the mean. Chance: turns
    and replies in which chance took part are played ``samples`` times, and the mean counts. With ``rollout_turns``,
    ends of own turns and of replies are rated after so many turns by a policy.

    Source: own design; see :mod:`turnwise.planners.turn_maximin.search`.

    Cost: one forward call and at most one evaluation for each child in a beam; a known reply costs the forward calls of
    a turn and one evaluation. With rollouts every rated end also costs the forward calls of their turns. Details:
    outcomes, examined (outcomes to which replies were tried), reply_searches, tests (known replies tried), replies (in
    the pool), deepest (beams over the replies to one outcome), comparisons (of the best outcomes), deep_comparisons
    (those four turns ahead), halved (outcomes that a long budget compares, else 0), width (of the last beam over own
    turns), static (value of the turn before replies).
    """

    name = "turn-maximin"
    title = "Turn maximin"
    source = "own design: beam search over turns, best-first minimax, refutations tried first"
    iteration = "one state expanded in a beam"
    value_of = "the turn after the worst reply found"
    plans_games = True

    def number_of_worlds(self, game: Game) -> int:
        """See :meth:`SearchPlanner.number_of_worlds`; the search draws its own, as they share the own outcomes."""
        return 1

    def meaning_of_value(self, plan: Plan) -> str:
        """See :meth:`Planner.meaning_of_value`: without replies it is the value of the turn itself."""
        found = plan.report.details
        if "reply_searches" not in found:  # one player
            return "the best line's end"
        met = found["reply_searches"] + found["tests"] > 0
        what = self.value_of if met else "the turn's outcome, before any reply"
        turns = self.parameters.rollout_turns
        rollouts = f" and after rollouts of {turns} turn{'s' * (turns > 1)}" if turns else ""
        mixed = f", with {self.parameters.static:g} of the value before it" if met and self.parameters.static else ""
        return f"{what}{rollouts}{mixed}"

    def make_problem(self, state: State, budget: Budget, seed: int) -> Problem:
        """See :meth:`SearchPlanner.make_problem`."""
        settings = self.parameters
        if settings.rollout_turns == 0:
            return super().make_problem(state, budget, seed)
        policy = rollout_policy(state.game, settings.policy)
        return Problem(state, budget, seed, settings.evaluation, policy, (settings.greedy_probability,))

    def search(self, problem: Problem, budget: Budget, memory: dict[str, Any]) -> Line:
        """See :meth:`SearchPlanner.search`."""
        if problem.game.players == 1:
            return self._search_alone(problem, budget, memory)
        announce(find_best, "turn maximin")
        settings = self.parameters
        if problem.game.players > MOST_PLAYERS and settings.free_of(problem.game) < problem.game.players - 1:
            raise CapacityError(
                f"reply={settings.reply} needs at most {MOST_PLAYERS} players; {problem.game.spec} has "
                f"{problem.game.players}. Use reply=paranoid or reply=none."
            )
        worlds = self._draw_worlds(problem, budget)
        with Streams(problem, budget, settings, lambda b, s: self.prepared(problem.state, b, s)) as streams:
            parts = memories(memory, streams.count)
            runs = [self._begin(streams, index, worlds, part) for index, part in enumerate(parts)]
            problem.observe(lambda most: lines_so_far(runs, most))
            streams.run(lambda i: self._collect_outcomes(streams.problems[i], streams.budgets[i], runs[i]))
            search_replies(streams, runs, settings, loads=budget.is_empty)
            streams.conclude()
        if settings.keep:
            for run, part in zip(runs, parts, strict=True):
                run.remember(part)
        line = joint_line(runs, settings.alternatives if problem.wants_alternatives else 0)
        line.details["worlds"] = float(max(1, len(worlds)))
        return line

    def _begin(self, streams: Streams, index: int, worlds: list[World], memory: dict[str, Any]) -> MaximinMemory:
        problem, budget = streams.problems[index], streams.budgets[index]
        kind = (MaximinMemory, self.parameters, likely_room(budget))
        run = problem.memory(kind, lambda: MaximinMemory(problem, self.parameters, budget))
        run.begin(problem, worlds, index)
        if self.parameters.keep:
            run.recall(memory)
        return run

    def _collect_outcomes(self, problem: Problem, budget: Budget, run: MaximinMemory) -> None:
        """Spend a share of the budget on own outcomes, and more where that does not pay for the least width."""
        share = self.parameters.share if self.parameters.expects_replies(problem.game) else 1.0
        run.width = self._collect(problem, run, part_of_rest(problem, budget, share), budget)
        if run.record.now[0].count > 0:  # else the budget was too small for any turn
            problem.limit(budget)

    def _search_alone(self, problem: Problem, budget: Budget, memory: dict[str, Any]) -> Line:
        """The best line of a beam, or that of an earlier decision."""
        settings = BeamSearchParameters(candidates=self.parameters.candidates)
        old = remembered(problem, memory)
        return best_known(problem, memory, old, find_line(problem, settings, budget))

    def _draw_worlds(self, problem: Problem, budget: Budget) -> list[World]:
        """The worlds in which replies are searched; none if nothing is hidden."""
        number = super().number_of_worlds(problem.game)
        return draw_worlds(problem.state, number, budget, problem.seed, TurnRating(), problem.must_end)

    def _collect(self, problem: Problem, run: MaximinMemory, part: Budget, whole: Budget) -> int:
        """Collect own outcomes by passes of growing width; returns the last width.

        The first pass may use the whole budget: it finds the longest turns last, and what it has found before them are
        turns that end too early. So may all passes up to the least width: in longer turns than the budget is made for,
        replies to poor turns tell less than better turns do.

        Args:
            problem: The problem; its limits are the whole budget's.
            run: The search.
            part: Limits of the wider passes.
            whole: Limits of the first passes.
        """
        widest: int = self.parameters.widest
        width, least = min(self.parameters.first_width, widest), min(self.parameters.least_width, widest)
        both = whole, part
        before = [share_spent(problem, limits) for limits in both]
        while True:
            ended = int(run.collect(problem, width))
            is_exhaustive = ended == FINISHED and run.record.now[0].own[0].dropped == 0
            if ended != FINISHED or is_exhaustive or width == widest or problem.record.stop != RUNNING:
                return width
            after = [share_spent(problem, limits) for limits in both]
            which = 0 if width < least else 1
            growth = next_growth(after[which], after[which] - before[which])
            if growth < _LEAST_GROWTH:
                return width
            wider = int(width * growth)
            width = min(wider, least) if width < least else min(wider, widest)
            before = after
            problem.limit(both[which])


def part_of_rest(problem: Problem, budget: Budget, share: float) -> Budget:
    """A share of the limits, of the time a share of what the making of memory and worlds has left."""
    part = budget.scaled(share)
    if budget.seconds is None:
        return part
    spent = min(problem.seconds, budget.seconds)
    return replace(part, seconds=spent + share * (budget.seconds - spent))
