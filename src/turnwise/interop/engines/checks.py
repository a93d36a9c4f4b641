"""Whether an engine keeps the protocol: what ``turnwise engine-check`` runs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from turnwise.core.budget import Budget, parse_budget
from turnwise.core.chance import derive_seed
from turnwise.core.errors import OptionError, TurnwiseError
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.interop.engines.messages import Hello, Info
from turnwise.interop.engines.player import EngineInGame, ProcessPlanner, greeted
from turnwise.interop.engines.process import EngineProcess
from turnwise.search.session import Session
from turnwise.testing.checks.failures import Begun, Broken, Checked, Failure, Failures, unwatched
from turnwise.testing.checks.sample import StateSample

_STATES = 6  # from which it is asked for turns
_TIME = 0.1  # seconds of the budget of time
_LATE = 1.0  # seconds after a budget of time in which an answer is accepted
_END = 5.0  # seconds to end in after the end of its input
_TURNS = 12  # actions of a game that it plays against itself
_THINKING = 0.6  # seconds in which it may send infos
_BEFORE_STOP = 0.3  # seconds until it is asked to stop
_LONG = 8.0  # seconds that it would have without
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
            yield engine, greeted(engine, limits.startup, unknown="is to be ignored")
        finally:
            engine.close()

    @contextmanager
    def playing(self, options: Mapping[str, Any] | None = None) -> Iterator[EngineInGame]:
        """The engine in a game, in the seat of the player who moves first."""
        limits = self.planner.parameters.model_copy(update={"options": options or {}})
        engine = EngineInGame(limits, self.game, self.states[0].to_move, self.seed)
        try:
            yield engine
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
    return checked({name: partial(check, subject) for name, check in _CHECKS.items()}, begun)


def checked(checks: Mapping[str, Callable[[], None]], begun: Begun) -> Checked:
    """Run checks of a program.

    Args:
        checks: Name -> the check, which raises what it finds.
        begun: Called before each check.
    """
    failures = Failures()
    for number, (name, check) in enumerate(checks.items()):
        begun(name, number, len(checks))
        try:
            check()
        except Broken as error:
            failures.add(Failure(name, error.message, error.state, error.action), error)
        except Exception as error:  # whatever a program does is a failure of the program
            failures.add(Failure(name, f"{type(error).__name__}: {error}"), error)
    return Checked(tuple(checks), tuple(failures.found))


def _hello(subject: _Subject) -> None:
    """It answers ``hello``, and plays the game."""
    with subject.greeted() as (_, hello):
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


def _options(subject: _Subject) -> None:
    """It takes the defaults that it declares for its options."""
    with subject.greeted() as (_, hello):
        defaults = {option.name: option.default for option in hello.options if option.default is not None}
    with subject.playing(defaults) as engine:
        engine.decide(subject.states[0], parse_budget(_COUNTED[2]), subject.seed)


def _following(subject: _Subject) -> None:
    """Its turns are legal all along a game that it may follow by the actions."""
    state, history = subject.game.start(subject.seed), list[str]()
    sessions = {seat: subject.session(seat) for seat in range(subject.game.players)}
    for session in sessions.values():
        session.history = None if subject.game.pointers["view"] else history
    for number in range(_TURNS):
        if state.is_over:
            return
        known = state.view(state.to_move).with_chance(derive_seed(subject.seed, "engine", number))
        action = sessions[state.to_move].next_action(known, _COUNTED[2])[0]
        history.append(state.text(action))
        state = state.play(action)


def _infos(subject: _Subject) -> None:
    """Its infos belong to the decision, and show lines that can be played."""
    state, infos = subject.states[0], list[Info]()
    with subject.playing() as engine:
        for number in (1, 2):
            infos.clear()
            engine.decide(state, Budget(seconds=_THINKING), subject.seed, heard=infos.append)
            for info in infos:
                if info.id != number:
                    raise Broken(f"an info has the id {info.id}; the decision was {number}", state)
                _check_line(state, info.actions)


def _check_line(state: State, actions: Sequence[str]) -> None:
    """A line may go on beyond the turn, where chance and others decide; its first turn must be legal."""
    now, is_certain = state, not (state.game.is_stochastic or state.game.reveals_in_turn)
    for place, action in enumerate(actions):
        if (now.to_move, now.turn) != (state.to_move, state.turn) or (place and not is_certain):
            return
        try:
            now = now.play(action)
        except TurnwiseError as error:
            raise Broken(f"an info has the line {list(actions)!r:.300}: {error}", state, action) from error


def _stop(subject: _Subject) -> None:
    """It answers soon after ``stop``, and ignores one that comes while it does not search."""
    state = subject.states[0]
    with subject.playing() as engine:
        engine.decide(state, parse_budget(_COUNTED[2]), subject.seed)  # loads what it needs
        engine.send_stop()
        stopped = list[float]()

        def stop() -> None:
            stopped.append(time.monotonic())
            engine.stop()

        timer = threading.Timer(_BEFORE_STOP, stop)
        timer.start()
        engine.decide(state, Budget(seconds=_LONG), subject.seed)
        timer.cancel()
        took = time.monotonic() - stopped[0] if stopped else 0.0
        if took > _LATE:
            raise Broken(f"it answered {took:.2f} s after stop; expected at most {_LATE:g} s", state)


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
    "options": _options,
    "following": _following,
    "infos": _infos,
    "time": _time,
    "stop": _stop,
    "end-of-input": _end,
}
