"""Another program as a player: ``process:COMMAND``."""

from __future__ import annotations

import time
from typing import Any, ClassVar

from pydantic import Field

from turnwise.core import arguments
from turnwise.core.budget import Budget
from turnwise.core.errors import IllegalActionError, NotationError, OptionError, TurnwiseError
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.interop.engines.messages import PROTOCOL, Best, Hello, Ready
from turnwise.interop.engines.process import EngineGarbage, EngineProcess
from turnwise.search.plan import Plan, SearchReport
from turnwise.search.planner import Planner
from turnwise.search.planner_parameters import PlannerParameters
from turnwise.search.plans_turns import checked_decision
from turnwise.search.session import Session


class ProcessParameters(PlannerParameters):
    """Parameters of an engine."""

    command: str = Field(min_length=1, description="command line of the engine; no shell reads it")
    startup: float = Field(default=60.0, gt=0, le=3600, description="seconds to answer hello and new_game in")
    patience: float = Field(
        default=30.0, gt=0, le=3600, description="seconds beyond the time of the budget, after which it is ended"
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
        engine = _Engine(self.parameters, state.game, state.to_move, seed)
        try:
            return engine.decide(state, limits, seed)
        finally:
            engine.close()

    def session(self, game: Game, seat: int, seed: int) -> Session:
        """See :meth:`Planner.session`; the engine runs as long as the session is there."""
        return _EngineSession(self, game, seat, seed)


class _Engine:
    """An engine in one game."""

    def __init__(self, parameters: ProcessParameters, game: Game, seat: int, seed: int) -> None:
        self._patience = parameters.patience
        self._decisions = 0
        self._process = process = EngineProcess(parameters.command)
        process.send({"type": "hello", "protocol": PROTOCOL}, parameters.startup)
        self.hello = hello = process.receive(Hello, parameters.startup)
        if hello.protocol != PROTOCOL:
            self.close()
            raise EngineGarbage(
                f"The engine {hello.name} speaks version {hello.protocol} of the protocol, not {PROTOCOL}."
            )
        if hello.games and game.name not in hello.games:
            self.close()
            raise OptionError(f"The engine {hello.name} plays {', '.join(hello.games)}; got {game.name}.")
        options = game.options.model_dump(mode="json", exclude_defaults=True)
        process.send(
            {
                "type": "new_game",
                "game": game.name,
                "rules": game.rules_version,
                "options": options,
                "players": game.players,
                "seat": seat,
                "seed": seed,
            },
            parameters.startup,
        )
        process.receive(Ready, parameters.startup)

    @property
    def is_running(self) -> bool:
        return self._process.is_running

    def decide(self, state: State, budget: Budget, seed: int) -> Plan:
        """The engine's turn from a state, which is what the mover knows."""
        began = time.perf_counter()
        self._decisions += 1
        position: dict[str, Any] = {"type": "position", "player": state.to_move, "turn": state.turn}
        position["state"] = state.to_dict()
        if "legal" in self.hello.wants:
            position["legal"] = state.legal_actions()
        limits = {
            "seconds": budget.seconds,
            "forward_calls": budget.forward_calls,
            "evaluations": budget.evaluations,
            "iterations": budget.iterations,
            "scope": budget.scope,
            "clock": budget.clock,
        }
        searches = state.game.max_turn if budget.scope == "action" else 1
        within = self._patience + searches * (budget.seconds or 0.0)
        self._process.send(position, within)
        self._process.send({"type": "go", "id": self._decisions, "budget": limits, "seed": seed}, within)
        best = self._process.receive(Best, within)
        if best.id != self._decisions:
            self.close()
            raise EngineGarbage(
                f"The engine {self.hello.name} has answered decision {best.id}, but was asked for {self._decisions}."
            )
        seconds = time.perf_counter() - began
        report = SearchReport(seconds, best.forward_calls, best.evaluations, best.iterations, "done")
        try:
            return Plan.of(state, best.actions, best.value, report=report)
        except (IllegalActionError, NotationError) as error:
            raise type(error)(
                f"The engine {self.hello.name} has sent the turn {list(best.actions)!r:.300}: {error}"
            ) from None

    def close(self) -> None:
        self._process.close()


class _EngineSession(Session):
    """One engine in one game."""

    planner: ProcessPlanner

    def __init__(self, planner: ProcessPlanner, game: Game, seat: int, seed: int) -> None:
        super().__init__(planner, game, seat, seed)
        self._engine: _Engine | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Copies start an engine of their own."""
        return {**super().__getstate__(), "_engine": None}

    def _ask(self, state: State, budget: Budget, seed: int, room: int | None) -> Plan:
        if self._engine is None or not self._engine.is_running:
            self._engine = _Engine(self.planner.parameters, self.game, self.seat, self._seed)
        return self._engine.decide(state, budget, seed)
