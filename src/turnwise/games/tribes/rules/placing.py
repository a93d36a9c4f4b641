"""Putting units onto other tiles: moves, pushes, and entering a tile after a kill (rules 9)."""

from __future__ import annotations

from turnwise.games.tribes.rules.board import column_at, is_water, row_at
from turnwise.games.tribes.rules.cities import is_owned
from turnwise.games.tribes.rules.faults import GHOST_SHIPS, SHIPS_ON_LAND, has_fault
from turnwise.games.tribes.rules.status import AFTER_MOVE, row_of
from turnwise.games.tribes.rules.technology import is_passable
from turnwise.games.tribes.rules.units import (
    embark,
    is_ship,
    lose,
    put_on_board,
    replace,
    take_from_board,
    tribe_of_unit,
)
from turnwise.games.tribes.rules.vision import clear_view_and_connect
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import NONE, TribesState, owner_on, unit_of
from turnwise.games.tribes.tables import BATTLESHIP, MOUNTAIN, PORT, PUSH_COLUMNS, PUSH_ROWS, PUSHED
from turnwise.jit.kernel import inlined, integer, kernel
from turnwise.jit.record import Address


@inlined
def put(g: TribesSetup, s: TribesState, slot: int, cell: int, rng: Address) -> None:
    """Put a unit onto another tile and clear its tribe's view there."""
    take_from_board(g, s, slot)
    put_on_board(g, s, slot, cell)
    if g.full_view == 0:
        u = unit_of(g, s, slot)
        radius = 2 if s.data[cell].terrain == MOUNTAIN or u.kind == BATTLESHIP else 1
        clear_view_and_connect(g, s, integer(u.tribe), cell, radius, rng)


@kernel
def move(g: TribesSetup, s: TribesState, slot: int, cell: int, rng: Address) -> None:
    """Move a unit (rules 9): ships become land units on land, land units boats in a port."""
    put(g, s, slot, cell, rng)
    u = unit_of(g, s, slot)
    if is_ship(u.kind):
        if not is_water(s.data[cell].terrain):
            replace(g, s, slot, integer(u.carried), NONE, cell)
            return
    elif s.data[cell].building == PORT:
        embark(g, s, slot, cell)
        return
    u.status = AFTER_MOVE[row_of(g, u.kind), u.status]


@kernel
def enter(g: TribesSetup, s: TribesState, slot: int, cell: int, rng: Address) -> bool:
    """Try to put a unit onto a neighbouring tile without moving it by its own will; returns whether that succeeds."""
    u, tile = unit_of(g, s, slot), s.data[cell]
    if tile.unit != 0:
        return False
    if is_water(tile.terrain):
        if is_ship(u.kind):
            if has_fault(g, GHOST_SHIPS):
                return True
        elif tile.building == PORT and is_owned(g, s, owner_on(s, cell), integer(u.tribe)):
            embark(g, s, slot, cell)
            return True
        else:
            return False
    if not is_passable(tribe_of_unit(g, s, u), integer(tile.terrain)):
        return False
    put(g, s, slot, cell, rng)
    if is_ship(u.kind) and not has_fault(g, SHIPS_ON_LAND) and not is_water(tile.terrain):
        replace(g, s, slot, integer(u.carried), NONE, cell)
    return True


@kernel
def push(g: TribesSetup, s: TribesState, slot: int, rng: Address) -> None:
    """Push a unit to the first neighbouring tile that it can enter; if there is none, it is lost (rules 9)."""
    u = unit_of(g, s, slot)
    x, y, number = row_at(g, u.cell), column_at(g, u.cell), integer(u.id)
    for way in range(len(PUSH_ROWS)):
        row, column = x + PUSH_ROWS[way], y + PUSH_COLUMNS[way]
        if 0 <= row < g.side and 0 <= column < g.side and enter(g, s, slot, row * g.side + column, rng):
            if u.id == number:  # one that has embarked or landed stays as it is
                u.status = PUSHED
            return
    lose(g, s, slot)
