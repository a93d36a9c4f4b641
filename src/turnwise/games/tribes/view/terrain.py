"""The ground of the board: terrain, resources, land and borders of the tribes, roads, and what cannot be seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from turnwise.games.tribes.view.marks import CELL, at, colour_of, middle, number, titled
from turnwise.games.tribes.view.position import Tile, View

GROUNDS = {
    ".": "#dfe8bb",
    "f": "#c2d79a",
    "m": "#ddd8cb",
    "s": "#b5e0f1",
    "d": "#69a3d0",
    "v": "#dfe8bb",
    "c": "#eadfc3",
    " ": "#aab2bd",
}
_TREE = "M{x} {y}l-7.5 15h5v4h5v-4h5z"
_BACK_TREES = "".join(_TREE.format(x=x, y=y) for x, y in ((-14, -22), (14, -21), (0, -23.5)))
_FRONT_TREES = "".join(_TREE.format(x=x, y=y) for x, y in ((-8, -4), (8, -3)))
_SCENES = {
    ".": '<path fill="none" stroke="#b3c283" stroke-width="1.4" d="M-16-12l2 4 2-4M9-15l2 4 2-4M-5 14l2 4 2-4M13 '
    '9l2 4 2-4"/>',
    "f": f'<path fill="#4c8a4c" stroke="#2f6234" stroke-width=".8" d="{_BACK_TREES}"/>',
    "m": '<path fill="#99948c" d="M-22 14L-6-21 3-6 9-13 22 14z"/><path fill="#7b766f" d="M-6-21L3-6 9-13 22 14H6z"/>'
    '<path fill="#fff" d="M-6-21L-11.5-9-8-11-5-7.5-2-10.5 1-9.5zM9-13L5.5-8.8 8.5-8 11-5.8 13-5.5z"/>',
    "s": '<path fill="none" stroke="#fff" stroke-opacity=".75" stroke-width="1.6" '
    'd="M-18-14q4-4 8 0t8 0M4 1q4-4 8 0t8 0M-17 15q4-4 8 0t8 0"/>',
    "d": '<path fill="none" stroke="#3f7bad" stroke-width="1.8" '
    'd="M-18-14q4-4 8 0t8 0M4 1q4-4 8 0t8 0M-17 15q4-4 8 0t8 0M3-16q4-4 8 0t8 0"/>',
    " ": '<path fill="#c3c9d1" d="M-16 9a7 7 0 0 1 0-13 10 10 0 0 1 18-6 9 9 0 0 1 13 8 6 6 0 0 1-1 11z"/>',
}
_MORE_TREES = f'<path fill="#3f7a42" stroke="#2a562e" stroke-width=".8" d="{_FRONT_TREES}"/>'
_VILLAGE = (
    '<path fill="#a9713a" stroke="#5e3b17" stroke-width="1.2" d="M-19-1L-9-13 1-1zM-1 5L10-9 21 5z"/>'
    '<path fill="#f0dcb4" stroke="#5e3b17" stroke-width="1.2" d="M-16-1H-2V9H-16zM3 5H17V17H3z"/>'
    '<path fill="#5e3b17" d="M-11.5 3h5v6h-5zM7.5 10h5v7h-5z"/>'
)
_RESOURCES = {
    "h": '<path fill="#e8743b" stroke="#7a3110" stroke-width="1.2" d="M-11 0C-7-8 3-8 7-1L12-6Q10 0 12 6L7 1C3 8-7 '
    '8-11 0z"/>'
    '<circle cx="-5.5" cy="-1.2" r="1.5" fill="#fff" stroke="#7a3110"/>'
    '<path fill="none" stroke="#7a3110" d="M-1-4.5Q1 0-1 4.5"/>',
    "f": '<circle cx="-4" cy="4" r="6" fill="#d4224f" stroke="#7c0f2a"/>'
    '<circle cx="5" cy="5" r="5" fill="#d4224f" stroke="#7c0f2a"/>'
    '<path fill="none" stroke="#5b3a1a" stroke-width="1.5" d="M-4-2Q-2-8 2-10M5 0Q5-6 2-10"/>'
    '<path fill="#3c8a3c" stroke="#24572a" stroke-width=".7" d="M2-10Q8-14 11-9 6-6 2-10z"/>',
    "a": '<path fill="none" stroke="#5b3a1a" stroke-width="1.8" stroke-linecap="round" '
    'd="M-4-4Q-9-6-8-12M-7.8-8-11.5-10M4-4Q9-6 8-12M7.8-8 11.5-10"/>'
    '<path fill="#9a5f2c" stroke="#5b3a1a" d="M-5-3Q0-6 5-3L11-4Q9 1 5.5 1L3.5 9Q0 12-3.5 9L-5.5 1Q-9 1-11-4z"/>'
    '<circle cx="-2.6" cy="1" r="1.1"/><circle cx="2.6" cy="1" r="1.1"/><path d="M-2 8h4l-2 2.2z"/>',
    "w": '<path fill="#24405e" stroke="#fff" stroke-width=".9" d="M-12 3C-12-6 0-9 5-2 7 1 9 1 10-1L7-7Q11-6 12-3.5 '
    '14-6 16-6 15 4 8 8 0 12-7 9-12 7-12 3z"/>'
    '<path fill="#cfe4f4" d="M-11 6Q-4 9 2 8-4 11-9 8.6z"/><circle cx="-7.5" cy="2" r="1.2" fill="#fff"/>'
    '<path fill="none" stroke="#fff" stroke-width="1.5" d="M-3-7Q-3-12-7-13M-3-7Q-3-12 1-13"/>',
    "o": '<path fill="#4b4a52" stroke="#222" d="M-12 8L-9-1-3-4 3-1 6-5 11 0 13 8z"/>'
    '<path fill="#f3b23a" stroke="#7a4f00" stroke-width=".7" d="M-6 1l3-3 3 3-3 4zM4 3l3-3 3 3-3 4z"/>',
    "c": '<path fill="none" stroke="#a87d12" stroke-width="1.6" d="M-8 11Q-8 0-9-6M0 11V-8M8 11Q8 0 9-6"/>'
    '<path fill="#e3b21f" stroke="#8a6500" stroke-width=".7" d="M-9-12q4 4 1 12-5-7-1-12zM0-14q4 5 0 13-4-8 0-13z'
    'M9-12q4 5-1 12-3-8 1-12z"/>'
    '<path fill="none" stroke="#a87d12" d="M-8 6l-4-4M-8 6l3-4M0 6l-4-4M0 6l4-4M8 6l-3-4M8 6l4-4"/>',
    "r": '<path fill="#efe9dc" stroke="#5a544a" stroke-width="1.2" d="M-12 8H12V12H-12zM-10-6L-5-9V8H-10z'
    'M-2.5-2L2.5 1V8H-2.5zM5-11H10V8H5zM3-14H12V-11H3z"/>'
    '<path stroke="#a39b8b" d="M-7.5-5V8M0 1V8M7.5-10V8"/>',
}
_SQUARE = "M-23.6-23.6h47.2v47.2h-47.2z"
_SHAFT, _ROAD = "#7a5a36", "#e6cf9f"


def resource(letter: str) -> str:
    """A resource, 24 wide, around the origin."""
    return _RESOURCES[letter]


def village() -> str:
    """The huts of a village."""
    return _VILLAGE


def swatch(letter: str) -> str:
    """A tile of one terrain around the origin."""
    more = _MORE_TREES if letter == "f" else ""
    return f'<path fill="{GROUNDS[letter]}" d="{_SQUARE}"/>{_SCENES.get(letter, "")}{more}'


def ground(tile: Tile, is_bare: bool) -> str:
    """A tile with its terrain; forests on which nothing lies have more trees."""
    square = f'<path fill="{GROUNDS[tile.terrain]}" d="{_SQUARE}"/>'
    scene = _SCENES.get(tile.terrain, "") + (_MORE_TREES if tile.terrain == "f" and is_bare else "")
    return at(*middle(tile.row, tile.column), titled(tile.words, square + scene))


def thing(tile: Tile, content: str) -> str:
    """What lies on a tile: a building, a resource or a village; trees and peaks remain visible above it."""
    shown = content if tile.terrain in ".sdv" else at(0, 6, content)
    return at(*middle(tile.row, tile.column), titled(tile.words, shown))


def lands(view: View) -> Iterator[str]:
    """A tint on the land of every tribe; water keeps its colour, which tells how deep it is."""
    for tribe in sorted({tile.owner for tile in _owned(view)}):
        squares = "".join(
            f"M{number(tile.column * CELL)} {number(tile.row * CELL)}h48v48h-48z"
            for tile in _owned(view)
            if tile.owner == tribe and tile.terrain not in "sd"
        )
        yield f'<path pointer-events="none" fill="{colour_of(tribe)}" fill-opacity=".09" d="{squares}"/>'


def borders(view: View) -> Iterator[str]:
    """A line inside the border of every tribe's land, and a thin one where the land of two of its cities meets."""
    for tribe in sorted({tile.owner for tile in _owned(view)}):
        colour = colour_of(tribe)
        tiles = [tile for tile in _owned(view) if tile.owner == tribe]
        inner = "".join(_edges(view, tiles, 0.0, lambda a, b: a.city != b.city and a.owner == b.owner))
        outer = "".join(_edges(view, tiles, 2.6, lambda a, b: a.owner != b.owner or a.city < 1 or b.city < 1))
        style = 'pointer-events="none" fill="none" stroke-linecap="round"'
        if inner:
            yield f'<path {style} stroke="{colour}" stroke-width="1.4" stroke-dasharray="1 4.2" d="{inner}"/>'
        yield f'<path {style} stroke="#fff" stroke-opacity=".8" stroke-width="5" d="{outer}"/>'
        yield f'<path {style} stroke="{colour}" stroke-width="3" d="{outer}"/>'


