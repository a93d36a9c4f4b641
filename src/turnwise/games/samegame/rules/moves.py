"""What searches ask about single moves: a cheap score, a code, the closest legal move, a variation."""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import draw
from turnwise.core.table import game_function
from turnwise.games.samegame.rules.cells import (
    ONE,
    ZERO,
    Board,
    bit_of,
    code_of,
    colour_at,
    colour_count,
    is_canonical,
)
from turnwise.games.samegame.rules.eight_moves import eight_entries
from turnwise.games.samegame.rules.regions import (
    S16,
    S48,
    first_cell,
    flood,
    move_entry,
    region_of,
    region_size,
    seeded,
)
from turnwise.games.samegame.state import COLOURS, SIDE, SameGameSetup, SameGameState
from turnwise.jit.kernel import inlined, integer, kernel, real
from turnwise.jit.lanes import LANES
from turnwise.jit.memory import trailing_zeros
from turnwise.jit.record import Address, Ints

_TABU_ORDER = 1e6  # more than any region scores: 223^2 + 1000
_STEPS = 2  # how far neighbour_action moves from a cell, in each direction
_ROWS = np.uint64(0x7FFF7FFF7FFF7FFF)  # all but row 15
_LAST_COLUMNS = np.uint64(0x00007FFF7FFF7FFF)  # the last word, without column 15


@inlined
def canonical_bit(s: SameGameState, action: int) -> int:
    """Bit number of the canonical cell of the region that a legal action removes."""
    bit = bit_of(action)
    if is_canonical(s, bit):
        return bit
    f0, f1, f2, f3 = region_of(s, bit)
    return first_cell(f0, f1, f2, f3)


@kernel
def most_frequent_colour(s: SameGameState) -> int:
    """The colour with the most cells; ties: the smallest (rules 9)."""
    best, most = 0, -1
    for colour in range(COLOURS):
        count = colour_count(s, colour)
        if count > most:
            best, most = colour, count
    return best


@game_function("move_code")
def move_code(g: SameGameSetup, s: SameGameState, action: int) -> int:
    """Hash of a region's cells, with its colour and size in the low bits."""
    return integer(move_entry(s, canonical_bit(s, action)))


@game_function("move_codes")
def move_codes(g: SameGameSetup, s: SameGameState, actions: Ints, n: int, out: Ints) -> None:
    """The same for each of a list's actions: eight at a time, the last eight from the end; few ones one by one."""
    if n < LANES:
        for i in range(n):
            out[i] = integer(move_entry(s, canonical_bit(s, actions[i])))
        return
    for begin in range(0, n, LANES):
        first = min(begin, n - LANES)
        left = eight_entries(s, actions, first, out)
        while left != 0:
            i = first + trailing_zeros(left)
            out[i] = integer(move_entry(s, canonical_bit(s, actions[i])))
            left &= left - np.uint64(1)


@game_function("action_score")
def action_score(g: SameGameSetup, s: SameGameState, action: int) -> float:
    """The points of a region; regions of the most frequent colour come last, among them the large ones first.

    All strong players of the game save the most frequent colour for the end; among the other colours the points decide.
    """
    bit = canonical_bit(s, action)
    size = region_size(s, bit)
    points = real((size - 2) * (size - 2))
    return points - _TABU_ORDER if colour_at(s, bit) == most_frequent_colour(s) else points


@game_function("canonical")
def canonical(g: SameGameSetup, s: SameGameState, action: int) -> int:
    """Canonical cell of the region that a cell belongs to."""
    return code_of(canonical_bit(s, action))


@game_function("nearest")
def nearest(g: SameGameSetup, s: SameGameState, action: int) -> int:
    """Canonical cell of the region with the cell closest to a given one (Manhattan); ties: canonical order."""
    return nearest_region(s, bit_of(action))


@kernel
def nearest_region(s: SameGameState, bit: int) -> int:
    """Action of the region closest to a cell, found by growing a diamond around the cell until it touches a region."""
    f0, f1, f2, f3 = seeded(bit)
    l0, l1, l2, l3 = linked_cells(s)
    while True:
        h0, h1, h2, h3 = f0 & l0, f1 & l1, f2 & l2, f3 & l3
        if h0 | h1 | h2 | h3 != ZERO:
            break
        g0 = (f0 | (f0 << ONE) | (f0 >> ONE) | (f0 << S16) | (f0 >> S16) | (f1 << S48)) & _ROWS
        g1 = (f1 | (f1 << ONE) | (f1 >> ONE) | (f1 << S16) | (f1 >> S16) | (f2 << S48) | (f0 >> S48)) & _ROWS
        g2 = (f2 | (f2 << ONE) | (f2 >> ONE) | (f2 << S16) | (f2 >> S16) | (f3 << S48) | (f1 >> S48)) & _ROWS
        g3 = (f3 | (f3 << ONE) | (f3 >> ONE) | (f3 << S16) | (f3 >> S16) | (f2 >> S48)) & _LAST_COLUMNS
        f0, f1, f2, f3 = g0, g1, g2, g3
    # The first canonical cell of all regions touched is the first cell of their union.
    h0, h1, h2, h3 = flood(s, h0, h1, h2, h3)
    return code_of(first_cell(h0, h1, h2, h3))


@kernel
def linked_cells(s: SameGameState) -> Board:
    """All cells that are in a region of two or more, as four words."""
    r0, r1, r2, r3 = s.right[0], s.right[1], s.right[2], s.right[3]
    return (
        s.up[0] | (s.up[0] << ONE) | r0 | (r0 << S16),
        s.up[1] | (s.up[1] << ONE) | r1 | (r1 << S16) | (r0 >> S48),
        s.up[2] | (s.up[2] << ONE) | r2 | (r2 << S16) | (r1 >> S48),
        s.up[3] | (s.up[3] << ONE) | r3 | (r3 << S16) | (r2 >> S48),
    )


@game_function("neighbour_action")
def neighbour_action(g: SameGameSetup, s: SameGameState, action: int, rng: Address) -> int:
    """The region nearest to a cell that is drawn uniformly from those within two columns and rows of a given one."""
    bit = bit_of(action)
    x = min(max((bit >> 4) + draw(rng, 2 * _STEPS + 1) - _STEPS, 0), SIDE - 1)
    y = min(max((bit & 15) + draw(rng, 2 * _STEPS + 1) - _STEPS, 0), SIDE - 1)
    return nearest_region(s, integer(16 * x + y))
