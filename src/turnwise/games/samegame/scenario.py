"""Boards and options of SameGame; a board, named or the user's own, becomes one setup row.

A board is written as rows from the top to the bottom. A board smaller than 15 x 15 is placed in the lower left
corner of the full grid.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Literal

import numpy as np
from pydantic import Field, field_validator, model_validator

from turnwise.core.errors import brief, counted
from turnwise.core.game import GameOptions, Row
from turnwise.games.samegame.state import COLOURS, NO_PENALTY, PER_COLOUR, SIDE, TOTAL, WORDS, SameGameSetup

EMPTY = "."
STANDARD = tuple(str(number) for number in range(1, 21))
_LONGEST_SHOWN = 20  # letters of a wrong colour in a message
_LETTERS = {EMPTY, *(str(colour) for colour in range(COLOURS))}
_PENALTIES = {"none": NO_PENALTY, "per_colour": PER_COLOUR, "total": TOTAL}
FORMS = "rows of the digits 0 to 4 and '.', or of numbers with -1 for an empty cell, the top row first"


@cache
def named_boards() -> Mapping[str, tuple[str, ...]]:
    """The boards shipped with turnwise: the 20 standard ones by number and five hand-made ones."""
    file = resources.files("turnwise.games.samegame") / "data" / "boards.json"
    return {name: tuple(rows) for name, rows in json.loads(file.read_text(encoding="utf-8")).items()}


class SameGameOptions(GameOptions):
    """Scenario options; the defaults are the contest's rules on standard board 1."""

    board: str | None = Field(None, description="1 to 20, or the name of a codingame-... board; default: 1")
    rows: tuple[str, ...] | None = Field(
        None,
        description="your own board, top row first: at most 15 x 15 cells, colours 0 to 4, '.' or -1 for empty cells",
    )
    end_penalty: Literal["none", "per_colour", "total"] = Field(
        "none", description="penalty of (r - 2)^2 for r > 2 cells left: for each colour, or for all cells together"
    )

    @field_validator("board", mode="before")
    @classmethod
    def _known_board(cls, name: Any) -> str | None:
        if name is None:
            return None
        text = (name if isinstance(name, str) else brief(name)).removeprefix("standard-")
        if text not in named_boards():
            others = ", ".join(known for known in named_boards() if known not in STANDARD)
            raise ValueError(
                f"no such board; boards are 1 to 20, {others}; a board of your own goes into 'rows', or into a file "
                "for --board FILE"
            )
        return text

    @field_validator("rows", mode="before")
    @classmethod
    def _possible_rows(cls, rows: Any) -> tuple[str, ...] | None:
        if rows is None:
            return None
        if isinstance(rows, str):
            rows = rows.split("/")
        if not isinstance(rows, Sequence):
            raise ValueError(f"expected {FORMS}")
        return check_rows(rows)

    @model_validator(mode="after")
    def _one_board(self) -> SameGameOptions:
        if self.board is not None and self.rows is not None:
            raise ValueError("board and rows are both given; give one of them")
        return self

    @property
    def start_board(self) -> tuple[str, ...]:
        """The full 15 x 15 start board, top row first."""
        if self.rows is not None:
            return full_board(self.rows)
        return full_board(named_boards()[self.board or "1"])


def check_rows(rows: Iterable[Any]) -> tuple[str, ...]:
    """Rows of any accepted form as strings of digits and dots, all of one length.

    Args:
        rows: Top row first: strings ("3..14", or "3 -1 -1 1 4"), or lists of numbers with -1 for empty.

    Raises:
        ValueError: Ragged rows, unknown colours, too many rows or columns, floating cells, an
            empty column between others, no cell at all.
    """
    read = [_row_text(row, number) for number, row in enumerate(rows, 1)]
    if not read or not read[0]:
        raise ValueError(f"a board has at least one row and one column; expected {FORMS}")
    if len(read) > SIDE or len(read[0]) > SIDE:
        raise ValueError(f"a board has at most {SIDE} columns and {SIDE} rows; got {len(read[0])} x {len(read)}")
    for number, row in enumerate(read, 1):
        if len(row) != len(read[0]):
            raise ValueError(
                f"all rows need the same length; row 1 has {counted(len(read[0]), 'cell')}, row {number} {len(row)}"
            )
    _check_gravity(read)
    return tuple(read)


