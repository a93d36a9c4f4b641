"""Reading boards from files, and the command line's option for boards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from turnwise.core.errors import DamagedFileError
from turnwise.core.file_option import FileOption
from turnwise.core.text_file import json_of, read_text
from turnwise.games.samegame.scenario import FORMS, check_rows, named_boards

LARGEST_FILE = 64 * 1024


def read_board(path: str | Path) -> tuple[str, ...]:
    """Read a board from a text or JSON file, for the option ``rows``.

    A text file has one row per line, the top row first, in either of the two forms; ``/`` also ends a row. A JSON file
    holds the list of rows or one string with ``/`` between them, or an object that has either under "rows",
    "rows_top_to_bottom" or "board" (a saved state).

    Raises:
        DamagedFileError: The file cannot be read, is too large, or holds no possible board.
    """
    text = read_text(Path(path), LARGEST_FILE, "a board")
    try:
        return check_rows(_rows_of(text))
    except ValueError as error:
        raise DamagedFileError(f"{path}: {error}.") from None


def _rows_of(text: str) -> list[Any]:
    """The rows in a file's text, not yet checked."""
    if text.lstrip()[:1] not in ("[", "{", '"') and text.strip() not in ("null", "true", "false"):
        return [row for line in text.splitlines() for row in line.split("/") if row.strip()]
    try:
        data = json_of(text)
    except ValueError as error:
        raise ValueError(f"{error}. Expected {FORMS}") from None
    if isinstance(data, dict):
        inner = data.get("state")
        data = inner if isinstance(inner, dict) else data
        data = next((data[key] for key in ("rows", "rows_top_to_bottom", "board") if key in data), None)
    if isinstance(data, str):
        data = data.split("/")
    if not isinstance(data, list):
        keys = "keys: rows, rows_top_to_bottom, board"
        raise ValueError(f"the JSON holds no list of rows and no string of them ({keys}). Expected {FORMS}")
    return data


def _is_board(name: str) -> bool:
    return name.removeprefix("standard-") in named_boards()


FILES = (
    FileOption("board", "rows", "SameGame: the number or name of a board, or a file with one.", _is_board, read_board),
)
