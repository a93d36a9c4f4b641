"""Cells, bits of boards, and distances."""

from __future__ import annotations

from turnwise.games.stratega.scenario import CHEBYSHEV, EUCLIDEAN, MANHATTAN, UNKNOWN, StrategaSetup
from turnwise.games.stratega.state import StrategaState
from turnwise.jit.kernel import inlined, integer
from turnwise.jit.record import Words


@inlined
def has_bit(s: StrategaState, board: int, cell: int) -> bool:
    """Whether a board of a state, from an index of its data on, has a cell."""
    return (s.data[board + (cell >> 6)] >> (cell & 63)) & 1 != 0


@inlined
def set_bit(s: StrategaState, board: int, cell: int) -> None:
    """Add a cell to a board."""
    s.data[board + (cell >> 6)] |= 1 << (cell & 63)


@inlined
def clear_bit(s: StrategaState, board: int, cell: int) -> None:
    """Remove a cell from a board."""
    s.data[board + (cell >> 6)] &= ~(1 << (cell & 63))


@inlined
def is_in(words: Words, cell: int) -> bool:
    """Whether a board of the setup has a cell."""
    return (integer(words[cell >> 6]) >> (cell & 63)) & 1 != 0


@inlined
def is_free(g: StrategaSetup, s: StrategaState, cell: int) -> bool:
    """Whether a unit can go to a cell: nobody is there, and the tile is walkable or unknown."""
    return not has_bit(s, g.blocked, cell)


@inlined
def leave(g: StrategaSetup, s: StrategaState, cell: int) -> None:
    """A unit leaves a cell, which is free then unless the tile is known not to be walkable."""
    if not is_in(g.walls, cell) or has_bit(s, g.unknown, cell):
        clear_bit(s, g.blocked, cell)


@inlined
def tile_at(g: StrategaSetup, s: StrategaState, cell: int) -> int:
    """Number of the type of tile; UNKNOWN where the state does not tell."""
    return UNKNOWN if has_bit(s, g.unknown, cell) else g.tile[cell]


@inlined
def manhattan(ax: int, ay: int, bx: int, by: int) -> int:
    """Manhattan distance."""
    return abs(ax - bx) + abs(ay - by)


@inlined
def is_within(g: StrategaSetup, metric: int, reach: int, ax: int, ay: int, bx: int, by: int) -> bool:
    """Whether two cells are at most a distance apart, by one of the metrics."""
    dx, dy = abs(ax - bx), abs(ay - by)
    if metric == MANHATTAN:
        return dx + dy <= reach
    if metric == EUCLIDEAN:
        return dx * dx + dy * dy <= reach * reach
    if metric == CHEBYSHEV:
        return max(dx, dy) <= reach
    return g.paths[(ax * g.height + ay) * g.cells + bx * g.height + by] <= reach
