"""One search: the record that kernels take, the rows it points to, and the line that is found."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from turnwise.core import arguments
from turnwise.core.budget import CLOCKS, UNLIMITED, Budget, Clock
from turnwise.core.errors import TurnwiseError
from turnwise.core.evaluation import Evaluation
from turnwise.core.game import Game, Row
from turnwise.core.pickling import Pinned
from turnwise.core.state import State
from turnwise.jit.clock import CLOCK
from turnwise.jit.cpu_clock import cpu_clock
from turnwise.jit.record import Floats, Records, Word
from turnwise.search import forward_model as compiled
from turnwise.search.memory_pool import Memory, MemoryPool
from turnwise.search.plan import SearchReport
from turnwise.search.plans_turns import checked_decision
from turnwise.search.problem_form import policy_index, problem_form, rollout_room
from turnwise.search.problem_record import Objective, ProblemRecord
from turnwise.search.search_scripts import SearchScripts
from turnwise.search.watching import Lines, Progress, SearchWatch

if TYPE_CHECKING:
    from turnwise.search.inspection.findings import Findings

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


class Problem(Pinned):
    """One search problem: the record that kernels take, and the rows that it points to.

    Attributes:
        record: What kernels take as ``p``.
        state: The state that is planned from.
        seed: Seed of the search's generator.
        game: The scenario.
        low: Lower bound of the evaluation.
        high: Upper bound.
        scripts: The scripts that the search knows, and those that propose its candidates.
        objectives: The evaluations by which the search rates states together; empty: only one.
        clock: The clock of its limits.
        start: When its time began to count, in nanoseconds of that clock.
        parts: Problems of the streams that work on it (:mod:`turnwise.search.streams`).
        wants_alternatives: Whether anyone reads other turns than the best one.
        findings: Where the search is to copy its tree or population for people; None: nobody wants to see it.
        watch: What watches the search while it runs; None: nobody does.
        room: Number of actions to which a line that ends before its turn is completed; None: the whole turn.
        played: The player's actions since its last decision, where hidden parts of the state or of that decision's
            state were drawn, so that comparing them says nothing; None: what is remembered goes by the states.
    """

    def __init__(
        self,
        state: State,
        budget: Budget | str,
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
        budget, seed = checked_decision(state, budget, seed)
        turn = _turn_in_progress(state)
        game = state.game
        form = problem_form(game, evaluation, policy, policy_parameters)
        self.game: Game = game
        self.evaluation_name, self.low, self.high = form.evaluation, form.low, form.high
        self.objectives: list[Evaluation] = []
        self.record = r = form.record.again(**form.room)
        self._rng = r.array("rng")
        self.scripts = SearchScripts(game, r)
        r.setup = game.setup_address
        if r.policy_index == compiled.SCRIPTED:
            r.policy_expression = self.expression(form.policy)
        if r.completion == compiled.SCRIPTED:
            r.completion_expression = self.expression(game.completion)
        self.parts: list[Problem] = []
        self.wants_alternatives = True
        self.findings: Findings | None = None
        self.watch: SearchWatch | None = None
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
        self.clock: Clock = budget.clock
        r.clock = Word(CLOCK if self.clock == "wall" else cpu_clock())
        self.start = self.now_ns
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
        self._rollouts = room = ProblemRecord(**rollout_room(game))
        for name in ("rollout_row", "rollout_returns", "rollout_listed"):
            setattr(self.record, name, getattr(room, name))
        self.record.rollout_low, self.record.rollout_high = game.return_bounds()

    def limit(self, budget: Budget) -> None:
        """Set new limits; counters continue, and time counts from when the problem was made.

        Args:
            budget: The limits; their clock is that of the first ones.
        """
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
        """See :meth:`.SearchScripts.expression`."""
        return self.scripts.expression(text)

    def reseed(self, seed: int) -> None:
        """Begin the search's chance again from a seed."""
        self._rng[:] = 0
        self._rng[1] = seed & _WORD

    def must_end(self) -> bool:
        """Whether time is up or the search was stopped; for work that no counter counts."""
        r = self.record
        if r.stop == compiled.RUNNING and 0 < r.deadline <= self.now_ns:
            r.stop = compiled.OUT_OF_TIME
        return r.stop != compiled.RUNNING

    def observe(self, lines: Lines) -> None:
        """Let whoever watches the search read its best lines, from now on until it ends.

        A planner calls this when the memory of its search exists, before its kernel runs.

        Args:
            lines: Copies the best lines; see :data:`turnwise.search.watching.Lines` for what it must take care of.
        """
        if self.watch is not None:
            self.watch.observe(lines)

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
    def now_ns(self) -> int:
        """Nanoseconds of the clock."""
        return CLOCKS[self.clock]()

    @property
    def seconds(self) -> float:
        """How long the search has taken so far."""
        return (self.now_ns - self.start) / 1e9

    @property
    def counters(self) -> list[int]:
        """Forward calls, those in which chance took part, those for other seats, evaluations and iterations so far."""
        return self.record.integers("forward_calls", 5)

    @property
    def progress(self) -> Progress:
        """How far the search is; counters of its streams are added up in its own from time to time only."""
        parts = [part.counters for part in self.parts]
        together = [sum(each) for each in zip(*parts, strict=True)] or [0] * 5
        counters = [max(pair) for pair in zip(self.counters, together, strict=True)]
        calls, _, _, evaluations, iterations = counters
        best = max(float(each.record.best) for each in (self, *self.parts))
        return Progress(self.seconds, calls, evaluations, iterations, best)

    def report(self, details: dict[str, float]) -> SearchReport:
        """What has been spent so far."""
        calls, _, for_others, evaluations, iterations = self.counters
        stopped_by = STOPPED_BY[self.record.stop]
        return SearchReport(self.seconds, calls, evaluations, iterations, stopped_by, details, 1, for_others)


def _turn_in_progress(state: State) -> tuple[int, int]:
    """Player to move and number of the turn.

    Raises:
        TurnwiseError: The game is over.
    """
    mover = state.to_move
    if mover < 0:
        raise TurnwiseError("The game is over in this state; there is no turn to plan.")
    return mover, state.turn


@dataclass(slots=True)
class Line:
    """What a search found: the best actions from the root on (possibly less than a whole turn, possibly more).

    Attributes:
        codes: Action codes; they may extend beyond the turn (single-player searches plan whole games).
        value: Value for the mover, None if there is none.
        alternatives: Other lines with their values, best first.
        details: The planner's own figures.
        row: uint64[state_words], the state after them, if the search has played them and all are legal; it belongs to
            the line, which is completed there.
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
