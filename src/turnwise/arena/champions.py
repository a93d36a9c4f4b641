"""Which planner solves a game unless one is named: the strongest that is known for it here."""

from __future__ import annotations

from turnwise.core.game import Game

CHAMPIONS = {
    "samegame": "nrpa:preset=champion-samegame",
    "search-race": "beam-search:preset=champion-search-race",
}
"""Game -> text of a planner."""

CONTESTANTS = {"search-race": "rhea:preset=champion-search-race"}
"""Where a referee waits for every turn: planners that do better in so little time."""

GENERALIST = "nrpa"
"""For all other games."""


def champion(game: Game | str, *, contest: bool = False) -> str:
    """Text of the planner that solves a game unless another is named.

    Args:
        game: The scenario, or a game's name.
        contest: Whether it is to answer a referee within a contest's time limits.
    """
    name = game if isinstance(game, str) else game.name
    chosen = CHAMPIONS.get(name, GENERALIST)
    return CONTESTANTS.get(name, chosen) if contest else chosen
