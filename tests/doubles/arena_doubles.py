"""Players and games of the arena's tests; importing this module registers them, in workers too."""

from __future__ import annotations

import os
import signal
import sys
import time

from pydantic import Field

from doubles.toy_game import WORDS, Toy, ToyOptions, ToyState
from turnwise.core.chance import derive_seed
from turnwise.core.errors import GameFunctionError
from turnwise.core.table import game_function
from turnwise.jit.memory import address_of_record, copy_words
from turnwise.jit.record import Address
from turnwise.registry import GAMES, PLANNERS
from turnwise.search.plan import Plan, SearchReport
from turnwise.search.planner import Planner
from turnwise.search.planner_parameters import PlannerParameters


def whole_turn(state, choose):
    """A legal, complete turn by a choice among the listed actions."""
    mover, turn, codes = state.to_move, state.turn, []
    while state.to_move == mover and state.turn == turn:
        codes.append(int(choose(state.legal_codes(), len(codes))))
        state = state.play(codes[-1])
    return codes


def first_turn(state):
    """The turn in which every action is the first listed one."""
    return whole_turn(state, lambda codes, i: codes[0])


class PlainParameters(PlannerParameters):
    salt: int = Field(default=0, description="another number, another player")


class Plain(Planner):
    """Seeded choices in plain Python; the environment can make it slow."""

    name, title, Parameters = "plain", "Plain", PlainParameters

    def plan(self, state, budget, seed=0):
        time.sleep(float(os.environ.get("ARENA_TEST_DELAY", "0")))
        salt = self.parameters.salt
        codes = whole_turn(state, lambda codes, i: codes[derive_seed(seed, salt, i) % len(codes)])
        details = {"breadth": len(codes) / 2, "odd": float("nan")}
        report = SearchReport(0.0, len(codes), 1, budget.iterations or 0, "budget", details)
        return Plan.of(state, codes, value=0.5, report=report)


class FaultyParameters(PlannerParameters):
    kind: str = Field(default="raise", description="what it does")
    turn: int = Field(default=3, description="from which turn on")


class Faulty(Planner):
    """Plays the first listed actions until a certain turn, and then fails in one way."""

    name, title, Parameters = "faulty", "Faulty", FaultyParameters

    def plan(self, state, budget, seed=0):
        if state.turn < self.parameters.turn:
            return first_turn(state)
        match self.parameters.kind:
            case "raise":
                raise ZeroDivisionError(f"thinking of {object()!r} failed")
            case "exit":
                sys.exit(3)
            case "illegal":
                return Plan((12345,), ("nonsense",))
            case "illegal-list":
                return ["0left"] * 20
            case "huge":
                return Plan((10**40,), ("nonsense",))
            case "empty":
                return Plan((), ())
            case "text":
                return "0left"
            case "none":
                return None
            case "slow":
                time.sleep(0.1)
                return first_turn(state)
            case "die":
                os.kill(os.getpid(), signal.SIGKILL)
            case "interrupt":
                return Plan.of(state, first_turn(state), report=SearchReport(stopped_by="interrupt"))
        raise AssertionError(self.parameters.kind)


GEMS = ToyState.fields["gems"].offset // 8  # word of a row


class FogOptions(ToyOptions):
    rules: str = "1"
    word: str = ""
    broken: bool = False


@game_function("view")
def view(setup: Address, state: Address, player: int, out: ToyState) -> None:
    copy_words(address_of_record(out), state, WORDS)
    out.gems = 0


class Fog(Toy):
    """The toy game with hidden gems, a configurable rules version and ending text, and an optional error."""

    name, title, Options = "fog", "Fog", FogOptions

    def __init__(self, **options):
        super().__init__(**options)
        self.rules_version = self.options.rules
        self.metrics = ()

    def functions(self):
        return super().functions() | {"view": view}

    def ending_text(self, row):
        if self.options.broken:
            raise GameFunctionError("the fog is broken")
        return self.options.word


DOUBLES = ((GAMES, Toy), (GAMES, Fog), (PLANNERS, Plain), (PLANNERS, Faulty))
# A worker or a script registers them here; in the test run itself conftest.py does, for this folder only.
if not hasattr(sys, "doubles_come_by_fixture"):
    for registry, item in DOUBLES:
        if item.name not in registry.names():
            registry.add(item.name, item)
