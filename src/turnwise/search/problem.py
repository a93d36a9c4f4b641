"""One search: the record that kernels take, the rows it points to, and the line that is found."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from turnwise.core import arguments
from turnwise.core.budget import UNLIMITED, Budget
from turnwise.core.chance import RNG_WORDS
from turnwise.core.errors import GameFunctionError, OptionError, TurnwiseError, brief, unknown_name
from turnwise.core.evaluation import Evaluation
from turnwise.core.game import Game, Row
from turnwise.core.pickling import Pinned
from turnwise.core.script import NAME
from turnwise.core.state import State
from turnwise.jit.clock import CLOCK
from turnwise.jit.record import Floats, Ints, Records, Word
from turnwise.search import forward_model as compiled
from turnwise.search.action_groups import places_of_groups
from turnwise.search.actors import actor_capacity
from turnwise.search.forms import form_of
from turnwise.search.memory_pool import Memory, MemoryPool
from turnwise.search.named_portfolios import kinds_of, portfolio_of
from turnwise.search.planner import SearchReport, checked_decision
from turnwise.search.portfolio import (
    FORMS,
    NO_KIND,
    PRUNED,
    Portfolio,
    Without,
    list_all,
    list_others,
    list_portfolio,
    parse_candidates,
)
from turnwise.search.problem_record import Objective, ProblemRecord
from turnwise.search.scripts import ScriptTable, book_of, new_table, play_expression, script_names

STOPPED_BY = {
    compiled.RUNNING: "done",
    compiled.OUT_OF_BUDGET: "budget",
    compiled.OUT_OF_TIME: "time",
    compiled.INTERRUPTED: "interrupt",
    compiled.OUT_OF_MEMORY: "memory",
    compiled.FAILED: "failure",
}
"""The stop word -> why a search has ended, in reports."""

_WORD = 0xFFFFFFFFFFFFFFFF

BUILT_IN_POLICIES = {"uniform": compiled.UNIFORM, "epsilon-greedy": compiled.EPSILON_GREEDY}
"""The rollout policies of every game -> their index; expressions of scripts are policies, too."""


class Problem(Pinned):
    """One search problem: the record that kernels take, and the rows that it points to.

    Attributes:
        record: What kernels take as ``p``.
        state: The state that is planned from.
        seed: Seed of the search's generator.
        game: The scenario.
        low: Lower bound of the evaluation.
        high: Upper bound.
        objectives: The evaluations by which the search rates states together; empty: only one.
        start: When its time began to count, in nanoseconds of ``time.monotonic_ns``.
        parts: Problems of the streams that work on it (:mod:`turnwise.search.streams`).
        wants_alternatives: Whether anyone reads other turns than the best one.
        room: Number of actions to which a line that ends before its turn is completed; None: the whole turn.
        played: The player's actions since its last decision, where hidden parts of the state or of that decision's
            state were drawn, so that comparing them says nothing; None: what is remembered goes by the states.
    """

    def __init__(
        self,
        state: State,
        budget: Budget,
        seed: int,
        evaluation: str = "",
        policy: str = "",
        policy_parameters: tuple[float, ...] = (),
    ) -> None:
        """Build the record.

        Args:
            state: Where the search starts; the game must not be over.
            budget: Limits.
            seed: Seed of the search's generator (for chance and for the search's own choices).
            evaluation: Name of an evaluation; empty: the game's default.
            policy: A rollout policy: one of the game's, "uniform", "epsilon-greedy", or an expression of scripts;
                empty: "uniform", but for the evaluation "rollouts" the game's first one.
            policy_parameters: float64 values that the game's policy reads.

        Raises:
            OptionError: Not a state, budget or seed, or parameters that are not numbers.
            UnknownNameError: No such evaluation or policy.
            TurnwiseError: The game is over.
        """
        seed = checked_decision(state, budget, seed)
        turn = _turn_in_progress(state)
        game = state.game
        form = _form_of(game, evaluation, policy, policy_parameters)
        self.game: Game = game
        self.evaluation_name, self.low, self.high = form.evaluation, form.low, form.high
        self.objectives: list[Evaluation] = []
        self._scripts: ScriptTable | None = None
        self._texts: list[str] = []  # of the scripts that the search chooses its candidates by
        self._nodes = 0  # address of the nodes that the table has
        self.record = r = form.record.again(**form.room)
        self._rng = r.array("rng")
        r.setup = game.setup_address
        if r.policy_index == compiled.SCRIPTED:
            r.policy_expression = self.expression(form.policy)
        if r.completion == compiled.SCRIPTED:
            r.completion_expression = self.expression(game.completion)
        self.parts: list[Problem] = []
        self.wants_alternatives = True
        self.room: int | None = None
        self._unused: bytes | None = None
        self._pool: MemoryPool | None = None
        self._stream = 0  # number of a part among those of a problem, whose pool it shares
        self._made_parts: list[Problem] = []
        self._begin(state, turn, budget, seed)

    def expect_more(self, pool: MemoryPool) -> None:
        """Prepare for further searches, before the first one: keep what :meth:`begin_again` needs.

        Args:
            pool: Where their memory comes from; no search of another problem uses it at the same time.
        """
        self._unused, self._pool = self.record.contents(), pool

    def begin_again(self, state: State, budget: Budget, seed: int) -> None:
        """Become the problem of another state, for the next search of the same player.

        Args:
            state: Where the next search starts.
            budget: Its limits.
            seed: Its seed.

        Raises:
            TurnwiseError: The game is over.
        """
        assert self._unused is not None, "expect_more comes before the first search"
        turn = _turn_in_progress(state)
        self.game.after_plan(self)
        self.record.restore(self._unused)
        self.parts = []
        self._begin(state, turn, budget, seed)

    def _begin(self, state: State, turn: tuple[int, int], budget: Budget, seed: int) -> None:
        """Write what belongs to one search; its time begins to count."""
        r = self.record
        self.state, self.seed = state, seed
        self.played: Sequence[int] | None = None
        self.reseed(seed)
        r.root = state.address
        r.write_integers("mover", turn)
        self.start = time.monotonic_ns()
        r.write_integers("forward_limit", self._limits(budget))
        self.game.before_plan(self)

    def memory(self, kind: tuple[Hashable, ...], make: Callable[[], Memory]) -> Memory:
        """The memory of a search; if others follow (:meth:`expect_more`) they get it, too, as it was when it was made.

        Args:
            kind: All that it depends on besides the game. The first part is what no other sort of memory has; of each
                sort only the last one is kept, in each stream.
            make: Makes it. Nothing in it may depend on the state or the seed.
        """
        return make() if self._pool is None else self._pool.memory((kind[0], self._stream), kind, make)

    def scale_by_range(self) -> None:
        """Scale values by the range seen in this search instead of the evaluation's bounds."""
        self.record.by_range, self.record.low, self.record.high = 1, np.inf, -np.inf

    def choose_objectives(self, names: Sequence[str]) -> None:
        """Rate states by several evaluations together (``evaluate_objectives``).

        Args:
            names: Evaluations of the game, as for :meth:`turnwise.core.scenario.Scenario.evaluation`.

        Raises:
            OptionError: Not a list or tuple of names.
            UnknownNameError: No such evaluation, or it has no such parameter.
        """
        names = arguments.sequence(names, "The objectives of a search", "names of evaluations, as in ['score']")
        self.objectives = [self.game.evaluation(name)[1] for name in names]
        self._objectives = np.zeros(max(1, len(names)), Objective.dtype)
        records = Records.of_array(Objective, self._objectives)
        self._objective_parameters = [
            arguments.parameters(chosen.parameters, "An evaluation") for chosen in self.objectives
        ]
        for i, chosen in enumerate(self.objectives):
            records[i].evaluation = Word(chosen.address)
            records[i].parameters = Floats.of(self._objective_parameters[i])  # such a record keeps nothing alive
            records[i].low, records[i].high = chosen.low, chosen.high
        if any(chosen.address == 0 for chosen in self.objectives):
            self._make_room_for_rollouts()
        self.record.objectives, self.record.objective_count = records, len(names)

    def _make_room_for_rollouts(self) -> None:
        """Give the record what the built-in evaluation writes to."""
        game = self.game
        self._rollouts = room = ProblemRecord(**_rollout_room(game))
        for name in ("rollout_row", "rollout_returns", "rollout_listed"):
            setattr(self.record, name, getattr(room, name))
        self.record.rollout_low, self.record.rollout_high = game.return_bounds()

    def limit(self, budget: Budget) -> None:
        """Set new limits; counters continue, and time counts from when the problem was made."""
        limits = self._limits(budget)
        if self.record.stop in (compiled.OUT_OF_BUDGET, compiled.OUT_OF_TIME):
            limits = (*limits, 0, 0, compiled.RUNNING)  # until_poll, unrated, stop
        else:
            limits = (*limits, 0)
        self.record.write_integers("forward_limit", limits)

    def _limits(self, budget: Budget) -> tuple[int, ...]:
        """The values of the record's fields from ``forward_limit`` to ``deadline``."""
        calls, evaluations, iterations = budget.forward_calls, budget.evaluations, budget.iterations
        return (
            UNLIMITED if calls is None else calls,
            UNLIMITED if evaluations is None else evaluations,
            UNLIMITED if iterations is None else iterations,
            0 if budget.seconds is None else min(self.start + int(budget.seconds * 1e9), UNLIMITED),
        )

    def choose_policy(self, policy: str) -> None:
        """Use another rollout policy from now on.

        Raises:
            OptionError: Not a string, or an expression with a fault.
            UnknownNameError: No such policy or script.
        """
        self.record.policy_index = policy_index(self.game, policy)
        if self.record.policy_index == compiled.SCRIPTED:
            self.record.policy_expression = self.expression(policy)

    def expression(self, text: str) -> int:
        """The first node of an expression of scripts, which kernels play (``script_action``, ``scripted``).

        Raises:
            OptionError: The text is not an expression, or sets a parameter that a script does not have.
            UnknownNameError: The game has no script of a name in it.
        """
        first = book_of(self.game).add(self.game, text)
        self.play_expressions()
        return first

    def play_expressions(self) -> None:
        """Let kernels play all expressions that have been used with the game so far."""
        book = book_of(self.game)
        if self._scripts is None:
            self._scripts = new_table(self.game)
        if self._nodes != book.address:
            self._scripts.nodes, self._nodes = book.nodes, book.address
        if self.record.scripts == 0:  # also where a later search begins, unless it was known before the first one
            self.record.scripts, self.record.play_expression = self._scripts.address, Word(play_expression.address)

    def choose_candidates(self, text: str) -> None:
        """Consider other actions from now on.

        Args:
            text: See :mod:`turnwise.search.portfolio`.

        Raises:
            OptionError: Not such a text, or an expression with a fault.
            UnknownNameError: The game has no script of a name in it.
        """
        chosen = parse_candidates(text)
        if isinstance(chosen, str):
            self.record.list_candidates = Word(0 if chosen == PRUNED else list_all.address)
            return
        if isinstance(chosen, Without):
            self._leave_out(chosen)
        else:
            self._choose_portfolio(chosen)

    def _leave_out(self, chosen: Without) -> None:
        """Consider all legal actions but those of some groups."""
        self.play_expressions()  # the table holds the groups, too
        t = self._scripts
        assert t is not None
        places = np.array(places_of_groups(self.game, list(chosen.groups)), np.int64)
        t.groups, t.group_count = Ints.of(places), len(places)
        self.record.list_candidates = Word(list_others.address)

    def _choose_portfolio(self, chosen: Portfolio) -> None:
        """Consider the actions of scripts."""
        texts = [str(script) for script in chosen.scripts]
        kinds: Mapping[int, Sequence[str]] = {}
        if chosen.form == "per-kind":
            texts, kinds = portfolio_of(self.game, ""), kinds_of(self.game, chosen.kinds)
        nodes, size = [self.expression(text) for text in texts], len(texts)
        begin = np.full(max(kinds, default=-1) + 1, NO_KIND, np.int64)
        for kind, scripts in kinds.items():
            begin[kind] = len(nodes)
            nodes += [len(scripts), *map(self.expression, scripts)]
            texts += ["", *scripts]
        self._texts = texts
        self.play_expressions()
        t = self._scripts
        assert t is not None
        t.portfolio, t.size = Ints.of(np.array(nodes, np.int64)), size
        t.kind_begin, t.kinds = Ints.of(begin), len(begin)
        t.form, t.unrestricted = FORMS.index(chosen.form), chosen.unrestricted
        self.record.list_candidates = Word(list_portfolio.address)

    def weigh_candidates(self, weights: Mapping[str, float], usual: float) -> None:
        """Let lists of the scripts' candidates have votes: the sum of the weights of the scripts that choose an action.

        Args:
            weights: Expression in its normal form -> weight.
            usual: Weight of all other scripts; an action that no script has chosen has half of it.

        Raises:
            OptionError: A weight is given for an expression that the search does not use.
        """
        unknown = [text for text in weights if text not in self._texts]
        if unknown:
            raise OptionError(
                f"There is a weight for {brief(unknown[0])}, which is no script of this search; its scripts are "
                f"{', '.join(dict.fromkeys(filter(None, self._texts)))}."
            )
        t = self._scripts
        assert t is not None
        t.weights = Floats.of(np.array([weights.get(text, usual) for text in self._texts]))
        t.votes = Floats.of(np.zeros(self.game.max_actions))
        t.weighted, t.unweighted = 1, 0.5 * usual

    def reseed(self, seed: int) -> None:
        """Begin the search's chance again from a seed."""
        self._rng[:] = 0
        self._rng[1] = seed & _WORD

    def must_end(self) -> bool:
        """Whether time is up or the search was stopped; for work that no counter counts."""
        r = self.record
        if r.stop == compiled.RUNNING and 0 < r.deadline <= time.monotonic_ns():
            r.stop = compiled.OUT_OF_TIME
        return r.stop != compiled.RUNNING

    def stop(self, reason: int) -> None:
        """See :meth:`turnwise.core.game.Search.stop`."""
        if self.record.stop == compiled.RUNNING:
            self.record.stop = reason
        for part in self.parts:
            part.stop(reason)

    def interrupt(self) -> None:
        """Ask a running search, with all its parts, to stop at its next check."""
        self.record.stop = compiled.INTERRUPTED
        for part in self.parts:
            part.interrupt()

    def add_part(self, budget: Budget, seed: int, make: Callable[[Budget, int], Problem]) -> Problem:
        """Add a part of this problem: whatever stops this search stops that one, too.

        Where more searches follow, their parts are the same problems and use the same memory.

        Args:
            budget: Limits of the part.
            seed: Its seed.
            make: Makes its problem of these.
        """
        number = len(self.parts)
        if number < len(self._made_parts):
            part = self._made_parts[number]
            part.begin_again(self.state, budget, seed)
        else:
            part = make(budget, seed)
            if self._pool is not None:
                part._stream = number
                part.expect_more(self._pool)
                self._made_parts.append(part)
        part.played = self.played
        self.game.after_plan(part)  # from now on this problem stands for it
        self.parts.append(part)
        if self.record.stop != compiled.RUNNING:
            part.record.stop = self.record.stop
        return part

    def delay(self, nanoseconds: int) -> None:
        """Move the beginning of this search, and its deadline, to a later time (or an earlier one)."""
        self.start += nanoseconds
        if 0 < self.record.deadline < UNLIMITED:
            self.record.deadline += nanoseconds

    @property
    def seconds(self) -> float:
        """How long the search has taken so far."""
        return (time.monotonic_ns() - self.start) / 1e9

    @property
    def counters(self) -> list[int]:
        """Forward calls, those in which chance took part, those for other seats, evaluations and iterations so far."""
        return self.record.integers("forward_calls", 5)

    def report(self, details: dict[str, float]) -> SearchReport:
        """What has been spent so far."""
        calls, _, for_others, evaluations, iterations = self.counters
        stopped_by = STOPPED_BY[self.record.stop]
        return SearchReport(self.seconds, calls, evaluations, iterations, stopped_by, details, 1, for_others)


