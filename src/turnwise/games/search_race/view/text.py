"""A race as text for the terminal."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from turnwise.games.search_race.scenario import HEIGHT, WIDTH, Point
from turnwise.games.search_race.view.svg import summary

_COLUMNS, _ROWS = 64, 18  # a cell is 250 x 500 on the contest's map
_ARROWS = "→↘↓↙←↖↑↗"


def text_board(points: Sequence[Point], total: int, state: Mapping[str, Any]) -> str:
    """The map with numbered checkpoints and the car as an arrow, and the state's numbers below.

    Args:
        points: The track's checkpoints, the start first.
        total: Checkpoints to be passed.
        state: Canonical dictionary.
    """
    xs, ys = [0, WIDTH, *(x for x, _ in points)], [0, HEIGHT, *(y for _, y in points)]
    cell_x, cell_y = (max(xs) - min(xs) + 1) / _COLUMNS, (max(ys) - min(ys) + 1) / _ROWS
    cells = [[" "] * _COLUMNS for _ in range(_ROWS)]

    def write(x: int, y: int, text: str) -> bool:
        column, row = math.floor((x - min(xs)) / cell_x), math.floor((y - min(ys)) / cell_y)
        if not (0 <= row < _ROWS and 0 <= column < _COLUMNS):
            return False
        column = min(column, _COLUMNS - len(text))
        cells[row][column : column + len(text)] = text
        return True

    for number, (x, y) in reversed(list(enumerate(points))):
        write(x, y, str(number))
    shown = write(state["x"], state["y"], _ARROWS[round(state["angle"] / 45) % 8])
    frame = "+" + "-" * _COLUMNS + "+"
    target = points[(state["cp"] + 1) % len(points)]
    next_target = (
        "" if state["cp"] == total else f"; next: {(state['cp'] + 1) % len(points)} at {target[0]},{target[1]}"
    )
    where = f"car at {state['x']},{state['y']}" + ("" if shown else " (off the picture)")
    numbers = f"{where}, speed {state['vx']},{state['vy']}, heading {state['angle']} degrees{next_target}"
    return "\n".join([summary(state, total), frame, *("|" + "".join(row) + "|" for row in cells), frame, numbers])


def legend() -> str:
    """What the signs on the map mean."""
    return (
        f"A number is the centre of a checkpoint; 0 is the start. An arrow ({' '.join(_ARROWS)}) is the car and where "
        "it heads; it hides the number of a checkpoint in the same place. The line below has the exact numbers: "
        "position, speed, heading clockwise from the right, and the next checkpoint."
    )
