"""The rules: start, legal actions, removal with gravity and vanishing columns, end (rules 2 and 3)."""

from __future__ import annotations

import numpy as np

from turnwise.core.chance import mix
from turnwise.core.table import game_function
from turnwise.games.samegame.rules.cells import ONE, ZERO, bit_of, cell_count, code_of, colour_count, is_canonical
from turnwise.games.samegame.rules.regions import S16, S48, flood_window, list_regions, region_of, window
from turnwise.games.samegame.state import (
    CLEAR_BONUS,
    COLOURS,
    NO_PENALTY,
    PER_COLOUR,
    SIDE,
    WORDS,
    SameGameSetup,
    SameGameState,
)
from turnwise.jit.kernel import integer, kernel, real
from turnwise.jit.memory import bit_count, trailing_zeros
from turnwise.jit.record import Address, Floats, Ints, Word

_COLUMN = np.uint64(0xFFFF)
_BOTTOM = np.uint64(0x0001000100010001)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)


@game_function("start")
def start(g: SameGameSetup, s: SameGameState, rng: Address) -> None:
    """The start board with a score of 0."""
    s.score, s.moves = 0, 0
    for i in range(3 * WORDS):
        s.planes[i] = g.planes[i]
    list_regions(s)


@game_function("legal_actions")
def legal_actions(g: SameGameSetup, s: SameGameState, out: Ints) -> int:
    """The canonical cells of all regions, ascending."""
    n = 0
    for w in range(WORDS):
        word = s.canonical[w]
        while word != ZERO:
            out[n] = code_of(64 * w + trailing_zeros(word))
            word &= word - ONE
            n += 1
    return n


@game_function("is_legal")
def is_legal(g: SameGameSetup, s: SameGameState, action: int) -> int:
    """Whether a cell belongs to a region of two or more cells."""
    if action < 0 or action >= SIDE * SIDE:
        return 0
    return integer(is_linked(s, bit_of(action)))


@kernel
def is_linked(s: SameGameState, bit: int) -> bool:
    """Whether a cell has a neighbour of its colour."""
    w, shift = bit >> 6, np.uint64(bit & 63)
    linked = s.up[w] | (s.up[w] << ONE) | s.right[w] | (s.right[w] << S16)
    if w > 0:
        linked |= s.right[w - 1] >> S48
    return bool((linked >> shift) & ONE != ZERO)


@game_function("apply")
def apply(g: SameGameSetup, s: SameGameState, action: int, rng: Address) -> None:
    """Remove the region of a cell: points, gravity, vanishing columns, bonus for an empty board."""
    bit = bit_of(action)
    size = _remove(s, bit)
    s.score += (size - 2) * (size - 2)
    s.moves += 1
    if (s.planes[0] | s.planes[4] | s.planes[8]) & ONE == ZERO:
        s.score += CLEAR_BONUS
    list_regions(s)


@kernel
def _remove(s: SameGameState, bit: int) -> int:
    """Remove a region from the board; returns its number of cells."""
    w, shift = bit >> 6, np.uint64(bit & 48)
    if is_canonical(s, bit):
        right = window(s.right, w, shift)
        cells = flood_window(ONE << np.uint64(bit & 15), window(s.up, w, shift), right)
        if (cells & right) >> S48 == ZERO:
            size = bit_count(cells)
            empty = _drop(s, w, cells << shift)
            beyond = (cells >> (np.uint64(63) - shift)) >> ONE
            if beyond != ZERO:
                empty |= _drop(s, w + 1, beyond)
            if empty:
                _close_columns(s)
            return size
    cells0, cells1, cells2, cells3 = region_of(s, bit)
    empty = False
    if cells0 != ZERO:
        empty |= _drop(s, 0, cells0)
    if cells1 != ZERO:
        empty |= _drop(s, 1, cells1)
    if cells2 != ZERO:
        empty |= _drop(s, 2, cells2)
    if cells3 != ZERO:
        empty |= _drop(s, 3, cells3)
    if empty:
        _close_columns(s)
    return bit_count(cells0) + bit_count(cells1) + bit_count(cells2) + bit_count(cells3)


