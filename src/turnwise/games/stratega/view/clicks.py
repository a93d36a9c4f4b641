"""Choosing an action by clicks: a unit, then the tile or unit that it acts on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from turnwise.core.click_area import ClickArea, grid
from turnwise.games.stratega.mode import Mode
from turnwise.games.stratega.view.position import read_view
from turnwise.games.stratega.view.svg import TOP, geometry


def areas(mode: Mode, rows: Sequence[str], state: Mapping[str, Any]) -> dict[str, list[ClickArea]]:
    """The tiles by their coordinates.

    Args:
        mode: The mode.
        rows: The board, top row first.
        state: The state's canonical dictionary.
    """
    cell, _, left = geometry(len(rows[0]))
    standing = {
        (unit.x, unit.y): (
            f"{unit.kind} {unit.number} of player {unit.owner + 1}, {unit.health} of {unit.most} health",
            unit.owner,
        )
        for unit in read_view(mode, rows, state).units
    }
    found = {}
    for x, y, area in grid(left, TOP, cell, len(rows[0]), len(rows)):
        found[area.label] = [area.holding(*standing[x, y]) if (x, y) in standing else area]
    return found


def path(action: str, state: Mapping[str, Any]) -> tuple[str, ...]:
    """The tiles of an action: ``move 0 16,12`` is the tile of unit 0, then the other tile."""
    places = {str(unit[0]): f"{unit[3]},{unit[4]}" for unit in state["units"]}
    _, *rest = action.split()
    return tuple(places.get(word, word) for word in rest)
