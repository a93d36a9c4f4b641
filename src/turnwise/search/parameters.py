"""Parameters that several planners share, and the rollout policies that they use where none is named."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from turnwise.core.errors import OptionError
from turnwise.core.game import Game
from turnwise.search.expressions import parse
from turnwise.search.planner import PlannerParameters
from turnwise.search.portfolio import PRUNED, parse_candidates


def _candidates(text: str) -> str:
    """The normal form of what a search considers.

    Raises:
        ValueError: It has a fault; pydantic reports this type.
    """
    try:
        return str(parse_candidates(text))
    except OptionError as error:
        raise ValueError(str(error)) from None


def _expression(text: str) -> str:
    """The normal form of an expression of scripts.

    Raises:
        ValueError: It has a fault; pydantic reports this type.
    """
    try:
        return str(parse(text))
    except OptionError as error:
        raise ValueError(str(error)) from None


Candidates = Annotated[str, AfterValidator(_candidates)]
"""What a search considers, in its normal form (:mod:`turnwise.search.portfolio`)."""
ScriptText = Annotated[str, AfterValidator(_expression)]
"""An expression of scripts in its normal form (:mod:`turnwise.search.expressions`)."""
CANDIDATES = (
    "actions that are tried: those that the game's pruner keeps ('pruned'), 'all' legal ones, or those of scripts: "
    "'portfolio(SCRIPT,...)', 'per-actor(SCRIPT,...)', 'mixed(NUMBER;SCRIPT,...)'"
)


class CandidateParameters(PlannerParameters):
    """Parameters of every planner that lists candidates."""

    candidates: Candidates = Field(default=PRUNED, description=CANDIDATES)


Scale = Literal["bounds", "range"]
SCALE: Scale = Field(
    default="bounds",
    description="what values are scaled by: the evaluation's bounds, or the range of values seen in the search",
)


class SearchParameters(PlannerParameters):
    """Parameters of every planner that rates states."""

    evaluation: str = Field(
        default="",
        description="evaluation of the game; empty: its default; 'as-coded' or 'as-published': the one that the game "
        "assigns to that reading",
    )


class RankingParameters(SearchParameters, CandidateParameters):
    """Parameters of every planner that can name other good turns in addition to the best one."""

    alternatives: int = Field(default=3, ge=0, le=100, description="number of other good turns to report")


def rollout_policy(game: Game, name: str) -> str:
    """The rollout policy to use.

    That is the named one, or an expression of scripts; for an empty name, the game's "random-heuristic" if it has one,
    else "epsilon-greedy".

    Args:
        game: The scenario.
        name: Name of a policy, or empty.
    """
    return name or ("random-heuristic" if "random-heuristic" in game.policies else "epsilon-greedy")


def first_policy(game: Game, name: str) -> str:
    """The rollout policy to use: the named one; for an empty name, the game's first, else "uniform"."""
    return name or next(iter(game.policies), "uniform")
