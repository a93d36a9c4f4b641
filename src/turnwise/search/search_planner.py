"""What every compiled planner shares: run a search that can be stopped, complete the turn, report."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

from turnwise.core import arguments, returned
from turnwise.core.budget import Budget
from turnwise.core.errors import CapacityError, OptionError, UnknownNameError
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.search import forward_model as compiled
from turnwise.search.completion import Completed, completed, continuation, finish
from turnwise.search.costs import Costs
from turnwise.search.line_texts import line_texts
from turnwise.search.parameters import CandidateParameters
from turnwise.search.plan import Plan
from turnwise.search.planner import Planner
from turnwise.search.planner_parameters import ParametersT_co
from turnwise.search.plans_turns import checked_decision
from turnwise.search.portfolio import PRUNED
from turnwise.search.presets import note_on_games
from turnwise.search.problem import Line, Problem
from turnwise.search.search_thread import run_interruptible
from turnwise.search.session import Session
from turnwise.search.tail import Tail, tail_of
from turnwise.search.turn_rating import TurnRating, load_rating
from turnwise.search.watching import watching
from turnwise.search.workspace import Workspace
from turnwise.search.world_memories import BEFORE, OTHERS, copied, keep_worlds, memories_of_worlds
from turnwise.search.worlds import AUTOMATIC, SearchOfWorlds, draw_worlds

_FEW_CALLS = 5_000
_LARGE_SIZE = 10_000_000  # actions in a turn or a legal list, far above those of any game

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


class SearchPlanner(Planner[ParametersT_co]):
    """Base of the compiled planners: a subclass implements :meth:`search` and gets budgets, scopes, Ctrl-C, reports.

    Attributes:
        loading: The smallest budget under which a search calls every kernel that it may need; the first search of a
            process gets it before its clock runs.
        remembers_worlds: Whether the search of a drawn world goes on from what the search of the last decision's world
            of the same number remembered; otherwise such searches begin without a memory.
        keeps_memory: Whether what it remembers then is the memory of its search, so that each world needs its own.
        plays_turn: Whether a search, after its limits are reached, plays the turn that it chose to find its actions.
    """

    loading: ClassVar[Budget] = Budget(iterations=0)
    remembers_worlds: ClassVar[bool] = False
    keeps_memory: ClassVar[bool] = False
    plays_turn: ClassVar[bool] = False

    def make_problem(self, state: State, budget: Budget, seed: int) -> Problem:
        """The search problem; subclasses choose evaluation and rollout policy here."""
        return Problem(state, budget, seed, getattr(self.parameters, "evaluation", ""))

    def prepared(self, state: State, budget: Budget, seed: int) -> Problem:
        """The search problem, with the candidates that the parameters choose."""
        problem = self.make_problem(state, budget, seed)
        if self._candidates != PRUNED:
            try:
                problem.scripts.choose(self._candidates)
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

    def plan(self, state: State, budget: Budget | str, seed: int = 0, *, inspect: bool = False) -> Plan:
        """See :meth:`Planner.plan`.

        Args:
            state: What the mover knows.
            budget: Limits.
            seed: Seed of the decision.
            inspect: Whether the plan also shows what its searches have left (``Plan.search``); it is the same plan
                otherwise, and copying that adds some milliseconds.
        """
        if not arguments.flag(inspect, "inspect"):
            return self.plan_with_memory(state, budget, seed, {})
        from turnwise.search.inspection.findings import Findings  # not part of what compiled searches depend on

        workspace = self.workspace()
        workspace.findings = findings = Findings()
        plan = self.plan_with_memory(state, budget, seed, {}, workspace)
        return replace(plan, search=findings.view())

    def session(self, game: Game, seat: int, seed: int) -> Session:
        """See :meth:`Planner.session`."""
        return SearchSession(self, game, seat, seed)

    def plan_with_memory(
        self,
        state: State,
        budget: Budget | str,
        seed: int,
        memory: dict[str, Any],
        workspace: Workspace | None = None,
        room: int | None = None,
        played: Sequence[int] | None = None,
        notes: bool = True,
    ) -> Plan:
        """Plan with what the player remembers; a budget per action means one search for every action of the turn.

        Where a turn can bring surprises, a budget per action is spent on the next action only: the rest of the plan is
        the search's own line, and the caller asks again after the action.

        Args:
            state: What the mover knows.
            budget: Limits.
            seed: Seed of the decision.
            memory: What the player remembers; changed in place.
            workspace: What this planner's earlier decisions of the same player have left; it changes no plan.
            room: See :meth:`Session.plan`; read only where a turn can bring surprises.
            played: The player's actions since its last decision; None: unknown.
            notes: See :attr:`Session.notes`.

        Raises:
            CapacityError: There is too little memory.
        """
        budget, seed = checked_decision(state, budget, seed)
        workspace = workspace or self.workspace()
        try:
            self._load_kernels(state)
            surprises = state.game.reveals_in_turn or state.game.is_stochastic
            before = memory.pop(BEFORE, 0)
            played = None if played is None else played[before:]
            if budget.scope == "turn" or surprises:
                return self._plan_turn(state, budget, seed, memory, workspace, room=room, played=played, notes=notes)
            return self._plan_action_by_action(state, budget, seed, memory, workspace, played, notes)
        except (OptionError, UnknownNameError) as error:
            note = note_on_games(self, state.game.name)
            if not note:
                raise
            raise type(error)(f"{error}{note}") from error
        except MemoryError as error:
            raise CapacityError(
                f"The system has too little memory for a search by {self.spec} in {state.game.spec} "
                f"({error or 'out of memory'}). {_large_sizes(state.game)}Give the planner a smaller tree, table or "
                "population, fewer streams, or a limit (memory=512MB) where it has that parameter."
            ) from error

    def workspace(self) -> Workspace:
        """An empty workspace for the decisions of one player."""
        return Workspace(self.prepared, keeps_memory=self.keeps_memory)

    def _plan_action_by_action(
        self,
        state: State,
        budget: Budget,
        seed: int,
        memory: dict[str, Any],
        workspace: Workspace,
        since: Sequence[int] | None,
        notes: bool,
    ) -> Plan:
        """One search for each action of a turn without surprises; all of them use the same problem again."""
        codes: list[int] = []
        texts: list[str] = []
        costs = Costs()
        value: float | None = None
        tail = tail_of(type(self), type(state.game))
        now, began, is_complete = state, budget.now, False
        try:
            while True:
                limits = tail.shortened(budget)
                problem = workspace.problem(now, limits, seed + len(codes), alternatives=False)
                line = self._found(problem, limits, memory, workspace, played=since)
                played = self.complete(problem, line, 1)
                since = played.codes
                costs.add(problem, line.figures)
                if notes and len(played.codes) == 1:
                    texts.append(returned.action_text(state.game, now.row, played.codes[0]))
                elif notes:  # after an interrupt, all of them
                    texts += line_texts(problem, [played.codes])[0]
                note_tail(tail, problem, limits, began)
                value = line.value if line.value is not None else value
                codes += played.codes
                is_complete, stop = played.is_complete, problem.record.stop
                if len(codes) >= state.game.max_turn or is_complete or stop == compiled.INTERRUPTED:
                    break
                now = now._later_in_turn(played.row)
                began = budget.now
        finally:
            workspace.end()
        if OTHERS in memory:
            memory[BEFORE] = len(codes) - len(since)
        further = continuation(line, played)
        return Plan(tuple(codes), tuple(texts), value, (), costs.report(stop), further, is_complete)

    @property
    def _candidates(self) -> str:
        """What the search considers; planners without this parameter use the pruned lists or none."""
        return self.parameters.candidates if isinstance(self.parameters, CandidateParameters) else PRUNED

    @cached_property
    def _worlds(self) -> int:
        """The parameter ``worlds``; 1 without it. Reading a parameter that is missing takes 4 µs."""
        return getattr(self.parameters, "worlds", 1)

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
        token = watching.set(None)
        try:
            self._load(state)
        finally:
            watching.reset(token)
        _loaded.add(kinds)

    def _load(self, state: State) -> None:
        """Search as :meth:`_load_kernels` says."""
        memory: dict[str, Any] = {}
        workspace = self.workspace()
        plan = self._plan_turn(state, self.loading, 0, memory, workspace, in_worlds=False)
        if state.game.players == 1 and plan.report.stopped_by != "interrupt":
            after = state
            for code in plan.codes:
                after = after.after(code) or after  # chance may have made it illegal
            if not after.is_over:
                plan = self._plan_turn(after, self.loading, 0, memory, workspace, in_worlds=False)
        if plan.report.stopped_by == "interrupt":
            raise KeyboardInterrupt
        if self.number_of_worlds(state.game) > 1:
            problem = self.make_problem(state, self.loading, 0)
            try:
                load_rating(problem, self.rating(state.game))
            finally:
                state.game.after_plan(problem)

    def _plan_turn(
        self,
        state: State,
        budget: Budget,
        seed: int,
        memory: dict[str, Any],
        workspace: Workspace,
        *,
        in_worlds: bool = True,
        room: int | None = None,
        played: Sequence[int] | None = None,
        notes: bool = True,
    ) -> Plan:
        """One search, or one in each of several worlds, whose line is completed to a whole turn."""
        began, tail = budget.now, tail_of(type(self), type(state.game))
        limits = tail.shortened(budget)
        try:
            problem = workspace.problem(state, limits, seed, alternatives=notes, room=room)
            line = self._found(problem, limits, memory, workspace, in_worlds=in_worlds, played=played)
            plan = finish(problem, line, self.complete(problem, line), notes)
        finally:
            workspace.end()
        note_tail(tail, problem, limits, began)
        return plan

    def _found(
        self,
        problem: Problem,
        limits: Budget,
        memory: dict[str, Any],
        workspace: Workspace,
        *,
        in_worlds: bool = True,
        played: Sequence[int] | None = None,
    ) -> Line:
        """What one search finds, or one in each of several worlds.

        Args:
            problem: What is known.
            limits: Its limits.
            memory: What the player remembers.
            workspace: Has the problems of worlds.
            in_worlds: Whether worlds are drawn where something is hidden.
            played: The player's actions since its last search; None: unknown.
        """
        number = self.number_of_worlds(problem.game) if in_worlds else 1
        if number > 1 and not limits.is_empty:
            return self._run_in_worlds(number, problem, limits, memory, workspace, played)
        return self._run_known(problem, limits, memory, played)

    def _run_known(
        self, problem: Problem, limits: Budget, memory: dict[str, Any], played: Sequence[int] | None
    ) -> Line:
        """Search what is known; after a search of worlds it goes on with what the first one remembered."""
        if memory.pop(OTHERS, None) is not None:
            problem.played = played
        return self._run(problem, limits, memory)

    def _run(self, problem: Problem, limits: Budget, memory: dict[str, Any]) -> Line:
        """Search a problem, so that Ctrl-C ends the search."""
        for watcher in _watchers:
            watcher(problem)
        if problem.watch is not None:
            return problem.watch.search(problem, limits, lambda: self._run_unseen(problem, limits, memory))
        return self._run_unseen(problem, limits, memory)

    def _run_unseen(self, problem: Problem, limits: Budget, memory: dict[str, Any]) -> Line:
        if ends_soon(limits, problem.game):
            return self.search(problem, limits, memory)
        return run_interruptible(lambda: self.search(problem, limits, memory), problem.interrupt)

    def _run_in_worlds(
        self,
        number: int,
        known: Problem,
        limits: Budget,
        memory: dict[str, Any],
        workspace: Workspace,
        played: Sequence[int] | None,
    ) -> Line:
        """Search several worlds, each with a memory of its own, or without one (see ``remembers_worlds``).

        Time and Ctrl-C end the drawing of worlds, too. Where nothing is hidden after all, the known state is searched.
        """
        rating = self.rating(known.game)
        running: list[SearchOfWorlds] = []
        watch = known.watch

        def search() -> Line:
            drawn = draw_worlds(known.state, number, limits, known.seed, rating, known.must_end)
            if not drawn:
                return self._run_known(known, limits, memory, played)
            memories = memories_of_worlds(memory, len(drawn)) if self.remembers_worlds else []
            alternatives: int = getattr(self.parameters, "alternatives", 0)
            # A completion plays the turn once more; under a budget per action it plays only one action.
            after = known.game.max_turn if self.plays_turn and limits.scope == "turn" else 0
            searches = SearchOfWorlds(known, drawn, limits, rating, alternatives, after)
            running.append(searches)

            def search_world(problem: Problem, budget: Budget) -> Line:
                problem.played = played
                return self._run(problem, budget, memories[len(searches.problems) - 1] if memories else {})

            def search_worlds() -> Line:
                return searches.run(workspace.world, search_world)

            line = search_worlds() if watch is None else watch.worlds(known, limits, len(drawn), search_worlds)
            if self.remembers_worlds:
                keep_worlds(memory, memories[: len(searches.problems)])
            return line

        def interrupt() -> None:
            known.interrupt()
            for searches in running:
                searches.interrupt()

        return run_interruptible(search, interrupt)

    def number_of_worlds(self, game: Game) -> int:
        """How many worlds a decision draws where something is hidden; 1: it searches what the mover knows as it is."""
        wanted = self._worlds
        return wanted or (AUTOMATIC if game.hides_information else 1)

    def rating(self, game: Game) -> TurnRating:
        """How the turns that were found in several worlds are rated: after as much further play as in the search."""
        return TurnRating()

    def complete(self, problem: Problem, line: Line, most: int | None = None) -> Completed:
        """Make the line that was found legal and complete the turn; see :func:`completed`."""
        return completed(problem, line, most)


class SearchSession(Session):
    """A session of a compiled planner, with its memory."""

    planner: SearchPlanner

    def __init__(self, planner: SearchPlanner, game: Game, seat: int, seed: int) -> None:
        super().__init__(planner, game, seat, seed)
        self.memory: dict[str, Any] = {}
        self._idle: list[Workspace] = []  # the workspace, unless a decision is being made

    def __getstate__(self) -> dict[str, Any]:
        """See :meth:`Session.__getstate__`.

        Raises:
            TurnwiseError: The memory holds a search of this process.
        """
        return {**super().__getstate__(), "memory": copied(self.memory), "_idle": []}

    def _ask(self, state: State, budget: Budget, seed: int, room: int | None) -> Plan:
        """Plan in the session's workspace; one that was left early, perhaps with its search running, is given up."""
        try:
            workspace = self._idle.pop()
        except IndexError:  # also while another thread plans
            workspace = self.planner.workspace()
        played = None if self._handed is None else list(self._handed)
        plan = self.planner.plan_with_memory(state, budget, seed, self.memory, workspace, room, played, self.notes)
        self._idle[:] = [workspace]
        return plan


