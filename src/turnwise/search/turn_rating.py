"""Rating turns that were found in several worlds: each is played in every world, and its values are averaged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from turnwise.core.budget import UNLIMITED, Budget
from turnwise.core.chance import RNG_WORDS, Rng, derive_seed, generator
from turnwise.core.game import Game
from turnwise.jit.cache import announce
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import at, copy_words, offset
from turnwise.jit.record import Address, Floats, Ints, Record, Records, Words, array_address
from turnwise.search import forward_model as compiled
from turnwise.search.horizon import ACTIONS, GAME, OWN_TURN, TURNS, Horizon, Reach, advance, begin_line
from turnwise.search.problem import Problem
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.reply import HorizonMemory, everyone, was_stopped
from turnwise.search.rollout import play_out, value_with_rollouts
from turnwise.search.turn_replies import TurnReplies, TurnRepliesMemory, TurnReplyParameters, value_of_turn

_ACTIONS = 16  # of a turn at most, in the estimate of what a rating costs
_TURNS_OF_GAME = 8  # that a rating to the end of the game plays, in this estimate
_OWN_TURN = Reach(OWN_TURN, 0, 0)

_problem_at, _horizon_at, _rng_at = at(ProblemRecord), at(Horizon), at(Rng)
_replies_at = at(TurnReplies)


@dataclass(frozen=True, slots=True)
class RatingRollouts:
    """The rollouts of a rating, in which the rollout policy plays for all seats.

    Attributes:
        count: Number of rollouts, at least one.
        turns: Number of turns that each plays; None: to the end of the game.
        length: Maximum number of actions of each.
        weight: Weight of their mean value; the rest is the value before them.
    """

    count: int = 1
    turns: int | None = None
    length: int = UNLIMITED
    weight: float = 1.0

    @classmethod
    def of_turns(cls, turns: int) -> RatingRollouts | None:
        """One rollout of some turns; none of no turns."""
        return cls(turns=turns) if turns > 0 else None


@dataclass(frozen=True, slots=True)
class TurnRating:
    """How turns are rated: after as much play as in the planner's own search.

    Attributes:
        reach: How far lines go after the turn; the rollout policy plays for the mover in them.
        reply: How the other seats play in them.
        rollouts: What is played after that; None: nothing.
        greedy_probability: For the built-in rollout policy: probability of the best-scored action.
        replies: How the other seats reply to the turn instead, if they do; None: they do not.
        quick_turns: Turns that the quick model of ``replies`` plays for all seats instead.
    """

    reach: Reach = _OWN_TURN
    reply: str = "none"
    rollouts: RatingRollouts | None = None
    greedy_probability: float = 0.0
    replies: TurnReplyParameters | None = None
    quick_turns: int = 0

    @property
    def goes_beyond_turn(self) -> bool:
        """Whether anything is played after the turn, so that ratings may depend on chance."""
        return self.has_replies or self.rollouts is not None or self.reach.kind != OWN_TURN

    @property
    def has_replies(self) -> bool:
        """Whether the other seats reply to the turn, or the quick model plays on."""
        return self.replies is not None and (self.replies.simulates_replies or self.quick_turns > 0)

    def calls(self, game: Game) -> int:
        """About how many forward calls one rating costs."""
        beyond = {OWN_TURN: 0, ACTIONS: game.players - 1, TURNS: self.reach.count - 1, GAME: _TURNS_OF_GAME}
        turn = min(_ACTIONS, game.max_turn)
        calls, rollouts = turn * (1 + beyond[self.reach.kind]), self.rollouts
        if rollouts is not None:
            turns = _TURNS_OF_GAME if rollouts.turns is None else rollouts.turns
            calls += rollouts.count * min(rollouts.length, turn * turns)
        if self.replies is not None:
            tried = min(self.replies.model_actions, game.max_actions)
            calls += (self.replies.replies_of(game) + self.quick_turns) * turn * (1 + tried)
        return calls

    @property
    def evaluations(self) -> int:
        """How many evaluations one rating costs."""
        if self.rollouts is None:
            return 1
        return self.rollouts.count + (1 if self.rollouts.weight < 1.0 else 0)


class RatedWorld(Record):
    """One of the worlds in which turns are rated."""

    problem: Address  # its ProblemRecord
    line: Address  # Horizon: how far lines go after the turn
    rollout: Address  # Horizon: how far the rollout policy then plays for all seats
    replies: Address  # TurnReplies: how the other seats reply to a turn, or the model plays on; 0: neither
    rng: Address  # uint64[RNG_WORDS]: with this chance every turn of a round is played
    weight: int  # how often it was drawn


class Ratings(Record):
    """The turns and worlds of a round of ratings, and what is left of the budget."""

    worlds: Records[RatedWorld]  # [world_count]
    world_count: int
    turns: Ints  # int64[turn_count, width]
    lengths: Ints  # int64[turn_count]
    repeats: Ints  # int64[turn_count]: whether an earlier turn has the same outcome in every world
    totals: Floats  # float64[turn_count]: sums over the rounds of the mean over the worlds
    outcomes: Words  # uint64[turn_count, world_count]: fingerprints
    drawn: Ints  # int64[turn_count, world_count]: whether chance took part in the turn or its completion
    values: Floats  # float64[turn_count, world_count], of this round
    width: int
    row: Address  # uint64[state_words], scratch
    spare: Address  # the same
    rollouts: int  # number of rollouts of a rating
    rollout_length: int  # maximum number of actions in each
    rollout_weight: float
    longest: int  # maximum number of own actions in a line
    greedy_probability: float
    forward_left: int
    evaluations_left: int
    deadline: int


@kernel
def rate_turns(r: Ratings, turn_count: int, is_first: bool) -> int:
    """One round: add the mean value of each turn over the worlds to its total; all turns meet the same chance.

    Args:
        r: Turns, worlds and limits.
        turn_count: Number of turns.
        is_first: Whether this is the first round, which finds the turns that repeat another one.

    Returns:
        How many turns, the first ones, were rated in all worlds before the budget ran out.
    """
    for i in range(turn_count):
        if r.repeats[i] != 0:
            continue
        total, weight = 0.0, 0.0
        for j in range(r.world_count):
            value = rate_in_world(r, i, j)
            if np.isnan(value):
                return i
            total += r.worlds[j].weight * value
            weight += r.worlds[j].weight
        if is_first and repeats_another(r, i):
            r.repeats[i] = 1
        r.totals[i] += total / weight
    return turn_count


@kernel
def rate_in_world(r: Ratings, i: int, j: int) -> float:
    """Value of turn ``i`` in world ``j``; NaN if the budget ran out first."""
    world, place = r.worlds[j], i * r.world_count + j
    p = _problem_at(world.problem)
    copy_words(p.rng, world.rng, RNG_WORDS)
    calls, evaluations = p.forward_calls, p.evaluations
    go_on(r, p)
    value = np.nan
    if play_turn(p, r.row, offset(r.turns, i * r.width), r.lengths[i], _horizon_at(world.line)):
        r.outcomes[place] = compiled.fingerprint(p, r.row)
        r.drawn[place] = 1 if _rng_at(p.rng).word != _rng_at(world.rng).word else 0
        known = same_outcome(r, i, j)
        value = r.values[known] if known >= 0 else rate_outcome(r, p, world)
    r.values[place] = value
    r.forward_left -= p.forward_calls - calls
    r.evaluations_left -= p.evaluations - evaluations
    return value


@kernel
def go_on(r: Ratings, p: ProblemRecord) -> None:
    """Let a world's problem, whose own search has ended, spend what is left of the decision's budget."""
    p.forward_limit = min(UNLIMITED, p.forward_calls + r.forward_left)
    p.evaluation_limit = min(UNLIMITED, p.evaluations + r.evaluations_left)
    p.iteration_limit, p.deadline, p.until_poll = UNLIMITED, r.deadline, 0
    is_over = p.stop == compiled.OUT_OF_BUDGET or p.stop == compiled.OUT_OF_TIME
    # A full table of Python's objects stays full.
    if is_over or (p.stop == compiled.OUT_OF_MEMORY and p.poll_every != 1):
        p.stop, p.unrated = compiled.RUNNING, 0


@kernel
def play_turn(p: ProblemRecord, row: Address, actions: Ints, given: int, line: Horizon) -> bool:
    """Play a turn from the root of a problem.

    Args:
        p: The problem.
        row: Address of uint64[state_words], receives the state after the turn.
        actions: int64[given], the turn; from its first illegal action on it is completed.
        given: Number of actions in it.
        line: How far lines go; the turn begins its present line.

    Returns:
        False if the budget ran out first.
    """
    compiled.copy_state(p, row, p.root)
    compiled.start_policy(p)
    begin_line(p, line, row)
    count = 0
    while count < p.max_turn and compiled.in_turn(p, row):
        if compiled.exhausted(p):
            return False
        if count >= given or not compiled.is_legal(p, row, actions[count]):
            given = 0
            advance(p, line, row, compiled.completing_action(p, row, p.listed), p.mover)
        else:
            advance(p, line, row, actions[count], p.mover)
        count += 1
    return not was_stopped(p)


@kernel
def same_outcome(r: Ratings, i: int, j: int) -> int:
    """Place of the value of an earlier turn with the same outcome in world ``j``; -1 if there is none."""
    place = i * r.world_count + j
    if r.drawn[place] != 0:
        return -1
    for earlier in range(i):
        known = earlier * r.world_count + j
        if r.repeats[earlier] == 0 and r.drawn[known] == 0 and r.outcomes[known] == r.outcomes[place]:
            return known
    return -1


@kernel
def repeats_another(r: Ratings, i: int) -> bool:
    """Whether turn ``i`` has the outcomes of an earlier turn in all worlds; with chance, equal samples are no proof."""
    for earlier in range(i):
        same = r.repeats[earlier] == 0
        for j in range(r.world_count):
            ours, theirs = i * r.world_count + j, earlier * r.world_count + j
            same = same and r.drawn[ours] == 0 and r.drawn[theirs] == 0 and r.outcomes[ours] == r.outcomes[theirs]
        if same:
            return True
    return False


@kernel
def rate_outcome(r: Ratings, p: ProblemRecord, world: RatedWorld) -> float:
    """Value for the mover of the state in ``row``, after the play that follows a turn; NaN if the budget ran out first.

    The rollout policy continues the line for the mover, replies for the other seats.
    """
    if world.replies != 0:
        return np.nan if compiled.exhausted(p) else value_of_turn(p, _replies_at(world.replies), r.row)
    line = _horizon_at(world.line)
    if line.kind != OWN_TURN and play_out(p, line, r.row, None, 0, r.longest, r.greedy_probability, p.listed) < 0:
        return np.nan
    rollouts = (r.rollouts, r.rollout_length, r.rollout_weight, r.greedy_probability)
    return value_with_rollouts(p, _horizon_at(world.rollout), r.row, r.spare, rollouts, p.listed)


class TurnRater:
    """Rates turns in the worlds that a decision has searched."""

    def __init__(self, problems: Sequence[Problem], weights: Sequence[int], rating: TurnRating) -> None:
        """Point at the worlds.

        Args:
            problems: The problem of each world, whose search has ended.
            weights: How often each world was drawn.
            rating: How turns are rated.
        """
        self._problems = problems
        self._worlds = np.zeros(len(problems), RatedWorld.dtype)
        self._rngs = np.zeros((len(problems), RNG_WORDS), np.uint64)
        probability = rating.greedy_probability
        self._lines = [HorizonMemory(Horizon(), p, rating.reach, rating.reply, probability) for p in problems]
        rollouts = rating.rollouts
        self._rollouts = [] if rollouts is None else [everyone(Horizon(), p, rollouts.turns) for p in problems]
        self._worlds["problem"] = [problem.record.address for problem in problems]
        self._worlds["line"] = [line.record.address for line in self._lines]
        if self._rollouts:
            self._worlds["rollout"] = [rollout.record.address for rollout in self._rollouts]
        if rating.replies is not None and rating.has_replies:
            settings, turns, records = rating.replies, rating.quick_turns, [TurnReplies() for _ in problems]
            pairs = zip(records, problems, strict=True)
            self._replies = records, [TurnRepliesMemory(r, problem, settings, turns) for r, problem in pairs]
            self._worlds["replies"] = [record.address for record in records]
        self._worlds["rng"] = [array_address(row) for row in self._rngs]
        self._worlds["weight"] = weights
        self._rating = rating

    def _ratings(self, found: list[list[int]], left: Budget, deadline: int) -> Ratings:
        """The record of some turns."""
        worlds, count, width = len(self._problems), len(found), max(len(codes) for codes in found)
        each = dict.fromkeys(("lengths", "repeats", "totals"), count)
        pairs = dict.fromkeys(("outcomes", "drawn", "values"), count * worlds)
        rows = dict.fromkeys(("row", "spare"), self._problems[0].game.state_words)
        r = Ratings(**each, **pairs, **rows, turns=count * width)
        r.worlds, r.world_count, r.width = Records.of_array(RatedWorld, self._worlds), worlds, width
        r.array("lengths")[:] = [len(codes) for codes in found]
        for row, codes in zip(r.array("turns").reshape(count, width), found, strict=True):
            row[: len(codes)] = codes
        rollouts = self._rating.rollouts
        if rollouts is not None:
            r.rollouts, r.rollout_length, r.rollout_weight = rollouts.count, rollouts.length, rollouts.weight
        r.longest = self._rating.reach.capacity
        r.greedy_probability = self._rating.greedy_probability
        r.forward_left = UNLIMITED if left.forward_calls is None else left.forward_calls
        r.evaluations_left = UNLIMITED if left.evaluations is None else left.evaluations
        r.deadline = deadline
        return r

    def rate(self, found: list[list[int]], rounds: int, left: Budget, deadline: int) -> list[tuple[list[int], float]]:
        """Turns that differ in their outcomes, with their ratings, as many as the budget allows.

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
        r, done, count = self._ratings(found, left, deadline), 0, len(found)
        totals = r.array("totals").copy()
        while done < rounds:
            for problem, rng in zip(self._problems, self._rngs, strict=True):
                rng[:] = generator(derive_seed(problem.seed, "rating", done))
            rated = rate_turns(r, count, done == 0)
            if done == 0:
                count = rated  # once the budget is exhausted nothing more is rated
            elif rated < count:
                break
            totals = r.array("totals").copy()
            done += 1
        repeats = r.array("repeats")
        return [(found[i], float(totals[i]) / done) for i in range(count) if not repeats[i]]


def load_rating(problem: Problem, rating: TurnRating) -> None:
    """Compile or load what rates turns; nothing is played."""
    problem.record.stop = compiled.INTERRUPTED
    TurnRater([problem], [1], rating).rate([[0]], 1, Budget(iterations=0), 0)
