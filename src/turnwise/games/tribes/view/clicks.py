"""Choosing an action by clicks: a unit or city, then the tile, unit or city that it acts on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwise.core.click_area import ClickArea, grid
from turnwise.games.tribes.view.position import read_view, readable
from turnwise.games.tribes.view.svg import LEFT, TOP, cell_of


def areas(state: Mapping[str, Any], rounds: int | None) -> dict[str, list[ClickArea]]:
    """The tiles, by row and column as actions name them.

    Args:
        state: The state's canonical dictionary.
        rounds: Number of rounds in a game, if it is known.
    """
    view = read_view(state, None, rounds)
    there = {f"{one.row},{one.column}": (f"city c{one.number}", one.tribe) for one in view.cities}
    for unit in state["units"]:
        place = "{},{}".format(*unit["pos"])
        words = f"{readable(unit['type'])} u{unit['id']}, {unit['hp']} of {unit['max_hp']} hit points"
        there[place] = (f"{there[place][0]}, {words}" if place in there else words, unit["tribe"])
    found = {}
    for column, row, area in grid(LEFT, TOP, cell_of(view.side), view.side, view.side):
        name = f"{row},{column}"
        named = area._replace(label=name)
        found[name] = [named.holding(*there[name]) if name in there else named]
    return found


def path(action: str, state: Mapping[str, Any]) -> tuple[str, ...]:
    """The tiles of an action: ``gather c1 2,9 FRUIT`` is the tile of city 1, then the tile with the fruit."""
    places = {f"u{unit['id']}": unit["pos"] for unit in state["units"]}
    places |= {f"c{city['id']}": city["pos"] for city in state["cities"]}
    named = ["{},{}".format(*places[word]) if word in places else word for word in action.split()[1:]]
    tiles = (word for word in named if word.replace(",", "").isdigit() and "," in word)
    return tuple(dict.fromkeys(tiles))