def _owned(view: View) -> Iterator[Tile]:
    return (tile for row in view.tiles for tile in row if tile.city > 0)


def _edges(view: View, tiles: list[Tile], inset: float, parts: Callable[[Tile, Tile], bool]) -> Iterator[str]:
    """The edges of tiles towards tiles from which ``parts`` separates them, moved inside by ``inset``."""

    def is_border(tile: Tile, rows: int, columns: int) -> bool:
        """Whether an edge lies between a tile and its neighbour in a direction, or at the end of the board."""
        row, column = tile.row + rows, tile.column + columns
        if not (0 <= row < view.side and 0 <= column < view.side):
            return inset > 0
        return parts(tile, view.tiles[row][column])

    for tile in tiles:
        x, y = middle(tile.row, tile.column)
        for rows, columns in ((-1, 0), (0, 1), (1, 0), (0, -1)):
            if not is_border(tile, rows, columns):
                continue
            ends = []
            for side in (-1, 1):  # along the edge, to the left and to the right of its outward direction
                along_rows, along_columns = side * columns, -side * rows
                if is_border(tile, along_rows, along_columns):
                    reach = CELL / 2 - inset
                else:  # the border goes straight on, or turns outwards around the tile across the corner
                    turns = not is_border(tile, rows + along_rows, columns + along_columns)
                    reach = CELL / 2 + (inset if turns else 0)
                ends.append((along_columns * reach, along_rows * reach))
            depth = CELL / 2 - inset
            (x0, y0), (x1, y1) = ((x + a + columns * depth, y + b + rows * depth) for a, b in ends)
            yield f"M{number(x0)} {number(y0)}L{number(x1)} {number(y1)}"


