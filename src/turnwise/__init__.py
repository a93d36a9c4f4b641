"""Plan whole turns in games where a player takes several actions per turn.

>>> import turnwise
>>> game = turnwise.make("hero-academy", map="a-tiny", deck="tiny")
>>> state = game.start(seed=1)
>>> plan = turnwise.planner("online-evolution").plan(state, turnwise.Budget(iterations=20))
"""

from __future__ import annotations

from turnwise.search.presets import connect as _connect

TYPE_CHECKING = False  # type checkers take it for true; typing itself costs 30 ms in which Ctrl-C would be a traceback

if TYPE_CHECKING:  # what type checkers see; at run time __getattr__ imports each name when it is first used
    from typing import Any

    from turnwise.core.budget import Budget as Budget
    from turnwise.core.budget import parse_budget as parse_budget
    from turnwise.core.errors import TurnwiseError as TurnwiseError
    from turnwise.core.game import Evaluation as Evaluation
    from turnwise.core.game import Game as Game
    from turnwise.core.game import GameOptions as GameOptions
    from turnwise.core.settings import GameSettings
    from turnwise.core.state import State as State
    from turnwise.plain_python.chance import Chance as Chance
    from turnwise.plain_python.game import PythonGame as PythonGame
    from turnwise.plain_python.game import PythonGameOptions as PythonGameOptions
    from turnwise.plain_python.planner import Meter as Meter
    from turnwise.plain_python.planner import PythonPlanner as PythonPlanner
    from turnwise.registry import GAMES as GAMES
    from turnwise.registry import PLANNERS as PLANNERS
    from turnwise.registry import make as make
    from turnwise.registry import planner as planner
    from turnwise.search.planner import Plan as Plan
    from turnwise.search.planner import Planner as Planner
    from turnwise.search.planner import PlannerParameters as PlannerParameters
    from turnwise.search.planner import SearchReport as SearchReport
    from turnwise.search.planner import Session as Session

__version__ = "0.1.0"

_HOMES = {
    "Budget": "turnwise.core.budget",
    "parse_budget": "turnwise.core.budget",
    "Game": "turnwise.core.game",
    "GameOptions": "turnwise.core.game",
    "Evaluation": "turnwise.core.game",
    "State": "turnwise.core.state",
    "Planner": "turnwise.search.planner",
    "PlannerParameters": "turnwise.search.planner",
    "Plan": "turnwise.search.planner",
    "SearchReport": "turnwise.search.planner",
    "Session": "turnwise.search.planner",
    "TurnwiseError": "turnwise.core.errors",
    "PythonGame": "turnwise.plain_python.game",
    "PythonGameOptions": "turnwise.plain_python.game",
    "Chance": "turnwise.plain_python.chance",
    "PythonPlanner": "turnwise.plain_python.planner",
    "Meter": "turnwise.plain_python.planner",
    "make": "turnwise.registry",
    "planner": "turnwise.registry",
    "GAMES": "turnwise.registry",
    "PLANNERS": "turnwise.registry",
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


def _settings_of_games() -> dict[str, GameSettings]:
    from turnwise.registry import all_settings

    return all_settings()


_connect(_settings_of_games)
