"""Hidden information: one decision by searches in several determinised worlds.

A world is a full state that agrees with what the mover knows; chance fills the rest (``determinise``)::

    worlds <- states drawn from what the mover knows; equal ones are searched once and count as often as drawn
    for each world:  search it with its part of the budget; note its best turn and its alternatives
    for each of these turns, the best ones of all worlds first:
        rating <- mean over the worlds of the value after the turn, played in that world
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
from turnwise.core.game import Row
from turnwise.core.state import State
from turnwise.jit.cache import announce
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of
from turnwise.jit.record import Ints
from turnwise.search import forward_model as compiled
from turnwise.search.forward_model import ProblemRecord
from turnwise.search.planner import SearchReport
from turnwise.search.problem import Line, Problem, action_buffer
from turnwise.search.rollout import roll_out

AUTOMATIC = 4  # worlds where the number is not given
_LEAST_CALLS, _LEAST_EVALUATIONS = 16, 4  # a world with a smaller part of the budget is not worth a search
_RATING_SHARE = 1 / 8  # of the budget at most is kept for the ratings
_NOISY_RATINGS = 4  # ratings of a turn in each world where they depend on chance
_ACTIONS = 64  # of a turn, in the estimate of what the ratings cost


@dataclass(frozen=True, slots=True)
class World:
    """A state that may be the true one, and how often it was drawn."""

    state: State
    weight: int


@dataclass(frozen=True, slots=True)
class Rating:
    """How turns are rated.

    Attributes:
        turns: Number of turns that the rollout policy plays after the turn that is rated.
        greedy_probability: For the built-in rollout policy: probability of the best-scored action.
    """

    turns: int = 0
    greedy_probability: float = 0.0


@kernel
def rate_turn(
    p: ProblemRecord, row: Row, actions: Ints, given: int, turns: int, greedy_probability: float, listed: Ints
) -> float:
    """Value for the mover after a turn that is played from the root of a problem.

    Args:
        p: The problem.
        row: uint64[state_words], scratch.
        actions: int64[given], the turn; from its first illegal action on it is completed.
        given: Number of actions in it.
        turns: Number of turns that the rollout policy plays after it.
        greedy_probability: For the built-in rollout policy: probability of the best-scored action.
        listed: int64[max_actions], scratch.

    Returns:
        The value; NaN if the budget ran out first.
    """
    here = address_of(row)
    compiled.copy_state(p, here, p.root)
    compiled.start_policy(p)
    count = 0
    while count < p.max_turn and compiled.in_turn(p, here):
        if compiled.exhausted(p):
            return np.nan
        if count >= given or not compiled.is_legal(p, here, actions[count]):
            given = 0
            compiled.apply(p, here, compiled.completing_action(p, here, listed))
        else:
            compiled.apply(p, here, actions[count])
        count += 1
    if turns > 0 and not roll_out(p, here, turns, greedy_probability, listed):
        return np.nan
    if compiled.exhausted(p):
        return np.nan
    return compiled.evaluate(p, here, p.mover)


def draw_worlds(state: State, number: int, budget: Budget, seed: int) -> list[World]:
    """The worlds to search in.

    Args:
        state: What the mover knows.
        number: How many to draw; a small budget gets fewer.
        budget: Limits of the decision.
        seed: Seed of the draws.

    Returns:
        Distinct worlds in the order in which they were drawn; empty if the state itself is to be searched, because
        nothing is hidden in it or only one world is wanted.
    """
    if number <= 1 or not state.game.pointers["determinise"]:
        return []
    per_world = (
        (budget.forward_calls, _LEAST_CALLS),
        (budget.evaluations, _LEAST_EVALUATIONS),
        (budget.iterations, 1),
    )
    number = min([number, *(limit // least for limit, least in per_world if limit is not None)])
    drawn: dict[bytes, World] = {}
    for i in range(max(1, number)):
        world = state.determinise(state.to_move, derive_seed(seed, "world", i))
        known = drawn.get(world.row.tobytes())
        drawn[world.row.tobytes()] = World(world, known.weight + 1) if known else World(world, 1)
    is_known = len(drawn) == 1 and np.array_equal(world.row, state.row)
    return [] if is_known else list(drawn.values())


class SearchOfWorlds:
    """The searches of one decision.

    Attributes:
        problems: The problem of each world that has been searched; the caller ends them (``Game.after_plan``).
    """

    def __init__(self, known: Problem, worlds: list[World], budget: Budget, rating: Rating, alternatives: int) -> None:
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
        game = known.game
        self._repeats = _NOISY_RATINGS if rating.turns or game.is_stochastic else 1
        turns = len(worlds) * (1 + alternatives)
        self._ratings = turns * len(worlds) * self._repeats if len(worlds) > 1 else 0
        self._row = np.zeros(game.state_words, np.uint64)
        self._listed = Ints.of(action_buffer(known))

    def run(self, make: Callable[[State, Budget, int], Problem], search: Callable[[Problem, Budget], Line]) -> Line:
        """Search every world and choose a turn.

        Args:
            make: Makes the problem of a state, budget and seed.
            search: Searches a problem within a budget.

        Returns:
            The turn with the highest rating, its rating as the value, and the others in order of theirs.
        """
        announce(rate_turn, "the rating of turns in several worlds")
        lines: list[Line] = []
        for number, world in enumerate(self._worlds):
            part = self._part(number)
            if number and part.is_empty:
                break
            problem = make(world.state, part, derive_seed(self._known.seed, "search of world", number))
            self.problems.append(problem)
            lines.append(search(problem, part))
            if problem.record.stop in (compiled.INTERRUPTED, compiled.FAILED):
                break
        stops = [int(problem.record.stop) for problem in self.problems]
        chosen = self._chosen(lines, can_rate=not {compiled.INTERRUPTED, compiled.FAILED} & set(stops))
        self._add_up(stops)
        return chosen

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
        budget, spent = self._budget, self._spent()
        turn = min(_ACTIONS, self._known.game.max_turn) * (1 + self._rating.turns)
        pace = spent.seconds / spent.forward_calls if spent.forward_calls else math.inf  # seconds per call
        calls = self._ratings * turn
        keep = SearchReport(
            min((budget.seconds or 0.0) * _RATING_SHARE, calls * pace if calls else 0.0),
            min(int((budget.forward_calls or 0) * _RATING_SHARE), calls),
            min(int((budget.evaluations or 0) * _RATING_SHARE), self._ratings),
        )
        return budget.less(spent).less(keep).scaled(1.0 / (len(self._worlds) - number))

    def _chosen(self, lines: list[Line], *, can_rate: bool) -> Line:
        """The best of the lines that the searches found."""
        figures = _mean_figures(lines) | {"worlds": float(len(lines))}
        found = _in_order(lines)
        if len(lines) > 1 and can_rate:
            rated = self._rated(found)
            if rated:
                (codes, value), *others = sorted(rated, key=lambda one: -one[1])
                return Line(codes, value, others[: self._alternatives], figures | {"rated": float(len(rated))})
        first = lines[0]
        return Line(first.codes, first.value, first.alternatives, figures | {"rated": 0.0})

    def _rated(self, found: list[list[int]]) -> list[tuple[list[int], float]]:
        """The turns with their ratings, as many as the budget allows."""
        rated: list[tuple[list[int], float]] = []
        weights = [world.weight for world in self._worlds[: len(self.problems)]]
        for codes in found:
            values = [self._mean_value(problem, codes) for problem in self.problems]
            if any(math.isnan(value) for value in values):
                break
            mean = sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights)
            rated.append((codes, mean))
        return rated

    def _mean_value(self, problem: Problem, codes: list[int]) -> float:
        """Value of a turn in one world; the same chance for all turns. NaN if the budget is exhausted."""
        r, left = problem.record, self._budget.less(self._spent())
        r.forward_limit = UNLIMITED if left.forward_calls is None else r.forward_calls + left.forward_calls
        r.evaluation_limit = UNLIMITED if left.evaluations is None else r.evaluations + left.evaluations
        r.iteration_limit, r.deadline, r.until_poll = UNLIMITED, self._known.record.deadline, 0
        if r.stop in (compiled.OUT_OF_BUDGET, compiled.OUT_OF_TIME):
            r.stop = compiled.RUNNING
        actions = np.array([*codes, 0], np.int64)  # with a place more, since an array without places has no address
        rating, total = self._rating, 0.0
        for repeat in range(self._repeats):
            problem.reseed(derive_seed(problem.seed, "rating", repeat))
            total += rate_turn(
                r, self._row, Ints.of(actions), len(codes), rating.turns, rating.greedy_probability, self._listed
            )
        return total / self._repeats

    def _add_up(self, stops: list[int]) -> None:
        """Add what was spent to the problem of what the mover knows, and why the searches ended."""
        r, spent = self._known.record, self._spent()
        r.forward_calls += spent.forward_calls
        r.evaluations += spent.evaluations
        r.iterations += spent.iterations
        urgent = [stop for stop in stops if stop in (compiled.INTERRUPTED, compiled.FAILED)]
        ended = [stop for stop in stops if stop != compiled.RUNNING]
        r.stop = next(iter([*urgent, *ended]), compiled.RUNNING)


def load_rating(problem: Problem) -> None:
    """Compile or load what rates turns; nothing is played."""
    problem.record.stop = compiled.INTERRUPTED
    row, listed = np.zeros(problem.game.state_words, np.uint64), Ints.of(action_buffer(problem))
    rate_turn(problem.record, row, listed, 0, 0, 0.0, listed)


def _in_order(lines: list[Line]) -> list[list[int]]:
    """All distinct turns: the best ones of all worlds, then the second-best ones, and so on."""
    ranked = [[line.codes, *(codes for codes, _ in line.alternatives)] for line in lines]
    rounds = zip_longest(*ranked)
    distinct = {tuple(codes): codes for one_round in rounds for codes in one_round if codes}
    return list(distinct.values())


def _mean_figures(lines: list[Line]) -> dict[str, float]:
    """The planner's own figures, averaged over the worlds."""
    names = dict.fromkeys(name for line in lines for name in line.details)
    return {name: sum(line.details.get(name, 0.0) for line in lines) / len(lines) for name in names}
