"""Actions and states as text and JSON, both ways (rules 1 and 2), and answers of the contest (section 4)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from turnwise.core import calls
from turnwise.core.errors import IllegalActionError, NotationError, brief, wrong_state
from turnwise.core.game import Row
from turnwise.games.samegame.rules import play as rules
from turnwise.games.samegame.scenario import EMPTY, board_of, check_rows, planes_of
from turnwise.games.samegame.state import COLOURS, SIDE, SameGameSetup, SameGameState

STATE_KEYS = ("board", "counts", "moves", "score", "terminal")
ENGINE_KEYS = ("board", "counts", "score", "terminal")  # recorded play, and states of earlier versions
HIGHEST_SCORE = (SIDE * SIDE - 2) ** 2 + 1000  # rules K4
_ACTION = re.compile(r"(\d{1,2}) (\d{1,2})", re.ASCII)
_NUMBER = re.compile(r"[+-]?[0-9]{1,12}")
_SPACE = re.compile(r"[ \t\n\v\f\r]+")


def action_text(action: int) -> str:
    """``x y`` of an action code.

    Raises:
        NotationError: The code is not that of a cell.
    """
    if not 0 <= action < SIDE * SIDE:
        raise NotationError(f"{brief(action)} is not the code of a SameGame action; codes are 0 to {SIDE * SIDE - 1}.")
    return f"{action // SIDE} {action % SIDE}"


def parse_action(text: str) -> int:
    """Code of ``x y``, column and row from 0.

    Raises:
        NotationError: Another form, or a cell outside the grid.
    """
    match = _ACTION.fullmatch(text)
    if match is None:
        raise NotationError(f"{brief(text)} is not a SameGame action; expected 'x y', column and row from 0.")
    x, y = int(match[1]), int(match[2])
    if x >= SIDE or y >= SIDE:
        raise NotationError(
            f"Action {brief(text)}: the cell is outside the board; columns and rows are 0 to {SIDE - 1}."
        )
    return x * SIDE + y


def counts_of(board: Sequence[str]) -> list[int]:
    """Number of cells of each colour on a board."""
    whole = "".join(board)
    return [whole.count(str(colour)) for colour in range(COLOURS)]


def state_dict(row: Row) -> dict[str, Any]:
    """Canonical JSON form of a state."""
    s = row.view(SameGameState.dtype)[0]
    board = board_of(s["planes"])
    return {
        "board": board,
        "counts": counts_of(board),
        "moves": int(s["moves"]),
        "score": int(s["score"]),
        "terminal": int(s["regions"]) == 0,
    }


def engine_dict(row: Row) -> dict[str, Any]:
    """The form without the number of moves."""
    data = state_dict(row)
    return {key: data[key] for key in ENGINE_KEYS}


def state_row(data: Mapping[str, Any]) -> Row:
    """Row of a canonical JSON form; one without the number of moves has had none.

    Raises:
        NotationError: Missing, unknown or impossible fields; the message names the field.
    """
    if not isinstance(data, Mapping) or set(data) | {"moves"} != set(STATE_KEYS):
        raise wrong_state("SameGame", data, STATE_KEYS)
    board = _full_board(data["board"])
    score = data["score"]
    if not isinstance(score, int) or isinstance(score, bool) or not 0 <= score <= HIGHEST_SCORE:
        raise NotationError(
            f"State field 'score' must be a whole number from 0 to {HIGHEST_SCORE}; got {brief(score, 60)}."
        )
    if not isinstance(data["counts"], list) or data["counts"] != counts_of(board):
        raise NotationError(
            f"State field 'counts' must be {counts_of(board)} on this board; got {brief(data['counts'], 60)}."
        )
    most = (SIDE * SIDE - sum(counts_of(board))) // 2
    moves = data.get("moves", 0)
    if not isinstance(moves, int) or isinstance(moves, bool) or not 0 <= moves <= most:
        raise NotationError(
            f"State field 'moves' must be a whole number from 0 to {most} on this board, since each move removes two "
            f"cells or more; got {brief(moves, 60)}."
        )
    row = listed_row(board)
    s: Any = row.view(SameGameState.dtype)[0]
    if data["terminal"] is not (int(s["regions"]) == 0):
        raise NotationError(
            f"State field 'terminal' must be {str(int(s['regions']) == 0).lower()} on this board; "
            f"got {brief(data['terminal'], 60)}."
        )
    s["score"], s["moves"] = score, moves
    return row


def _full_board(board: Any) -> tuple[str, ...]:
    is_full = (
        isinstance(board, Sequence)
        and len(board) == SIDE
        and all(isinstance(row, str) and len(row) == SIDE for row in board)
    )
    if not is_full:
        raise NotationError(
            f"State field 'board' must be {SIDE} strings of {SIDE} letters, the top row first; got {brief(board, 60)}."
        )
    if set("".join(board)) == {EMPTY}:
        return tuple(board)
    try:
        return check_rows(board)
    except ValueError as error:
        raise NotationError(f"State field 'board': {error}.") from None


def listed_row(board: Sequence[str]) -> Row:
    """The state row (uint64[state_words]) of a full board with a score of 0; the rules find its regions."""
    setup = np.zeros(SameGameSetup.dtype.itemsize // 8, np.uint64)
    fields: Any = setup.view(SameGameSetup.dtype)[0]
    fields["planes"] = planes_of(board)
    row = np.zeros(SameGameState.dtype.itemsize // 8, np.uint64)
    calls.python_function("start", rules.start.address)(setup.ctypes.data, row.ctypes.data, 0)
    return row


class AnswerError(IllegalActionError):
    """An answer in the contest that loses the game; the message is the reason."""


def parse_answer(row: Row, line: str) -> int:
    """Action code of an answer line of the contest: ``x y``, a message may follow (rules 4).

    Args:
        row: uint64[state_words], the state that is answered; it is not changed.
        line: The line; it may be anything.

    Returns:
        The code of the cell that was sent; any cell of a region is valid.

    Raises:
        AnswerError: The first fault, in the order of the referee's checks: empty line, numbers that cannot be
            read, a cell outside the board, an empty cell, a region of one cell.
    """
    trimmed = line.strip("".join(map(chr, range(33))))  # as the referee does: all characters up to the blank
    if not trimmed:
        raise AnswerError("empty line")
    parts = _SPACE.split(trimmed, maxsplit=2)
    if len(parts) < 2 or not all(_NUMBER.fullmatch(part) for part in parts[:2]):
        raise AnswerError("cannot be read")
    x, y = int(parts[0]), int(parts[1])
    if not all(-(2**31) <= number < 2**31 for number in (x, y)):
        raise AnswerError("cannot be read")
    if not (0 <= x < SIDE and 0 <= y < SIDE):
        raise AnswerError("outside the board")
    if board_of(row.view(SameGameState.dtype)[0]["planes"])[SIDE - 1 - y][x] == EMPTY:
        raise AnswerError("empty cell")
    action = x * SIDE + y
    if not calls.python_function("is_legal", rules.is_legal.address)(0, row.ctypes.data, action):
        raise AnswerError("region of size 1")
    return action
