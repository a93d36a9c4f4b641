"""The games and planners that a page offers, and the parts of a new game."""

from __future__ import annotations

from typing import Any

from turnwise.core.errors import TurnwiseError
from turnwise.registry import GAMES, PLANNERS, make
from turnwise.viewer.limits import offered_engines

_OFFERED = ("turn-maximin", "online-evolution", "mcts", "greedy-turn", "random")


def games() -> list[dict[str, Any]]:
    """Every game with its title, seats and one line about it."""
    found: list[dict[str, Any]] = []
    for name in GAMES.names():
        try:
            game = make(name)
        except TurnwiseError as error:
            found.append({"name": name, "title": name, "trouble": str(error)})
            continue
        found.append(
            {
                "name": name,
                "title": game.title,
                "seats": [game.seat_name(seat) for seat in range(game.players)],
                "summary": (type(game).__doc__ or "").split("\n", 1)[0],
            }
        )
    return found


def planners() -> list[str]:
    """Names of all planners: first the engines that the server offers and those that people often want to meet."""
    names = PLANNERS.names()
    first = [*offered_engines(), *(name for name in _OFFERED if name in names)]
    return [*first, *(name for name in names if name not in _OFFERED)]
