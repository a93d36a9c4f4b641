"""The state row: three bit planes of colours, the links between equal neighbours, and one word a region.

A board is 16 columns of 16 bits in four words, column 0 and row 0 lowest, so that ascending bits are the canonical
order (ascending x, then y). Row 15 and column 15 are always empty: nothing that is shifted off the board comes back
elsewhere. A cell's three plane bits are its colour plus one; 0 is an empty cell.

The regions are worked out once, when an action has been played, and stay in the row with their size, colour and hash:
every question about them is then a look-up.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from turnwise.jit.kernel import integer, kernel, record_at
from turnwise.jit.memory import bit_count, trailing_zeros

SIDE = 15  # most columns and rows
COLOURS = 5
WORDS = 4  # words of one board
MOST_REGIONS = SIDE * SIDE // 2
CLEAR_BONUS = 1000

SETUP = np.dtype(
    [
        ("planes", "u8", (3 * WORDS,)),
        ("penalty", "i8"),  # NO_PENALTY, PER_COLOUR or TOTAL
    ],
    align=True,
)
STATE = np.dtype(
    [
        ("score", "i4"),
        ("moves", "i2"),
        ("regions", "i2"),  # how many can be removed
        ("planes", "u8", (3 * WORDS,)),  # bit planes 0, 1, 2 of colour + 1, four words each
        ("canonical", "u8", (WORDS,)),  # the canonical cell of each region
        ("up", "u8", (WORDS + 1,)),  # cells whose upper neighbour has their colour; a zero word behind
        ("right", "u8", (WORDS + 1,)),  # the same for the right neighbour
        ("entries", "u8", (MOST_REGIONS,)),  # per region in canonical order: hash | colour << 8 | size; zeros behind
    ],
    align=True,
)
NO_PENALTY, PER_COLOUR, TOTAL = 0, 1, 2

setup_at = record_at(SETUP)
state_at = record_at(STATE)

ZERO, ONE = np.uint64(0), np.uint64(1)
_SIZE = np.uint64(0xFF)
_S8 = np.uint64(8)
_LOW3 = np.uint64(7)


@kernel
def bit_of(action: int) -> int:
    """Bit number (16 x + y) of an action code (15 x + y)."""
    return action + action // SIDE


@kernel
def code_of(bit: int) -> int:
    """Action code (15 x + y) of a bit number (16 x + y)."""
    return bit - (bit >> 4)


@kernel
def colour_at(s: Any, bit: int) -> int:
    """Colour of a cell; -1 if it is empty."""
    w, shift = bit >> 6, np.uint64(bit & 63)
    code = ((s.planes[w] >> shift) & ONE) | (((s.planes[4 + w] >> shift) & ONE) << ONE)
    return integer(code | (((s.planes[8 + w] >> shift) & ONE) << np.uint64(2))) - 1


@kernel
def colour_word(s: Any, colour: int, w: int) -> Any:
    """The cells of a colour in one of the four words (uint64)."""
    code = colour + 1
    a, b, c = s.planes[w], s.planes[4 + w], s.planes[8 + w]
    if code & 1 == 0:
        a = ~a
    if code & 2 == 0:
        b = ~b
    if code & 4 == 0:
        c = ~c
    return a & b & c


@kernel
def colour_count(s: Any, colour: int) -> int:
    """How many cells of a colour are left."""
    count = 0
    for w in range(WORDS):
        count += bit_count(colour_word(s, colour, w))
    return count


@kernel
def cell_count(s: Any) -> int:
    """How many cells are left."""
    count = 0
    for w in range(WORDS):
        count += bit_count(s.planes[w] | s.planes[4 + w] | s.planes[8 + w])
    return count


@kernel
def is_canonical(s: Any, bit: int) -> bool:
    """Whether a cell is the canonical one of a region that can be removed."""
    return (s.canonical[bit >> 6] >> np.uint64(bit & 63)) & ONE != ZERO


@kernel
def rank(s: Any, bit: int) -> int:
    """Place of a region in canonical order, by its canonical cell."""
    w = bit >> 6
    place = bit_count(s.canonical[w] & ((ONE << np.uint64(bit & 63)) - ONE))
    for before in range(w):
        place += bit_count(s.canonical[before])
    return place


@kernel
def nth_region(words: Any, n: int) -> int:
    """Bit number of the n-th set bit, from 0, of a board given as a tuple of four words."""
    base = 0
    for w in range(WORDS):
        word = words[w]
        count = bit_count(word)
        if n < count:
            for _ in range(n):
                word &= word - ONE
            return base + trailing_zeros(word)
        n -= count
        base += 64
    return -1


@kernel
def entry_size(entry: Any) -> int:
    """Cells of a region, from its entry."""
    return integer(entry & _SIZE)


@kernel
def entry_colour(entry: Any) -> int:
    """Colour of a region, from its entry."""
    return integer((entry >> _S8) & _LOW3)
