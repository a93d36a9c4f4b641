"""Lines along which a unit can be pushed onto a deadly tile, and the cells from which (rules 10.2).

Directions are numbered 0 to 3: north, east, south, west. A line's direction is where the pusher stands, seen from its
victim; its length is the number of pushes until the victim is on a deadly tile.
"""

from __future__ import annotations

from turnwise.games.stratega.rules.board import has_bit, is_free, is_in
from turnwise.games.stratega.scenario import StrategaSetup
from turnwise.games.stratega.state import StrategaState
from turnwise.jit.kernel import inlined, integer, kernel

NORTH, EAST, SOUTH, WEST = 0, 1, 2, 3


@inlined
def step_x(direction: int) -> int:
    """Columns to the right of one step."""
    return integer(direction == EAST) - integer(direction == WEST)


@inlined
def step_y(direction: int) -> int:
    """Rows down of one step."""
    return integer(direction == SOUTH) - integer(direction == NORTH)


@inlined
def is_inside(g: StrategaSetup, x: int, y: int) -> bool:
    """Whether a place is on the board."""
    return x >= 0 and y >= 0 and x < g.width and y < g.height


@kernel
def is_wall(g: StrategaSetup, s: StrategaState, x: int, y: int, coded: bool) -> bool:
    """Whether a tile is not walkable; the original knows only seen tiles, and beyond the board all are walkable."""
    if not is_inside(g, x, y):
        return not coded
    cell = x * g.height + y
    return is_in(g.walls, cell) and not (coded and has_bit(s, g.unknown, cell))


@kernel
def is_hole(g: StrategaSetup, s: StrategaState, x: int, y: int, coded: bool) -> bool:
    """Whether a place is deadly and nobody is there; the original knows only seen tiles."""
    if not is_inside(g, x, y):
        return False
    cell = x * g.height + y
    return is_in(g.deadly, cell) and is_free(g, s, cell) and not (coded and has_bit(s, g.unknown, cell))


@kernel
def line_length(g: StrategaSetup, s: StrategaState, x: int, y: int, direction: int, coded: bool) -> int:
    """Number of pushes that move a unit at x,y, pushed from a direction, onto a deadly tile; 0: none will.

    As in the original, units and walls after the first cell do not matter, and a line ends at the edge of the board.
    In the clean form a wall or the edge means that none will.
    """
    dx, dy = step_x(direction), step_y(direction)
    if is_wall(g, s, x + dx, y + dy, coded) or is_hole(g, s, x + dx, y + dy, coded):
        return 0
    x, y, length = x - dx, y - dy, 1
    if is_wall(g, s, x, y, coded):
        return 0
    while is_inside(g, x, y) and not is_hole(g, s, x, y, coded):
        x, y, length = x - dx, y - dy, length + 1
        if not coded and is_wall(g, s, x, y, False):
            return 0
    return length
