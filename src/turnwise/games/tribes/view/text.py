"""A position of Tribes as text for the terminal.

A tile takes six characters: terrain, what lies on it, the tribe that owns it, and a unit with its tribe; a last ``=``
is a road. Where a row does not fit the terminal, a tile takes four characters on two lines: the unit stands below.
Everything can be read without colours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Any

from turnwise.games.tribes.tables import (
    BUILDING_LETTERS,
    BUILDINGS,
    MOST_SIDE,
    RESOURCE_NAMES,
    RESOURCES,
    TECHNOLOGIES,
    UNITS,
)
from turnwise.games.tribes.view.position import City, Tile, Tribe, Unit, View, read_view, readable

_WIDE = 80
UNIT_LETTERS = dict(zip(UNITS, "WRDSACKMBHTG", strict=True))
_TRIBE_SGR = ("38;5;33", "38;5;208", "38;5;176", "38;5;36")
_TERRAIN_SGR = {".": "2", "f": "38;5;71", "m": "38;5;245", "s": "38;5;117", "d": "38;5;67", "v": "38;5;179", "?": "2"}


def text_board(
    state: Mapping[str, Any],
    *,
    colour: bool = False,
    viewer: int | None = None,
    rounds: int | None = None,
    columns: int = 3 + 6 * MOST_SIDE,
) -> str:
    """Write a position as lines of text.

    Args:
        state: The state's canonical dictionary.
        colour: Whether to add ANSI colours.
        viewer: Show only what this tribe knows; None: everything that the state has.
        rounds: Number of rounds in a game, if it is known.
        columns: Columns of the terminal; wide boards have a compact form with two lines to a row of tiles.

    Returns:
        Lines without a newline at the end: headline, the board with its coordinates, legend, and for every tribe its
        stars, score, technologies, cities and units. A board of side 12 fits into 80 columns.
    """
    view = read_view(state, viewer, rounds)
    lines = [f"Tribes. {view.round}: {view.says}" + (f". As {view.eyes} sees it" if view.eyes else "")]
    if view.growing:
        choices = " or ".join(readable(choice).lower() for choice in view.choices)
        lines.append(f"c{view.growing.number} grows to level {view.growing.level + 1}: {choices}?")
    lines += [*_board(view, colour, is_compact=3 + 6 * view.side > columns + 1), *_legend(view)]
    for tribe in view.tribes:
        lines += _tribe(view, tribe, colour)
    return "\n".join(lines)


def legend(state: Mapping[str, Any]) -> str:
    """What the codes on a position's board mean, one line for tiles and one for units."""
    return "\n".join(f"  {line}" for line in _legend_lines(read_view(state, None, None)))


def _paint(text: str, sgr: str, colour: bool) -> str:
    inked = text.rstrip()
    return f"\x1b[{sgr}m{inked}\x1b[0m{text[len(inked) :]}" if colour and sgr and inked else text


def _board(view: View, colour: bool, *, is_compact: bool) -> Iterator[str]:
    """The rows with their numbers, below the numbers of the columns; compact ones take two lines."""
    units = {(unit.row, unit.column): unit for unit in view.units}
    cities = {(city.row, city.column): city for city in view.cities}
    yield ("   " + "".join(f"{column:<{4 if is_compact else 6}}" for column in range(view.side))).rstrip()
    for row in view.tiles:
        cells = [
            _cell(tile, cities.get((tile.row, tile.column)), units.get((tile.row, tile.column)), colour) for tile in row
        ]
        if is_compact:
            yield f"{row[0].row:>2} {''.join(land + road for land, _, road in cells)}".rstrip()
            yield f"   {''.join(f'{unit}  ' for _, unit, _ in cells)}".rstrip()
        else:
            yield f"{row[0].row:>2} {''.join(land + unit + road for land, unit, road in cells)}".rstrip()


