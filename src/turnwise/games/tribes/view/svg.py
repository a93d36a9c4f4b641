"""A position of Tribes as one self-contained SVG picture.

The board is on the left, from bottom to top: ground, land of the tribes, roads, borders, cities, units, the last
action. On the right are a card for every tribe and the technology tree, below them the legend. A tribe has a colour
and a shape. The picture contains no ids, styles, scripts, fonts or links, so one page can hold any number of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from turnwise.core.svg_text import FONT, INK
from turnwise.games.tribes.view import panel
from turnwise.games.tribes.view.buildings import building, small
from turnwise.games.tribes.view.cities import city
from turnwise.games.tribes.view.deeds import deed
from turnwise.games.tribes.view.legend import legend
from turnwise.games.tribes.view.marks import CELL, GROUND, SOFT, at, colour_of, number, text
from turnwise.games.tribes.view.position import Tile, View, read_view, readable
from turnwise.games.tribes.view.technologies import MARK
from turnwise.games.tribes.view.terrain import borders, ground, lands, resource, roads, thing, veil, village
from turnwise.games.tribes.view.trace import trace
from turnwise.games.tribes.view.units import unit

_BOARD, _LARGEST, _SMALLEST = 640, 66, 46
LEFT, TOP, _GAP, _RIGHT = 26.0, 80.0, 16.0, 14.0


def draw(
    state: Mapping[str, Any],
    last_action: str | None = None,
    before: Mapping[str, Any] | None = None,
    viewer: int | None = None,
    rounds: int | None = None,
) -> str:
    """Draw a position.

    Args:
        state: The state's canonical dictionary.
        last_action: The action that led here, as text, to be shown on the board.
        before: The state before that action, if it is known: where units came from and how many hit points they had.
        viewer: Show only what this tribe knows; None: everything that the state has. A view of a tribe hides by itself
            what that tribe cannot know.
        rounds: Number of rounds in a game, if it is known.

    Returns:
        One ``<svg>`` element; its text alternative gives round, mover or result, all tribes and the last action.

    Raises:
        NotationError: The state has not the fields of one. Check what comes from others with the game's ``from_dict``.
    """
    view = read_view(state, viewer, rounds)
    cell = cell_of(view.side)
    wide = view.side * cell
    high = max(wide, panel.height(view))
    full = LEFT + wide + _GAP + panel.WIDTH + _RIGHT
    marked = (last_action or "").removeprefix("research ")
    entries, depth = legend(view, full - 2 * _RIGHT)
    bottom = TOP + high + 16
    total = bottom + depth + 8
    size = f'viewBox="0 0 {number(full)} {number(total)}" width="{number(full)}" height="{number(total)}"'
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" '
            f'aria-label="{escape(_summary(view, last_action))}" '
            f'font-family="{FONT}" fill="{INK}" text-anchor="middle">'
            f'<rect width="100%" height="100%" rx="8" fill="{GROUND}"/>',
            _header(view, full, last_action, before),
            _coordinates(view, cell),
            f'<g transform="translate({LEFT:g} {TOP:g})scale({cell / CELL:.4g})">',
            *_board(view, trace(last_action, view, before)),
            "</g>",
            at(LEFT + wide + _GAP, TOP, panel.panel(view, high, marked)),
            at(_RIGHT, bottom, entries),
            "</svg>",
        )
    )


def cell_of(side: int) -> int:
    """Side of a tile on a board; its upper left corner is at ``LEFT``, ``TOP``."""
    return max(_SMALLEST, min(_LARGEST, _BOARD // side))


def _summary(view: View, last_action: str | None) -> str:
    last = [f"last action {last_action}"] if last_action else []
    return (
        ". ".join(["Tribes", f"{view.round}: {view.says}", *(panel.words(tribe) for tribe in view.tribes), *last]) + "."
    )


def _header(view: View, full: float, last_action: str | None, before: Mapping[str, Any] | None) -> str:
    """Name of the game, round, mover or result, the last action, and the choice that a growing city waits for."""
    speaker = view.winner if view.active < 0 else view.active
    colour = colour_of(speaker) if speaker >= 0 else "#4a463d"
    width = 26 + 8.6 * len(view.says)
    parts = [
        text(14, 30, "Tribes", 19, anchor="start", bold=True),
        text(86, 30, view.round + (f", as {view.eyes} sees it" if view.eyes else ""), 14, SOFT, anchor="start"),
        f'<rect x="{number(full - 14 - width)}" y="11" width="{number(width)}" height="28" rx="6" fill="{colour}"/>',
        text(full - 14 - width / 2, 30, view.says, 15, "#fff", bold=True),
    ]
    if view.growing:
        choices = " or ".join(readable(choice).lower() for choice in view.choices)
        says = f"c{view.growing.number} grows to level {view.growing.level + 1}: {choices}?"
        parts.append(text(14, 52, says, 13, colour, anchor="start", bold=True))
    if last_action:
        parts.append(text(full - 14, 57, f"last: {deed(last_action, view, before)}", 12, MARK, anchor="end"))
    return "".join(parts)


def _coordinates(view: View, cell: int) -> str:
    """Numbers of columns above the board and of rows next to it; actions name tiles row first."""
    places = range(view.side)
    across = (text(LEFT + (column + 0.5) * cell, TOP - 5, str(column), 10.5) for column in places)
    down = (text(LEFT - 6, TOP + (row + 0.5) * cell + 4, str(row), 10.5, anchor="end") for row in places)
    corner = f"<title>Tiles are named row, column</title>{''.join((*across, *down))}"
    return f'<g fill="{SOFT}">{corner}</g>'


def _board(view: View, last: tuple[str, str]) -> Iterator[str]:
    """Everything on the board, from bottom to top; ``last`` has the last action's frames and arrows."""
    wide = number(view.side * CELL + 3)
    yield f'<path fill="#a8a491" d="M-1.5-1.5h{wide}v{wide}h-{wide}z"/>'
    taken = {(one.row, one.column) for one in view.units} | {(one.row, one.column) for one in view.cities}
    contents = {(tile.row, tile.column): (tile, _content(tile)) for row in view.tiles for tile in row}
    for place, (tile, content) in contents.items():
        yield ground(tile, not content and place not in taken)
    yield from lands(view)
    yield roads(view)
    yield from borders(view)
    for place, (tile, content) in contents.items():  # above the roads
        if content and place not in taken:
            yield thing(tile, content)
    yield veil(view)
    yield last[0]
    stands = {(each.row, each.column) for each in view.units}
    for one in view.cities:
        yield city(view, one, is_taken=(one.row, one.column) in stands)
    for each in view.units:
        tile, content = contents[each.row, each.column]
        is_covered = bool(content) and tile.terrain != "c"
        yield unit(view, each, small(_content(tile, has_level=False), tile.words) if is_covered else "")
    yield last[1]


def _content(tile: Tile, has_level: bool = True) -> str:
    """What lies on a tile: a building, a resource, or a village; a building hides the rest."""
    if tile.building != "-":
        return building(tile.building, tile.temple if has_level else 0)
    if tile.resource != "-":
        return resource(tile.resource)
    return village() if tile.terrain == "v" else ""
