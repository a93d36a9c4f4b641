"""The names of eight moves at a time, in vector instructions; ``move_entry`` in regions.py names one.

Eight floods in the lanes of a vector take little longer than one. A region that is complete stays as it is while those
in other lanes grow, so all of them grow by the same number of steps, without a branch. The few moves that need more
(large or wide regions, codes of cells that are not canonical) are left to the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from turnwise.core.chance import mix
from turnwise.games.samegame.rules.cells import Board
from turnwise.games.samegame.rules.regions import HASH_BITS, SPREAD, grown_window
from turnwise.games.samegame.state import SIDE, WORDS, SameGameState
from turnwise.jit.kernel import inlined
from turnwise.jit.lanes import bit_counts, over_lanes, where_equal
from turnwise.jit.record import Ints, Word, Words

_STEPS = 6  # as long as the floods of nearly all regions
_FIFTEENTH = (1 << 16) // SIDE + 1  # times a code of a cell, shifted right by 16: the cell's column, without a division
_grown: Callable[..., Any] = getattr(grown_window, "py_func", grown_window)
_mixed: Callable[..., Any] = getattr(mix, "py_func", mix)


def _entries(words: Sequence[Any], actions: Any) -> tuple[Any, Any]:
    """``move_entry`` for eight actions; a fault is not 0 where it does not hold.

    Args:
        words: The planes, the canonical cells, and ``up`` and ``right`` with the words of zeros.
        actions: Codes of cells.
    """
    planes, canonical = words[: 3 * WORDS], words[3 * WORDS : 4 * WORDS]
    up, right = words[4 * WORDS : 5 * WORDS + 1], words[5 * WORDS + 1 :]
    bit = actions + ((actions * _FIFTEENTH) >> 16)
    w, shift, inside = bit >> 6, bit & 48, bit & 63

    def chosen(board: Sequence[Any]) -> Any:
        last = where_equal(w, 2, board[2], board[3])
        return where_equal(w, 0, board[0], where_equal(w, 1, board[1], last))

    def window(board: Sequence[Any]) -> Any:
        return (chosen(board[:WORDS]) >> shift) | ((chosen(board[1:]) << (shift ^ 63)) << 1)

    def has(board: Sequence[Any]) -> Any:
        return (chosen(board) >> inside) & 1

    ups, rights = window(up), window(right)
    cells = ((bit ^ bit) | 1) << (bit & 15)
    for _ in range(_STEPS):
        cells = _grown(cells, ups, rights)
    is_incomplete = _grown(cells, ups, rights) ^ cells
    faults = is_incomplete | ((cells & rights) >> 48) | (has(canonical) ^ 1)
    code = has(planes[:WORDS]) | (has(planes[WORDS : 2 * WORDS]) << 1) | (has(planes[2 * WORDS :]) << 2)
    word = _mixed(cells ^ (((bit << 3) | code) * SPREAD)) & HASH_BITS
    return word | ((code - 1) << 8) | bit_counts(cells), faults


_entries_of: Callable[[tuple[Word, ...], Ints, int, Ints], Word] = over_lanes(_entries)


@inlined
def _board(words: Words, first: int) -> Board:
    """Four words of a board as a tuple."""
    return words[first], words[first + 1], words[first + 2], words[first + 3]


@inlined
def eight_entries(s: SameGameState, actions: Ints, first: int, out: Ints) -> Word:
    """Name the eight moves from ``actions[first]`` on, in the same places of ``out``.

    Args:
        s: The state.
        actions: int64[first + 8], legal.
        first: The first of them.
        out: int64[first + 8].

    Returns:
        The places, counted from ``first``, whose names are wrong, as bits.
    """
    planes = _board(s.planes, 0) + _board(s.planes, 4) + _board(s.planes, 8)
    links = (*_board(s.up, 0), s.up[4], *_board(s.right, 0), s.right[4])
    return _entries_of(planes + _board(s.canonical, 0) + links, actions, first, out)
