"""Actions and states as text and JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from doubles.skirmish.state import MOST_HEALTH, MOST_UNITS, PLAYERS, SQUARES, VERBS, WIDTH, SkirmishState
from turnwise.core.errors import NotationError, shown


def square_text(square: int) -> str:
    return "abcdefgh"[square % WIDTH] + str(square // WIDTH + 1)


def read_action(text: str) -> tuple[int, str]:
    """Square and verb of an action's text; -1 and "end".

    Raises:
        NotationError: The text is not an action.
    """
    square, _, verb = text.partition("-")
    if text == "end":
        return -1, text
    if len(square) != 2 or square[0] not in "abcdefgh" or square[1] not in "1234567" or verb not in VERBS:
        raise NotationError(f"{text!r} is not an action of skirmish; expected 'end' or, for example, 'c3-north'.")
    return (int(square[1]) - 1) * WIDTH + "abcdefgh".index(square[0]), verb


def board_text(state: Mapping[str, Any]) -> str:
    """The board of a state's JSON form: kind and owner of each unit."""
    units = zip(state["ground"], state["owner"], state["kind"], strict=True)
    shown = [" " + ".*?"[ground] if owner < 0 else f"{'sf'[kind]}{owner + 1}" for ground, owner, kind in units]
    rows = [" ".join(shown[k : k + WIDTH]) for k in range(0, SQUARES, WIDTH)]
    return "\n".join([f"turn {state['turn']}, player {state['mover'] + 1}", *rows])


def checked_fields(data: Mapping[str, Any], players: int) -> dict[str, NDArray[np.int64]]:
    """The fields of a state's JSON form.

    Raises:
        NotationError: They are not those of a state.
    """
    ranges = {"turn": (1, 2**40), "mover": (0, players - 1), "over": (0, 1), "fuse": (0, 2**40)}
    ranges |= {"hidden": (0, MOST_UNITS), "owner": (-1, players - 1), "kind": (0, 1), "health": (0, MOST_HEALTH)}
    ranges |= {"points": (0, 3), "facing": (0, 1), "ground": (0, 2), "explored": (0, 2**PLAYERS - 1)}
    if not isinstance(data, Mapping) or set(data) != set(ranges):
        raise NotationError(f"Not a state of skirmish: expected the fields {sorted(ranges)}, got {shown(data)}.")
    try:
        fields = {name: np.asarray(value) for name, value in data.items()}
    except ValueError as error:  # lists of different lengths
        raise NotationError(f"Not a state of skirmish: expected lists of numbers; {error}.") from None
    for name, (low, high) in ranges.items():
        values, shape = fields[name], SkirmishState.dtype[name].shape
        if values.shape != shape or values.dtype != np.int64 or values.min() < low or values.max() > high:
            raise NotationError(f"Not a state of skirmish: expected {name!r} {shape} from {low} to {high}.")
    if any(fields[name][fields["owner"] < 0].any() for name in ("kind", "health", "points", "facing")):
        raise NotationError("Not a state of skirmish: expected zeros where nothing stands.")
    return fields
