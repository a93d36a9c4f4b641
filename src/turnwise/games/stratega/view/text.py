"""A position of the strategy engine as text for the terminal.

Each cell is as wide as the longest code of a unit and its owner's number: ``W1`` is a warrior of player 1. Everything
can be read without colours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

from turnwise.games.stratega.mode import Mode
from turnwise.games.stratega.view.position import DEADLY, HARMFUL, UNSEEN, WALL, Side, Unit, View, read_view

_WIDE = 100  # most columns of legends and lists of units
# Okabe and Ito's colours, which colour-blind readers can tell apart, approximated with 256 terminal colours.
_PLAYER_SGR = ("38;5;33", "38;5;208", "38;5;36", "38;5;175", "38;5;178", "38;5;80", "38;5;203", "38;5;141")
_TILE_SGR = {WALL: "2", DEADLY: "38;5;161", HARMFUL: "38;5;137"}
_UNSEEN_SGR = "2"


def text_board(
    mode: Mode, rows: Sequence[str], state: Mapping[str, Any], *, colour: bool = False, columns: int = 120
) -> str:
    """Write a position as lines of text.

    Args:
        mode: The mode.
        rows: The board, top row first.
        state: The state's canonical dictionary.
        colour: Whether to add ANSI colours.
        columns: Columns of the terminal; where it has room, there is a space between cells.

    Returns:
        Lines without a newline at the end: headline, the board with its coordinates, the legend, every side's units.
    """
    view, wide = read_view(mode, rows, state), min(columns, _WIDE)
    lines = [f"{view.title}. {view.headline}", *_board(view, colour, columns), *_legend(view, wide)]
    for side in view.sides:
        lines += _side(view, side, colour, wide)
    return "\n".join(lines)


def legend(mode: Mode, rows: Sequence[str], state: Mapping[str, Any]) -> str:
    """What the codes on a position's board mean, one line for tiles and one for units."""
    return "\n".join(f"  {line}" for line in _legend_lines(read_view(mode, rows, state)))


def _paint(text: str, sgr: str, colour: bool) -> str:
    return f"\x1b[{sgr}m{text}\x1b[0m" if colour and sgr else text


def _board(view: View, colour: bool, columns: int) -> Iterator[str]:
    """The rows with their numbers, below the numbers of the columns: every second one where there is no gap.

    A board that is too wide for the terminal is written in blocks of columns, one below the other.
    """
    width = max(2, 1 + max(len(code) for code in view.codes.values()))
    length = len(view.rows[0])
    gap = " " if 3 + length * (width + 1) - 1 <= columns else ""
    block = length if gap else max(1, (columns - 3) // width)
    standing = {(unit.x, unit.y): unit for unit in view.units}
    for begin in range(0, length, block):
        places = range(begin, min(begin + block, length))
        yield ("   " + gap.join(f"{x if gap or x % 2 == 0 else '':<{width}}" for x in places)).rstrip()
        for y in range(len(view.rows)):
            cells = [_cell(view, standing.get((x, y)), (x, y), width, colour) for x in places]
            yield f"{y:>2} {gap.join(cells)}".rstrip()


def _cell(view: View, unit: Unit | None, place: tuple[int, int], width: int, colour: bool) -> str:
    """A unit with its owner's number, or the tile's letter; small letters are units without actions left."""
    if unit is None:
        x, y = place
        letter = UNSEEN if place in view.unknown else view.rows[y][x]
        sgr = _UNSEEN_SGR if place in view.unknown else _TILE_SGR.get(view.tiles[letter].sort, "")
        return _paint(letter, sgr, colour) + " " * (width - 1)
    code = unit.code.lower() if unit.owner == view.player and unit.left == 0 else unit.code
    name = f"{code}{unit.owner + 1}"
    return _paint(name, "1;7;" + _PLAYER_SGR[unit.owner], colour) + " " * (width - len(name))


def _legend(view: View, wide: int) -> list[str]:
    """The legend below the board."""
    return [part for line in _legend_lines(view) for part in wrap(line, wide)]


def _legend_lines(view: View) -> list[str]:
    """What the letters mean."""
    tiles = [f"{tile.symbol} {tile.words}" for tile in view.tiles.values()]
    if view.unknown:
        tiles.append(f"{UNSEEN} not seen")
    if view.everywhere:
        tiles.append(f"all tiles: {view.everywhere}")
    units = [
        f"{code} {kind}" + (" (who has none is out)" if kind == view.needed else "")
        for kind, code in view.codes.items()
    ]
    meaning = "; the digit is the player, small letters have no actions left."
    return [f"Tiles: {', '.join(tiles)}.", f"Units: {', '.join(units)}{meaning}"]


def _side(view: View, side: Side, colour: bool, wide: int) -> list[str]:
    """A player's units with number, place and health."""
    title = _paint(f"Player {side.player + 1}", "1;" + _PLAYER_SGR[side.player], colour)
    entries = [
        f"{unit.code} {unit.number} at {unit.x},{unit.y} {unit.health}/{unit.most}"
        + (f" ({unit.left} left)" if side.player == view.player else "")
        for unit in view.units
        if unit.owner == side.player
    ]
    if side.unseen:
        counts = {kind: side.unseen.count(kind) for kind in sorted(set(side.unseen))}
        entries.append("not seen: " + ", ".join(f"{count} {kind}" for kind, count in counts.items()))
    lines = wrap("; ".join(entries), wide, initial_indent="  ", subsequent_indent="  ")
    return [f"{title}: {side.words}", *lines]
