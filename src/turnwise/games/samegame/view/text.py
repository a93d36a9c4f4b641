"""A board as text for the terminal: one sign per cell, so that it can be read without colours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwise.core.errors import counted
from turnwise.games.samegame.state import SIDE

SIGNS = ("●", "■", "▲", "◆", "✚")  # of colours 0 to 4; pictures show the same ones
# Okabe and Ito's colours, which colour-blind readers can tell apart, approximated with 256 terminal colours.
_SGR = ("38;5;32", "38;5;208", "38;5;36", "38;5;220", "38;5;175")
_PLACE = "·"


def text_board(state: Mapping[str, Any], *, colour: bool = False) -> str:
    """Write a state as lines of text.

    Args:
        state: Its canonical dictionary.
        colour: Whether to add ANSI colours.

    Returns:
        Lines without a newline at the end: score and counts, the rows with their numbers, the numbers of the columns.
    """
    left = sum(state["counts"])
    ending = "" if not state["terminal"] else (", cleared" if left == 0 else ", no region left")
    lines = [f"score {state['score']}, {counted(left, 'cell')}{ending}"]
    rows = list(state["board"])
    top = next((y for y, row in enumerate(rows) if set(row) != {"."}), SIDE - 1)
    lines += [f"{SIDE - 1 - y:>2} " + " ".join(_cell(letter, colour) for letter in rows[y]) for y in range(top, SIDE)]
    lines.append("   " + " ".join(str(x % 10) for x in range(SIDE)))
    counts = (
        f"{_paint(sign, number, colour)} {count} of colour {number}"
        for number, (sign, count) in enumerate(zip(SIGNS, state["counts"], strict=True))
    )
    return "\n".join([*lines, ", ".join(counts)])


def legend() -> str:
    """What the signs on the board mean."""
    colours = ", ".join(f"{sign} colour {number}" for number, sign in enumerate(SIGNS))
    return (
        f"{colours}; {_PLACE} an empty cell. Rows are numbered on the left, columns below the board, by their last "
        "digit. The line below counts the cells of each colour."
    )


def _cell(letter: str, colour: bool) -> str:
    return _PLACE if letter == "." else _paint(SIGNS[int(letter)], int(letter), colour)


def _paint(text: str, number: int, colour: bool) -> str:
    return f"\x1b[{_SGR[number]}m{text}\x1b[0m" if colour else text
