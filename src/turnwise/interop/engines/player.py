"""Another program as a player: ``process:COMMAND``."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from pydantic import Field

from turnwise.core import arguments
from turnwise.core.budget import Budget
from turnwise.core.errors import IllegalActionError, NotationError, OptionError, TurnwiseError
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.interop.engines.budgets import budget_message
from turnwise.interop.engines.messages import PROTOCOL, Best, Hello, Info, Ready
from turnwise.interop.engines.options import Value, checked_options
from turnwise.interop.engines.process import EngineGarbage, EngineProcess
from turnwise.plain_python.interruption import ends_at_interrupt
from turnwise.search.inspection.live import LONGEST_SHOWN
from turnwise.search.plan import Plan, SearchReport
from turnwise.search.planner import Planner
from turnwise.search.planner_parameters import PlannerParameters
from turnwise.search.plans_turns import checked_decision
from turnwise.search.problem import Line
from turnwise.search.session import Session
from turnwise.search.watching import Progress, watching


class ProcessParameters(PlannerParameters):
    """Parameters of an engine."""

    command: str = Field(min_length=1, description="command line of the engine; no shell reads it")
    startup: float = Field(default=60.0, gt=0, le=3600, description="seconds to answer hello and new_game in")
    patience: float = Field(
        default=30.0, gt=0, le=3600, description="seconds beyond the time of the budget, after which it is ended"
    )
    options: Mapping[str, Value] = Field(
        default={}, description='options of the engine, as a table: options={"depth":3}; it declares them in hello'
    )


class ProcessPlanner(Planner[ProcessParameters]):
    """Asks an engine in another process for every turn; see ``docs/reference/engines.md``.

    Each player of each game has a process of its own. Whatever an engine does wrong is an error with a name of its own
    (crash, hang, garbage, flood, an illegal turn), and loses the game; in the next game the engine is started again.
    With a budget of time an engine that answers late overruns its budget like any planner.
    """

    name: ClassVar[str] = "process"
    title: ClassVar[str] = "Engine in another process"
    iteration: ClassVar[str] = "what the engine counts"

    def plan(self, state: State, budget: Budget | str, seed: int = 0, *, inspect: bool = False) -> Plan:
        """See :meth:`Planner.plan`; starts the engine for this decision only.

        Args:
            state: What the mover knows.
            budget: Limits.
            seed: Seed of the decision.
            inspect: Makes no difference, since no engine shows what its search has left.

        Raises:
            EngineError: The engine does not do what the protocol asks of it.
            IllegalActionError: Its turn is not legal.
            TurnwiseError: The game is over in that state, or the engine does not play the game.
        """
        limits, seed = checked_decision(state, budget, seed)
        arguments.flag(inspect, "inspect")
        if state.is_over:
            raise TurnwiseError("The game is over in this state; there is no turn to plan. Check state.is_over first.")
        engine = EngineInGame(self.parameters, state.game, state.to_move, seed)
        try:
            return engine.decide(state, limits, seed)
        finally:
            engine.close()

    def session(self, game: Game, seat: int, seed: int) -> Session:
        """See :meth:`Planner.session`; the engine runs as long as the session is there."""
        return _EngineSession(self, game, seat, seed)


class EngineInGame:
    """An engine in one game."""

    def __init__(self, parameters: ProcessParameters, game: Game, seat: int, seed: int) -> None:
        """Start the engine, and begin the game.

        Args:
            parameters: Command and limits.
            game: The scenario.
            seat: The engine's seat, from 0.
            seed: Seed that the engine is given.

        Raises:
            EngineError: The engine does not do what the protocol asks of it.
            OptionError: It does not play the game, or has no such option.
        """
        self._patience = parameters.patience
        self._decisions = 0
        self._known: int | None = None  # actions of the game that the engine knows of; None: it has no position yet
        self._process = EngineProcess(parameters.command)
        try:
            self.hello = self._introduced(parameters, game, seat, seed)
        except BaseException:  # also Ctrl-C: an engine that does not play is not left running
            self.close()
            raise

    def _introduced(self, parameters: ProcessParameters, game: Game, seat: int, seed: int) -> Hello:
        """Greet the engine, and begin the game."""
        hello = greeted(self._process, parameters.startup)
        if hello.games and game.name not in hello.games:
            raise OptionError(f"The engine {hello.name} plays {', '.join(hello.games)}; got {game.name}.")
        new_game = {
            "type": "new_game",
            "game": game.name,
            "rules": game.rules_version,
            "options": game.options.model_dump(mode="json", exclude_defaults=True),
            "players": game.players,
            "seat": seat,
            "seed": seed,
            "engine_options": checked_options(parameters.options, hello.options, f"The engine {hello.name}"),
        }
        self._process.send(new_game, parameters.startup)
        self._process.receive(Ready, parameters.startup)
        return hello

    @property
    def is_running(self) -> bool:
        """Whether the engine's process is there."""
        return self._process.is_running

    def decide(
        self,
        state: State,
        budget: Budget,
        seed: int,
        history: Sequence[str] | None = None,
        heard: Callable[[Info], None] | None = None,
    ) -> Plan:
        """The engine's turn from a state, which is what the mover knows.

        Args:
            state: The state.
            budget: Limits.
            seed: Seed of the decision.
            history: All actions of the game so far; None: unknown, or not for this player to know.
            heard: Called with every info.

        Raises:
            EngineError: The engine does not do what the protocol asks of it.
            IllegalActionError: Its turn is not legal.
            NotationError: Its turn holds what is no action.
        """
        began = time.perf_counter()
        self._decisions += 1
        searches = state.game.max_turn if budget.scope == "action" else 1
        within = self._patience + searches * (budget.seconds or 0.0)
        self._process.forget_stop()
        go = {"type": "go", "id": self._decisions, "budget": budget_message(budget), "seed": seed}
        search = _WatchedEngine(state, self._decisions, self._process, heard)
        try:
            self._process.send(self._position(state, history), within)
            self._process.send(go, within)
            best = self._answer(search, budget, within)
            if best.id != self._decisions:
                raise EngineGarbage(
                    f"The engine {self.hello.name} has answered decision {best.id}, but was asked for "
                    f"{self._decisions}."
                )
        except BaseException:  # also Ctrl-C: an answer that comes later belongs to no decision
            self.close()
            raise
        seconds = time.perf_counter() - began
        ended = "interrupt" if search.is_interrupted else "done"
        report = SearchReport(seconds, best.forward_calls, best.evaluations, best.iterations, ended)
        try:
            return Plan.of(state, best.actions, best.value, report=report)
        except (IllegalActionError, NotationError) as error:
            raise type(error)(
                f"The engine {self.hello.name} has sent the turn {list(best.actions)!r:.300}: {error}"
            ) from None

    def _position(self, state: State, history: Sequence[str] | None) -> dict[str, Any]:
        """The message with a state, and what else the engine wants to know of it."""
        position: dict[str, Any] = {"type": "position", "player": state.to_move, "turn": state.turn}
        position["state"] = state.to_dict()
        if "legal" in self.hello.wants:
            position["legal"] = state.legal_actions()
        if "actions" in self.hello.wants:
            is_followed = history is not None and self._known is not None
            position["actions"] = list(history[self._known :]) if history is not None and is_followed else None
        self._known = None if history is None else len(history)
        return position

    def _answer(self, search: _WatchedEngine, budget: Budget, within: float) -> Best:
        """Wait for the turn; whoever watches searches sees the infos meanwhile. Ctrl-C asks the engine to stop."""

        def receive() -> Best:
            with ends_at_interrupt(search.interrupt):
                return self._process.receive(Best, within, search.hear)

        watch = watching.get()
        if watch is None:
            return receive()
        found: list[Best] = []

        def run() -> Line:
            watch.observe(search.lines)
            best = receive()
            found.append(best)
            search.end(best)
            return Line(search.codes(best.actions), best.value)

        watch.search(search, budget, run)
        return found[0]

    def stop(self) -> None:
        """Ask for the turn as soon as possible; called in any thread while :meth:`decide` waits."""
        self._process.stop()

    def send_stop(self) -> None:
        """Send ``stop`` while nothing is searched, which an engine ignores."""
        self._process.send({"type": "stop"}, self._patience)

    def close(self) -> None:
        """End the engine."""
        self._process.close()


