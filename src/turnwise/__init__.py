"""Plan whole turns in games where a player takes several actions per turn.

>>> import turnwise
>>> game = turnwise.make("hero-academy", map="a-tiny", deck="tiny")
>>> state = game.start(seed=1)
>>> plan = turnwise.planner("online-evolution").plan(state, turnwise.Budget(iterations=20))
"""

from __future__ import annotations

from typing import Any

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
    "make": "turnwise.core.registry",
    "planner": "turnwise.core.registry",
    "games": "turnwise.core.registry",
    "planners": "turnwise.core.registry",
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
