"""The state row: a head of two words, a word for each unit, and two boards of bits."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from turnwise.games.stratega.mode import MOST_SIDE, MOST_UNITS
from turnwise.jit.kernel import inlined
from turnwise.jit.record import Int8, Int32, Ints, Record

MOST_BOARD_WORDS = MOST_SIDE * MOST_SIDE // 64


class StrategaState(Record):
    """A state; the row ends after the last board word of its mode.

    ``data`` holds a word for each unit by its number, then two boards with a bit for each cell (cell = x * height + y):
    the cells where nobody can go (units, and known tiles that are not walkable), and the cells that are unknown.
    """

    open_ended = True

    turn: Int32
    player: Int8  # the player to move, also when the game is over
    winner: Int8  # -1: nobody
    over: Int8
    can_play: int  # one bit per player
    data: Annotated[Ints, MOST_UNITS + 1 + 2 * MOST_BOARD_WORDS]


HEAD_WORDS = StrategaState.fields["data"].offset // 8

# The word of a unit: x, y, type, owner, flags, kinds of actions done in this turn, their number, health (signed).
Y_SHIFT, TYPE_SHIFT, OWNER_SHIFT, DONE_SHIFT, COUNT_SHIFT, HEALTH_SHIFT = 8, 16, 24, 30, 34, 40
PRESENT, HIDDEN = 1 << 28, 1 << 29  # on the board; somewhere on the board, but unseen by the player whose view this is
PLACE = (1 << TYPE_SHIFT) - 1
MOST_COUNT = (1 << (HEALTH_SHIFT - COUNT_SHIFT)) - 1  # the count stays there
HAS_ACTED = ((1 << HEALTH_SHIFT) - 1) & ~((1 << DONE_SHIFT) - 1)  # kinds done and their number
BELOW_HEALTH = (1 << HEALTH_SHIFT) - 1
MOST_HEALTH = (1 << 23) - 1


@inlined
def x_of(unit: int) -> int:
    """Column of a unit's word."""
    return unit & 0xFF


@inlined
def y_of(unit: int) -> int:
    """Row."""
    return (unit >> Y_SHIFT) & 0xFF


@inlined
def type_of(unit: int) -> int:
    """Number of the type."""
    return (unit >> TYPE_SHIFT) & 0xFF


@inlined
def owner_of(unit: int) -> int:
    """The player who owns it."""
    return (unit >> OWNER_SHIFT) & 0xF


@inlined
def is_present(unit: int) -> bool:
    """Whether it is on the board and seen."""
    return unit & PRESENT != 0


@inlined
def count_of(unit: int) -> int:
    """Number of actions that it has done in this turn, up to 63."""
    return (unit >> COUNT_SHIFT) & MOST_COUNT


@inlined
def has_done(unit: int, kind: int) -> bool:
    """Whether it has done an action of a kind, from 1, in this turn."""
    return (unit >> (DONE_SHIFT - 1 + kind)) & 1 != 0


@inlined
def health_of(unit: int) -> int:
    """Health."""
    return unit >> HEALTH_SHIFT


@inlined
def with_health(unit: int, health: int) -> int:
    """The word with another health."""
    return (unit & BELOW_HEALTH) | (health << HEALTH_SHIFT)


@inlined
def with_place(unit: int, x: int, y: int) -> int:
    """The word with another place."""
    return (unit & ~PLACE) | x | (y << Y_SHIFT)


def words_for(units: int, cells: int) -> int:
    """Width of a state row in words."""
    return HEAD_WORDS + units + 2 * -(-cells // 64)


def layout_for(units: int, cells: int) -> np.dtype[np.void]:
    """The fields of a row."""
    board = -(-cells // 64)
    fields = [field for field in StrategaState.fields.values() if field.name != "data"]
    names = [*(field.name for field in fields), "units", "blocked", "unknown"]
    formats = [*(field.format for field in fields), ("i8", (units,)), ("u8", (board,)), ("u8", (board,))]
    first = 8 * HEAD_WORDS
    offsets = [*(field.offset for field in fields), first, first + 8 * units, first + 8 * (units + board)]
    size = 8 * words_for(units, cells)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size})
