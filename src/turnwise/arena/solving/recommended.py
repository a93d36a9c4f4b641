"""The default planner for solving a game: the one that the game recommends."""

from __future__ import annotations

from turnwise.core.game import Game
from turnwise.registry import game_settings

GENERALIST = "nrpa"
"""Default for games that recommend no planner."""


def recommended_planner(game: Game | str, *, contest: bool = False, seconds: float | None = None) -> str:
    """Text of the planner that solves a game by default.

    Args:
        game: The scenario, or a game's name.
        contest: Whether the planner answers a referee within a contest's time limits.
        seconds: Time for the whole game, if time is the limit.

    Raises:
        TurnwiseError: There is no such game, or its settings cannot be read.
    """
    settings = game_settings(game)
    chosen = settings.solving or GENERALIST
    if contest:
        return settings.contest or chosen
    known = [text for least, text in settings.by_seconds if seconds is not None and seconds >= least]
    return known[-1] if known else chosen
