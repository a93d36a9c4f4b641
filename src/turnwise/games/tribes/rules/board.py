"""Distances on the board, and kinds of terrain (rules 1 and 2)."""

from __future__ import annotations

from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.tables import DEEP, SHALLOW
from turnwise.jit.kernel import inlined

WATERS = 1 << SHALLOW | 1 << DEEP


@inlined
def distance(g: TribesSetup, first: int, second: int) -> int:
    """Steps of a king between two tiles."""
    rows = abs(first // g.side - second // g.side)
    columns = abs(first % g.side - second % g.side)
    return max(rows, columns)


@inlined
def first_line(line: int, radius: int) -> int:
    """The first row (or column) within a radius of a row (or column)."""
    return max(0, line - radius)


@inlined
def end_line(g: TribesSetup, line: int, radius: int) -> int:
    """The row (or column) after the last one within a radius of a row (or column)."""
    return min(g.side, line + radius + 1)


@inlined
def is_water(terrain: int) -> bool:
    """Whether a terrain is water."""
    return WATERS >> terrain & 1 != 0
