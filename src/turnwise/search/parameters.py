"""Parameters that several planners share, and the rollout policies that they use where none is named."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from turnwise.core.game import Game
from turnwise.search.planner import PlannerParameters

Scale = Literal["bounds", "range"]
SCALE: Scale = Field(
    default="bounds",
    description="what values are scaled by: the evaluation's bounds, or the range of values seen in the search",
)


class EvaluationParameters(PlannerParameters):
    """Parameters of every planner that rates states."""

    evaluation: str = Field(
        default="",
        description="evaluation of the game; empty: its default; 'as-coded' or 'as-published': the one that the game "
        "assigns to that reading",
    )


class SearchParameters(EvaluationParameters):
    """Parameters of every planner that searches by rating states."""

    worlds: int = Field(
        default=0,
        ge=0,
        le=1000,
        description="where information is hidden: number of determinised worlds that share the budget; 1: search the "
        "state as the mover knows it; 0: 4 in games that hide something, else 1",
    )


class RankingParameters(SearchParameters):
    """Parameters of every planner that can name other good turns in addition to the best one."""

    alternatives: int = Field(default=3, ge=0, le=100, description="number of other good turns to report")


def rollout_policy(game: Game, name: str) -> str:
    """The rollout policy to use.

    That is the named one; for an empty name, the game's "random-heuristic" if it has one, else "epsilon-greedy".

    Args:
        game: The scenario.
        name: Name of a policy, or empty.
    """
    return name or ("random-heuristic" if "random-heuristic" in game.policies else "epsilon-greedy")


def first_policy(game: Game, name: str) -> str:
    """The rollout policy to use: the named one; for an empty name, the game's first, else "uniform"."""
    return name or next(iter(game.policies), "uniform")
