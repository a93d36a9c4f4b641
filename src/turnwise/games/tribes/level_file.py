"""Level files: the text form of a map (rules 2), its checks with line and column, and the option's value."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import accumulate
from pathlib import Path, PurePath
from typing import Self

from pydantic import BaseModel, ConfigDict, field_validator

from turnwise.core.errors import DamagedFileError, OptionError, brief, counted, shown
from turnwise.core.parsed_file import ENDINGS, ParsedFile
from turnwise.core.scenario_file import ScenarioFile
from turnwise.core.text_file import read_text
from turnwise.games.tribes.tables import (
    CITY,
    FOG,
    LEAST_SIDE,
    MOST_CITIES,
    MOST_SIDE,
    MOST_TRIBES,
    RESOURCES,
    TERRAINS,
    TRIBES,
    VILLAGE,
)

LARGEST_FILE = 16 * 1024
CAPITAL = TERRAINS[CITY]
_TERRAINS = {letter: number for number, letter in enumerate(TERRAINS) if number != FOG}
_RESOURCES = {"" if number == 0 else letter: number for number, letter in enumerate(RESOURCES)}
_LAND = "'.' plain, 's' shallow water, 'd' deep water, 'm' mountain, 'v' village, 'c' capital, 'f' forest"
_FORM = "one line for each row, its tiles separated by commas, each TERRAIN:RESOURCE, as in 's:h,.:,c:0'"


class Level(BaseModel):
    """A map: rows of tiles ``terrain:resource``, the first row first; a capital is ``c:`` and the key of its tribe."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rows: tuple[str, ...]

    @field_validator("rows")
    @classmethod
    def _is_map(cls, rows: tuple[str, ...]) -> tuple[str, ...]:
        return checked_rows(rows)

    @property
    def name(self) -> str:
        """What the label of the file begins with."""
        return f"level {self.side}x{self.side}"

    @property
    def side(self) -> int:
        """Tiles in a row, and rows."""
        return len(self.rows)

    @property
    def tiles(self) -> list[tuple[int, int]]:
        """Terrain and resource of every tile; a capital's resource is the kind of its tribe."""
        split = [tile.split(":") for row in self.rows for tile in row.split(",")]
        return [
            (_TERRAINS[land], int(resource) if land == CAPITAL else _RESOURCES[resource]) for land, resource in split
        ]

    @property
    def kinds(self) -> tuple[int, ...]:
        """Kinds of the tribes in the order of their capitals."""
        return tuple(resource for terrain, resource in self.tiles if terrain == CITY)


class LevelFile(ScenarioFile[Level]):
    """A level file; text as the original game reads it, or YAML or JSON with the field ``rows``."""

    model, what = Level, "a level of Tribes"

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """See :meth:`ScenarioFile.read`; a file with another ending than theirs holds the rows as plain text.

        Raises:
            DamagedFileError: It cannot be read, or its text is no level.
            OptionError: Its content is not valid.
        """
        if PurePath(path).suffix.lower() in ENDINGS:
            return super().read(path)
        text = read_text(Path(path), LARGEST_FILE, f"{cls.what}: {_FORM}")
        return cls(ParsedFile({"rows": list(_rows_of(text, str(path)))}, str(path)))

    @classmethod
    def given(cls, value: object) -> Self:
        """See :meth:`ScenarioFile.given`; a text of several lines, or a list of rows, is the level itself.

        Raises:
            DamagedFileError: A file cannot be read, or a text is no level.
            OptionError: The content is not valid, or the value is of another type.
            ValueError: The value is None.
        """
        if isinstance(value, str) and _is_rows(value):
            return cls(ParsedFile({"rows": list(_rows_of(value, "The text"))}, "The text"))
        if isinstance(value, Sequence) and not isinstance(value, str):
            return cls(ParsedFile({"rows": list(value)}, f"The rows of {cls.what}"))
        if value is None:  # another part of the option's type
            raise ValueError("no level is given")
        if isinstance(value, PurePath) or (isinstance(value, str) and _is_path(value)):
            return cls.read(Path(value))
        if not isinstance(value, Mapping | cls) and not (isinstance(value, str) and _is_content(value)):
            raise OptionError(f"Expected {cls.what}: a seed, a file, or the text of one ({_FORM}); got {shown(value)}.")
        return super().given(value)


def _is_rows(value: str) -> bool:
    """Whether a text is a level and not the name of a file, YAML or JSON."""
    first = value.strip().splitlines()[0] if value.strip() else ""
    return "," in first and not first.startswith("{") and not os.path.isfile(value)


def _is_path(value: str) -> bool:
    """Whether a text is the name of a file."""
    return not _is_content(value) and (bool(PurePath(value).suffix) or os.path.isfile(value))


def _is_content(value: str) -> bool:
    """Whether a text is JSON or YAML."""
    return "\n" in value.strip() or value.lstrip().startswith("{")


