"""What learnt policies read and write: places of actions, and planes that describe a board.

All planes are one value per cell of the 15 x 15 grid, columns outer, rows (from the floor up) inner.
"""

from __future__ import annotations

from turnwise.core.table import game_function
from turnwise.games.samegame.rules.cells import bit_of, code_of, colour_at
from turnwise.games.samegame.rules.moves import canonical_bit
from turnwise.games.samegame.rules.play import is_linked
from turnwise.games.samegame.state import CLEAR_BONUS, COLOURS, SIDE, SameGameSetup, SameGameState
from turnwise.jit.kernel import real
from turnwise.jit.record import Floats32

CELLS = SIDE * SIDE
PLANES = COLOURS + 2  # colours, cells that can be removed, score


@game_function("index")
def index(g: SameGameSetup, s: SameGameState, action: int) -> int:
    """The canonical cell of the region, 15 x + y."""
    return code_of(canonical_bit(s, action))


@game_function("features")
def features(g: SameGameSetup, s: SameGameState, player: int, out: Floats32) -> None:
    """1 where a cell has a colour, 1 where it can be removed, and the score in thousands everywhere."""
    score = real(s.score) / real(CLEAR_BONUS)
    for cell in range(CELLS):
        bit = bit_of(cell)
        colour = colour_at(s, bit)
        for plane in range(COLOURS):
            out[plane * CELLS + cell] = 1.0 if plane == colour else 0.0
        out[COLOURS * CELLS + cell] = 1.0 if is_linked(s, bit) else 0.0
        out[(COLOURS + 1) * CELLS + cell] = score