def greeted(process: EngineProcess, within: float, **more: Any) -> Hello:
    """A program's answer to ``hello``.

    Args:
        process: The program.
        within: Seconds.
        **more: Further fields of the message.

    Raises:
        EngineError: It does not answer, or speaks another version of the protocol.
    """
    process.send({"type": "hello", "protocol": PROTOCOL, **more}, within)
    hello = process.receive(Hello, within)
    if hello.protocol != PROTOCOL:
        process.close()
        raise EngineGarbage(f"{hello.name} speaks version {hello.protocol} of the protocol, not {PROTOCOL}.")
    return hello


class _WatchedEngine:
    """An engine that thinks, as those see it who watch searches."""

    def __init__(self, state: State, number: int, process: EngineProcess, heard: Callable[[Info], None] | None) -> None:
        self.state, self._heard = state, heard
        self.is_interrupted = False
        self._number, self._process = number, process
        self._began = time.perf_counter()
        self._last = Info(type="info", id=number)

    def hear(self, info: Info) -> None:
        """Keep an info; what belongs to another decision is no news."""
        if info.id == self._number:
            self._last = info
        if self._heard is not None:
            self._heard(info)

    def end(self, best: Best) -> None:
        """Take the final figures from the engine's decision."""
        figures = {name: getattr(best, name) for name in ("value", "forward_calls", "evaluations", "iterations")}
        self._last = self._last.model_copy(update=figures)

    @property
    def progress(self) -> Progress:
        """See :class:`.Watched`."""
        last = self._last
        best = -math.inf if last.value is None else last.value
        seconds = time.perf_counter() - self._began
        return Progress(seconds, last.forward_calls, last.evaluations, last.iterations, best)

    def interrupt(self) -> None:
        """See :class:`.Watched`."""
        self.is_interrupted = True
        self._process.stop()

    def lines(self, most: int) -> Iterable[tuple[list[int], float | None]]:
        """The best line of the last info."""
        last = self._last
        return [(self.codes(last.actions), last.value)]

    def codes(self, actions: Sequence[str]) -> list[int]:
        """Codes of a line, up to the first action that is not legal."""
        codes, now = list[int](), self.state
        for action in actions[:LONGEST_SHOWN]:
            try:
                code = now.code(action)
                now = now.play(code)
            except TurnwiseError:
                break
            codes.append(code)
        return codes


class _EngineSession(Session):
    """One engine in one game."""

    planner: ProcessPlanner

    def __init__(self, planner: ProcessPlanner, game: Game, seat: int, seed: int) -> None:
        super().__init__(planner, game, seat, seed)
        self._engine: EngineInGame | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Copies start an engine of their own."""
        return {**super().__getstate__(), "_engine": None}

    def _ask(self, state: State, budget: Budget, seed: int, room: int | None) -> Plan:
        if self._engine is None or not self._engine.is_running:
            self._engine = EngineInGame(self.planner.parameters, self.game, self.seat, self._seed)
        return self._engine.decide(state, budget, seed, self.history)
