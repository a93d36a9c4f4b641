"""Which planner solves a game unless one is named: the strongest that is known for it here."""

from __future__ import annotations

from turnwise.core.game import Game

CHAMPIONS = {
    "samegame": "nrpa:preset=champion-samegame",
    "search-race": "beam-search:preset=champion-search-race",
}
"""Game -> text of a planner."""

TURN_BY_TURN = {"search-race": "rhea:preset=champion-search-race"}
"""Planners that do better turn by turn: where a referee waits for every turn, or with ``ENOUGH`` seconds for a game."""

ENOUGH = 3.0
"""Seconds."""

GENERALIST = "nrpa"
"""For all other games."""


def champion(game: Game | str, *, contest: bool = False, seconds: float | None = None) -> str:
    """Text of the planner that solves a game unless another is named.

    Args:
        game: The scenario, or a game's name.
        contest: Whether it is to answer a referee within a contest's time limits.
        seconds: Time for a whole game, if that is the limit.
    """
    name = game if isinstance(game, str) else game.name
    chosen = CHAMPIONS.get(name, GENERALIST)
    by_turns = contest or (seconds is not None and seconds >= ENOUGH)
    return TURN_BY_TURN.get(name, chosen) if by_turns else chosen
