"""The default planners of a game, for solving it and for playing it: those that the game recommends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwise.core.game import Game
from turnwise.core.text_file import errors_name
from turnwise.registry import game_settings, make, planner

GENERAL_SOLVER = "nrpa"
"""Default for solving games that recommend no planner."""
GENERAL_PLAYER = "online-evolution"
"""Default for playing games that recommend no planner."""


def recommended_planner(game: Game | str, *, contest: bool = False, seconds: float | None = None) -> str:
    """Text of the planner that solves a game by default.

    Args:
        game: The scenario, or a game's name.
        contest: Whether the planner answers a referee within a contest's time limits.
        seconds: Time for the whole game, if time is the limit.

    Raises:
        TurnwiseError: There is no such game, its settings cannot be read, or the planner that they name is invalid.
    """
    settings = game_settings(game)
    by_time = [text for least, text in settings.by_seconds if seconds is not None and seconds >= least]
    chosen = settings.contest if contest else by_time[-1] if by_time else ""
    chosen = chosen or settings.solving
    if not chosen:
        return GENERAL_SOLVER
    with errors_name(settings.source):
        planner(chosen)
    return chosen


def recommended_player(game: Game | str) -> str:
    """Text of the planner that plays a game turn by turn by default.

    Args:
        game: The scenario, or a game's name, which stands for the scenario with the default options.

    Raises:
        TurnwiseError: There is no such game, its settings cannot be read, the planner that they name is invalid, or
            an entry of ``by-options`` names an option that the game does not have.
    """
    settings = game_settings(game)
    with errors_name(settings.source):
        chosen = settings.playing
        if settings.by_options:
            scenario = make(game) if isinstance(game, str) else game
            fitting = (text for options, text in settings.by_options if _has(scenario, options))
            chosen = next(fitting, chosen)
        if chosen:
            planner(chosen)
    return chosen or GENERAL_PLAYER


def _has(game: Game, options: Mapping[str, Any]) -> bool:
    """Whether a scenario has some options."""
    other = type(game)(**options)
    return all(getattr(game.options, name) == getattr(other.options, name) for name in options)
