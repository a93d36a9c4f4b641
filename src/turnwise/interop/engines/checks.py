"""Whether an engine keeps the protocol: what ``turnwise engine-check`` runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from turnwise.core.budget import Budget
from turnwise.core.chance import derive_seed
from turnwise.core.errors import OptionError
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.interop.engines.messages import PROTOCOL, Hello
from turnwise.interop.engines.player import ProcessPlanner
from turnwise.interop.engines.process import EngineProcess
from turnwise.search.session import Session
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

    def session(self, seat: int) -> Session:
        """The engine, started for a player of one game."""
        return self.planner.session(self.game, seat, self.seed)

    @contextmanager
    def greeted(self) -> Iterator[tuple[EngineProcess, Hello]]:
        """The engine, started, and its answer to ``hello``."""
        limits = self.planner.parameters
        engine = EngineProcess(limits.command)
        try:
            engine.send({"type": "hello", "protocol": PROTOCOL, "unknown": "is to be ignored"}, limits.startup)
            yield engine, engine.receive(Hello, limits.startup)
        finally:
            engine.close()


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
    running = StateSample(game, seed, 2 * _STATES, games=2).spread(_STATES)[:_STATES]
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
    with subject.greeted() as (_, hello):
        if hello.protocol != PROTOCOL:
            raise Broken(f"protocol is {hello.protocol}; expected {PROTOCOL}", subject.states[0])
        if hello.games and subject.game.name not in hello.games:
            raise Broken(f"it plays {', '.join(hello.games)}; expected {subject.game.name}: --game", subject.states[0])


def _turns(subject: _Subject) -> None:
    """Its turns are legal under every kind of budget."""
    sessions = {seat: subject.session(seat) for seat in range(subject.game.players)}
    for state in subject.states:
        for budget in _COUNTED:
            sessions[state.to_move].plan(state, budget)


def _equal_seeds(subject: _Subject) -> None:
    """Equal seeds and counted budgets give equal turns."""
    for state in subject.states:
        one, other = (subject.session(state.to_move).plan(state, _COUNTED[0]) for _ in range(2))
        if one.actions != other.actions:
            raise Broken(
                f"two turns from the same seed differ: {', '.join(one.actions)} and {', '.join(other.actions)}; take "
                "all random choices from the seed in go, so that games can be repeated",
                state,
            )


def _time(subject: _Subject) -> None:
    """A budget of time is kept."""
    session = subject.session(subject.states[0].to_move)
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
    with subject.greeted() as (engine, _):
        if not engine.ends_with_its_input(_END):
            raise Broken(
                f"it goes on {_END:g} s after the end of its input; it would outlive who started it", subject.states[0]
            )


_CHECKS: dict[str, Callable[[_Subject], None]] = {
    "hello": _hello,
    "turns": _turns,
    "equal-seeds": _equal_seeds,
    "time": _time,
    "end-of-input": _end,
}
