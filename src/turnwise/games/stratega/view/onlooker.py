"""Actions of others as a player under fog of war learns of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwise.core.game import Row
from turnwise.games.stratega.state import PRESENT, layout_for

if TYPE_CHECKING:
    from turnwise.games.stratega.game import Stratega

_UNSEEN = "?"


def seen_text(game: Stratega, text: str, before: Row, after: Row) -> str:
    """See :meth:`Game.seen_text`.

    A unit that moves is seen where it leaves or where it arrives; the cell, where it arrives in sight. Of other actions
    those units are seen that are in sight and change.

    Args:
        game: The scenario.
        text: The whole action.
        before: The view before it.
        after: The view after it.
    """
    kind, *parts = text.split(" ")
    was, now = _units(game, before), _units(game, after)
    if kind == "move":
        unit = int(parts[0])
        if now[unit] & PRESENT:
            return text
        return f"{kind} {unit} {_UNSEEN}" if was[unit] & PRESENT else ""
    shown = [
        part if was[unit] != now[unit] and (was[unit] | now[unit]) & PRESENT else _UNSEEN
        for part, unit in ((part, int(part)) for part in parts)
    ]
    return "" if set(shown) == {_UNSEEN} else " ".join([kind, *shown])


def _units(game: Stratega, row: Row) -> list[int]:
    """The words of all units in a view."""
    g = game.tables
    units: list[int] = row.view(layout_for(g.units, g.cells))[0]["units"].tolist()
    return units
