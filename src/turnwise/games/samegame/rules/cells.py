"""Single cells of a state: numbers, colours, counts."""

from __future__ import annotations

import numpy as np

from turnwise.games.samegame.state import SIDE, WORDS, SameGameState
from turnwise.jit.kernel import inlined, integer, kernel
from turnwise.jit.memory import bit_count, trailing_zeros
from turnwise.jit.record import Word

Board = tuple[Word, Word, Word, Word]  # a set of cells
ZERO, ONE = np.uint64(0), np.uint64(1)


@inlined
def bit_of(action: int) -> int:
    """Bit number (16 x + y) of an action code (15 x + y)."""
    return action + action // SIDE


@inlined
def code_of(bit: int) -> int:
    """Action code (15 x + y) of a bit number (16 x + y)."""
    return bit - (bit >> 4)


@inlined
def colour_at(s: SameGameState, bit: int) -> int:
    """Colour of a cell; -1 if it is empty."""
    w, shift = bit >> 6, np.uint64(bit & 63)
    code = ((s.planes[w] >> shift) & ONE) | (((s.planes[4 + w] >> shift) & ONE) << ONE)
    return integer(code | (((s.planes[8 + w] >> shift) & ONE) << np.uint64(2))) - 1


@kernel
def colour_word(s: SameGameState, colour: int, w: int) -> Word:
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
def colour_count(s: SameGameState, colour: int) -> int:
    """How many cells of a colour are left."""
    count = 0
    for w in range(WORDS):
        count += bit_count(colour_word(s, colour, w))
    return count


@kernel
def cell_count(s: SameGameState) -> int:
    """How many cells are left."""
    count = 0
    for w in range(WORDS):
        count += bit_count(s.planes[w] | s.planes[4 + w] | s.planes[8 + w])
    return count


@inlined
def is_canonical(s: SameGameState, bit: int) -> bool:
    """Whether a cell is the canonical one of a region that can be removed."""
    return bool((s.canonical[bit >> 6] >> np.uint64(bit & 63)) & ONE != ZERO)


@kernel
def nth_region(words: Board, n: int) -> int:
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
