"""Planners written in plain Python: a subclass implements ``search``; budgets, scopes and reports are handled here."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from random import Random
from typing import Any

from turnwise.core import arguments
from turnwise.core.budget import Budget
from turnwise.core.chance import derive_seed
from turnwise.core.errors import OptionError, TurnwiseError, shown
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.core.user_classes import refuse_wrong_signature
from turnwise.plain_python.completion import completing_action
from turnwise.plain_python.interruption import ends_at_interrupt
from turnwise.plain_python.meter import Meter
from turnwise.plain_python.watch import watches
from turnwise.search.illegal_line import IllegalLineError
from turnwise.search.inspection.views import SearchPopulation, SearchTree, SearchView
from turnwise.search.plan import Plan, SearchReport
from turnwise.search.planner import Planner
from turnwise.search.planner_parameters import ParametersT_co
from turnwise.search.plans_turns import checked_decision
from turnwise.search.problem import Line
from turnwise.search.session import Session
from turnwise.search.tail import tail_of
from turnwise.search.watching import Progress, watching


class PythonPlanner(Planner[ParametersT_co]):
    """Base of planners in plain Python.

    A subclass has a ``name``, a ``title``, perhaps parameters (``PythonPlanner[MyParameters]``), and a :meth:`search`.
    Its plans are legal and complete under any budget: an unfinished turn is completed as the game's ``completion``
    says. So is a line whose next action has become illegal after a chance outcome or in a game that reveals something
    during a turn. An action that is illegal without such a surprise is an error. Actions after the end of the turn are
    ignored; :func:`turnwise.testing.check_planner` refuses them. After Ctrl-C ``meter.exhausted`` is
    True, so that the best line so far is played; a second Ctrl-C raises ``KeyboardInterrupt``.
    """

    def __init__(self, /, *, preset: str = "", **parameters: Any) -> None:
        """See :class:`turnwise.search.planner.Planner`.

        Raises:
            OptionError: ``plan`` or ``search`` takes other arguments, or a parameter is unknown or impossible.
        """
        super().__init__(preset=preset, **parameters)

    @classmethod
    def refuse_wrong_methods(cls) -> None:
        """Refuse a ``plan`` or ``search`` that cannot be called.

        Raises:
            OptionError: It takes other arguments.
        """
        super().refuse_wrong_methods()
        refuse_wrong_signature(cls, cls.search, PythonPlanner.search)

    @abstractmethod
    def search(self, state: State, meter: Meter, random: Random) -> Sequence[str | int]:
        """Search until ``meter.exhausted`` and return the best line found.

        Args:
            state: The state to plan from; play and evaluate through the meter.
            meter: Counts the cost and knows the limits.
            random: Source of all of the planner's choices, so that equal seeds give equal plans; owned by the caller.

        Returns:
            Actions from ``state`` on, as text or codes; may be less than a whole turn, or empty, but not more. They
            must be legal one after another as far as neither chance nor revealed information can change the states.
        """

    def plan(self, state: State, budget: Budget | str, seed: int = 0, *, inspect: bool = False) -> Plan:
        """See :meth:`Planner.plan`; a budget per action means a search for every action of the turn.

        Args:
            state: What the mover knows.
            budget: Limits.
            seed: Seed of the decision.
            inspect: Whether ``Plan.search`` shows what the searches have put into ``meter.left``.

        Raises:
            IllegalLineError: The line of the search contains an illegal action, and chance is not the reason.
        """
        return self.plan_part(state, budget, seed, None, inspect=arguments.flag(inspect, "inspect"))

    def session(self, game: Game, seat: int, seed: int) -> Session:
        """See :meth:`Planner.session`."""
        return (
            Session(self, game, seat, seed)
            if type(self).plan is not PythonPlanner.plan
            else _Session(self, game, seat, seed)
        )

    def plan_part(
        self, state: State, budget: Budget | str, seed: int, room: int | None, *, inspect: bool = False
    ) -> Plan:
        """:meth:`plan` with room for a number of completed actions, see :meth:`Session.plan`."""
        budget, seed = checked_decision(state, budget, seed)
        if state.is_over:
            raise TurnwiseError("The game is over in this state; there is no turn to plan. Check state.is_over first.")
        if budget.scope == "turn":
            return self._search_once(state, budget, seed, room=room, inspect=inspect)[0]
        most = state.game.max_turn if room is None else min(room, state.game.max_turn)
        report = SearchReport.nothing()
        value: float | None = None
        codes: list[int] = []
        texts: list[str] = []
        left: tuple[SearchTree | SearchPopulation, ...] = ()
        now = state
        is_complete = False
        while not is_complete and len(codes) < most:
            is_stopped = report.stopped_by == "interrupt"
            own = derive_seed(seed, len(codes))
            plan, after = self._search_once(now, budget, own, most=1, is_stopped=is_stopped, inspect=inspect)
            left += () if plan.search is None else plan.search.parts
            report = report + plan.report
            value = plan.value if plan.value is not None else value
            codes.append(plan.codes[0])
            texts.append(plan.actions[0])
            now, is_complete = after, plan.is_complete
        view = SearchView(left) if left else None
        return Plan(tuple(codes), tuple(texts), value, report=report, is_complete=is_complete, search=view)

    def _search_once(
        self,
        state: State,
        budget: Budget,
        seed: int,
        *,
        most: int | None = None,
        room: int | None = None,
        is_stopped: bool = False,
        inspect: bool = False,
    ) -> tuple[Plan, State]:
        """Run one search.

        Args:
            state: Where it starts.
            budget: Its limits.
            seed: Its seed.
            most: Maximum number of actions; None: the whole turn, as far as ``room`` allows.
            room: See :meth:`plan_part`.
            is_stopped: Whether Ctrl-C has come earlier in this turn; then the turn is only completed.
            inspect: See :meth:`plan`.

        Returns:
            The plan, and the state after its first action.
        """
        began = budget.now
        tail = tail_of(type(self), type(state.game))
        limits = tail.shortened(budget)
        random = Random(seed)
        meter = Meter(limits, random, is_inspected=inspect)
        if is_stopped:
            meter.interrupt()
        with ends_at_interrupt(meter.interrupt):
            line = [] if is_stopped else self._found(state, meter, random, limits)
            states, codes = self._play(state, line, meter, random, most, room)
        texts = tuple(now.text(code) for now, code in zip(states, codes, strict=False))
        is_complete = (states[-1].to_move, states[-1].turn) != (state.to_move, state.turn)
        left = _checked_left(meter.left)
        view = SearchView(left) if inspect and left else None
        report = meter.report()
        value = _checked_value(meter.value)
        plan = Plan(tuple(codes), texts, value, report=report, is_complete=is_complete, search=view)
        if limits.seconds is not None and plan.report.stopped_by == "time":
            tail.note(limits.now - began - limits.seconds)
        return plan, states[1]

    def _found(self, state: State, meter: Meter, random: Random, limits: Budget) -> Sequence[str | int]:
        """What the search returns, which may be watched."""
        found: list[str | int] = []

        def run() -> Line:
            line = self.search(state, meter, random)
            found[:] = arguments.sequence(line, "What search returns", "actions")
            return Line([state.code(action) for action in found], _checked_value(meter.value))

        watch = watching.get()
        if watch is None:
            run()
        else:
            watch.search(_WatchedSearch(state, meter), limits, run)
        return found

    def _play(
        self,
        state: State,
        found: Sequence[str | int],
        meter: Meter,
        random: Random,
        most: int | None,
        room: int | None,
    ) -> tuple[list[State], list[int]]:
        """Play what a search has found, and complete the turn.

        Returns:
            The states, the first one included, and the actions between them.
        """
        line = [state.code(action) for action in found]
        mover, turn, capacity = state.to_move, state.turn, state.game.max_turn
        most = most or (capacity if room is None else min(max(room, len(line)), capacity))
        states, codes = [state], list[int]()
        is_certain = True  # neither chance nor revealed information has changed a state of the line so far
        while states[-1].to_move == mover and states[-1].turn == turn and len(codes) != most:
            now = states[-1]
            if len(codes) >= len(line) or not now.is_legal(line[len(codes)]):
                if len(codes) < len(line) and is_certain:
                    raise IllegalLineError(self, now, _named(found[len(codes)], now), len(codes) + 1)
                line = line[: len(codes)]
                codes.append(completing_action(now, random))
            else:
                codes.append(line[len(codes)])
            states.append(meter.play(now, codes[-1]))
            is_certain = is_certain and not states[-1].outcomes and not state.game.reveals_in_turn
        goes_on = states[-1].to_move == mover and states[-1].turn == turn
        drew = any(after.outcomes for after in states[1:])  # then the search may have expected a later end
        if watches and not drew and not goes_on and len(codes) < len(line):
            watches[-1].surplus = len(codes), tuple(_named(action, state) for action in found[len(codes) :])
        return states, codes


@dataclass(frozen=True, slots=True)
class _WatchedSearch:
    """A search as those see it who watch it."""

    state: State
    meter: Meter

    @property
    def progress(self) -> Progress:
        """See :class:`.Watched`."""
        return self.meter.progress

    def interrupt(self) -> None:
        """See :class:`.Watched`."""
        self.meter.interrupt()


class _Session(Session):
    """A session of a planner in plain Python, whose plans have a limited room after a surprise."""

    planner: PythonPlanner

    def _ask(self, state: State, budget: Budget, seed: int, room: int | None) -> Plan:
        return self.planner.plan_part(state, budget, seed, room)


def _checked_value(value: object) -> float | None:
    """What a search has put into ``meter.value``.

    Raises:
        OptionError: It is neither a number nor None.
    """
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, Real):
        raise OptionError(f"meter.value must be a number, or None where there is no value; got {shown(value)}.")
    return float(value)


def _checked_left(left: object) -> tuple[SearchTree | SearchPopulation, ...]:
    """What a search has put into ``meter.left``.

    Raises:
        OptionError: It is no list of trees and populations.
    """
    found = left if isinstance(left, list) else [left]
    for one in found:
        if not isinstance(one, SearchTree | SearchPopulation):
            raise OptionError(
                f"meter.left must be a list of SearchTree and SearchPopulation objects; got {shown(one)} in it. Append "
                "them: meter.left.append(SearchPopulation(...))."
            )
    return tuple(found)


def _named(action: str | int, state: State) -> str:
    """An action as text for a message; never raises."""
    if isinstance(action, str):
        return action
    try:
        return state.text(action)
    except Exception:
        return f"code {action}"
