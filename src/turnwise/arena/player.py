"""A player in a game: its session, its budget, its clock, and the records of its decisions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from turnwise.arena.records import TurnCost
from turnwise.core.budget import Budget
from turnwise.core.chance import derive_seed
from turnwise.core.finite import finite
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.replay import Note
from turnwise.search.plan import Plan, SearchReport
from turnwise.search.planner import Planner
from turnwise.search.plans_turns import PlansTurns
from turnwise.search.session import Session

Notes = Literal["full", "plans", "none"]

MOST_ALTERNATIVES = 5
"""How many other turns of a plan a note keeps."""


class Overrun(Exception):  # noqa: N818 - an event in a game, not an error of the program
    """A player used far more time than its budget."""


class Player:
    """One player in one game.

    Attributes:
        name: Name in the tournament.
        seat: Seat number, from 0.
        budget: Its limits.
        costs: One entry per decision so far.
    """

    def __init__(
        self,
        planner: PlansTurns,
        name: str,
        game: Game,
        seat: int,
        budget: Budget,
        seed: int,
        *,
        notes: Notes = "full",
        forfeit_overrun: float | None = None,
        history: Sequence[str] | None = None,
    ) -> None:
        self.name = name
        self.seat = seat
        self.budget = budget
        self.costs: list[TurnCost] = []
        self._planner = planner
        self._game = game
        self._seed = seed
        self._notes = notes
        self._forfeit_overrun = forfeit_overrun
        self._history = None if game.pointers["view"] else history  # where parts are hidden, so are actions
        self._session: Session | None = None
        self._asked = 0
        self._turn: int | None = None
        self._spent = 0.0  # seconds used in the turn so far
        self._allowed = math.inf  # seconds that the budget grants it
        self._overrun = 0.0  # of these, already written down

    def decide(self, truth: State) -> tuple[int, Note | None]:
        """Choose the next action; returns it with a note if a new plan was made for it.

        The player sees its view of the true state, with a chance stream that is not the game's: looking ahead
        in the view does not show what chance will bring.

        Raises:
            KeyboardInterrupt: Ctrl-C ended the search; the caller must not finish the game.
            Overrun: The time used exceeds the budget by more than ``forfeit_overrun`` allows.
            Exception: Whatever the player raises.
        """
        self._asked += 1
        known = truth.view(self.seat).with_chance(derive_seed(self._seed, "view", self._asked))
        if known.turn != self._turn:
            self._turn, self._spent, self._allowed, self._overrun = known.turn, 0.0, math.inf, 0.0
        began = self.budget.now
        if self._session is None:
            self._session = self._open_session()
        action, plan = self._session.next_action(known, self.budget)
        action = int(action)
        seconds = self.budget.now - began
        self._spent += seconds
        if plan is None:
            return action, None
        if plan.report.stopped_by == "interrupt":
            raise KeyboardInterrupt
        cost = self._cost(known, plan, seconds)
        self.costs.append(cost)
        if self._forfeit_overrun is not None and self._spent > self._forfeit_overrun * self._allowed:
            raise Overrun(
                f"{1000 * self._spent:.0f} ms in one turn where {1000 * self._allowed:.0f} ms were allowed "
                f"(forfeit above {self._forfeit_overrun:g} times the budget)"
            )
        return action, None if self._notes == "none" else note_of(plan, cost, self._notes)

    def _open_session(self) -> Session:
        if isinstance(self._planner, Planner):
            session = self._planner.session(self._game, self.seat, self._seed)
        else:
            session = Session(self._planner, self._game, self.seat, self._seed)
        session.notes = self._notes != "none"
        session.history = self._history
        return session

    def _cost(self, known: State, plan: Plan, seconds: float) -> TurnCost:
        """Record the cost of a decision. A budget per action grants its time once for every action of the plan."""
        if self.budget.seconds is not None:
            if self.budget.scope == "turn":
                self._allowed = self.budget.seconds
            else:
                granted = self.budget.seconds * len(plan.codes)
                self._allowed = granted + (0.0 if math.isinf(self._allowed) else self._allowed)
        overrun = max(0.0, self._spent - self._allowed - self._overrun)
        self._overrun += overrun
        report = plan.report
        return TurnCost(
            turn=known.turn,
            seconds=seconds,
            forward_calls=int(report.forward_calls),
            evaluations=int(report.evaluations),
            iterations=int(report.iterations),
            actions=len(plan.codes),
            overrun=overrun,
            stopped_by=str(report.stopped_by),
            details=_finite(report.details),
            forward_calls_for_others=int(report.forward_calls_for_others),
        )


def _finite(details: Mapping[str, Any]) -> dict[str, float]:
    """The figures that JSON can represent."""
    return {str(key): float(value) for key, value in details.items() if math.isfinite(float(value))}


def note_of(plan: Plan, cost: TurnCost | SearchReport, notes: Notes) -> Note:
    """The note on a plan, in the form that replays hold; numbers that JSON cannot represent are left out.

    Args:
        plan: Plan of the planner.
        cost: Cost of the plan.
        notes: With "full", the note holds the alternatives of the plan too.
    """
    alternatives: tuple[tuple[tuple[str, ...], float], ...] = ()
    if notes == "full":
        alternatives = tuple(
            (tuple(other.actions), float(other.value))
            for other in plan.alternatives[:MOST_ALTERNATIVES]
            if math.isfinite(other.value)
        )
    return Note(
        plan=tuple(plan.actions),
        value=finite(plan.value),
        alternatives=alternatives,
        seconds=cost.seconds,
        forward_calls=cost.forward_calls,
        evaluations=cost.evaluations,
        iterations=cost.iterations,
        stopped_by=cost.stopped_by,
        details=_finite(cost.details),
    )
