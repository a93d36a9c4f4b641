"""Parameters that several planners share, and the rollout policies that they use where none is named."""

from __future__ import annotations

import math

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


def published_exploration(exploration: float) -> float:
    """The constant C' of w/n + 2 C' sqrt(2 ln N / n), the published form of MCTS, for C of w/n + C sqrt(ln N / n).

    Searches and the keys of recorded games are computed from C', whose last bit can decide between equal edges. A C'
    with few digits is met exactly, however C was rounded: for both 1.414213562373095 and 1.4142135623730951 it is 0.5.
    """
    published = exploration * 0.5**1.5
    short = float(f"{published:.12g}")
    return short if abs(short - published) <= 4 * math.ulp(published) else published


def exploration_of_published(published: float) -> float:
    """The inverse of :func:`published_exploration`."""
    return float(published / 0.5**1.5)
