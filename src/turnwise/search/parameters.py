"""Parameters that several planners share, and the rollout policies that they use where none is named."""

from __future__ import annotations

from pydantic import Field

from turnwise.core.game import Game
from turnwise.search.planner import PlannerParameters


class SearchParameters(PlannerParameters):
    """Parameters of every planner that rates states."""

    evaluation: str = Field(
        default="",
        description="evaluation of the game; empty: its default; 'as-coded' or 'as-published': the one that the game "
        "assigns to that reading",
    )


class RankingParameters(SearchParameters):
    """Parameters of every planner that can name other good turns in addition to the best one."""

    alternatives: int = Field(default=3, ge=0, le=100, description="number of other good turns to report")


class StreamParameters(PlannerParameters):
    """Parameters of every planner that can divide a decision among several searches (:mod:`turnwise.search.streams`).

    The number of threads changes no result, except under time limits.
    """

    streams: int = Field(
        default=1,
        ge=1,
        le=1024,
        description="searches that work on one decision, each with its own seed and memory; limits are divided among "
        "them",
    )
    threads: int = Field(default=1, ge=1, le=256, description="how many streams run at a time, each on its own core")


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
