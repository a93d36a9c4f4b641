"""The games that a page offers."""

from __future__ import annotations

from typing import Any

from turnwise.core.errors import TurnwiseError
from turnwise.registry import GAMES, make


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
