"""Which planner solves a game unless one is named: the strongest that is known for it here."""

from __future__ import annotations

from turnwise.core.game import Game

CHAMPIONS = {
    "samegame": "nrpa:preset=champion-samegame",
    "search-race": "rhea:preset=champion-search-race",
}
"""Game -> text of a planner."""

GENERALIST = "nrpa"
"""For all other games."""


def champion(game: Game | str) -> str:
    """Text of the planner that solves a game unless another is named.

    Args:
        game: The scenario, or a game's name.
    """
    return CHAMPIONS.get(game if isinstance(game, str) else game.name, GENERALIST)
