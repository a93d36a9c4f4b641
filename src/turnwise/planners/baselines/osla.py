"""One step look ahead."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from turnwise.planners.baselines.greedy_action import GreedyAction, GreedyActionParameters
from turnwise.search.parameters import CANDIDATES, Candidates


class OSLAParameters(GreedyActionParameters):
    """Parameters of :class:`OSLA`: those of greedy-action with other defaults."""

    candidates: Candidates = Field(default="all", description=CANDIDATES)
    evaluate_at: Literal["after-end", "mid-turn"] = Field(
        default="mid-turn",
        description="'after-end': if only the end of the turn is legal after an action, the state after that end is "
        "rated; 'mid-turn': always the state right after the action",
    )
    ties: Literal["random", "first"] = Field(
        default="first", description="choice among equally good actions: a random one, or the first in the list"
    )


class OSLA(GreedyAction[OSLAParameters]):
    """One step look ahead: play every legal action once on a copy, and take the first one with the best state.

    Source: Dockhorn, Hurtado-Grueso, Jeurissen & Perez-Liebana, "Stratega: A General Strategy Games Framework", 2020;
    greedy-action with the engine's choices as defaults.
    """

    name = "osla"
    title = "One step look ahead"
    source = "Dockhorn, Hurtado-Grueso, Jeurissen & Perez-Liebana, A General Strategy Games Framework, 2020"
    presets = {}  # noqa: RUF012
