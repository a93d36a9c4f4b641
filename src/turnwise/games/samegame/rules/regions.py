"""Finding regions: links between equal neighbours, canonical cells of all regions at once, floods of single ones.

A *run* is a maximal set of linked cells in one column. Most regions have exactly one run without a link to the left,
and its lowest cell is canonical; such cells are found for the whole board with a few shifts. A region can have several
of them only where two runs of one column meet in a run to their right; the few regions with such a meeting are flooded.

A flood grows a set of cells along the links in all directions at once. A region's canonical cell is its lowest bit, so
a flood from there extends only to the right: the four columns of one word are nearly always enough, and that is three
times cheaper than a flood over the whole board.
"""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import mix
from turnwise.games.samegame.rules.cells import ONE, ZERO, Board, colour_at
from turnwise.games.samegame.state import WORDS, SameGameState
from turnwise.jit.kernel import inlined, kernel
from turnwise.jit.memory import bit_count, trailing_zeros
from turnwise.jit.record import Word, Words

S16 = np.uint64(16)
S48 = np.uint64(48)
_S63 = np.uint64(63)
_S2, _S4, _S8 = np.uint64(2), np.uint64(4), np.uint64(8)
SPREAD = np.uint64(0x9E3779B97F4A7C15)
HASH_BITS = ~np.uint64(0x7FF)


@kernel
def find_links(s: SameGameState) -> None:
    """Find which neighbours have the same colour; writes ``up`` and ``right``."""
    for w in range(WORDS):
        a, b, c = s.planes[w], s.planes[4 + w], s.planes[8 + w]
        filled = a | b | c
        an, bn, cn = ZERO, ZERO, ZERO
        if w < WORDS - 1:
            an, bn, cn = s.planes[w + 1], s.planes[5 + w], s.planes[9 + w]
        s.up[w] = ~((a ^ (a >> ONE)) | (b ^ (b >> ONE)) | (c ^ (c >> ONE))) & filled
        other = (a ^ ((a >> S16) | (an << S48))) | (b ^ ((b >> S16) | (bn << S48)))
        s.right[w] = ~(other | (c ^ ((c >> S16) | (cn << S48)))) & filled


@inlined
def window(words: Words, w: int, shift: Word) -> Word:
    """Four columns of a board, starting at column 4 w + shift / 16, as one word."""
    return (words[w] >> shift) | ((words[w + 1] << (_S63 - shift)) << ONE)


@inlined
def grown_window(cells: Word, up: Word, right: Word) -> Word:
    """A set of cells with all that are linked to them, inside one word."""
    vertical = ((cells & up) << ONE) | ((cells >> ONE) & up)
    return cells | vertical | ((cells & right) << S16) | ((cells >> S16) & right)


@inlined
def flood_window(seed: Word, up: Word, right: Word) -> Word:
    """Grow a set of cells along the links inside one word.

    Nineteen of twenty regions are complete after three steps, so the processor predicts that the loop does not repeat.
    """
    while True:
        near = grown_window(seed, up, right)
        far = grown_window(grown_window(near, up, right), up, right)
        seed = grown_window(far, up, right)
        if seed == far:
            return seed


@kernel
def flood(s: SameGameState, f0: Word, f1: Word, f2: Word, f3: Word) -> Board:
    """Grow a set of cells, given as four words, along all links; returns four words."""
    u0, u1, u2, u3 = s.up[0], s.up[1], s.up[2], s.up[3]
    r0, r1, r2, r3 = s.right[0], s.right[1], s.right[2], s.right[3]
    while True:
        # Links to the right carry cells into the next column; after the last column of a word comes the next word.
        o0, o1, o2, o3 = f0 & r0, f1 & r1, f2 & r2, f3 & r3
        g0 = f0 | ((f0 & u0) << ONE) | ((f0 >> ONE) & u0) | (o0 << S16) | (((f0 >> S16) | (f1 << S48)) & r0)
        g1 = f1 | ((f1 & u1) << ONE) | ((f1 >> ONE) & u1) | (o1 << S16) | (((f1 >> S16) | (f2 << S48)) & r1)
        g2 = f2 | ((f2 & u2) << ONE) | ((f2 >> ONE) & u2) | (o2 << S16) | (((f2 >> S16) | (f3 << S48)) & r2)
        g3 = f3 | ((f3 & u3) << ONE) | ((f3 >> ONE) & u3) | (o3 << S16) | ((f3 >> S16) & r3)
        g1, g2, g3 = g1 | (o0 >> S48), g2 | (o1 >> S48), g3 | (o2 >> S48)
        if (g0 ^ f0) | (g1 ^ f1) | (g2 ^ f2) | (g3 ^ f3) == ZERO:
            return f0, f1, f2, f3
        f0, f1, f2, f3 = g0, g1, g2, g3


@kernel
def seeded(bit: int) -> Board:
    """A board of one cell as four words."""
    word = ONE << np.uint64(bit & 63)
    w = bit >> 6
    return (
        word if w == 0 else ZERO,
        word if w == 1 else ZERO,
        word if w == 2 else ZERO,
        word if w == 3 else ZERO,
    )


