"""A planner of known strength, a fitness function, and the tuning of them; workers import this module too."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import numpy as np
from pydantic import Field

from doubles.arena_doubles import DOUBLES, whole_turn
from turnwise.core.errors import OptionError
from turnwise.registry import PLANNERS
from turnwise.search.plan import Plan, SearchReport
from turnwise.search.planner import Planner
from turnwise.search.planner_parameters import PlannerParameters


class DialParameters(PlannerParameters):
    dial: int = Field(default=0, ge=0, le=9, description="index of the action that it plays")
    mode: str = Field(default="plain", description="plain, or refused")
    extra: float = Field(default=1.0, description="no effect")


class Dial(Planner):
    """Plays the listed action with a certain index, modulo their number."""

    name, title, Parameters = "dial", "Dial", DialParameters

    def __init__(self, **parameters):
        super().__init__(**parameters)
        if self.parameters.mode == "refused":
            raise OptionError("mode: expected plain, got refused.")

    def plan(self, state, budget, seed=0):
        self.die_once()
        codes = whole_turn(state, lambda codes, i: codes[self.parameters.dial % len(codes)])
        return Plan.of(state, codes, value=0.5, report=SearchReport(0.0, len(codes), 1, 1, "budget"))

    @staticmethod
    def die_once():
        """Kill this process if the environment names a file that is still missing; the file is made first."""
        mark = os.environ.get("TUNING_TEST_DIE")
        if mark and not Path(mark).exists():
            Path(mark).touch()
            os.kill(os.getpid(), signal.SIGKILL)


def register_doubles() -> None:
    """Register the game and the players of tunings; the fixture for all tests undoes it."""
    for registry, item in (*DOUBLES, (PLANNERS, Dial)):
        registry._classes[item.name] = item


if not hasattr(sys, "doubles_come_by_fixture"):  # a worker's process
    PLANNERS.add("dial", Dial)

SPEC = {
    "name": "dials",
    "games": ["toy:turns=4"],
    "planner": "dial",
    "opponents": ["plain", "plain:salt=1"],
    "budget": "iterations=3",
    "evaluations": 12,
    "runs": 2,
    "seed": 5,
    "parameters": {
        "dial": {"from": 0, "to": 3},
        "extra": {"from": 0.5, "to": 2.0, "steps": 4},
    },
}

CALLS: list[dict] = []


def parabola(settings, seed):
    """Largest at x = 3; a seeded error of at most 1/2."""
    CALLS.append(settings)
    return -float((settings["x"] - 3) ** 2) + (seed % 1000) / 1000 - 0.5


def broken(settings, seed):
    raise ZeroDivisionError("no fitness")


def not_a_number(settings, seed):
    return "high"


def of_numpy(settings, seed):
    return np.float32(0.5)
