"""The first state (rules 3)."""

from __future__ import annotations

from turnwise.core.chance import draw
from turnwise.core.table import game_function
from turnwise.games.stratega.rules.board import is_in, set_bit
from turnwise.games.stratega.scenario import StrategaSetup
from turnwise.games.stratega.state import (
    HEALTH_SHIFT,
    OWNER_SHIFT,
    PRESENT,
    TYPE_SHIFT,
    StrategaState,
    with_place,
)
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.record import Address

_MOST_DRAWS = 100_000  # of a cell; chance needs some dozens, but recorded outcomes that have run out never end


@kernel
def new_unit(g: StrategaSetup, kind: int, owner: int) -> int:
    """The word of a unit of a type at cell 0 with full health."""
    return (kind << TYPE_SHIFT) | (owner << OWNER_SHIFT) | PRESENT | (g.health[kind] << HEALTH_SHIFT)


@kernel
def put(g: StrategaSetup, s: StrategaState, number: int, unit: int, cell: int) -> None:
    """Put a unit on a cell, without effects."""
    s.data[number] = with_place(unit, g.x[cell], g.y[cell])
    set_bit(s, g.blocked, cell)


@kernel
def is_start(g: StrategaSetup, s: StrategaState, cell: int) -> bool:
    """Whether a unit may start on a cell: nobody is there, and it is not deadly."""
    for number in range(g.units):  # a bit of the board may also be a wall, on which units can start
        unit = s.data[number]
        if unit & PRESENT != 0 and (unit & 0xFF) * g.height + ((unit >> 8) & 0xFF) == cell:
            return False
    return not is_in(g.deadly, cell) and (g.on_walls != 0 or not is_in(g.walls, cell))


@kernel
def draw_cell(g: StrategaSetup, player: int, rng: Address) -> int:
    """A random cell of the area in which a player's units start."""
    column = g.area_left[player] + draw(rng, g.area_width[player])
    return column * g.height + g.area_top[player] + draw(rng, g.area_height[player])


@game_function("start")
def start(g: StrategaSetup, s: StrategaState, rng: Address) -> None:
    """Walls, then units with fixed places, then all others by their numbers at random places of their player's area."""
    s.turn, s.player, s.winner, s.over = 0, 0, -1, 0
    s.can_play = (1 << g.players) - 1
    for word in range(g.board_words):
        s.data[g.blocked + word] = integer(g.walls[word])
        s.data[g.unknown + word] = 0
    for number in range(g.units):
        s.data[number] = 0
    for number in range(g.units):
        if g.start_cell[number] >= 0:
            put(g, s, number, new_unit(g, g.start_type[number], g.start_owner[number]), g.start_cell[number])
    for number in range(g.units):
        if g.start_cell[number] < 0:
            cell = draw_cell(g, g.start_owner[number], rng)
            draws = 1
            while not is_start(g, s, cell) and draws < _MOST_DRAWS:
                cell = draw_cell(g, g.start_owner[number], rng)
                draws += 1
            put(g, s, number, new_unit(g, g.start_type[number], g.start_owner[number]), cell)