def _row_text(row: Any, number: int) -> str:
    """One row as digits and dots."""
    if isinstance(row, str):
        cells = row.split() if re.search(r"\s", row.strip()) or row.strip() == "-1" else list(row.strip())
    elif isinstance(row, Sequence):
        cells = [str(cell) for cell in row]
    else:
        raise ValueError(f"row {number} is {brief(row)}; expected {FORMS}")
    if len(cells) > 4 * SIDE:
        raise ValueError(f"a board has at most {SIDE} columns; row {number} has {len(cells)}")
    cells = [EMPTY if cell == "-1" else cell for cell in cells]
    unknown = [cell for cell in cells if cell not in _LETTERS]
    if unknown:
        shown = unknown[0] if len(unknown[0]) <= _LONGEST_SHOWN else unknown[0][:_LONGEST_SHOWN] + "..."
        raise ValueError(f"row {number}: {shown!r} is not a colour; colours are 0 to 4, '.' or -1 is empty")
    return "".join(cells)


def _check_gravity(rows: Sequence[str]) -> None:
    """Check that every column stands on the floor and that no empty column is between others."""
    heights = []
    for x in range(len(rows[0])):
        column = "".join(row[x] for row in reversed(rows))  # from the floor up
        stack = column.rstrip(EMPTY)
        if EMPTY in stack:
            raise ValueError(f"column {x} (from 0) has cells above an empty one; let them fall down first")
        heights.append(len(stack))
    if not any(heights):
        raise ValueError("all cells of the board are empty")
    if 0 in heights and any(heights[heights.index(0) :]):
        raise ValueError(f"column {heights.index(0)} (from 0) is empty and others stand to its right; close the gap")


def full_board(rows: Sequence[str]) -> tuple[str, ...]:
    """A board in the lower left corner of the full grid."""
    padded = [row.ljust(SIDE, EMPTY) for row in rows]
    return tuple([EMPTY * SIDE] * (SIDE - len(rows)) + padded)


def planes_of(board: Sequence[str]) -> Row:
    """The three bit planes of a full board (see :mod:`turnwise.games.samegame.state`).

    Args:
        board: 15 strings of 15 letters, top row first.

    Returns:
        uint64[12].
    """
    planes = [0] * (3 * WORDS)
    for y, row in enumerate(reversed(board)):
        for x, letter in enumerate(row):
            code = 0 if letter == EMPTY else int(letter) + 1
            for plane in range(3):
                if code >> plane & 1:
                    planes[WORDS * plane + x // 4] |= 1 << (16 * (x % 4) + y)
    return np.array(planes, np.uint64)


def board_of(planes: Row) -> list[str]:
    """The full board of three bit planes, top row first; the inverse of :func:`planes_of`."""
    words = [int(word) for word in planes]

    def letter(x: int, y: int) -> str:
        shift = 16 * (x % 4) + y
        code = sum((words[WORDS * plane + x // 4] >> shift & 1) << plane for plane in range(3))
        return str(code - 1) if code else EMPTY

    return ["".join(letter(x, y) for x in range(SIDE)) for y in range(SIDE - 1, -1, -1)]


def build_setup(options: SameGameOptions) -> Row:
    """The setup row of a scenario.

    Returns:
        uint64 row of SameGameSetup; read-only.
    """
    row = np.zeros(SameGameSetup.dtype.itemsize // 8, np.uint64)
    s: Any = row.view(SameGameSetup.dtype)[0]
    s["planes"] = planes_of(options.start_board)
    s["penalty"] = _PENALTIES[options.end_penalty]
    row.flags.writeable = False
    return row
