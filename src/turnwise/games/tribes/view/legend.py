"""The legend below the board: units, resources, buildings, and marks."""

from __future__ import annotations

from turnwise.games.tribes.tables import BUILDING_LETTERS, BUILDINGS, RESOURCE_NAMES, RESOURCES, UNITS
from turnwise.games.tribes.view import cities, terrain, units
from turnwise.games.tribes.view.buildings import building
from turnwise.games.tribes.view.marks import SOFT, at, star, text
from turnwise.games.tribes.view.position import View, readable

_PITCH = 20.0
_INK = "#4a463d"
_DARK = f'fill="{_INK}" stroke="#fff" stroke-width="1.6"'


def legend(view: View, width: float) -> tuple[str, float]:
    """The legend from the origin to the right and down, and its height.

    It is the same for all pictures of one kind, so that those of a replay have one size.
    """
    parts, y = [], 0.0
    for title, entries in (
        ("Units", [(at(0, 0, units.token(kind, 0, _DARK), 0.6), readable(kind)) for kind in UNITS]),
        ("Tiles", _tiles(view)),
        (
            "Buildings",
            [(at(0, 0, building(BUILDING_LETTERS[place]), 0.6), readable(BUILDINGS[place])) for place in range(1, 20)],
        ),
        ("Marks", _marks()),
    ):
        parts.append(text(0, y + 13, title, 11, "", anchor="start", bold=True))
        x = 66.0
        for picture, words in entries:
            wide = 23 + _width(words)
            if x + wide > width:
                x, y = 66.0, y + _PITCH
            parts.append(at(x + 9, y + 9, picture) + text(x + 21, y + 13, words, 10.5, SOFT, anchor="start"))
            x += wide + 8
        y += _PITCH + 2
    return "".join(parts), y


def _width(words: str) -> float:
    """About how wide words are in the widest of the fonts."""
    return sum(3.6 if letter in "fijlrtI ,;:.'()" else 9.3 if letter in "mwMW" else 6.5 for letter in words)


def _tiles(view: View) -> list[tuple[str, str]]:
    words = {".": "Plain", "f": "Forest", "m": "Mountain", "s": "Shallow water", "d": "Deep water"}
    found = [(at(0, 0, terrain.swatch(letter), 0.36), name) for letter, name in words.items()]
    found.append((at(0, 0, terrain.village(), 0.42), "Village"))
    found += [
        (at(0, 0, terrain.resource(letter), 0.6), readable(name))
        for letter, name in zip(RESOURCES[1:], RESOURCE_NAMES[1:], strict=True)
    ]
    if view.has_fog:
        lines = '<path fill="none" stroke="#39424e" stroke-opacity=".6" d="M-8 8L8-8M-8 0L0-8M0 8L8 0"/>'
        square = 'd="M-8-8h16v16h-16z"'
        veiled = f'<path fill="#dfe8bb" {square}/><path fill="#39424e" fill-opacity=".42" {square}/>{lines}'
        hidden = at(0, 0, terrain.swatch(" "), 0.36), "Not seen"
        found.append(hidden if view.eyes else (veiled, "Not yet seen by the mover"))
    return found


def _marks() -> list[tuple[str, str]]:
    strip = (
        '<rect x="-9" y="-7" width="18" height="14" rx="3" fill="#4a463d"/><circle r="6" fill="#fff"/>'
        f"{text(0, 3.4, '3', 9.4, '#4a463d', bold=True)}"
    )
    bar = '<path fill="#4a463d" d="M-9-5h18v10h-18z"/><path fill="#f2c94c" d="M-7-2h4v4h-4zM-2-2h4v4h-4z"/>'
    road = '<path stroke="#7a5a36" stroke-width="8" d="M-9 0H9"/><path stroke="#e6cf9f" stroke-width="5" d="M-9 0H9"/>'
    carried = f'<circle r="8" fill="#4a463d" stroke="#fff"/>{at(0, 0, units.glyph("WARRIOR"), 0.55)}'
    level = f'<circle r="7.5" fill="#4a463d" stroke="#fff"/>{text(0, 3.6, "2", 10, "#fff", bold=True)}'
    health = '<path fill="#26231f" d="M-9-4.5H9v9H-9z"/><path fill="#1f7a50" d="M-8-3.5H3v7H-8z"/>'
    free = '<rect x="-7.5" y="-7.5" width="15" height="15" rx="3" fill="#fff" stroke="#7a5900" stroke-dasharray="3 2"/>'
    land = (
        '<g fill="none" stroke="#4a463d"><path stroke-width="3" d="M-9-4H9"/>'
        '<path stroke-width="1.6" stroke-dasharray="1.6 3" d="M-9 4H9"/></g>'
    )
    return [
        (land, "Borders: tribe, city"),
        (strip, "City level"),
        (bar, "Population, of that needed"),
        (at(0, 0, star(6)), "Stars a turn; on units: veteran"),
        (at(0, 0, cities.crown()), "Capital"),
        (at(0, 0, cities.crown(1)), "Captured capital"),
        (at(0, 0, cities.link()), "Connected to capital"),
        (at(0, -1, cities.wall(), 0.42), "Walls"),
        (at(0, 1, cities.grows(), 0.9), "Level-up to choose"),
        (road, "Road"),
        (units.move_pip(), "Has a move left"),
        (units.attack_pip(), "Has an attack left"),
        (at(0, 0, units.hollow(units.token("WARRIOR", 0, _DARK), _INK), 0.6), "Done this turn"),
        (health, "Hit points"),
        (carried, "Unit in a ship"),
        (level, "Level of a temple"),
        (free, "Monument to build"),
    ]
