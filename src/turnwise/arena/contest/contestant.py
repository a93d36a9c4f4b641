"""Deciding within a contest's time limits: a search in its own thread, and a fallback answer if it is late."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from types import TracebackType

from turnwise.core import calls
from turnwise.core.budget import Budget
from turnwise.core.chance import generator
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.core.threads import start_thread
from turnwise.plain_python.completion import quick_action
from turnwise.search.plan import Plan
from turnwise.search.planner import Planner
from turnwise.search.plans_turns import PlansTurns
from turnwise.search.problem import Problem
from turnwise.search.search_planner import watch_searches
from turnwise.search.session import Session

_FOR_THE_LAST = 0.5  # share of a turn's time spent waiting for the previous, late search to end
_LEAST = 0.1  # smallest share of its time that the new search gets after that wait


class Contestant:
    """Decides on actions and keeps the best known continuation of the game. Use it in a ``with`` block.

    A planner that plans whole games proposes a complete continuation every turn; the better of that and the known one
    is kept. What any other planner proposes is played. If a search is late, the known continuation is played, or else
    the best-scored action; the result of the late search is out of date by then and is dropped.
    """

    def __init__(self, planner: PlansTurns, seed: int) -> None:
        """Create a contestant that knows nothing yet.

        Args:
            planner: The planner that decides.
            seed: Seed of the planner's choices.
        """
        self._planner = planner
        self._seed = seed
        self._plans_games = bool(getattr(planner, "plans_games", False))
        self._session: Session | None = None
        self._rest: list[int] = []  # of the best known game
        self._result = float("-inf")
        self._search: Future[Plan] | None = None
        self._problem: Problem | None = None
        self._interrupted = False  # whether the search in progress was asked to end
        self.misses = 0
        """Number of searches that were late."""

    def __enter__(self) -> Contestant:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._problem is not None:
            self._problem.interrupt()

    def decide(self, state: State, expected: State | None, seconds: float, wait: float | None = None) -> int:
        """Choose a legal action.

        Args:
            state: The state that the referee described.
            expected: The state that the last decision led to by our rules.
            seconds: Time for the search.
            wait: Seconds after which a search is late; None: never.

        Raises:
            TurnwiseError: The planner failed.
        """
        if expected is not state:
            self._forget()
        plan = self._plan(state, seconds, wait)
        if plan is None:
            self.misses += 1
        elif not self._plans_games:
            self._rest = [plan.codes[0]]
        else:
            codes = [*plan.codes, *plan.continuation]
            result = result_of(state, codes)
            if result > self._result or not self._rest:
                self._rest, self._result = codes, result
        action = self._rest.pop(0) if self._rest else quick_action(state)
        return action if state.is_legal(action) else quick_action(state)

    def _plan(self, state: State, seconds: float, wait: float | None) -> Plan | None:
        """The plan that the search finds; None if it is late, or if the previous, late search still has not ended."""
        began = time.monotonic()
        if self._search is not None:
            if wait_for([self._search], None if wait is None else _FOR_THE_LAST * wait).not_done:
                return None
            error = self._search.exception()
            # A late search that was still loading kernels ends in the interrupt that it was sent.
            if error and not (self._interrupted and isinstance(error, KeyboardInterrupt)):
                raise error
            past = time.monotonic() - began
            seconds, wait = max(_LEAST * seconds, seconds - past), None if wait is None else wait - past
        self._search = self._begin(state, seconds)
        if wait_for([self._search], wait).not_done:
            if self._problem is not None:
                self._interrupted = True
                self._problem.interrupt()
            return None
        return self._search.result()

    def _begin(self, state: State, seconds: float) -> Future[Plan]:
        """Start a search in a daemon thread: unlike an executor's, it does not delay the end of the process."""
        search: Future[Plan] = Future()
        self._problem, self._interrupted = None, False

        def run() -> None:
            try:
                search.set_result(self._ask(state, seconds))
            except BaseException as error:
                search.set_exception(error)

        start_thread(threading.Thread(target=run, name="turnwise-contest", daemon=True))
        return search

    def _ask(self, state: State, seconds: float) -> Plan:
        """Plan in the thread of a search."""
        session = self._session or _session(self._planner, state.game, self._seed)
        self._session = session
        with watch_searches(self._watch):
            return session.plan(state, Budget(seconds=seconds))

    def _watch(self, problem: Problem) -> None:
        self._problem = problem

    def _forget(self) -> None:
        """Drop what is known about the game: the referee's state differs from the expected one."""
        self._session, self._rest, self._result = None, [], float("-inf")


def result_of(state: State, codes: list[int]) -> float:
    """The result of a line of actions; minus infinity if it does not reach the end of the game."""
    game, row, rng = state.game, state.row.copy(), generator(0)
    for code in codes:
        if calls.call(game, "to_move", row) < 0 or not calls.call(game, "is_legal", row, code):
            return float("-inf")
        calls.call(game, "apply", row, code, rng.ctypes.data)
    end = State._made(game, row)
    return end.returns[0] if end.is_over else float("-inf")


def _session(planner: PlansTurns, game: Game, seed: int) -> Session:
    return planner.session(game, 0, seed) if isinstance(planner, Planner) else Session(planner, game, 0, seed)
