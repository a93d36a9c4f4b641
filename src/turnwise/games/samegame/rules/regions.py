"""Finding regions: links between equal neighbours, parallel floods over them, the row's list of regions.

A flood grows a set of cells along the links in all directions at once. A region's canonical cell is its lowest bit, so
a flood from there extends only to the right: the four columns of one word are nearly always enough, and that is three
times cheaper than a flood over the whole board.
"""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import mix
from turnwise.games.samegame.rules.cells import ONE, ZERO, Board, colour_at
from turnwise.games.samegame.state import WORDS, SameGameState
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.memory import bit_count, trailing_zeros
from turnwise.jit.record import Word, Words

S16 = np.uint64(16)
S48 = np.uint64(48)
_S63 = np.uint64(63)
_S8 = np.uint64(8)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_HASH_BITS = ~np.uint64(0x7FF)


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


@kernel
def window(words: Words, w: int, shift: Word) -> Word:
    """Four columns of a board, starting at column 4 w + shift / 16, as one word."""
    return (words[w] >> shift) | ((words[w + 1] << (_S63 - shift)) << ONE)


@kernel
def flood_window(seed: Word, up: Word, right: Word) -> Word:
    """Grow a set of cells along the links inside one word."""
    while True:
        grown = seed | ((seed & up) << ONE) | ((seed >> ONE) & up) | ((seed & right) << S16) | ((seed >> S16) & right)
        if grown == seed:
            return seed
        seed = grown


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


@kernel
def _wide_entry(s: SameGameState, bit: int, w: int, todo: Words) -> tuple[Word, Word]:
    """Entry of a region that is wider than a window; removes its cells from the later words of ``todo``.

    Returns:
        The entry, and the region's cells in word ``w``.
    """
    f0, f1, f2, f3 = region_of(s, bit)
    todo[1] &= ~f1
    todo[2] &= ~f2
    todo[3] &= ~f3
    size = bit_count(f0) + bit_count(f1) + bit_count(f2) + bit_count(f3)
    colour = np.uint64(colour_at(s, bit))
    word = mix(mix(mix(mix(f0 + _SPREAD) ^ f1) ^ f2) ^ f3)
    here = f0 if w == 0 else (f1 if w == 1 else (f2 if w == 2 else f3))
    return (mix(word ^ colour) & _HASH_BITS) | (colour << _S8) | np.uint64(size), here


@kernel
def list_regions(s: SameGameState) -> None:
    """Find all regions of two or more cells and write them into the row in canonical order."""
    find_links(s)
    todo = s.canonical  # at first the linked cells that are in no region yet, in the end the canonical cells
    carried = ZERO
    for w in range(WORDS):
        up, right = s.up[w], s.right[w]
        todo[w] = up | (up << ONE) | right | (right << S16) | carried
        carried = right >> S48
    before, n = integer(s.regions), 0
    for w in range(WORDS):
        rest, found = todo[w], ZERO
        a, b, c = s.planes[w], s.planes[4 + w], s.planes[8 + w]
        up0, up1, right0, right1 = s.up[w], s.up[w + 1], s.right[w], s.right[w + 1]
        following = todo[w + 1] if w + 1 < WORDS else ZERO
        while rest != ZERO:
            place = trailing_zeros(rest)
            shift, at = np.uint64(place & 48), np.uint64(place)
            back = _S63 - shift
            up = (up0 >> shift) | ((up1 << back) << ONE)
            right = (right0 >> shift) | ((right1 << back) << ONE)
            cells = flood_window(ONE << np.uint64(place & 15), up, right)
            if (cells & right) >> S48 == ZERO:
                rest &= ~(cells << shift)
                following &= ~((cells >> back) >> ONE)
                code = ((a >> at) & ONE) | (((b >> at) & ONE) << ONE) | (((c >> at) & ONE) << np.uint64(2))
                colour = code - ONE
                named = (np.uint64(64 * w + place) << np.uint64(3)) | code
                word = mix(cells ^ (named * _SPREAD)) & _HASH_BITS
                s.entries[n] = word | (colour << _S8) | np.uint64(bit_count(cells))
            else:
                todo[w] = rest
                if w + 1 < WORDS:
                    todo[w + 1] = following
                s.entries[n], cells = _wide_entry(s, 64 * w + place, w, todo)
                rest &= ~cells
                if w + 1 < WORDS:
                    following = todo[w + 1]
            found |= ONE << at
            n += 1
        todo[w] = found
        if w + 1 < WORDS:
            todo[w + 1] = following
    for i in range(n, before):
        s.entries[i] = ZERO
    s.regions = n
