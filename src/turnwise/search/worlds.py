"""Hidden information: one decision by searches in several determinised worlds.

A world is a full state that agrees with what the mover knows; chance fills the rest (``determinise``)::

    worlds <- states drawn from what the mover knows; equal ones are searched once and count as often as drawn
    for each world:  search it with its part of the budget; note its best turn and its alternatives
    for each of these turns, the best ones of all worlds first; turns with equal outcomes in all worlds are one:
        rating <- mean over the worlds of the value after the turn, played in that world, and after what the planner
                  lets follow in its lines: other seats by their replies, the rollout policy for the mover
    play the turn with the highest rating

A world in which an action of the turn is illegal completes the turn as the game wants turns to be completed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from turnwise.core.budget import UNLIMITED, Budget
from turnwise.core.chance import derive_seed
from turnwise.core.game import Game, Row
from turnwise.core.state import State
from turnwise.jit.cache import announce
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of
from turnwise.jit.record import Ints, Words
from turnwise.search import forward_model as compiled
from turnwise.search.forward_model import ProblemRecord
from turnwise.search.horizon import ACTIONS, GAME, OWN_TURN, TURNS, Horizon, Reach, advance, begin_line
from turnwise.search.planner import SearchReport
from turnwise.search.problem import Line, Problem, action_buffer
from turnwise.search.reply import HorizonMemory, everyone, was_stopped
from turnwise.search.rollout import play_out, roll_out

AUTOMATIC = 4  # worlds where the number is not given
_SHARE_OF_BEST = 1 / 4  # largest share of the budget for rating the best turn of every world in every world
_SHARE_OF_ALL = 1 / 8  # largest share for rating the alternatives too, several times where chance takes part
_ROUNDS = 4  # ratings of a turn in each world where they depend on chance
_ACTIONS = 16  # of a turn at most, in the estimate of what a rating costs
_TURNS_OF_GAME = 8  # that a rating to the end of the game plays, in this estimate
_OWN_TURN = Reach(OWN_TURN, 0, 0)


@dataclass(frozen=True, slots=True)
class World:
    """A state that may be the true one, and how often it was drawn."""

    state: State
    weight: int


@dataclass(frozen=True, slots=True)
class TurnRating:
    """How turns are rated: after as much play as in the planner's own search.

    Attributes:
        reach: How far lines go after the turn; the rollout policy plays for the mover in them.
        reply: How the other seats play in them.
        turns: Number of turns that the rollout policy plays for all seats after that.
        greedy_probability: For the built-in rollout policy: probability of the best-scored action.
    """

    reach: Reach = _OWN_TURN
    reply: str = "none"
    turns: int = 0
    greedy_probability: float = 0.0

    @property
    def goes_beyond_turn(self) -> bool:
        """Whether anything is played after the turn, so that ratings may depend on chance."""
        return self.turns > 0 or self.reach.kind != OWN_TURN

    def calls(self, game: Game) -> int:
        """About how many forward calls one rating costs."""
        beyond = {OWN_TURN: 0, ACTIONS: game.players - 1, TURNS: self.reach.count - 1, GAME: _TURNS_OF_GAME}
        return min(_ACTIONS, game.max_turn) * (1 + beyond[self.reach.kind] + self.turns)


@kernel
def play_turn(
    p: ProblemRecord, row: Row, actions: Ints, given: int, line: Horizon, listed: Ints, outcome: Words
) -> bool:
    """Play a turn from the root of a problem.

    Args:
        p: The problem.
        row: uint64[state_words], receives the state after the turn.
        actions: int64[given], the turn; from its first illegal action on it is completed.
        given: Number of actions in it.
        line: How far lines go; the turn begins its present line.
        listed: int64[max_actions], scratch.
        outcome: uint64[1], receives the fingerprint of that state.

    Returns:
        False if the budget ran out first.
    """
    here = address_of(row)
    compiled.copy_state(p, here, p.root)
    compiled.start_policy(p)
    begin_line(p, line, here)
    count = 0
    while count < p.max_turn and compiled.in_turn(p, here):
        if compiled.exhausted(p):
            return False
        if count >= given or not compiled.is_legal(p, here, actions[count]):
            given = 0
            advance(p, line, here, compiled.completing_action(p, here, listed), p.mover)
        else:
            advance(p, line, here, actions[count], p.mover)
        count += 1
    outcome[0] = compiled.fingerprint(p, here)
    return not was_stopped(p)


@kernel
def rate_outcome(
    p: ProblemRecord, row: Row, line: Horizon, longest: int, rollout: Horizon, greedy_probability: float, listed: Ints
) -> float:
    """Value for the mover of the state after a turn.

    Args:
        p: The problem.
        row: uint64[state_words], what :func:`play_turn` has written; overwritten.
        line: The line that it began; the rollout policy continues it for the mover, replies for the others.
        longest: Maximum number of own actions in that.
        rollout: How far the rollout policy then plays for all seats.
        greedy_probability: For the built-in rollout policy: probability of the best-scored action.
        listed: int64[max_actions], scratch.

    Returns:
        The value; NaN if the budget ran out first.
    """
    here = address_of(row)
    if line.kind != OWN_TURN and play_out(p, line, here, None, 0, longest, greedy_probability, listed) < 0:
        return np.nan
    if not roll_out(p, rollout, here, greedy_probability, listed):
        return np.nan
    if compiled.exhausted(p):
        return np.nan
    value = compiled.evaluate(p, here, p.mover)
    return value if p.unrated == 0 else np.nan


class WorldRating:
    """Rates turns in one world.

    Attributes:
        problem: The problem of the world.
    """

    def __init__(self, problem: Problem, rating: TurnRating) -> None:
        """Allocate.

        Args:
            problem: The problem, which has been searched.
            rating: How turns are rated.
        """
        self.problem, self._rating = problem, rating
        self._row = np.zeros(problem.game.state_words, np.uint64)
        self._listed, self._outcome = Ints.of(action_buffer(problem)), np.zeros(1, np.uint64)
        self._line = HorizonMemory(Horizon(), problem, rating.reach, rating.reply, rating.greedy_probability)
        self._rollout = everyone(Horizon(), problem, rating.turns)
        self._known: dict[tuple[int, int], float] = {}  # round and outcome -> value

    def rate(self, codes: list[int], number: int) -> tuple[float, int | None]:
        """Value of a turn and fingerprint of its outcome, with the same chance for all turns of a round.

        Args:
            codes: The turn.
            number: Number of the round.

        Returns:
            The value, NaN if the budget ran out first; no fingerprint if chance took part in the turn, so that other
            outcomes are possible.
        """
        problem, r = self.problem, self.problem.record
        problem.reseed(derive_seed(problem.seed, "rating", number))
        actions = np.array([*codes, 0], np.int64)  # with a place more, since an array without places has no address
        line, listed, chance_steps = self._line.record, self._listed, int(r.chance_steps)
        if not play_turn(r, self._row, Ints.of(actions), len(codes), line, listed, Words.of(self._outcome)):
            return math.nan, None
        outcome = int(self._outcome[0]) if r.chance_steps == chance_steps else None
        if outcome is not None and (number, outcome) in self._known:
            return self._known[number, outcome], outcome
        value = self.value()
        if outcome is not None and not math.isnan(value):
            self._known[number, outcome] = value
        return value, outcome

    def value(self) -> float:
        """Value after the turn that was played last; NaN if the budget ran out first."""
        line, rollout, rating = self._line.record, self._rollout.record, self._rating
        longest, probability = rating.reach.capacity, rating.greedy_probability
        return float(rate_outcome(self.problem.record, self._row, line, longest, rollout, probability, self._listed))


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
        nothing is hidden in it or only one world is wanted.
    """
    if number <= 1 or not state.game.pointers["determinise"]:
        return []
    ratings = (
        (budget.forward_calls, rating.calls(state.game) / _SHARE_OF_BEST),
        (budget.evaluations, 1 / _SHARE_OF_BEST),
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
        self, known: Problem, worlds: list[World], budget: Budget, rating: TurnRating, alternatives: int
    ) -> None:
        """Prepare the searches.

        Args:
            known: The problem of what the mover knows; what the searches spend is added to its counters.
            worlds: At least one.
            budget: Limits of the decision.
            rating: How turns are rated.
            alternatives: Maximum number of other turns to report.
        """
        self.problems: list[Problem] = []
        self._known, self._worlds, self._budget, self._rating = known, worlds, budget, rating
        self._alternatives = alternatives
        self._rounds = _ROUNDS if rating.goes_beyond_turn or known.game.is_stochastic else 1
        self._ratings: list[WorldRating] = []

    def run(self, make: Callable[[State, Budget, int], Problem], search: Callable[[Problem, Budget], Line]) -> Line:
        """Search every world and choose a turn.

        Args:
            make: Makes the problem of a state, budget and seed.
            search: Searches a problem within a budget.

        Returns:
            The turn with the highest rating, its rating as the value, and the others in order of theirs.
        """
        announce(rate_outcome, "the rating of turns in several worlds")
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

    def _spent(self) -> SearchReport:
        """What all searches and ratings have cost so far; seconds count from when the decision began."""
        reports = [problem.report({}) for problem in self.problems]
        return SearchReport(
            self._known.report({}).seconds,
            sum(report.forward_calls for report in reports),
            sum(report.evaluations for report in reports),
            sum(report.iterations for report in reports),
        )

    def _part(self, number: int) -> Budget:
        """A world's part of the budget: an equal part of what is left without the cost of the ratings."""
        budget, spent, worlds = self._budget, self._spent(), len(self._worlds)
        calls = self._rating.calls(self._known.game)
        pace = spent.seconds / spent.forward_calls if spent.forward_calls else math.inf  # seconds per call

        def kept(limit: float | None, cost: float) -> float:
            best = worlds * worlds * cost if worlds > 1 else 0.0
            every = best * (1 + self._alternatives) * self._rounds
            limit = limit or 0.0
            return max(min(best, limit * _SHARE_OF_BEST), min(every, limit * _SHARE_OF_ALL)) if best else 0.0

        keep = SearchReport(
            kept(budget.seconds, calls * pace), int(kept(budget.forward_calls, calls)), int(kept(budget.evaluations, 1))
        )
        return budget.less(spent).less(keep).scaled(1.0 / (worlds - number))

    def _chosen(self, lines: list[Line], *, can_rate: bool) -> Line:
        """The best of the lines that the searches found."""
        figures = _mean_figures(lines) | {"worlds": float(len(lines))}
        found = _in_order(lines)
        if len(lines) > 1 and can_rate:
            self._ratings = [WorldRating(problem, self._rating) for problem in self.problems]
            rated = self._rated(found)
            if rated:
                (codes, value), *others = sorted(rated, key=lambda one: -one[1])
                return Line(codes, value, others[: self._alternatives], figures | {"rated": float(len(rated))})
        first = lines[0]
        return Line(first.codes, first.value, first.alternatives, figures | {"rated": 0.0})

    def _rated(self, found: list[list[int]]) -> list[tuple[list[int], float]]:
        """The turns with their ratings, as many as the budget allows."""
        first = self._first_round(found)
        rounds = [list(first.values())]
        found = [list(codes) for codes in first]
        while found and len(rounds) < self._rounds:
            values = [value for codes in found if not math.isnan(value := self._mean_value(codes, len(rounds))[0])]
            if len(values) < len(found):
                break
            rounds.append(values)
        means = [sum(values) / len(rounds) for values in zip(*rounds, strict=True)]
        return list(zip(found, means, strict=True))

    def _first_round(self, found: list[list[int]]) -> dict[tuple[int, ...], float]:
        """The first rating of the turns that differ in their outcomes; nothing more once the budget is exhausted."""
        first: dict[tuple[int, ...], float] = {}
        outcomes: set[tuple[int | None, ...]] = set()
        for codes in found:
            value, outcome = self._mean_value(codes, 0)
            if math.isnan(value):
                break
            if None in outcome or outcome not in outcomes:  # with chance, equal samples are no equal turns
                first[tuple(codes)] = value
                outcomes.add(outcome)
        return first

    def _mean_value(self, codes: list[int], number: int) -> tuple[float, tuple[int | None, ...]]:
        """Mean value of a turn over the worlds in one round of ratings (NaN: no budget), and its outcomes in them."""
        total = weight = 0.0
        outcomes: list[int | None] = []
        for rating, world in zip(self._ratings, self._worlds, strict=False):
            self._limit(rating.problem)
            value, outcome = rating.rate(codes, number)
            if math.isnan(value):
                return value, ()
            total += world.weight * value
            weight += world.weight
            outcomes.append(outcome)
        return total / weight, tuple(outcomes)

    def _limit(self, problem: Problem) -> None:
        """Let ratings in a world spend what is left of the budget."""
        r, left = problem.record, self._budget.less(self._spent())
        r.forward_limit = UNLIMITED if left.forward_calls is None else r.forward_calls + left.forward_calls
        r.evaluation_limit = UNLIMITED if left.evaluations is None else r.evaluations + left.evaluations
        r.iteration_limit, r.deadline, r.until_poll = UNLIMITED, self._known.record.deadline, 0
        over = (compiled.OUT_OF_BUDGET, compiled.OUT_OF_TIME, compiled.OUT_OF_MEMORY)
        if r.stop in over[: 2 if problem.game.poll_every == 1 else 3]:  # a full table of Python's objects stays full
            r.stop, r.unrated = compiled.RUNNING, 0

    def _add_up(self, stops: list[int]) -> None:
        """Add what was spent to the problem of what the mover knows, and why the searches ended."""
        r, spent = self._known.record, self._spent()
        r.forward_calls += spent.forward_calls
        r.other_calls += sum(int(problem.record.other_calls) for problem in self.problems)
        r.chance_steps += sum(int(problem.record.chance_steps) for problem in self.problems)
        r.evaluations += spent.evaluations
        r.iterations += spent.iterations
        urgent = [stop for stop in stops if stop in (compiled.INTERRUPTED, compiled.FAILED)]
        ended = [stop for stop in stops if stop != compiled.RUNNING]
        r.stop = next(iter([*urgent, *ended]), compiled.RUNNING)


def load_rating(problem: Problem, rating: TurnRating) -> None:
    """Compile or load what rates turns; nothing is played."""
    problem.record.stop = compiled.INTERRUPTED
    ratings = WorldRating(problem, rating)
    ratings.rate([], 0)
    ratings.value()


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
