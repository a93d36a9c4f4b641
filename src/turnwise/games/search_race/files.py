"""Reading maps from files, and the command line's option for tracks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from turnwise.core.errors import DamagedFileError
from turnwise.core.file_option import FileOption
from turnwise.core.text_file import json_of, read_text
from turnwise.games.search_race.scenario import Point, checked_points, tracks

LARGEST_FILE = 256 * 1024
_NUMBERS = re.compile(r"\s*([+-]?\d{1,18})\s*[\s,]\s*([+-]?\d{1,18})\s*")
_FORMS = 'one checkpoint "x y" per line, or JSON [[x, y], ...]'


def read_track(path: str | Path) -> tuple[Point, ...]:
    """The checkpoints of a map in a file, for the option ``checkpoints``.

    Args:
        path: A text file with ``x y`` or ``x,y`` per line (or ``;`` between checkpoints; ``#`` begins a comment), or a
            JSON file with a list of ``[x, y]`` or an object whose ``checkpoints`` is one. The start comes first.

    Raises:
        DamagedFileError: It cannot be read, is larger than 256 KiB, has another form, or is not a playable map.
    """
    text = read_text(Path(path), LARGEST_FILE, _FORMS)
    try:
        points = _from_json(text) if text.lstrip()[:1] in ("[", "{") else _from_lines(text)
        return checked_points(points)
    except ValueError as error:
        raise DamagedFileError(f"{path}: {error}.") from None


def _from_json(text: str) -> Any:
    try:
        found = json_of(text)
    except ValueError as error:
        raise ValueError(f"{error}. Expected {_FORMS}") from None
    if isinstance(found, dict):
        if "checkpoints" not in found:
            raise ValueError(f"the object has no 'checkpoints'; expected {_FORMS}")
        return found["checkpoints"]
    return found


def _from_lines(text: str) -> list[Point]:
    points = []
    for number, line in enumerate(text.splitlines(), 1):
        for part in line.split("#")[0].split(";"):
            if not part.strip():
                continue
            match = _NUMBERS.fullmatch(part)
            if not match:
                got = part.strip()[:40]
                raise ValueError(f"line {number}: expected two whole numbers 'x y' of at most 18 digits, got {got!r}")
            points.append((int(match[1]), int(match[2])))
    return points


FILES = (
    FileOption(
        "track",
        "checkpoints",
        "Search Race: the name of a track, or a file with checkpoints.",
        lambda name: name in tracks(),
        read_track,
    ),
)
