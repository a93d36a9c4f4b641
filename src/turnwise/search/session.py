"""One player in one game: what it remembers, and the plan that it follows."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from turnwise.core import arguments
from turnwise.core.budget import Budget, as_budget
from turnwise.core.chance import derive_seed
from turnwise.core.errors import OptionError, TurnwiseError
from turnwise.core.game import Game, as_game
from turnwise.core.state import State, as_state
from turnwise.search.plan import Plan, SearchReport
from turnwise.search.plans_turns import PlansTurns, as_planner
from turnwise.search.replans import Replans

_ROOM = 64  # actions, the least to which a plan after a surprise is completed


class Session:
    """One player in one game: memory between decisions, and a committed plan that is handed out action by action.

    Attributes:
        planner: Anything with ``plan``.
        game: The scenario.
        seat: Which player this is.
        notes: Whether plans hold what only people read, the texts of actions and alternatives; without them turnwise's
            own planners answer sooner (in Tribes, by some 0.3 ms). A caller may change it between decisions.
        history: Texts of all actions of the game so far, which the caller keeps up to date; None: unknown, or the
            player may not know them.
    """

    def __init__(self, planner: PlansTurns, game: Game, seat: int, seed: int) -> None:
        """Begin a game.

        Args:
            planner: Anything with ``plan``.
            game: The scenario.
            seat: Which player this is, from 0.
            seed: The seeds of the decisions are derived from it.

        Raises:
            OptionError: Not a planner or game, no such seat, or not a seed.
        """
        self.game = as_game(game)
        self.planner = as_planner(planner)
        self.seat = game.checked_player(seat)
        self._seed = arguments.seed(seed)
        self._decisions = 0
        self._committed: list[int] = []
        self._expected: State | None = None
        self._turn: tuple[int, int] | None = None
        self._spent = SearchReport.nothing()
        self._plans = 0  # in this turn
        self._replans = Replans.of(game)
        self._planned_in: tuple[int, int] | None = None  # turn and mover of the last plan
        self._since_plan = 0  # actions handed out since then
        self.notes = True
        self.history: Sequence[str] | None = None
        self._handed: list[int] | None = None  # these actions; None: the caller plays the plan, not this session

    def __getstate__(self) -> dict[str, Any]:
        """What pickles and copies keep: everything, so that both continue as this session would."""
        handed = None if self._handed is None else list(self._handed)
        return {**self.__dict__, "_committed": list(self._committed), "_handed": handed}

    def plan(self, state: State, budget: Budget | str, *, room: int | None = None) -> Plan:
        """Plan the rest of the turn, with this session's memory and next seed.

        Args:
            state: What this player knows now.
            budget: Limits; a :class:`Budget` or its text.
            room: Number of actions to which turnwise's planners complete a turn that the search has not planned to its
                end; None: they complete all of it.

        Raises:
            OptionError: A state of another scenario or of another player's turn, or not a budget.
            TurnwiseError: The planner returned something that is not a plan.
        """
        limits = self._checked(state, budget)
        self._decisions += 1
        plan = self._ask(state, limits, derive_seed(self._seed, self._decisions), room)
        self._handed = None
        return plan

    def _checked(self, state: State, budget: Budget | str) -> Budget:
        """Refuse other scenarios and players: remembered rows and codes mean something to these only."""
        mover = as_state(state, self.game).to_move
        limits = as_budget(budget)
        if mover not in (self.seat, -1):
            raise OptionError(
                f"This session plays seat {self.seat}; in this state player {mover} is to move. Every player has a "
                "session of its own; seats are counted from 0."
            )
        return limits

    def _ask(self, state: State, budget: Budget, seed: int, room: int | None) -> Plan:
        answer = self.planner.plan(state, budget, seed)
        if isinstance(answer, Plan):
            return answer
        if isinstance(answer, str) or not isinstance(answer, Sequence):
            raise TurnwiseError(
                f"{type(self.planner).__name__}.plan returned {type(answer).__name__}; expected a Plan or a list "
                "of actions."
            )
        return Plan.of(state, answer)

    def next_action(self, state: State, budget: Budget | str) -> tuple[int, Plan | None]:
        """The next action to play, from the committed plan if the actual state still agrees with it.

        It agrees if it is the expected state. In a game with the function ``news`` it is enough that it brings no news
        and that the next action is legal in it.

        Every plan gets its part of what is left of the turn's budget: the rest divided by the number of plans that the
        turn is still expected to need, judging by this session's turns so far (:class:`.Replans`). Where nothing can
        surprise a player the first plan gets all of it.

        Args:
            state: What this player knows now.
            budget: Limits of the whole turn (or of each action, by its scope); a :class:`Budget` or its text.

        Returns:
            The action's code, and the plan if a new one was made.

        Raises:
            OptionError: A state of another scenario or of another player's turn, or not a budget.
            TurnwiseError: The planner returned no action.
        """
        limits = self._checked(state, budget)
        plan = None
        here = self._go_on(state)
        if here is None:
            began = time.perf_counter()
            plan = self.plan(state, self._part(state, limits), room=self._room(state))
            if not plan.codes:
                raise TurnwiseError(f"{self.planner!r} returned an empty plan.")
            seconds = max(plan.report.seconds, time.perf_counter() - began)  # planners without a report measure nothing
            self._spent = self._spent + replace(plan.report, seconds=seconds)
            surprises = self.game.reveals_in_turn or self.game.is_stochastic
            one_by_one = limits.scope == "action" and surprises  # the next action gets a search of its own anyway
            self._committed = list(plan.codes[:1] if one_by_one else plan.codes)
            self._handed = []
            here = state
        action = self._committed.pop(0)
        self._since_plan += 1
        if self._handed is not None:
            self._handed.append(action)
        goes_on = self._committed and here.is_legal(action)
        self._expected = here.play(action).view(self.seat) if goes_on else None
        return action, plan

    def _go_on(self, state: State) -> State | None:
        """The state from which the committed plan goes on; None if a new plan is needed."""
        here = self._expected  # the state that the plan expects, with the chance under which it was made
        if not self._committed or here is None:
            return None
        if here == state:
            return None if self._is_spoilt(state) else here
        if not self.game.pointers["news"] or not state.is_legal(self._committed[0]):
            return None
        return None if state.has_news(here, self.seat) else state

    def _is_spoilt(self, state: State) -> bool:
        """Whether chance, and not the planner's fault, has made the next action of the plan illegal."""
        uncertain = self.game.is_stochastic or self.game.reveals_in_turn
        return uncertain and not state.is_legal(self._committed[0])

    def _room(self, state: State) -> int | None:
        """The number of actions to which the next plan is completed; None: the whole turn.

        A surprise makes the rest of a plan void. If all plans of a turn with many surprises were completed to its end,
        the turn would take time quadratic in its length. So the first plan is complete, and a later one has room for
        twice as many actions as were played of the plan before it.
        """
        now = (state.turn, state.to_move)
        surprises = self.game.reveals_in_turn or self.game.is_stochastic
        room = max(_ROOM, 2 * self._since_plan) if surprises and now == self._planned_in else None
        self._planned_in, self._since_plan = now, 0
        return room

    def _part(self, state: State, budget: Budget) -> Budget:
        """The part of a turn's budget that the next plan may use."""
        if budget.scope == "action":
            return budget
        now = (state.turn, state.to_move)
        if now != self._turn:
            if self._plans:
                self._replans = self._replans.after_turn(self._plans)
            self._turn, self._spent, self._plans = now, SearchReport.nothing(), 0
        left = budget.less(self._spent) if self._plans else budget
        part = self._replans.part(left, self._plans)
        self._plans += 1
        return part
