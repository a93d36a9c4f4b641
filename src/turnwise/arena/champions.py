"""Which planner solves a game unless one is named: the strongest that is known for it here."""

from __future__ import annotations

from turnwise.core.errors import OptionError
from turnwise.core.game import Game
from turnwise.core.registry import PLANNERS, split_text

CHAMPIONS = {"samegame": "champion-samegame", "search-race": "champion-search-race"}
"""Game -> text of a planner."""

CONTESTANTS: dict[str, str] = {}
"""The same for contests, where they differ."""

GENERALISTS = ("nrpa", "mcts")
"""For all other games, the first of these that there is."""


def champion(game: Game | str, *, contest: bool = False) -> str:
    """Text of the planner that solves a game unless another is named.

    Args:
        game: The scenario, or a game's name.
        contest: Whether it is to answer a referee within a contest's time limits.

    Raises:
        OptionError: None of the planners in question is registered.
    """
    name = game if isinstance(game, str) else game.name
    wanted = [CONTESTANTS.get(name, "")] if contest else []
    known = PLANNERS.names()
    for text in (*wanted, CHAMPIONS.get(name, ""), *GENERALISTS):
        if split_text(text)[0] in known:
            return text
    raise OptionError(f"No planner is recommended for {name}; name one of {', '.join(known)}.")