def ends_soon(limits: Budget, game: Game) -> bool:
    """Whether a search ends within milliseconds, so that Ctrl-C can wait; another thread would cost more than that."""
    if game.poll_every == 1:  # each step may take long
        return False
    return limits.is_empty or (limits.forward_calls is not None and limits.forward_calls <= _FEW_CALLS)


def note_tail(tail: Tail, problem: Problem, limits: Budget, began: float) -> None:
    """Note how much time was needed after a search that ended at its deadline, unless its memory was copied, too.

    Args:
        tail: Where it is noted.
        problem: The search.
        limits: Its limits.
        began: When its time began to count (seconds of the limits' clock).
    """
    is_unseen = problem.findings is None and problem.watch is None
    if limits.seconds is not None and problem.record.stop == compiled.OUT_OF_TIME and is_unseen:
        tail.note(limits.now - began - limits.seconds)


def _large_sizes(game: Game) -> str:
    """A sentence about sizes that the game declares and that no memory can hold; empty: they are not at fault."""
    sizes = {"max_turn": game.max_turn, "max_actions": game.max_actions}
    large = [f"{name} = {size:,}" for name, size in sizes.items() if size > _LARGE_SIZE]
    if not large:
        return ""
    return f"The game declares {' and '.join(large)}, for which every search makes room: make that smaller. "
