"""Planners written in plain Python: a subclass implements ``search``; budgets, scopes and reports are handled here."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

import numpy as np

from turnwise.core import arguments, calls
from turnwise.core.budget import Budget, as_budget
from turnwise.core.chance import derive_seed, generator
from turnwise.core.errors import TurnwiseError
from turnwise.core.game import Game
from turnwise.core.rollouts import rollout_value
from turnwise.core.state import State, as_state
from turnwise.core.table import ALL, NOTHING
from turnwise.jit.record import array_address
from turnwise.plain_python.interruption import ends_at_interrupt
from turnwise.search.forward_model import BY_END, BY_SCORE, SCRIPTED
from turnwise.search.planner import (
    IllegalLineError,
    ParametersT_co,
    Plan,
    Planner,
    SearchReport,
    Session,
    checked_decision,
)
from turnwise.search.problem_form import completion_index
from turnwise.search.scripted_play import expression_code
from turnwise.search.tail import tail_of


@dataclass(slots=True)
class Watch:
    """A check of planners in progress, and what it sees of their searches.

    Attributes:
        deadline: When a search must have ended, in seconds of ``time.monotonic``.
        surplus: Of the last search that went beyond its turn, the number of actions within it, and the others as text.
    """

    deadline: float
    surplus: tuple[int, tuple[str, ...]] | None = None


_watches: list[Watch] = []  # of the checks in progress


class EndlessSearchError(TurnwiseError):
    """A search in plain Python has not ended within the time that a check gives it."""


@contextmanager
def watched(seconds: float) -> Iterator[Watch]:
    """While this is active, the meter of a search raises an EndlessSearchError when the time is over.

    Args:
        seconds: How long searches may take together.

    Yields:
        What the searches did that only a check refuses.
    """
    watch = Watch(time.monotonic() + seconds)
    _watches.append(watch)
    try:
        yield watch
    finally:
        _watches.remove(watch)


class Meter:
    """Counts the cost of a search, and says when the budget is used up.

    Attributes:
        value: The search's value of its best line, for the plan; set by the search.
        details: The planner's own figures for the report; filled by the search.
    """

    def __init__(self, budget: Budget | str, random: Random) -> None:
        """Start the clock.

        Args:
            budget: Limits of the search.
            random: Source of chance for the actions played through this meter; owned by the caller.

        Raises:
            OptionError: The budget or the source of chance has another type.
        """
        self._budget = as_budget(budget)
        arguments.instance(random, Random, "The source of chance", "a random.Random")
        self.value: float | None = None
        self.details: dict[str, float] = {}
        self._random = random
        self._start = self._budget.now
        self._forward = self._evaluations = self._iterations = 0
        self._is_interrupted = False

    def play(self, state: State, action: str | int) -> State:
        """The state after an action, with chance outcomes of the search itself; counts one forward call.

        Raises:
            IllegalActionError: The action is not legal in the state.
            OptionError: The value is not a State.
        """
        as_state(state)
        self._forward += 1
        if state.game.is_stochastic:
            state = state.with_chance(self._random.getrandbits(64))
        return state.play(action)

    def evaluate(self, state: State, player: int, evaluation: str = "") -> float:
        """Value of a state for a player; counts one evaluation, and the actions of "rollouts" as forward calls.

        Raises:
            UnknownNameError: No evaluation of that name.
            OptionError: The value is not a State, or there is no such player.
        """
        game = as_state(state).game
        self._evaluations += 1
        if game.evaluation(evaluation)[1].function != 0:
            return state.evaluate(player, evaluation)
        player = game.checked_player(player)
        return rollout_value(game, state.row, player, self._random.getrandbits(64), self._may_play)

    def _may_play(self) -> bool:
        """Count a forward call of a rollout, unless the budget is exhausted."""
        limit, seconds = self._budget.forward_calls, self._budget.seconds
        if limit is not None and self._forward >= limit:
            return False
        if self._is_interrupted or (seconds is not None and self._budget.now - self._start >= seconds):
            return False
        self._forward += 1
        return True

    def count_iteration(self) -> None:
        """Count one iteration of the planner's main loop."""
        self._iterations += 1

    @property
    def stopped_by(self) -> str:
        """Why the search must end: "interrupt" (Ctrl-C), "budget", "time"; empty while it may go on.

        Raises:
            EndlessSearchError: See :func:`watched`.
        """
        if _watches and time.monotonic() >= _watches[-1].deadline:
            raise EndlessSearchError("The search has not ended in time; end it when meter.exhausted is True.")
        if self._is_interrupted:
            return "interrupt"
        limit = self._budget
        spent = (
            (self._forward, limit.forward_calls),
            (self._evaluations, limit.evaluations),
            (self._iterations, limit.iterations),
        )
        if any(most is not None and count >= most for count, most in spent):
            return "budget"
        if limit.seconds is not None and limit.now - self._start >= limit.seconds:
            return "time"
        return ""

    @property
    def exhausted(self) -> bool:
        """Whether the search must end now; check it before every step with a cost."""
        return bool(self.stopped_by)

    def interrupt(self) -> None:
        """Ask the search to end as soon as it can, with the best that it has."""
        self._is_interrupted = True

    def report(self) -> SearchReport:
        """The cost so far."""
        seconds = self._budget.now - self._start
        counts = (self._forward, self._evaluations, self._iterations)
        return SearchReport(seconds, *counts, self.stopped_by or "done", dict(self.details))