@kernel
def _drop(s: SameGameState, w: int, cells: Word) -> bool:
    """Remove cells of one word and let those above them fall, run by run; returns whether a column became empty."""
    a, b, c = s.planes[w], s.planes[4 + w], s.planes[8 + w]
    before = a | b | c
    while cells != ZERO:
        first = np.uint64(trailing_zeros(cells))
        run = np.uint64(trailing_zeros(~(cells >> first)))
        column = _COLUMN << (first & S48)
        above = column & (~ZERO << first)
        a = (a & ~above) | (((a & column) >> run) & above)
        b = (b & ~above) | (((b & column) >> run) & above)
        c = (c & ~above) | (((c & column) >> run) & above)
        cells = (cells & ~above) | (((cells & column) >> run) & above)
    s.planes[w], s.planes[4 + w], s.planes[8 + w] = a, b, c
    return bool(before & _BOTTOM & ~(a | b | c) != ZERO)


@kernel
def _close_columns(s: SameGameState) -> None:
    """Move columns to the left over empty ones."""
    for column in range(SIDE - 1, -1, -1):
        w, shift = column >> 2, np.uint64((column & 3) << 4)
        if ((s.planes[w] | s.planes[4 + w] | s.planes[8 + w]) >> shift) & ONE != ZERO:
            continue
        kept = (ONE << shift) - ONE
        for plane in range(0, 3 * WORDS, WORDS):
            following = s.planes[plane + w + 1] if w + 1 < WORDS else ZERO
            word = s.planes[plane + w]
            s.planes[plane + w] = (word & kept) | ((word >> S16) & ~kept) | (following << S48)
            for v in range(w + 1, WORDS):
                following = s.planes[plane + v + 1] if v + 1 < WORDS else ZERO
                s.planes[plane + v] = (s.planes[plane + v] >> S16) | (following << S48)


@game_function("to_move")
def to_move(g: SameGameSetup, s: SameGameState) -> int:
    """Player 0 while there is a region to remove (also on a start board: rules K2), else -1."""
    return 0 if s.regions > 0 else -1


@game_function("turn")
def turn(g: SameGameSetup, s: SameGameState) -> int:
    """Empty cells of the whole 15 x 15 grid: it grows with every action and needs no history."""
    return SIDE * SIDE - cell_count(s)


@kernel
def final_score(g: SameGameSetup, s: SameGameState) -> int:
    """The score minus the scenario's end penalty (rules K5) for the cells that are left."""
    score = integer(s.score)
    if g.penalty == NO_PENALTY:
        return score
    if g.penalty == PER_COLOUR:
        for colour in range(COLOURS):
            score -= penalty_for(colour_count(s, colour))
        return score
    return score - penalty_for(cell_count(s))


@kernel
def penalty_for(left: int) -> int:
    """Penalty for a number of cells that are left; up to two cost nothing."""
    return (left - 2) * (left - 2) if left > 2 else 0


@game_function("returns")
def returns(g: SameGameSetup, s: SameGameState, out: Floats) -> None:
    """The score, minus the end penalty if there is one."""
    out[0] = real(final_score(g, s))


@game_function("fingerprint")
def fingerprint(g: SameGameSetup, s: SameGameState) -> Word:
    """Hash of board and score."""
    total = mix(np.uint64(s.score) + _SPREAD)
    for i in range(3 * WORDS):
        total += mix(s.planes[i] ^ (np.uint64(i + 1) * _SPREAD))
    return mix(total)


@game_function("metrics")
def metrics(g: SameGameSetup, s: SameGameState, player: int, out: Floats) -> None:
    """Score, cells left, actions played (since the start, or since the state was read from its JSON form)."""
    out[0] = real(s.score)
    out[1] = real(cell_count(s))
    out[2] = real(s.moves)