def _cell(tile: Tile, city: City | None, unit: Unit | None, colour: bool) -> tuple[str, str, str]:
    """Terrain with what lies there and the owner; unit with its tribe; road."""
    terrain = "?" if tile.terrain == " " else tile.terrain
    thing = tile.building if tile.building != "-" else tile.resource
    marks, sgr = terrain + ("" if thing == "-" else thing), _TERRAIN_SGR.get(terrain, "")
    owner = str(tile.owner + 1) if tile.owner >= 0 else ""
    if city:
        marks, sgr = ("C" if city.is_capital else "c") + str(min(city.level, 9)), "1;" + _TRIBE_SGR[city.tribe]
    body = ""
    if unit:
        letter = UNIT_LETTERS[unit.kind]
        body = (letter.lower() if unit.is_spent else letter) + str(unit.tribe + 1)
    shown = _paint(f"{marks:2}", sgr, colour) + _paint(f"{owner:1}", _TRIBE_SGR[tile.owner] if owner else "", colour)
    standing = _paint(body, "1;7;" + _TRIBE_SGR[unit.tribe], colour) if unit else "  "
    return shown, standing, "=" if tile.road else " "


def _legend(view: View) -> list[str]:
    """The legend below the board."""
    return [part for line in _legend_lines(view) for part in _wrapped(line, "", "  ")]


def _legend_lines(view: View) -> list[str]:
    """What the letters mean."""
    tiles = ". plain, f forest, m mountain, s shallow, d deep water, v village, C capital and c city with the level"
    tiles += ", ? not seen" if view.has_fog else ""
    resources = ", ".join(
        f"{letter} {name.lower()}" for letter, name in zip(RESOURCES[1:], RESOURCE_NAMES[1:], strict=True)
    )
    found = {tile.building for row in view.tiles for tile in row} - {"-"}
    buildings = ", ".join(f"{letter} {readable(BUILDINGS[BUILDING_LETTERS.index(letter)])}" for letter in sorted(found))
    units = ", ".join(f"{letter} {readable(kind)}" for kind, letter in UNIT_LETTERS.items())
    return [
        f"Tile: {tiles}; then {resources}" + (f"; {buildings}" if buildings else "") + "; then the owner's number.",
        f"Then a unit with its tribe: {units}; small letters: done. = is a road.",
    ]


def _wrapped(line: str, first: str, others: str) -> list[str]:
    """A line in parts that fit; breaks come only after a comma, a semicolon or a colon."""
    whole = re.sub(r"(?<![,;:]) ", "\0", line)
    parts = wrap(whole, _WIDE, initial_indent=first, subsequent_indent=others, break_on_hyphens=False)
    return [part.replace("\0", " ") for part in parts]


def _tribe(view: View, tribe: Tribe, colour: bool) -> list[str]:
    """A tribe's numbers, technologies, cities and units."""
    name = _paint(f"{tribe.number + 1} {tribe.name}", "1;" + _TRIBE_SGR[tribe.number], colour)
    head = f": score {tribe.score}"
    if tribe.is_known:
        head += f", stars {tribe.stars} (+{tribe.income} next turn), kills {tribe.kills}"
    head += "" if tribe.is_in else ", out"
    parts = []
    if tribe.is_known:
        known = ", ".join(readable(TECHNOLOGIES[place]) for place in sorted(tribe.technologies))
        near = ", ".join(f"{readable(TECHNOLOGIES[place])} {price}" for place, price in tribe.prices.items())
        known = "everything" if len(tribe.technologies) == len(TECHNOLOGIES) else known or "nothing"
        parts.append(f"knows: {known}" + (f"; next: {near}" if near else ""))
    cities = [_city(city) for city in view.cities if city.tribe == tribe.number]
    parts.append("cities: " + ("; ".join(cities) or "none"))
    units = [_unit(unit) for unit in view.units if unit.tribe == tribe.number]
    parts.append("units: " + ("; ".join(units) or "none"))
    lines = [line for part in parts for line in _wrapped(part, "  ", "    ")]
    return [name + head, *lines]


def _city(city: City) -> str:
    words = f"c{city.number} {city.row},{city.column} level {city.level}"
    if city.is_known:
        words += (
            f" pop {city.population}/{city.need} +{city.production}"
            if city.production >= 0
            else (f" pop {city.population}/{city.need} {city.production}")
        )
    words += " besieged" if city.is_besieged else ""
    words += " walls" if city.has_walls else ""
    return words + (" connected" if city.is_connected and city.is_known else "")


def _unit(unit: Unit) -> str:
    kind = UNIT_LETTERS[unit.kind] + (f"({UNIT_LETTERS[unit.carried]})" if unit.carried else "")
    return f"{kind} u{unit.number} {unit.row},{unit.column} {unit.health}/{unit.most}" + (
        "*" if unit.is_veteran else ""
    )
