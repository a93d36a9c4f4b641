"""The state row: three bit planes of colours, the links between equal neighbours, and the canonical cells.

A board is 16 columns of 16 bits in four words, column 0 and row 0 lowest, so that ascending bits are the canonical
order (ascending x, then y). Row 15 and column 15 are always empty: nothing that is shifted off the board reappears
elsewhere. A cell's three plane bits are its colour plus one; 0 is an empty cell.

The canonical cells of all regions are found once after each action and stay in the row. A region's other cells are
found when somebody asks for them (:mod:`turnwise.games.samegame.rules.regions`): a playout never does.
"""

from __future__ import annotations

from typing import Annotated

from turnwise.jit.record import Int16, Int32, Record, Words

SIDE = 15  # maximum number of columns and rows
COLOURS = 5
WORDS = 4  # words of one board
MOST_REGIONS = SIDE * SIDE // 2
CLEAR_BONUS = 1000
NO_PENALTY, PER_COLOUR, TOTAL = 0, 1, 2


class SameGameSetup(Record):
    """The start board and the rule for cells that are left at the end."""

    planes: Annotated[Words, 3 * WORDS]
    penalty: int  # NO_PENALTY, PER_COLOUR or TOTAL


class SameGameState(Record):
    """A state."""

    score: Int32
    moves: Int16
    regions: Int16  # number of regions that can be removed
    planes: Annotated[Words, 3 * WORDS]  # bit planes 0, 1, 2 of colour + 1, four words each
    canonical: Annotated[Words, WORDS]  # the canonical cell of each region
    up: Annotated[Words, WORDS + 1]  # cells whose upper neighbour has their colour; then a word of zeros
    right: Annotated[Words, WORDS + 1]  # the same for the right neighbour
