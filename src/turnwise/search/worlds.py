"""Hidden information: one decision by searches in several determinised worlds.

A world is a full state that agrees with what the mover knows; chance fills the rest (``determinise``)::

    worlds <- states drawn from what the mover knows; equal ones are searched once and count as often as drawn
    for each world:  search it with its part of the budget; note its best turn and its alternatives
    for each of these turns, the best ones of all worlds first; turns with equal outcomes in all worlds are one:
        rating <- mean over the worlds of the value after the turn, played in that world, and after what the planner
                  lets follow in its lines: other seats by their replies, the rollout policy for the mover
    play the turn with the highest rating

World k begins with what the search of world k of the last decision remembered (:mod:`turnwise.search.world_memories`).
A world in which an action of the turn is illegal completes the turn as the game wants turns to be completed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from turnwise.core.budget import Budget
from turnwise.core.chance import derive_seed
from turnwise.core.state import State
from turnwise.search import forward_model as compiled
from turnwise.search.plan import SearchReport
from turnwise.search.problem import Line, Problem
from turnwise.search.turn_rating import TurnRater, TurnRating

AUTOMATIC = 4  # worlds where the number is not given
_SHARE_OF_BEST = 1 / 4  # largest share of the budget for rating the best turn of every world in every world
_SHARE_OF_ALL = 1 / 8  # largest share for rating the alternatives too, several times where chance takes part
_LATE = 0.001  # seconds by which a search may end late, as it reads its answer from its tables
_SHARE_OF_LATE = 1 / 32  # of the time in addition: larger tables take longer
_ROUNDS = 4  # ratings of a turn in each world where they depend on chance


@dataclass(frozen=True, slots=True)
class World:
    """A state that may be the true one, and how often it was drawn."""

    state: State
    weight: int


def draw_worlds(
    state: State,
    number: int,
    budget: Budget,
    seed: int,
    rating: TurnRating,
    must_end: Callable[[], bool] = lambda: False,
) -> list[World]:
    """The worlds to search in.

    Args:
        state: What the mover knows.
        number: How many to draw; a small budget gets fewer.
        budget: Limits of the decision.
        seed: Seed of the draws.
        rating: How turns will be rated, which costs more the more worlds there are.
        must_end: Asked after every draw; the worlds drawn so far are enough when it says so.

    Returns:
        Distinct worlds in the order in which they were drawn; empty if the state itself is to be searched, because
        nothing is hidden in it, only one world is wanted, or nothing can be searched within the budget.
    """
    if number <= 1 or budget.is_empty or not state.game.pointers["determinise"]:
        return []
    ratings = (
        (budget.forward_calls, rating.calls(state.game) / _SHARE_OF_BEST),
        (budget.evaluations, rating.evaluations / _SHARE_OF_BEST),
    )
    affordable = [math.isqrt(int(limit / cost)) for limit, cost in ratings if limit is not None]
    number = min([number, *affordable, *([] if budget.iterations is None else [budget.iterations])])
    drawn: dict[bytes, World] = {}
    for i in range(max(1, number)):
        world = state.determinise(state.to_move, derive_seed(seed, "world", i))
        known = drawn.get(world.row.tobytes())
        drawn[world.row.tobytes()] = World(world, known.weight + 1) if known else World(world, 1)
        if must_end():
            break
    is_known = len(drawn) == 1 and np.array_equal(world.row, state.row)
    return [] if is_known else list(drawn.values())


class SearchOfWorlds:
    """The searches of one decision.

    Attributes:
        problems: The problem of each world that has been searched; the caller ends them (``Game.after_plan``).
    """

    def __init__(
        self,
        known: Problem,
        worlds: list[World],
        budget: Budget,
        rating: TurnRating,
        alternatives: int,
        calls_after: int = 0,
    ) -> None:
        """Prepare the searches.

        Args:
            known: The problem of what the mover knows; what the searches spend is added to its counters.
            worlds: At least one.
            budget: Limits of the decision.
            rating: How turns are rated.
            alternatives: Maximum number of other turns to report.
            calls_after: Forward calls by which a search may exceed its limit.
        """
        self.problems: list[Problem] = []
        self._known, self._worlds, self._budget, self._rating = known, worlds, budget, rating
        self._alternatives = alternatives
        is_drawn = rating.goes_beyond_turn or known.game.is_stochastic or known.record.evaluation == 0
        self._rounds = _ROUNDS if is_drawn else 1  # the evaluation "rollouts" plays on, too
        # What is kept for ratings covers the excess of the last search; a single world has none.
        excess = min(calls_after, (budget.forward_calls or 0) * _SHARE_OF_BEST) if len(worlds) == 1 else 0.0
        self._kept_calls = max(self._kept(budget.forward_calls, rating.calls(known.game)), excess)
        self._kept_evaluations = self._kept(budget.evaluations, 1)

    def run(self, make: Callable[[State, Budget, int], Problem], search: Callable[[Problem, Budget], Line]) -> Line:
        """Search every world and choose a turn.

        Args:
            make: Makes the problem of a state, budget and seed.
            search: Searches a problem within a budget.

        Returns:
            The turn with the highest rating, its rating as the value, and the others in order of theirs.
        """
        lines: list[Line] = []
        for number, world in enumerate(self._worlds):
            part = self._part(number)
            if number and part.is_empty:
                break
            problem = make(world.state, part, derive_seed(self._known.seed, "search of world", number))
            self.problems.append(problem)
            if self._known.record.stop == compiled.INTERRUPTED:  # it came between two searches
                problem.interrupt()
            lines.append(search(problem, part))
            if problem.record.stop in (compiled.INTERRUPTED, compiled.FAILED):
                break
        stops = [int(problem.record.stop) for problem in (self._known, *self.problems)]
        chosen = self._chosen(lines, can_rate=not {compiled.INTERRUPTED, compiled.FAILED} & set(stops))
        self._add_up(stops)
        return chosen

    def interrupt(self) -> None:
        """Ask all searches, and what comes after them, to end soon."""
        for problem in (self._known, *self.problems):
            problem.interrupt()

    def _counters(self) -> list[int]:
        """Counters of all searches and ratings so far, in the order of :attr:`.Problem.counters`."""
        return [sum(each) for each in zip([0] * 5, *[problem.counters for problem in self.problems], strict=True)]

    def _spent(self) -> SearchReport:
        """What all searches and ratings have cost so far; seconds count from when the decision began."""
        calls, _, for_others, evaluations, iterations = self._counters()
        return SearchReport(self._known.seconds, calls, evaluations, iterations, forward_calls_for_others=for_others)

    def _part(self, number: int) -> Budget:
        """A world's part of the budget: an equal part of what is left without the cost of the ratings."""
        budget, share = self._budget, 1.0 / (len(self._worlds) - number)
        calls, _, _, evaluations, iterations = self._counters()

        def part(limit: int | None, used: int, kept: float) -> int | None:
            return None if limit is None else int(max(0, limit - used - int(kept)) * share)

        return Budget(
            None if budget.seconds is None else self._seconds_left(budget.seconds, calls) * share,
            part(budget.forward_calls, calls, self._kept_calls),
            part(budget.evaluations, evaluations, self._kept_evaluations),
            part(budget.iterations, iterations, 0.0),
            budget.scope,
            budget.clock,
        )

    def _kept(self, limit: float | None, cost: float) -> float:
        """What is kept of a limit for ratings.

        Args:
            limit: A limit of the decision.
            cost: What one rating costs of it.
        """
        worlds = len(self._worlds)
        if worlds == 1 or not cost:
            return 0.0
        best, limit = worlds * worlds * cost, limit or 0.0
        every = best * (1 + self._alternatives) * self._rounds
        return max(min(best, limit * _SHARE_OF_BEST), min(every, limit * _SHARE_OF_ALL))

    def _seconds_left(self, seconds: float, calls: int) -> float:
        """Seconds that searches may still take.

        Args:
            seconds: The limit of the decision.
            calls: Forward calls so far.
        """
        spent = self._known.seconds
        pace = spent / calls if calls else math.inf  # seconds per call
        late = min(_LATE + seconds * _SHARE_OF_LATE, seconds * _SHARE_OF_ALL) if len(self._worlds) > 1 else 0.0
        return max(0.0, seconds - spent - self._kept(seconds, self._rating.calls(self._known.game) * pace) - late)

    def _chosen(self, lines: list[Line], *, can_rate: bool) -> Line:
        """The best of the lines that the searches found."""
        figures = _mean_figures(lines) | {"worlds": float(len(lines))}
        found = _in_order(lines)
        if len(lines) > 1 and can_rate:
            rated = self._rated(found)
            if rated:
                (codes, value), *others = sorted(rated, key=lambda one: -one[1])
                of_turn = next((line.of_turn for line in lines if line.codes == codes), {})
                figures["rated"] = float(len(rated))
                return Line(codes, value, others[: self._alternatives], figures, of_turn=of_turn)
        first = lines[0]
        return Line(first.codes, first.value, first.alternatives, figures | {"rated": 0.0}, of_turn=first.of_turn)

    def _rated(self, found: list[list[int]]) -> list[tuple[list[int], float]]:
        """The turns with their ratings, as many as the budget allows."""
        weights = [world.weight for world, _ in zip(self._worlds, self.problems, strict=False)]
        rater = TurnRater(self.problems, weights, self._rating)
        return rater.rate(found, self._rounds, self._budget.less(self._spent()), int(self._known.record.deadline))

    def _add_up(self, stops: list[int]) -> None:
        """Add what was spent to the problem of what the mover knows, and why the searches ended.

        Args:
            stops: Why the searches ended, before the ratings, which go on where a search ran out of its own budget.
        """
        r = self._known.record
        spent = zip(self._known.counters, self._counters(), strict=True)
        r.write_integers("forward_calls", [sum(each) for each in spent])
        now = [int(problem.record.stop) for problem in (self._known, *self.problems)]  # after the ratings
        urgent = [stop for stop in (*stops, *now) if stop in (compiled.INTERRUPTED, compiled.FAILED)]
        ended = [stop for stop in stops if stop != compiled.RUNNING]
        r.stop = next(iter([*urgent, *ended]), compiled.RUNNING)


def _in_order(lines: list[Line]) -> list[list[int]]:
    """All distinct lines: the best ones of all worlds, then the second-best ones, and so on."""
    ranked = [[line.codes, *(codes for codes, _ in line.alternatives)] for line in lines]
    rounds = zip_longest(*ranked)
    distinct = {tuple(codes): codes for one_round in rounds for codes in one_round if codes}
    return list(distinct.values())


def _mean_figures(lines: list[Line]) -> dict[str, float]:
    """The planner's own figures, averaged over the worlds."""
    names = dict.fromkeys(name for line in lines for name in line.details)
    return {name: sum(line.details.get(name, 0.0) for line in lines) / len(lines) for name in names}