class PythonPlanner(Planner[ParametersT_co]):
    """Base of planners in plain Python.

    A subclass has a ``name``, a ``title``, perhaps parameters (``PythonPlanner[MyParameters]``), and a :meth:`search`.
    Its plans are legal and complete under any budget: an unfinished turn is completed as the game's ``completion``
    says. So is a line whose next action has become illegal after a chance outcome or in a game that reveals something
    during a turn. An action that is illegal without such a surprise is an error. Actions after the end of the turn are
    ignored; :func:`turnwise.testing.check_planner` refuses them. After Ctrl-C ``meter.exhausted`` is
    True, so that the best line so far is played; a second Ctrl-C raises ``KeyboardInterrupt``.
    """

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
            inspect: Accepted as by turnwise's own planners; a search in plain Python leaves nothing to be shown, so
                ``Plan.search`` is None.

        Raises:
            IllegalLineError: The line of the search contains an illegal action, and chance is not the reason.
        """
        return self.plan_part(state, budget, seed, None)

    def session(self, game: Game, seat: int, seed: int) -> Session:
        """See :meth:`Planner.session`."""
        return (
            Session(self, game, seat, seed)
            if type(self).plan is not PythonPlanner.plan
            else _Session(self, game, seat, seed)
        )

    def plan_part(self, state: State, budget: Budget | str, seed: int, room: int | None) -> Plan:
        """:meth:`plan` with room for a number of completed actions, see :meth:`Session.plan`."""
        budget, seed = checked_decision(state, budget, seed)
        if state.is_over:
            raise TurnwiseError("The game is over in this state; there is no turn to plan. Check state.is_over first.")
        if budget.scope == "turn":
            return self._search_once(state, budget, seed, room=room)[0]
        most = state.game.max_turn if room is None else min(room, state.game.max_turn)
        report = SearchReport.nothing()
        value: float | None = None
        codes: list[int] = []
        texts: list[str] = []
        now = state
        is_complete = False
        while not is_complete and len(codes) < most:
            is_stopped = report.stopped_by == "interrupt"
            plan, after = self._search_once(now, budget, derive_seed(seed, len(codes)), most=1, is_stopped=is_stopped)
            report = report + plan.report
            value = plan.value if plan.value is not None else value
            codes.append(plan.codes[0])
            texts.append(plan.actions[0])
            now, is_complete = after, plan.is_complete
        return Plan(tuple(codes), tuple(texts), value, report=report, is_complete=is_complete)

    def _search_once(
        self,
        state: State,
        budget: Budget,
        seed: int,
        *,
        most: int | None = None,
        room: int | None = None,
        is_stopped: bool = False,
    ) -> tuple[Plan, State]:
        """Run one search.

        Args:
            state: Where it starts.
            budget: Its limits.
            seed: Its seed.
            most: Maximum number of actions; None: the whole turn, as far as ``room`` allows.
            room: See :meth:`plan_part`.
            is_stopped: Whether Ctrl-C has come earlier in this turn; then the turn is only completed.

        Returns:
            The plan, and the state after its first action.
        """
        began = budget.now
        tail = tail_of(type(self), type(state.game))
        limits = tail.shortened(budget)
        random = Random(seed)
        meter = Meter(limits, random)
        if is_stopped:
            meter.interrupt()
        with ends_at_interrupt(meter.interrupt):
            found = [] if is_stopped else self.search(state, meter, random)
            line = arguments.sequence(found, "What search returns", "actions")
            states, codes = self._play(state, line, meter, random, most, room)
        texts = tuple(now.text(code) for now, code in zip(states, codes, strict=False))
        is_complete = (states[-1].to_move, states[-1].turn) != (state.to_move, state.turn)
        plan = Plan(tuple(codes), texts, meter.value, report=meter.report(), is_complete=is_complete)
        if limits.seconds is not None and plan.report.stopped_by == "time":
            tail.note(limits.now - began - limits.seconds)
        return plan, states[1]

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
        if _watches and not drew and not goes_on and len(codes) < len(line):
            _watches[-1].surplus = len(codes), tuple(_named(action, state) for action in found[len(codes) :])
        return states, codes


class _Session(Session):
    """A session of a planner in plain Python, whose plans have a limited room after a surprise."""

    planner: PythonPlanner

    def _ask(self, state: State, budget: Budget, seed: int, room: int | None) -> Plan:
        return self.planner.plan_part(state, budget, seed, room)


def _named(action: str | int, state: State) -> str:
    """An action as text for a message; never raises."""
    if isinstance(action, str):
        return action
    try:
        return state.text(action)
    except Exception:
        return f"code {action}"


def completing_action(state: State, random: Random) -> int:
    """Code of the next action of a turn that was left unfinished, as the game's ``completion`` says."""
    game, kind = state.game, completion_index(state.game)
    if kind == BY_END and game.end_action is not None and state.is_legal(game.end_action):
        return game.end_action
    if kind >= 0:
        rng, scratch = generator(random.getrandbits(64)), np.zeros(game.scratch_words + 1, np.uint64)
        parameters = arguments.parameters((), "A rollout policy")
        more = (kind, array_address(parameters), array_address(rng), array_address(scratch))
        return int(calls.call_at(game, "policy", state.address, *more))
    if kind == SCRIPTED:
        code = expression_code(state, game.completion, seed=random.getrandbits(64))
        if code is not None:
            return code
        if game.end_action is not None and state.is_legal(game.end_action):
            return game.end_action
    if kind == BY_SCORE:
        codes: list[int] = state.candidate_codes().tolist()
        return max(codes, key=lambda code: float(calls.call_at(game, "action_score", state.address, code)))
    return int(random.choice(state.legal_codes()))


def quick_action(state: State) -> int:
    """Code of an action without search: by the first script of a single-player game, else as turns are completed.

    Scores look one action ahead; a script may be a complete strategy that plays a game well to its end.
    """
    game = state.game
    if game.players == 1 and game.script_names:
        code = calls.script_action(game, game.script_names[0], state.row, ALL, generator(state.chance))
        if code != NOTHING and state.is_legal(code):
            return code
    return completing_action(state, Random(state.chance))
