"""Plan whole turns in games where a player takes several actions per turn.

>>> import turnwise
>>> game = turnwise.make("hero-academy", map="a-tiny", deck="tiny")
>>> state = game.start(seed=1)
>>> plan = turnwise.planner("online-evolution").plan(state, turnwise.Budget(iterations=20))
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers take it for true; typing itself costs 30 ms in which Ctrl-C would be a traceback

if TYPE_CHECKING:  # what type checkers see; at run time __getattr__ imports each name when it is first used
    from typing import Any

    from turnwise.core.bridge import PythonGame as PythonGame
    from turnwise.core.bridge import PythonGameOptions as PythonGameOptions
    from turnwise.core.bridge_chance import Chance as Chance
    from turnwise.core.budget import Budget as Budget
    from turnwise.core.budget import parse_budget as parse_budget
    from turnwise.core.errors import TurnwiseError as TurnwiseError
    from turnwise.core.game import Evaluation as Evaluation
    from turnwise.core.game import Game as Game
    from turnwise.core.game import GameOptions as GameOptions
    from turnwise.core.planner import Plan as Plan
    from turnwise.core.planner import Planner as Planner
    from turnwise.core.planner import PlannerParameters as PlannerParameters
    from turnwise.core.planner import SearchReport as SearchReport
    from turnwise.core.planner import Session as Session
    from turnwise.core.python_planner import Meter as Meter
    from turnwise.core.python_planner import PythonPlanner as PythonPlanner
    from turnwise.core.registry import GAMES as GAMES
    from turnwise.core.registry import PLANNERS as PLANNERS
    from turnwise.core.registry import make as make
    from turnwise.core.registry import planner as planner
    from turnwise.core.state import State as State

__version__ = "0.1.0"

_HOMES = {
    "Budget": "turnwise.core.budget",
    "parse_budget": "turnwise.core.budget",
    "Game": "turnwise.core.game",
    "GameOptions": "turnwise.core.game",
    "Evaluation": "turnwise.core.game",
    "State": "turnwise.core.state",
    "Planner": "turnwise.core.planner",
    "PlannerParameters": "turnwise.core.planner",
    "Plan": "turnwise.core.planner",
    "SearchReport": "turnwise.core.planner",
    "Session": "turnwise.core.planner",
    "TurnwiseError": "turnwise.core.errors",
    "PythonGame": "turnwise.core.bridge",
    "PythonGameOptions": "turnwise.core.bridge",
    "Chance": "turnwise.core.bridge_chance",
    "PythonPlanner": "turnwise.core.python_planner",
    "Meter": "turnwise.core.python_planner",
    "make": "turnwise.core.registry",
    "planner": "turnwise.core.registry",
    "GAMES": "turnwise.core.registry",
    "PLANNERS": "turnwise.core.registry",
}
__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    """Import the public names when they are first used, so that ``import turnwise`` is quick."""
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'turnwise' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