class _Form(NamedTuple):
    """What all searches of one kind in a game have in common.

    Attributes:
        record: Their record, but for the state, the seed and the limits.
        evaluation: Name of the evaluation.
        low: Lower bound of its values.
        high: Upper bound.
        policy: The rollout policy.
        room: Its arrays, which each search has for itself.
    """

    record: ProblemRecord
    evaluation: str
    low: float
    high: float
    policy: str
    room: dict[str, int]


def _turn_in_progress(state: State) -> tuple[int, int]:
    """Player to move and number of the turn.

    Raises:
        TurnwiseError: The game is over.
    """
    mover = state.to_move
    if mover < 0:
        raise TurnwiseError("The game is over in this state; there is no turn to plan.")
    return mover, state.turn


def _form_of(game: Game, evaluation: str, policy: str, policy_parameters: tuple[float, ...]) -> _Form:
    """The form of a kind of searches; made once for a game."""
    name, chosen = game.evaluation(evaluation)
    try:
        kind = (ProblemRecord, name, policy, policy_parameters)
        return form_of(game, kind, lambda: _new_form(game, name, chosen, policy, policy_parameters))
    except TypeError:  # a value that cannot be a key; most such values are refused
        return _new_form(game, name, chosen, policy, policy_parameters)


def _new_form(game: Game, name: str, chosen: Evaluation, policy: str, policy_parameters: tuple[float, ...]) -> _Form:
    policy = arguments.text(policy, "The name of a rollout policy")
    is_rollouts = chosen.address == 0
    policy = policy or (next(iter(game.policies), "uniform") if is_rollouts else "uniform")
    room = {"rng": RNG_WORDS, "policy_scratch": game.scratch_words + 1, "listed": game.max_actions}
    if is_rollouts:
        room |= _rollout_room(game)
    r = ProblemRecord()
    r.write_words("start", game.pointer_row)
    r.clock = Word(CLOCK)
    r.evaluation, r.evaluation_of_all = Word(chosen.address), Word(chosen.address_for_all)
    r.evaluation_parameters = Floats.of(arguments.parameters(chosen.parameters, "An evaluation"))
    r.policy_parameters = Floats.of(arguments.parameters(policy_parameters, "A rollout policy"))
    r.policy_index = policy_index(game, policy)
    r.state_words, r.max_actions, r.max_turn = game.state_words, game.max_actions, game.max_turn
    r.scratch_words, r.players, r.poll_every = game.scratch_words, game.players, game.poll_every
    r.max_actors = actor_capacity(game)
    r.completion, r.end_action = completion_index(game), game.end_action or 0
    r.has_end, r.lists_all = game.end_action is not None, game.lists_all_legal
    r.low, r.high, r.best = chosen.low, chosen.high, -np.inf
    if is_rollouts:
        r.rollout_low, r.rollout_high = game.return_bounds()
    return _Form(r, name, chosen.low, chosen.high, policy, room)


