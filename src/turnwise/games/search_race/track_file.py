"""Reading a track of one's own from a file."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from turnwise.core.errors import DamagedFileError
from turnwise.games.search_race.scenario import Point, checked_points

LARGEST_TRACK_FILE = 64 * 1024
_FORMS = "lines 'x y', the start first, or JSON: a list of [x, y], or an object that has it under \"checkpoints\""
_LINE = re.compile(r"([+-]?[0-9]{1,18})[ \t,;]+([+-]?[0-9]{1,18})")


def read_track(path: str | Path) -> tuple[Point, ...]:
    """Read checkpoints from a text or JSON file, for the option ``checkpoints``.

    A text file has one checkpoint a line, ``x y``, the start first.

    Raises:
        DamagedFileError: The file cannot be read, is too large, or holds no playable track.
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_TRACK_FILE + 1)
    except OSError as error:
        raise DamagedFileError(f"{path}: cannot be read ({error.strerror or error}).") from None
    if len(content) > LARGEST_TRACK_FILE:
        raise DamagedFileError(f"{path}: expected a track, got more than {LARGEST_TRACK_FILE} bytes.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DamagedFileError(f"{path}: expected text, got bytes that are none. Is it another kind of file?") from None
    try:
        return checked_points(_points_of(text))
    except ValueError as error:
        raise DamagedFileError(f"{path}: {error}. Expected {_FORMS}.") from None


def _points_of(text: str) -> Any:
    """The points in a file's text, not yet checked."""
    if text.lstrip()[:1] not in ("[", "{"):
        return [_point(line.strip(), number) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("begins like JSON and is not valid JSON") from None
    data = data.get("checkpoints") if isinstance(data, dict) else data
    if not isinstance(data, list):
        raise ValueError("the JSON holds no list of checkpoints")
    return data


def _point(line: str, number: int) -> list[int]:
    match = _LINE.fullmatch(line)
    if match is None:
        raise ValueError(f"line {number} is no checkpoint: {line[:40]!r}")
    return [int(match[1]), int(match[2])]