def roads(view: View) -> str:
    """Roads, joined to roads and city centres around them; diagonally only where no road leads around the corner."""
    lines = stumps = ""
    paved = {(tile.row, tile.column) for row in view.tiles for tile in row if tile.road}
    joined = paved | {(tile.row, tile.column) for row in view.tiles for tile in row if tile.terrain == "c"}
    linked: set[tuple[int, int]] = set()
    for here in sorted(joined):
        row, column = here
        x, y = middle(row, column)
        for there in ((row, column + 1), (row + 1, column - 1), (row + 1, column), (row + 1, column + 1)):
            around = {(row, there[1]), (there[0], column)} - {here, there}
            if there in joined and {here, there} & paved and not around & joined:
                x1, y1 = middle(*there)
                lines += f"M{number(x)} {number(y)}L{number(x1)} {number(y1)}"
                linked |= {here, there}
        if here in paved - linked:
            stumps += f"M{number(x - 5)} {number(y)}h10"
    path = lines + stumps
    if not path:
        return ""
    return (
        '<g pointer-events="none" fill="none" stroke-linecap="round">'
        f'<path stroke="{_SHAFT}" stroke-width="6.6" d="{path}"/>'
        f'<path stroke="{_ROAD}" stroke-width="4" d="{path}"/></g>'
    )


def veil(view: View) -> str:
    """A veil over tiles that the tribe to move has not seen yet."""
    tiles = [tile for row in view.tiles for tile in row if tile.veiled]
    if not tiles:
        return ""
    squares = "".join(f"M{number(tile.column * CELL)} {number(tile.row * CELL)}h48v48h-48z" for tile in tiles)
    hatch = "l24-24m0 48l24-24m-48 24l48-48"
    lines = "".join(f"M{number(tile.column * CELL)} {number(tile.row * CELL + 24)}{hatch}" for tile in tiles)
    return (
        f'<g pointer-events="none"><path fill="#39424e" fill-opacity=".38" d="{squares}"/>'
        f'<path fill="none" stroke="#39424e" stroke-opacity=".45" stroke-width="1.4" d="{lines}"/></g>'
    )