def _rollout_room(game: Game) -> dict[str, int]:
    """Room for what the built-in evaluation writes to."""
    return {"rollout_row": game.state_words, "rollout_returns": game.players, "rollout_listed": game.max_actions}


def policy_index(game: Game, policy: str) -> int:
    """Index of a rollout policy: the game's own by their order, the built-in ones and expressions negative.

    Raises:
        OptionError: The name is not a string, or is an expression with a fault.
        UnknownNameError: No such policy or script.
    """
    policy = arguments.text(policy, "The name of a rollout policy")
    if policy in game.policies:
        return game.policies.index(policy)
    if policy in BUILT_IN_POLICIES:
        return BUILT_IN_POLICIES[policy]
    if NAME.fullmatch(policy) is None:
        book_of(game).add(game, policy)
    elif policy not in script_names(game):
        known = dict.fromkeys([*game.policies, *BUILT_IN_POLICIES, *script_names(game)])
        raise unknown_name("rollout policy", policy, known, f"Game {game.name}")
    return compiled.SCRIPTED


def completion_index(game: Game) -> int:
    """How searches complete a turn, as kernels read it; see ``Scenario.completion``.

    Raises:
        GameFunctionError: The game has no such policy or script, or no function or action of that kind.
    """
    choice = game.completion
    has_score, has_end = game.pointers["action_score"] != 0, game.end_action is not None
    if choice in game.policies:
        return game.policies.index(choice)
    possible = {"action-score": has_score, "end": has_end, "uniform": True}
    if not choice:
        choice = next(name for name, is_possible in possible.items() if is_possible)
    if possible.get(choice):
        return {"action-score": compiled.BY_SCORE, "end": compiled.BY_END, "uniform": compiled.UNIFORM}[choice]
    note, cause = "", None
    if choice not in possible:
        try:
            book_of(game).add(game, choice)
            return compiled.SCRIPTED
        except TurnwiseError as error:
            note, cause = f" As an expression: {error}", error
    expected = [*(name for name, is_possible in possible.items() if is_possible), *game.policies]
    raise GameFunctionError(
        f"{game.name}: completion = {choice!r}; expected one of {', '.join(map(repr, expected))}, an expression of "
        f"scripts, or an empty string for the first of them.{note}"
    ) from cause


@dataclass(slots=True)
class Line:
    """What a search found: the best actions from the root on (possibly less than a whole turn, possibly more).

    Attributes:
        codes: Action codes; they may extend beyond the turn (single-player searches plan whole games).
        value: Value for the mover, None if there is none.
        alternatives: Other lines with their values, best first.
        details: The planner's own figures.
        row: uint64[state_words], the state after them; only from planners that complete the turn themselves.
        of_turn: Further figures, about the line and not about the search: where several worlds are searched they are
            those of the world whose turn is played, and not means.
    """

    codes: list[int]
    value: float | None = None
    alternatives: list[tuple[list[int], float]] = field(default_factory=list)
    details: dict[str, float] = field(default_factory=dict)
    row: Row | None = None
    of_turn: dict[str, float] = field(default_factory=dict)

    @property
    def figures(self) -> dict[str, float]:
        """All figures."""
        return self.details | self.of_turn


def row_buffer(problem: Problem, rows: int) -> Row:
    """uint64[rows, state_words] for a search's states."""
    return np.zeros((rows, problem.game.state_words), np.uint64)


def action_buffer(problem: Problem) -> NDArray[np.int64]:
    """int64[max_actions] for one legal list."""
    return np.zeros(problem.game.max_actions, np.int64)
