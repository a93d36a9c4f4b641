"""What a game's ordinary methods returned, checked: a wrong type is an error that names the method."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from turnwise.core.errors import GameFunctionError, shown
from turnwise.core.picture import Picture

if TYPE_CHECKING:
    from turnwise.core.declaration import Declaration, Row


def action_text(game: Declaration, row: Row, code: int) -> str:
    """The text of an action.

    Raises:
        NotationError: No action has that code.
        GameFunctionError: The method returned something else.
    """
    return _text(game, "action_text", "the action's text", game.action_text(row, code))


def action_code(game: Declaration, row: Row, text: str) -> int:
    """The code of an action's text.

    Raises:
        NotationError: The text is not an action.
        GameFunctionError: The method returned something else.
    """
    found: object = game.parse_action(row, text)
    if isinstance(found, int | np.integer) and not isinstance(found, bool) and -(1 << 63) <= int(found) < 1 << 63:
        return int(found)
    raise _wrong(game, "parse_action", "the action's code, a 64-bit whole number", found)


def state_dict(game: Declaration, row: Row) -> dict[str, Any]:
    """The JSON form of a state.

    Raises:
        GameFunctionError: The method returned something else.
    """
    found: object = game.state_dict(row)
    if isinstance(found, dict):
        return found
    raise _wrong(game, "state_dict", "the state as a dict", found)


def state_row(game: Declaration, data: Mapping[str, Any]) -> Row:
    """The row of a state's JSON form.

    Raises:
        NotationError: The form is not a state.
        GameFunctionError: The method returned something else.
    """
    found: object = game.state_row(data)
    if isinstance(found, np.ndarray) and found.dtype == np.uint64 and found.shape == (game.state_words,):
        row: Row = found
        return row
    raise _wrong(game, "state_row", f"the state's row, an array uint64[{game.state_words}]", found)


def board_text(game: Declaration, row: Row) -> str:
    """The state for a terminal.

    Raises:
        GameFunctionError: The method returned something else.
    """
    return _text(game, "board_text", "the board as text", game.board_text(row))


def svg(game: Declaration, row: Row) -> str:
    """The state as a picture.

    Raises:
        GameFunctionError: The method returned something else.
    """
    return _text(game, "svg", "the picture's SVG as text", game.svg(row))


def text(game: Declaration, method: str, *arguments: object) -> str:
    """What a method of the game that has a text for people returns.

    Args:
        game: The game.
        method: Its name: "rules_text".
        *arguments: Its arguments.

    Raises:
        GameFunctionError: The method returned something else.
    """
    return _text(game, method, "a text", getattr(game, method)(*arguments))


def text_hint(found: object) -> str:
    """What to do where a method returned a picture instead of its text; empty: it was something else."""
    return "Return the picture's text: picture.svg()." if isinstance(found, Picture) else ""


def _text(game: Declaration, method: str, expected: str, found: object) -> str:
    if isinstance(found, str):
        return found
    raise _wrong(game, method, expected, found)


def _wrong(game: Declaration, method: str, expected: str, found: object) -> GameFunctionError:
    got = "nothing (a missing return?)" if found is None else shown(found)
    remedy = text_hint(found) or "Correct the method."
    if isinstance(found, np.ndarray):
        got = f"an array of {found.dtype} of the shape {found.shape}"
    return GameFunctionError(f"{game.name}: {method} must return {expected}; got {got}. {remedy}")
