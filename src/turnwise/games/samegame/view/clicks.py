"""Choosing an action by a click: on any cell of a region."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from turnwise.core.click_area import ClickArea
from turnwise.games.samegame.state import SIDE
from turnwise.games.samegame.view.svg import CELL, COLOUR_NAMES, LEFT, TOP


def areas(state: Mapping[str, Any], actions: Iterable[str]) -> dict[str, list[ClickArea]]:
    """The cells of every region that can be removed, by the text of the action.

    Args:
        state: The state's canonical dictionary.
        actions: Texts of the legal actions, ``x y`` of a cell of the region; row 0 is the lowest.
    """
    board, found = state["board"], {}
    for action in actions:
        x, y = map(int, action.split())
        cells, colour = _region(board, action), COLOUR_NAMES[int(board[SIDE - 1 - y][x])]
        label = f"region of {len(cells)} {colour} cells at column {x}, row {y}"
        found[action] = [_area(*cell, label) for cell in cells]
    return found


def _area(x: int, y: int, label: str) -> ClickArea:
    return ClickArea(LEFT + x * CELL, TOP + (SIDE - 1 - y) * CELL, CELL, CELL, label)


def _region(board: list[str], action: str) -> list[tuple[int, int]]:
    """The cells of a region, in the order in which they are found from its cell."""
    x, y = map(int, action.split())
    found = [(x, y)]
    for a, b in found:
        for near in ((a + 1, b), (a - 1, b), (a, b + 1), (a, b - 1)):
            is_inside = 0 <= near[0] < SIDE and 0 <= near[1] < SIDE
            if is_inside and near not in found and board[SIDE - 1 - near[1]][near[0]] == board[SIDE - 1 - y][x]:
                found.append(near)
    return found