@kernel
def region_of(s: SameGameState, bit: int) -> Board:
    """All cells of the region of a cell, as four words."""
    f0, f1, f2, f3 = seeded(bit)
    return flood(s, f0, f1, f2, f3)


@inlined
def move_entry(s: SameGameState, bit: int) -> Word:
    """Colour, size and hash of a region, given by its canonical cell: ``hash | colour << 8 | size``."""
    w, shift = bit >> 6, np.uint64(bit & 48)
    right = window(s.right, w, shift)
    cells = flood_window(ONE << np.uint64(bit & 15), window(s.up, w, shift), right)
    if (cells & right) >> S48 != ZERO:
        return wide_entry(s, bit)
    colour = np.uint64(colour_at(s, bit))
    named = (np.uint64(bit) << np.uint64(3)) | (colour + ONE)
    word = mix(cells ^ (named * SPREAD)) & HASH_BITS
    return word | (colour << _S8) | np.uint64(bit_count(cells))


@kernel
def wide_entry(s: SameGameState, bit: int) -> Word:
    """The same for a region that is wider than a window."""
    f0, f1, f2, f3 = region_of(s, bit)
    size = bit_count(f0) + bit_count(f1) + bit_count(f2) + bit_count(f3)
    colour = np.uint64(colour_at(s, bit))
    word = mix(mix(mix(mix(f0 + SPREAD) ^ f1) ^ f2) ^ f3)
    return (mix(word ^ colour) & HASH_BITS) | (colour << _S8) | np.uint64(size)


@kernel
def region_size(s: SameGameState, bit: int) -> int:
    """Cells of a region, given by its canonical cell."""
    w, shift = bit >> 6, np.uint64(bit & 48)
    right = window(s.right, w, shift)
    cells = flood_window(ONE << np.uint64(bit & 15), window(s.up, w, shift), right)
    if (cells & right) >> S48 == ZERO:
        return bit_count(cells)
    f0, f1, f2, f3 = region_of(s, bit)
    return bit_count(f0) + bit_count(f1) + bit_count(f2) + bit_count(f3)


@inlined
def first_cells(up: Word, right: Word, left: Word) -> Word:
    """The lowest cells of all runs of two or more linked cells that have no link to the left, in one word.

    Args:
        up: Cells linked to their upper neighbours.
        right: Cells linked to their right neighbours.
        left: Cells linked to their left neighbours.
    """
    linked, chain = left, up  # in the end: cells of a run at or below one with a link to the left
    linked |= (linked >> ONE) & chain
    chain &= chain >> ONE
    linked |= (linked >> _S2) & chain
    chain &= chain >> _S2
    linked |= (linked >> _S4) & chain
    chain &= chain >> _S4
    linked |= (linked >> _S8) & chain
    return (up | right) & ~(up << ONE) & ~linked


@inlined
def meetings(up: Word, left: Word) -> Word:
    """Cells where a run meets a further run of the column to its left, in one word.

    Between two links to different runs on the left there is a cell without such a link. The addition finds the cells
    above the first link: it carries through a run, up to its highest cell, which has no link upwards.
    """
    above = up & ~left & ~(up + (left & up))
    return left & (above << ONE)


@kernel
def list_regions(s: SameGameState) -> None:
    """Find all regions of two or more cells: writes the links, the canonical cells and their number."""
    find_links(s)
    left, meets = ZERO, ZERO
    for w in range(WORDS):
        up, right = s.up[w], s.right[w]
        left |= right << S16
        s.canonical[w] = first_cells(up, right, left)
        meets |= meetings(up, left)
        left = right >> S48
    if meets != ZERO:
        join_runs(s)
    c = s.canonical
    s.regions = bit_count(c[0]) + bit_count(c[1]) + bit_count(c[2]) + bit_count(c[3])


@kernel
def join_runs(s: SameGameState) -> None:
    """Keep only the lowest of the first cells of each region in which runs meet."""
    r0, r1, r2, r3 = s.right[0], s.right[1], s.right[2], s.right[3]
    m0 = meetings(s.up[0], r0 << S16)
    m1 = meetings(s.up[1], (r1 << S16) | (r0 >> S48))
    m2 = meetings(s.up[2], (r2 << S16) | (r1 >> S48))
    m3 = meetings(s.up[3], (r3 << S16) | (r2 >> S48))
    c = s.canonical
    while m0 | m1 | m2 | m3 != ZERO:
        f0, f1, f2, f3 = region_of(s, first_cell(m0, m1, m2, m3))
        m0, m1, m2, m3 = m0 & ~f0, m1 & ~f1, m2 & ~f2, m3 & ~f3
        first = first_cell(f0, f1, f2, f3)
        c[0], c[1], c[2], c[3] = c[0] & ~f0, c[1] & ~f1, c[2] & ~f2, c[3] & ~f3
        c[first >> 6] |= ONE << np.uint64(first & 63)


@kernel
def first_cell(f0: Word, f1: Word, f2: Word, f3: Word) -> int:
    """Bit number of the lowest cell of a set that is not empty."""
    if f0 != ZERO:
        return trailing_zeros(f0)
    if f1 != ZERO:
        return 64 + trailing_zeros(f1)
    return 128 + trailing_zeros(f2) if f2 != ZERO else 192 + trailing_zeros(f3)
