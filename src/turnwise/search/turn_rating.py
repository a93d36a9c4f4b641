"""Rating turns that were found in several worlds: each turn is played in every world, and its values are averaged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from turnwise.core.budget import UNLIMITED, Budget
from turnwise.core.chance import RNG_WORDS, derive_seed, generator
from turnwise.core.game import Game
from turnwise.jit.cache import announce
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import at, copy_words, offset
from turnwise.jit.record import Address, Floats, Ints, Record, Records, array_address
from turnwise.search import forward_model as compiled
from turnwise.search.horizon import Horizon
from turnwise.search.problem import Problem, action_buffer
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.reply import everyone
from turnwise.search.rollout import roll_out
from turnwise.search.state_values import evaluate

_ACTIONS = 16  # of a turn at most, in the estimate of what a rating costs
_OVER = (compiled.OUT_OF_BUDGET, compiled.OUT_OF_TIME, compiled.OUT_OF_MEMORY)

_problem_at = at(ProblemRecord)


@dataclass(frozen=True, slots=True)
class TurnRating:
    """How turns are rated.

    Attributes:
        turns: Number of turns that the rollout policy plays after the turn that is rated.
        greedy_probability: For the built-in rollout policy: probability of the best-scored action.
    """

    turns: int = 0
    greedy_probability: float = 0.0

    def calls(self, game: Game) -> int:
        """About how many forward calls one rating costs."""
        return min(_ACTIONS, game.max_turn) * (1 + self.turns)


class RatedWorld(Record):
    """One of the worlds in which turns are rated."""

    problem: Address  # its ProblemRecord
    rng: Address  # uint64[RNG_WORDS]: with this chance every turn of a round is played
    weight: int  # how often it was drawn


class Ratings(Record):
    """The turns and worlds of one round of ratings, and what is left of the budget."""

    worlds: Records[RatedWorld]  # [world_count]
    world_count: int
    turns: Ints  # int64[turn_count, width]
    lengths: Ints  # int64[turn_count]
    values: Floats  # float64[turn_count]: mean over the worlds
    width: int
    row: Address  # uint64[state_words], scratch
    listed: Ints  # int64[max_actions], scratch
    forward_left: int
    evaluations_left: int
    deadline: int
    greedy_probability: float


@kernel
def rate_turn(
    p: ProblemRecord, row: Address, actions: Ints, given: int, rollout: Horizon, greedy_probability: float, listed: Ints
) -> float:
    """Value for the mover after a turn that is played from the root of a problem.

    Args:
        p: The problem.
        row: Address of uint64[state_words], scratch.
        actions: int64[given], the turn; from its first illegal action on it is completed.
        given: Number of actions in it.
        rollout: How far the rollout policy plays after it.
        greedy_probability: For the built-in rollout policy: probability of the best-scored action.
        listed: int64[max_actions], scratch.

    Returns:
        The value; NaN if the budget ran out first.
    """
    compiled.copy_state(p, row, p.root)
    compiled.start_policy(p)
    count = 0
    while count < p.max_turn and compiled.in_turn(p, row):
        if compiled.exhausted(p):
            return np.nan
        if count >= given or not compiled.is_legal(p, row, actions[count]):
            given = 0
            compiled.apply(p, row, compiled.completing_action(p, row, listed))
        else:
            compiled.apply(p, row, actions[count])
        count += 1
    if not roll_out(p, rollout, row, greedy_probability, listed):
        return np.nan
    if compiled.exhausted(p):
        return np.nan
    value = evaluate(p, row, p.mover)
    return value if p.unrated == 0 else np.nan


@kernel
def rate_turns(r: Ratings, rollout: Horizon, turn_count: int) -> int:
    """Write the mean value of each turn over the worlds; all turns meet the same chance.

    Args:
        r: Turns, worlds and limits.
        rollout: How far the rollout policy plays after each turn.
        turn_count: Number of turns.

    Returns:
        How many turns, the first ones, were rated in all worlds before the budget ran out.
    """
    for i in range(turn_count):
        total, weight = 0.0, 0.0
        for j in range(r.world_count):
            world = r.worlds[j]
            p = _problem_at(world.problem)
            copy_words(p.rng, world.rng, RNG_WORDS)
            calls, evaluations = p.forward_calls, p.evaluations
            _go_on(r, p)
            turn = offset(r.turns, i * r.width)
            value = rate_turn(p, r.row, turn, r.lengths[i], rollout, r.greedy_probability, r.listed)
            r.forward_left -= p.forward_calls - calls
            r.evaluations_left -= p.evaluations - evaluations
            if np.isnan(value):
                return i
            total += world.weight * value
            weight += world.weight
        r.values[i] = total / weight
    return turn_count


@kernel
def _go_on(r: Ratings, p: ProblemRecord) -> None:
    """Let a world's problem, whose own search has ended, spend what is left of the decision's budget."""
    p.forward_limit = min(UNLIMITED, p.forward_calls + r.forward_left)
    p.evaluation_limit = min(UNLIMITED, p.evaluations + r.evaluations_left)
    p.iteration_limit, p.deadline, p.until_poll = UNLIMITED, r.deadline, 0
    is_over = p.stop == compiled.OUT_OF_BUDGET or p.stop == compiled.OUT_OF_TIME
    # A full table of Python's objects stays full.
    if is_over or (p.stop == compiled.OUT_OF_MEMORY and p.poll_every != 1):
        p.stop, p.unrated = compiled.RUNNING, 0


class TurnRater:
    """Rates turns in the worlds that a decision has searched."""

    def __init__(self, problems: Sequence[Problem], weights: Sequence[int], rating: TurnRating) -> None:
        """Point at the worlds.

        Args:
            problems: The problem of each world, whose search has ended.
            weights: How often each world was drawn.
            rating: How turns are rated.
        """
        game = problems[0].game
        self._problems = problems
        self._worlds = np.zeros(len(problems), RatedWorld.dtype)
        self._rngs = np.zeros((len(problems), RNG_WORDS), np.uint64)
        self._worlds["problem"] = [problem.record.address for problem in problems]
        self._worlds["rng"] = [array_address(row) for row in self._rngs]
        self._worlds["weight"] = weights
        self._row = np.zeros(game.state_words, np.uint64)
        self._rollout = everyone(Horizon(), problems[0], rating.turns)
        for problem in problems[1:]:
            self._rollout.attach(problem)
        self.record = r = Ratings()
        r.worlds, r.world_count = Records.of_array(RatedWorld, self._worlds), len(problems)
        r.row, r.listed = array_address(self._row), Ints.of(action_buffer(problems[0]))
        r.greedy_probability = rating.greedy_probability

    def rate(self, found: list[list[int]], rounds: int, left: Budget, deadline: int) -> list[tuple[list[int], float]]:
        """Turns with their ratings, as many as the budget allows.

        Args:
            found: Turns, each with at least one action; the most important ones first.
            rounds: How often each is rated in each world; all turns of a round meet the same chance.
            left: What may be spent.
            deadline: When time is up, in nanoseconds of ``time.monotonic_ns``; 0: never.

        Returns:
            The turns that were rated in all worlds, with the mean of their values.
        """
        if not found:
            return []
        announce(rate_turns, "the rating of turns in several worlds")
        r = self.record
        lengths = np.array([len(codes) for codes in found], np.int64)
        r.width = int(lengths.max())
        turns, values = np.zeros((len(found), r.width), np.int64), np.zeros(len(found))
        for row, codes in zip(turns, found, strict=True):
            row[: len(codes)] = codes
        r.turns, r.lengths, r.values = Ints.of(turns), Ints.of(lengths), Floats.of(values)
        r.forward_left = UNLIMITED if left.forward_calls is None else left.forward_calls
        r.evaluations_left = UNLIMITED if left.evaluations is None else left.evaluations
        r.deadline = deadline
        totals, done = np.zeros(len(found)), 0
        while done < rounds:
            for problem, rng in zip(self._problems, self._rngs, strict=True):
                rng[:] = generator(derive_seed(problem.seed, "rating", done))
            rated = rate_turns(r, self._rollout.record, len(totals))
            if done == 0:
                totals = totals[:rated]  # once the budget is exhausted nothing more is rated
            elif rated < len(totals):
                break
            totals += values[: len(totals)]
            done += 1
        return [(codes, float(total) / done) for codes, total in zip(found, totals, strict=False)]


def load_rating(problem: Problem) -> None:
    """Compile or load what rates turns; nothing is played."""
    problem.record.stop = compiled.INTERRUPTED
    TurnRater([problem], [1], TurnRating()).rate([[0]], 1, Budget(iterations=0), 0)
