"""What a player may know (rules 6), and the fingerprint of a state."""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import draw, mix
from turnwise.core.table import game_function
from turnwise.games.stratega.rules.board import clear_bit, has_bit, is_in, is_within, set_bit
from turnwise.games.stratega.rules.start import is_start, new_unit, put
from turnwise.games.stratega.scenario import StrategaSetup
from turnwise.games.stratega.state import (
    HEAD_WORDS,
    HIDDEN,
    OWNER_SHIFT,
    PRESENT,
    TYPE_SHIFT,
    StrategaState,
    is_present,
    owner_of,
    type_of,
    x_of,
    y_of,
)
from turnwise.jit.kernel import integer, kernel, real
from turnwise.jit.memory import address_of_record, copy_words
from turnwise.jit.record import Address, Floats, Word, Words

_A, _B = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_HALF = np.uint64(32)
_TRIES = 200  # random cells for a hidden unit before the first possible one is taken


@game_function("fingerprint")
def fingerprint(g: StrategaSetup, state: Words) -> Word:
    """64-bit hash of the row: head, units, unknown cells; the blocked cells follow from these."""
    a, b = _A, _B
    for i in range(HEAD_WORDS + g.units):
        a = (a ^ state[i]) * _B
        a ^= a >> _HALF
    first = HEAD_WORDS + g.unknown
    for i in range(first, first + g.board_words):
        b = (b ^ state[i]) * _A
        b ^= b >> _HALF
    return mix(a + b * _B)


@kernel
def see(g: StrategaSetup, s: StrategaState, unit: int) -> None:
    """Mark the cells within a unit's sight as known."""
    ux, uy, sight = x_of(unit), y_of(unit), g.sight[type_of(unit)]
    for x in range(max(0, ux - sight), min(g.width - 1, ux + sight) + 1):
        for y in range(max(0, uy - sight), min(g.height - 1, uy + sight) + 1):
            if is_within(g, g.sight_metric, sight, ux, uy, x, y):
                clear_bit(s, g.unknown, x * g.height + y)


@kernel
def block(g: StrategaSetup, s: StrategaState) -> None:
    """Write the board of blocked cells: known walls, and units."""
    for word in range(g.board_words):
        s.data[g.blocked + word] = integer(g.walls[word]) & ~s.data[g.unknown + word]
    for number in range(g.units):
        unit = s.data[number]
        if is_present(unit):
            set_bit(s, g.blocked, x_of(unit) * g.height + y_of(unit))


@game_function("view")
def view(g: StrategaSetup, s: StrategaState, player: int, out: StrategaState) -> None:
    """Cells that no own unit sees are unknown, and units there hidden; what was unknown before stays so."""
    copy_words(address_of_record(out), address_of_record(s), HEAD_WORDS + g.units + 2 * g.board_words)
    for word in range(g.board_words):
        out.data[g.unknown + word] = integer(g.all[word])
    for number in range(g.units):
        unit = s.data[number]
        if is_present(unit) and owner_of(unit) == player:
            see(g, out, unit)
    for word in range(g.board_words):
        out.data[g.unknown + word] |= s.data[g.unknown + word]
    for number in range(g.units):
        unit = s.data[number]
        if is_present(unit) and has_bit(out, g.unknown, x_of(unit) * g.height + y_of(unit)):
            hidden = HIDDEN | (type_of(unit) << TYPE_SHIFT) | (owner_of(unit) << OWNER_SHIFT)
            out.data[number] = 0 if g.forgets != 0 else hidden
    block(g, out)


@kernel
def is_place(g: StrategaSetup, s: StrategaState, cell: int, board: int) -> bool:
    """Whether a unit can stand on a cell of a board (``board``: index in the data; -1: any cell)."""
    return not is_in(g.walls, cell) and is_start(g, s, cell) and (board < 0 or has_bit(s, board, cell))


@kernel
def first_place(g: StrategaSetup, s: StrategaState, board: int) -> int:
    """The first cell of a board on which a unit can stand; -1: there is none."""
    for cell in range(g.cells):
        if is_place(g, s, cell, board):
            return cell
    return -1


@kernel
def place_for_hidden(g: StrategaSetup, s: StrategaState, rng: Address) -> int:
    """A random unknown cell on which a unit can stand; where there is none, any such cell; -1: the board is full."""
    for _ in range(_TRIES):
        cell = draw(rng, g.cells)
        if is_place(g, s, cell, g.unknown):
            return cell
    cell = first_place(g, s, g.unknown)
    return first_place(g, s, -1) if cell < 0 else cell


@game_function("determinise")
def determinise(g: StrategaSetup, s: StrategaState, player: int, rng: Address) -> None:
    """Put every hidden unit on a random unknown cell where it can be, with full health; then everything is known.

    The board itself belongs to the rules, so all players know it.
    """
    for number in range(g.units):
        unit = s.data[number]
        if unit & HIDDEN != 0:
            cell = place_for_hidden(g, s, rng)
            s.data[number] = 0
            if cell >= 0:
                put(g, s, number, new_unit(g, type_of(unit), owner_of(unit)), cell)
    for word in range(g.board_words):
        s.data[g.unknown + word] = 0
    block(g, s)


@game_function("news")
def news(g: StrategaSetup, expected: StrategaState, seen: StrategaState, player: int) -> int:
    """Whether any unit, or whose turn it is, differs; newly seen tiles matter only if they make an action illegal."""
    differ = expected.turn != seen.turn or expected.player != seen.player or expected.over != seen.over
    for number in range(g.units):
        differ = differ or expected.data[number] != seen.data[number]
    return integer(differ)


@game_function("metrics")
def metrics(g: StrategaSetup, s: StrategaState, player: int, out: Floats) -> None:
    """Units, and the sum of their health."""
    units, health = 0, 0
    for number in range(g.units):
        unit = s.data[number]
        if unit & PRESENT != 0 and owner_of(unit) == player:
            units += 1
            health += unit >> 40
    out[0], out[1] = real(units), real(health)
