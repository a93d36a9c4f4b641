"""A board as one self-contained SVG picture: a colour and a sign per cell, score and cells left, the last action.

The colours are Okabe and Ito's, which colour-blind readers can tell apart; each also has a sign of its own. The picture
contains no ids, styles, scripts, fonts or links, so one page can hold any number of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from turnwise.core.errors import counted
from turnwise.core.svg_text import FONT, INK
from turnwise.games.samegame.state import SIDE
from turnwise.games.samegame.view.text import SIGNS

CELL = 28
LEFT, TOP = 30, 46
_WIDTH, _HEIGHT = LEFT + SIDE * CELL + 12, TOP + SIDE * CELL + 58
_MARK = "#6a1b9a"
COLOURS = ("#56b4e9", "#d55e00", "#009e73", "#f0e442", "#cc79a7")
COLOUR_NAMES = ("blue", "orange", "green", "yellow", "pink")
_PATHS = {  # the terminal's signs around the middle of a cell
    "●": "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z",
    "■": "M-5 -5h10v10h-10z",
    "▲": "M0 -6L6 5H-6z",
    "◆": "M0 -7L6 0L0 7L-6 0z",
    "✚": "M-2 -6h4v4h4v4h-4v4h-4v-4h-4v-4h4z",
}
_MARKS = tuple(_PATHS[sign] for sign in SIGNS)


def draw(
    state: Mapping[str, Any], *, last_action: str | None = None, removed: Iterable[tuple[int, int]] | None = None
) -> str:
    """Draw a state.

    Args:
        state: Its canonical dictionary.
        last_action: The action that led here, ``x y``; its place is ringed.
        removed: Cells (x, y) that the last action removed, where they stood before it; they are outlined.

    Returns:
        The picture; its text alternative gives score, cells left and the last action.
    """
    board, left = list(state["board"]), sum(state["counts"])
    ending = ("cleared" if left == 0 else "no region left") if state["terminal"] else ""
    description = [f"SameGame, score {state['score']}, {counted(left, 'cell')} left"]
    description += [ending] if ending else []
    description += [f"last action {last_action}"] if last_action else []
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
        f'height="{_HEIGHT}" role="img" aria-label="{escape(". ".join(description))}." font-family="{FONT}">'
        f'<rect width="100%" height="100%" rx="8" fill="#fbfaf6"/>',
        _text(LEFT, 28, f"Score {state['score']}", 19, bold=True),
        _text(_WIDTH - 12, 28, ", ".join(filter(None, (f"{counted(left, 'cell')} left", ending))), 14, anchor="end"),
        _coordinates(),
        *_cells(board),
        *_last(last_action, removed),
        _legend(state["counts"]),
    ]
    return "".join(parts) + "</svg>"


def _middle(x: int, y: int) -> tuple[int, int]:
    """Middle of a cell in the picture; row 0 is the lowest."""
    return LEFT + x * CELL + CELL // 2, TOP + (SIDE - 1 - y) * CELL + CELL // 2


def _text(x: int, y: int, content: str, size: int, *, anchor: str = "start", bold: bool = False, ink: str = INK) -> str:
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" fill="{ink}"{weight}>{escape(content)}</text>'
    )


def _coordinates() -> str:
    below = [_text(_middle(x, 0)[0], TOP + SIDE * CELL + 15, str(x), 11, anchor="middle") for x in range(SIDE)]
    left = [_text(LEFT - 8, _middle(0, y)[1] + 4, str(y), 11, anchor="end") for y in range(SIDE)]
    return f'<rect x="{LEFT}" y="{TOP}" width="{SIDE * CELL}" height="{SIDE * CELL}" fill="#e9e5da"/>' + "".join(
        below + left
    )


def _cells(board: Sequence[str]) -> Iterable[str]:
    """One group per colour: coloured squares, and the colour's sign on each."""
    for colour, fill in enumerate(COLOURS):
        places = [
            _middle(x, SIDE - 1 - row)
            for row, letters in enumerate(board)
            for x, letter in enumerate(letters)
            if letter == str(colour)
        ]
        if places:
            half = CELL // 2 - 1
            squares = "".join(f"M{x - half} {y - half}h{2 * half}v{2 * half}h{-2 * half}z" for x, y in places)
            signs = "".join(f'<path transform="translate({x} {y})" d="{_MARKS[colour]}"/>' for x, y in places)
            yield f'<path fill="{fill}" d="{squares}"/><g fill="{INK}" fill-opacity=".55">{signs}</g>'


def _last(action: str | None, removed: Iterable[tuple[int, int]] | None) -> Iterable[str]:
    """Where the last action was: a ring at its cell, and the outline of the cells that it removed, if known."""
    half = CELL // 2 - 2
    outline = "".join(f"M{x - half} {y - half}h{2 * half}v{2 * half}h{-2 * half}z" for x, y in _middles(removed or ()))
    if outline:
        yield f'<path fill="none" stroke="{_MARK}" stroke-width="2" stroke-dasharray="4 3" d="{outline}"/>'
    if action:
        x, y = _middle(*(int(part) for part in action.split()))
        yield f'<circle cx="{x}" cy="{y}" r="{half - 2}" fill="none" stroke="{_MARK}" stroke-width="3"/>'
        yield _text(_WIDTH // 2, 28, f"last: {action}", 13, anchor="middle", ink=_MARK)


def _middles(cells: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    return [_middle(x, y) for x, y in cells]


def _legend(counts: Sequence[int]) -> str:
    """The legend: how many cells of each colour are left."""
    y, step = _HEIGHT - 18, (_WIDTH - 30) // len(COLOURS)
    parts = []
    for colour, count in enumerate(counts):
        x = 26 + colour * step
        parts.append(f'<rect x="{x - 11}" y="{y - 11}" width="22" height="22" fill="{COLOURS[colour]}"/>')
        parts.append(f'<path transform="translate({x} {y})" fill="{INK}" fill-opacity=".55" d="{_MARKS[colour]}"/>')
        parts.append(_text(x + 16, y + 5, f"{colour}: {count} left", 12))
    return "".join(parts)
