"""Distances on the board, and kinds of terrain (rules 1 and 2)."""

from __future__ import annotations

from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.tables import DEEP, SHALLOW
from turnwise.jit.kernel import inlined, integer

_ROW_SHIFT = 16
WATERS = 1 << SHALLOW | 1 << DEEP


def row_factor(side: int) -> int:
    """The inverse of a board's side in 1/65,536, rounded up: with it rows are exact on boards of up to 40 rows."""
    return -(-(1 << _ROW_SHIFT) // side)


@inlined
def row_at(g: TribesSetup, cell: int) -> int:
    """The row of a tile: cell // side, without a division, which takes as long as a dozen other instructions."""
    return integer(cell) * g.row_factor >> _ROW_SHIFT


@inlined
def column_at(g: TribesSetup, cell: int) -> int:
    """The column of a tile."""
    return integer(cell) - row_at(g, cell) * g.side


@inlined
def distance(g: TribesSetup, first: int, second: int) -> int:
    """Steps of a king between two tiles."""
    rows = abs(row_at(g, first) - row_at(g, second))
    columns = abs(column_at(g, first) - column_at(g, second))
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
