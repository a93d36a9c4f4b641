"""Whether an engine keeps the protocol: what ``turnwise engine-check`` runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from turnwise.core.budget import Budget
from turnwise.core.chance import derive_seed
from turnwise.core.errors import OptionError
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.interop.engines.messages import PROTOCOL, Hello
from turnwise.interop.engines.player import ProcessPlanner
from turnwise.interop.engines.process import EngineProcess
from turnwise.search.plan import Plan
from turnwise.testing.checks.failures import Begun, Broken, Checked, Failure, Failures, unwatched
from turnwise.testing.checks.sample import StateSample

_STATES = 6  # from which it is asked for turns
_TIME = 0.1  # seconds of the budget of time
_LATE = 1.0  # seconds after a budget of time in which an answer is accepted
_END = 5.0  # seconds to end in after the end of its input
_COUNTED = ("forward=100", "evaluations=20", "iterations=1", "forward=10/action")


@dataclass(frozen=True)
class _Subject:
    """An engine, and where it is asked."""

    planner: ProcessPlanner
    game: Game
    states: list[State]
    seed: int

    def ask(self, state: State, budget: Budget | str) -> Plan:
        session = self.planner.session(self.game, state.to_move, self.seed)
        return session.plan(state, budget)


def checked_engine(command: str, game: Game, seed: int = 0, startup: float = 60.0, begun: Begun = unwatched) -> Checked:
    """Check that an engine answers as the protocol asks, with legal turns, within time, the same for equal seeds.

    Args:
        command: Its command line.
        game: What it is asked to play.
        seed: Seed of the positions and of the engine.
        startup: Seconds that it may take to begin.
        begun: Called before each check.

    Returns:
        The checks that ran, and their failures.

    Raises:
        OptionError: The command cannot be read, or the game has no state to plan from.
    """
    running = StateSample(game, seed, 2 * _STATES, games=2).running[: 2 * _STATES : 2]
    if not running:
        raise OptionError(f"{game.spec}: no state to plan from; the games are over when they begin.")
    views = [state.view(state.to_move).with_chance(derive_seed(seed, "engine")) for state in running]
    subject = _Subject(ProcessPlanner(command=command, startup=startup, patience=startup), game, views, seed)
    failures = Failures()
    for number, (name, check) in enumerate(_CHECKS.items()):
        begun(name, number, len(_CHECKS))
        try:
            check(subject)
        except Broken as error:
            failures.add(Failure(name, error.message, error.state, error.action), error)
        except Exception as error:  # whatever an engine does is a failure of the engine
            failures.add(Failure(name, f"{type(error).__name__}: {error}"), error)
    return Checked(tuple(_CHECKS), tuple(failures.found))


def _hello(subject: _Subject) -> None:
    """It answers ``hello``, and plays the game."""
    engine = EngineProcess(subject.planner.parameters.command)
    try:
        engine.send(
            {"type": "hello", "protocol": PROTOCOL, "unknown": "is to be ignored"}, subject.planner.parameters.startup
        )
        hello = engine.receive(Hello, subject.planner.parameters.startup)
        if hello.protocol != PROTOCOL:
            raise Broken(f"protocol is {hello.protocol}; expected {PROTOCOL}", subject.states[0])
        if hello.games and subject.game.name not in hello.games:
            raise Broken(f"it plays {', '.join(hello.games)}; expected {subject.game.name}: --game", subject.states[0])
    finally:
        engine.close()


def _turns(subject: _Subject) -> None:
    """Its turns are legal under every kind of budget."""
    for state in subject.states:
        for budget in _COUNTED:
            subject.ask(state, budget)


def _equal_seeds(subject: _Subject) -> None:
    """Equal seeds and counted budgets give equal turns."""
    for state in subject.states:
        one, other = (subject.ask(state, _COUNTED[0]) for _ in range(2))
        if one.actions != other.actions:
            raise Broken(
                f"two turns from the same seed differ: {', '.join(one.actions)} and {', '.join(other.actions)}; take "
                "all random choices from the seed in go, so that games can be repeated",
                state,
            )


def _time(subject: _Subject) -> None:
    """A budget of time is kept."""
    session = subject.planner.session(subject.game, subject.states[0].to_move, subject.seed)
    session.plan(subject.states[0], Budget(seconds=_TIME))  # starts it
    for state in subject.states:
        if state.to_move != session.seat:
            continue
        began = time.monotonic()
        session.plan(state, Budget(seconds=_TIME))
        took = time.monotonic() - began
        if took > _TIME + _LATE:
            raise Broken(f"it answered after {took:.2f} s; the budget was {_TIME:g} s", state)


def _end(subject: _Subject) -> None:
    """It ends when its input does."""
    engine = EngineProcess(subject.planner.parameters.command)
    try:
        engine.send({"type": "hello", "protocol": PROTOCOL}, subject.planner.parameters.startup)
        engine.receive(Hello, subject.planner.parameters.startup)
        if not engine.ends_with_its_input(_END):
            raise Broken(
                f"it goes on {_END:g} s after the end of its input; it would outlive who started it", subject.states[0]
            )
    finally:
        engine.close()


_CHECKS: dict[str, Callable[[_Subject], None]] = {
    "hello": _hello,
    "turns": _turns,
    "equal-seeds": _equal_seeds,
    "time": _time,
    "end-of-input": _end,
}
