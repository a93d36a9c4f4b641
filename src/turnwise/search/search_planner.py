"""What every compiled planner shares: run a search that can be stopped, complete the turn, report."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from turnwise.core import calls
from turnwise.core.budget import Budget
from turnwise.core.game import Game, Row
from turnwise.core.pickling import Pinned
from turnwise.core.state import State
from turnwise.jit.cache import announce
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of
from turnwise.jit.record import Ints
from turnwise.search import forward_model as compiled
from turnwise.search.forward_model import ProblemRecord
from turnwise.search.line_texts import line_texts
from turnwise.search.parameters import CandidateParameters
from turnwise.search.planner import Alternative, Plan, Planner, SearchReport, Session, checked_decision
from turnwise.search.portfolio import PRUNED
from turnwise.search.problem import Line, Problem, action_buffer
from turnwise.search.search_thread import run_interruptible
from turnwise.search.tail import tail_of
from turnwise.search.worlds import AUTOMATIC, SearchOfWorlds, TurnRating, World, draw_worlds, load_rating

_FEW_CALLS = 5_000

_loaded: set[tuple[object, ...]] = set()
_watchers: list[Callable[[Problem], None]] = []


@contextmanager
def watch_searches(watcher: Callable[[Problem], None]) -> Iterator[None]:
    """Show every search that begins in this context to a watcher; it may read counters and ``best`` while it runs."""
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)


@kernel
def play_out_turn(p: ProblemRecord, state: Row, actions: NDArray[np.int64], given: int, listed: Ints) -> int:
    """Play a line from a state and complete the turn as the game wants turns to be completed.

    Args:
        p: The problem.
        state: uint64[state_words], changed in place.
        actions: int64[n], n at least 1; the first ``given`` are the line. Actions of the completion replace it from its
            first illegal action on, and follow it. No more than n actions are played.
        given: Number of actions in the line.
        listed: int64[max_actions], scratch.

    Returns:
        Number of actions.
    """
    here = address_of(state)
    compiled.start_policy(p)
    count = 0
    while count < actions.shape[0] and compiled.in_turn(p, here):
        if count >= given or not compiled.is_legal(p, here, actions[count]):
            given = min(given, count)
            actions[count] = compiled.completing_action(p, here, listed)
        compiled.apply(p, here, actions[count])
        count += 1
    return count


class SearchPlanner(Planner):
    """Base of the compiled planners: a subclass implements :meth:`search` and gets budgets, scopes, Ctrl-C, reports.

    Attributes:
        loading: The smallest budget under which a search calls every kernel that it may need; the first search of a
            process gets it before its clock runs.
    """

    loading: ClassVar[Budget] = Budget(iterations=0)

    def make_problem(self, state: State, budget: Budget, seed: int) -> Problem:
        """The search problem; subclasses choose evaluation and rollout policy here."""
        return Problem(state, budget, seed, getattr(self.parameters, "evaluation", ""))

    def prepared(self, state: State, budget: Budget, seed: int) -> Problem:
        """The search problem, with the candidates that the parameters choose."""
        problem = self.make_problem(state, budget, seed)
        try:
            problem.choose_candidates(self._candidates)
        except BaseException:
            state.game.after_plan(problem)
            raise
        return problem

    @abstractmethod
    def search(self, problem: Problem, budget: Budget, memory: dict[str, Any]) -> Line:
        """Search until ``exhausted`` says so and return the best line.

        Args:
            problem: What to search; its limits are set.
            budget: The same limits, for planners that divide them.
            memory: What this player keeps between decisions of one game; the planner fills it.
        """

    def plan(self, state: State, budget: Budget, seed: int = 0) -> Plan:
        """See :meth:`Planner.plan`."""
        return self.plan_with_memory(state, budget, seed, {})

    def session(self, game: Game, seat: int, seed: int) -> Session:
        """See :meth:`Planner.session`."""
        return SearchSession(self, game, seat, seed)

    def plan_with_memory(self, state: State, budget: Budget, seed: int, memory: dict[str, Any]) -> Plan:
        """Plan with what the player remembers; a budget per action means one search for every action of the turn.

        Where a turn can bring surprises, a budget per action is spent on the next action only: the rest of the plan is
        the search's own line, and the caller asks again after the action.
        """
        seed = checked_decision(state, budget, seed)
        self._load_kernels(state)
        surprises = state.game.reveals_in_turn or state.game.is_stochastic
        if budget.scope == "turn" or surprises:
            return self._search_once(state, budget, seed, memory)
        codes: list[int] = []
        texts: list[str] = []
        report = SearchReport.nothing()
        value: float | None = None
        further: tuple[int, ...] = ()
        now, began = state, time.monotonic()
        is_complete = False
        while len(codes) < state.game.max_turn:
            plan = self._search_once(now, budget, seed + len(codes), memory, began, most=1)
            began = time.monotonic()
            report, value = report + plan.report, plan.value if plan.value is not None else value
            further = plan.continuation
            codes += plan.codes
            texts += plan.actions
            is_complete = plan.is_complete
            if is_complete or report.stopped_by == "interrupt":
                break
            now = now.play(plan.codes[0])
        return Plan(tuple(codes), tuple(texts), value, (), report, further, is_complete)

    @property
    def _candidates(self) -> str:
        """What the search considers; planners without this parameter use the pruned lists or none."""
        return self.parameters.candidates if isinstance(self.parameters, CandidateParameters) else PRUNED

    @cached_property
    def _choices(self) -> tuple[object, ...]:
        """The parameters on which it depends which kernels a search calls."""
        texts = tuple(value for _, value in self.parameters if isinstance(value, str))
        return (*texts, getattr(self.parameters, "streams", 1) > 1, getattr(self.parameters, "worlds", 1) != 1)

    def _load_kernels(self, state: State) -> None:
        """Compile or load everything once per process before a clock runs, by searches that are thrown away.

        In single-player games there are two, since what a player remembers is first used in its second decision.

        Raises:
            KeyboardInterrupt: Ctrl-C came during that time; the next call loads again.
        """
        kinds = (type(self), type(state.game), *self._choices)
        if kinds in _loaded or state.is_over:
            return
        memory: dict[str, Any] = {}
        plan = self._search_once(state, self.loading, 0, memory, in_worlds=False)
        if state.game.players == 1 and plan.report.stopped_by != "interrupt":
            after = state
            for code in plan.codes:
                after = after.after(code) or after  # chance may have made it illegal
            if not after.is_over:
                plan = self._search_once(after, self.loading, 0, memory, in_worlds=False)
        if plan.report.stopped_by == "interrupt":
            raise KeyboardInterrupt
        if self.number_of_worlds(state.game) > 1:
            problem = self.make_problem(state, self.loading, 0)
            try:
                load_rating(problem, self.rating(state.game))
            finally:
                state.game.after_plan(problem)
        _loaded.add(kinds)

    def _search_once(
        self,
        state: State,
        budget: Budget,
        seed: int,
        memory: dict[str, Any],
        began: float | None = None,
        most: int | None = None,
        *,
        in_worlds: bool = True,
    ) -> Plan:
        """One search, or one in each of several worlds, and what comes after it.

        Args:
            state: Where it starts.
            budget: Its limits.
            seed: Its seed.
            memory: What the player remembers.
            began: When its time began to count (seconds of ``time.monotonic``); None: now.
            most: Maximum number of actions of the plan, which is not completed further; None: the whole turn.
            in_worlds: Whether worlds are drawn where something is hidden.
        """
        began = time.monotonic() if began is None else began
        tail = tail_of(type(self), type(state.game))
        limits = tail.shortened(budget)
        number = self.number_of_worlds(state.game) if in_worlds else 1
        with ExitStack() as problems:
            problem = self.prepared(state, limits, seed)
            problems.callback(state.game.after_plan, problem)
            worlds = self._draw(problem, limits, number)
            line = self._run(problem, limits, memory) if not worlds else self._run_in(worlds, problem, limits, problems)
            plan = self.complete(problem, line, most)
        if limits.seconds is not None and plan.report.stopped_by == "time":
            tail.note(time.monotonic() - began - limits.seconds)
        return plan

    def _run(self, problem: Problem, limits: Budget, memory: dict[str, Any]) -> Line:
        """Search a problem, so that Ctrl-C ends the search."""
        for watcher in _watchers:
            watcher(problem)
        if ends_soon(limits, problem.game):
            return self.search(problem, limits, memory)
        return run_interruptible(lambda: self.search(problem, limits, memory), problem.interrupt)

    def _draw(self, known: Problem, limits: Budget, number: int) -> list[World]:
        """The worlds of a decision; time and Ctrl-C end the drawing, too."""
        if number <= 1:
            return []
        state, rating = known.state, self.rating(known.game)
        return run_interruptible(
            lambda: draw_worlds(state, number, limits, known.seed, rating, known.must_end), known.interrupt
        )

    def _run_in(self, worlds: list[World], known: Problem, limits: Budget, problems: ExitStack) -> Line:
        """Search several worlds; what a player remembers belongs to one world, so each search begins without it."""

        def make(state: State, budget: Budget, seed: int) -> Problem:
            problem = self.prepared(state, budget, seed)
            problems.callback(state.game.after_plan, problem)
            return problem

        alternatives = getattr(self.parameters, "alternatives", 0)
        searches = SearchOfWorlds(known, worlds, limits, self.rating(known.game), alternatives)
        return run_interruptible(
            lambda: searches.run(make, lambda problem, budget: self._run(problem, budget, {})), searches.interrupt
        )

    def number_of_worlds(self, game: Game) -> int:
        """How many worlds a decision draws where something is hidden; 1: it searches what the mover knows as it is."""
        wanted: int = getattr(self.parameters, "worlds", 1)
        return wanted or (AUTOMATIC if game.hides_information else 1)

    def rating(self, game: Game) -> TurnRating:
        """How the turns that were found in several worlds are rated: after as much further play as in the search."""
        return TurnRating()

    def complete(self, problem: Problem, line: Line, most: int | None = None) -> Plan:
        """Turn the line that was found into a legal plan and a report; see :func:`finish`."""
        return finish(problem, line, most)


class SearchSession(Session):
    """A session of a compiled planner, with its memory."""

    planner: SearchPlanner

    def __init__(self, planner: SearchPlanner, game: Game, seat: int, seed: int) -> None:
        super().__init__(planner, game, seat, seed)
        self.memory: dict[str, Any] = {}

    def __getstate__(self) -> dict[str, Any]:
        """See :meth:`Session.__getstate__`.

        Raises:
            TurnwiseError: The memory holds a search of this process.
        """
        for kept in self.memory.values():
            if isinstance(kept, Pinned):
                kept.__reduce__()  # refuses; a shallow copy would share it
        return {**super().__getstate__(), "memory": dict(self.memory)}

    def _ask(self, state: State, budget: Budget, seed: int) -> Plan:
        return self.planner.plan_with_memory(state, budget, seed, self.memory)


def ends_soon(limits: Budget, game: Game) -> bool:
    """Whether a search ends within milliseconds, so that Ctrl-C can wait; another thread would cost more than that."""
    if game.poll_every == 1:  # each step may take long
        return False
    return limits.is_empty or (limits.forward_calls is not None and limits.forward_calls <= _FEW_CALLS)


def finish(problem: Problem, line: Line, most: int | None = None) -> Plan:
    """Turn a line into a legal plan and a report; costs at most the plan's own actions.

    Args:
        problem: The search problem.
        line: What was found.
        most: Maximum number of actions of the plan, which then has no alternatives; None: the whole turn, or as many
            actions as the game has room for (``max_turn``). An interrupted search always plans the whole turn.
    """
    game, state = problem.game, problem.state
    if problem.record.stop == compiled.INTERRUPTED:
        most = None
    actions = np.zeros(most or game.max_turn, np.int64)
    given = min(len(line.codes), len(actions))
    actions[:given] = line.codes[:given]
    announce(play_out_turn, "the completion of turns")
    row = state.row.copy()
    count = play_out_turn(problem.record, row, actions, given, Ints.of(action_buffer(problem)))
    game.raise_failure()
    codes: list[int] = actions[:count].tolist()
    is_complete = turn_is_over(problem, row)
    others = () if most else line.alternatives
    texts, *other_texts = line_texts(problem, [codes, *(other for other, _ in others)])
    alternatives = _different(
        texts, [Alternative(text, value) for text, (_, value) in zip(other_texts, others, strict=True)]
    )
    report = problem.report(line.details)
    further = tuple(line.codes[count:]) if line.codes[:count] == codes else ()
    return Plan(tuple(codes), texts, line.value, alternatives, report, further, is_complete)


def turn_is_over(problem: Problem, row: Row) -> bool:
    """Whether a row no longer belongs to the turn that a search plans."""
    game, r = problem.game, problem.record
    return bool(calls.call(game, "to_move", row) != r.mover or calls.call(game, "turn", row) != r.turn_number)


def _different(plan: tuple[str, ...], others: list[Alternative]) -> tuple[Alternative, ...]:
    """The alternatives that repeat neither the plan nor a better one: lines may differ only in what is cut off."""
    kept: list[Alternative] = []
    better = [plan]
    for other in others:
        turn = other.actions
        if not any(turn == line[: len(turn)] for line in better):
            kept.append(other)
            better.append(turn)
    return tuple(kept)