def _rows_of(text: str, source: str) -> tuple[str, ...]:
    """The rows of a level's text.

    Raises:
        DamagedFileError: They are no level; the message names line and column.
    """
    try:
        return checked_rows(text.rstrip().splitlines())
    except ValueError as error:
        raise DamagedFileError(f"{source}: {error}.") from None


def checked_rows(rows: Sequence[str]) -> tuple[str, ...]:
    """Rows of a map in their normal form: no blanks, a colon in every tile.

    Args:
        rows: Tiles separated by commas.

    Raises:
        ValueError: A tile is unknown, the map is not square or of another size, or its capitals are impossible; the
            message names line, column, expectation and remedy.
    """
    side = len(rows)
    if not LEAST_SIDE <= side <= MOST_SIDE:
        raise ValueError(
            f"line {max(1, min(side, MOST_SIDE + 1))}, column 1: the map has {counted(side, 'row')}; expected "
            f"{LEAST_SIDE} to {MOST_SIDE}. Expected {_FORM}. Add or remove rows, and tiles in all of them"
        )
    _check_widths(rows)
    seen: dict[str, str] = {}
    normal = [_checked_row(row, number, side, seen) for number, row in enumerate(rows, 1)]
    if len(seen) < 2:
        raise ValueError(
            f"line {side}, column 1: the map ends with {len(seen)} of at least 2 capitals; expected tiles 'c:0' to "
            f"'c:{MOST_TRIBES - 1}' for 2 to {MOST_TRIBES} tribes ({_tribes()}). Add capitals"
        )
    towns = sum(tile[0] in (TERRAINS[CITY], TERRAINS[VILLAGE]) for row in normal for tile in row.split(","))
    if towns > MOST_CITIES:
        raise ValueError(
            f"line {side}, column 1: the map has {towns} capitals and villages; expected at most {MOST_CITIES}. "
            "Turn villages into plain tiles"
        )
    return tuple(normal)


def _check_widths(rows: Sequence[str]) -> None:
    """Find the row that breaks ranks; that a map is not square is another matter.

    Raises:
        ValueError: A row is not as long as most rows, and these do not fit the number of rows.
    """
    widths = [row.count(",") + 1 for row in rows]
    usual = max(widths, key=widths.count)
    odd = next((place for place, width in enumerate(widths) if width != usual), None)
    if odd is not None and usual != len(rows):
        raise ValueError(
            f"line {odd + 1}, column 1: the row has {counted(widths[odd], 'tile')}, but most rows have {usual}. "
            "Correct or remove it"
        )


def _checked_row(row: str, number: int, side: int, seen: dict[str, str]) -> str:
    """The normal form of one row; ``seen`` are the capitals so far with their places."""
    given = row.split(",")
    columns = list(accumulate((len(tile) + 1 for tile in given), initial=1))
    if len(given) != side:
        end = columns[side] if len(given) > side else columns[-1] - 1
        raise ValueError(
            f"line {number}, column {end}: the row has {len(given)} tiles; expected {side}, as the map has {side} "
            "rows and is square. Add or remove tiles or rows"
        )
    tiles = zip(given, columns, strict=False)
    return ",".join(_checked_tile(tile, f"line {number}, column {column}", seen) for tile, column in tiles)


def _checked_tile(tile: str, where: str, seen: dict[str, str]) -> str:
    """The normal form of one tile."""
    land, colon, resource = tile.partition(":")
    land, resource = land.strip(), resource.strip()
    if land not in _TERRAINS or not colon:
        raise ValueError(
            f"{where}: {brief(tile, 20)} is no tile; expected TERRAIN:RESOURCE with the terrain {_LAND}. Correct the "
            "tile"
        )
    if land != CAPITAL:
        if resource == RESOURCES[0]:
            resource = ""
        if resource not in _RESOURCES:
            raise ValueError(
                f"{where}: {brief(tile, 20)} has an unknown resource; expected one of {', '.join(RESOURCES[1:])}, or "
                "nothing after the colon. Correct the tile"
            )
        return f"{land}:{resource}"
    if resource not in {str(kind) for kind in range(MOST_TRIBES)}:
        raise ValueError(
            f"{where}: {brief(tile, 20)} is the capital of no tribe; expected 'c:' and the key of its tribe "
            f"({_tribes()}). Correct the key"
        )
    if resource in seen:
        raise ValueError(
            f"{where}: a second capital of {TRIBES[int(resource)]}, whose first one is at {seen[resource]}; expected "
            f"one capital for each tribe ({_tribes()}). Remove one, or give it to another tribe"
        )
    seen[resource] = where
    return f"{land}:{resource}"


def _tribes() -> str:
    return ", ".join(f"{kind}: {name}" for kind, name in enumerate(TRIBES))
