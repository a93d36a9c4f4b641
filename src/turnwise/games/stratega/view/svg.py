"""A position of the strategy engine as one self-contained SVG picture.

From top to bottom: round and player to move or the result, and the last action; the board; the players; the legend. The
colours of tiles follow from what tiles do, since modes are files of users. A player has a colour and a shape. The
picture contains no ids, styles, scripts, fonts or links, so one page can hold any number of them. It uses only what all
renderers of SVG 1.1 draw alike: a text has one place, and letters have no outlines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from math import hypot
from typing import Any

from turnwise.core.svg_text import FONT, INK
from turnwise.games.stratega.mode import Mode
from turnwise.games.stratega.view.position import DEADLY, HARMFUL, PLAIN, WALL, Side, Tile, Unit, View, read_view

_SOFT, _MARK = "#5b564b", "#6a1b9a"
_FOG, _FOGGED = "#39424e", "#7f8388"
_GROUNDS = {  # by sort, the most frequent type of tile on the board first
    PLAIN: ("#efe9da", "#d5e2c4", "#dce6ee", "#e9dcea", "#f3e3b8", "#cfdcd6"),
    HARMFUL: ("#e3c3a6", "#dcb0b0", "#cdb98d"),
    DEADLY: ("#3a2f38", "#5a2130", "#1f3350"),
    WALL: ("#8f8a80", "#7593a8", "#a08570", "#6f7f74"),
}
PLAYERS = ("#0b5fa5", "#b94700", "#00735a", "#9b3f7c", "#8a6d00", "#4a4a8f", "#b3123f", "#4b5a20")
_LARGEST, _SMALLEST, _BOARD_WIDTH, _LEAST_WIDTH = 46, 20, 960, 560
_CORNERS = 34  # cells from this size on have a unit's number in the corner, smaller ones below the code
_GOLD, _PLATE, _HEALTH, _HARM = "#f2c94c", "#fffdf5", "#2c9b6b", "#8c2f2f"
_CROWN = ((0, 1), (-0.05, 0.15), (0.26, 0.55), (0.5, 0), (0.74, 0.55), (1.05, 0.15), (1, 1))
_LEFT, TOP, _RIGHT = 26, 78, 12
_SIDE_HEIGHT = 24
_LONGEST = 40  # letters of a legend's entry
_ACTION_COLOURS = {"attack": "#a3003c", "heal": "#00695c"}


def draw(
    mode: Mode,
    rows: Sequence[str],
    state: Mapping[str, Any],
    *,
    last_action: str | None = None,
    before: Mapping[str, Any] | None = None,
) -> str:
    """Draw a position.

    Args:
        mode: The mode.
        rows: The board, top row first.
        state: The state's canonical dictionary.
        last_action: The action that led here, as text, to be shown on the board.
        before: The state before that action, if it is known: where a unit came from, and where a dead one stood.

    Returns:
        One ``<svg>`` element; its text alternative gives round, mover or result, all sides and the last action.
    """
    view = read_view(mode, rows, state)
    cell, full, left = geometry(len(rows[0]))
    below = TOP + len(rows) * cell + 22
    per_line = 1 if full < 640 and len(view.sides) > 4 else 2
    legend_top = below + _SIDE_HEIGHT * -(-len(view.sides) // per_line) + 14
    legend, height = _legend(view, full, legend_top)
    moved = _places(state, before)
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {full} {height}" width="{full}" height="{height}" '
            f'role="img" aria-label="{escape(_summary(view, last_action))}" font-family="{FONT}" fill="{INK}" '
            f'text-anchor="middle"><rect width="100%" height="100%" rx="8" fill="#fbfaf6"/>',
            _header(view, full, last_action),
            _coordinates(view, left, cell),
            f'<g transform="translate({left} {TOP})"><title>{escape(view.title)}</title>',
            *_ground(view, cell),
            *(_unit(view, unit, cell) for unit in view.units),
            _fog(view, cell),
            _trace(last_action, moved, cell),
            *(_label(unit, cell) for unit in view.units),  # above the arrows, so that every number can be read
            "</g>",
            *(_side(view, side, full, below, per_line) for side in view.sides),
            legend,
            "</svg>",
        )
    )


def geometry(columns: int) -> tuple[int, int, int]:
    """A cell's side, the picture's width and the board's left edge; its upper edge is at ``TOP``."""
    cell = max(_SMALLEST, min(_LARGEST, _BOARD_WIDTH // columns))
    full = max(_LEAST_WIDTH, _LEFT + columns * cell + _RIGHT)
    return cell, full, max(_LEFT, (full - columns * cell) // 2)


def _text(x: float, y: float, content: str, size: float, ink: str = "", *, anchor: str = "", bold: bool = False) -> str:
    extra = (f' fill="{ink}"' if ink else "") + (f' text-anchor="{anchor}"' if anchor else "")
    extra += ' font-weight="700"' if bold else ""
    return f'<text x="{_number(x)}" y="{_number(y)}" font-size="{size:g}"{extra}>{escape(content)}</text>'


def _number(value: float) -> str:
    """Shortest text of a coordinate, rounded to a tenth."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def _summary(view: View, last_action: str | None) -> str:
    sides = [f"player {side.player + 1}: {side.words}" for side in view.sides]
    last = [f"last action {last_action}"] if last_action else []
    return ". ".join([view.title, view.headline, *sides, *last]) + "."


def _header(view: View, full: int, last_action: str | None) -> str:
    """Name of the mode, round, and player to move or result; the last action."""
    speaker = view.winner if view.verdict else view.player
    colour = PLAYERS[speaker] if speaker >= 0 else "#4a463d"
    badge, says = view.headline.split(": ")
    width = 24 + 9 * len(says)
    size = min(19.0, (full - width - 40) / (0.62 * len(view.title)))
    parts = [
        _text(14, 30, view.title, round(size, 1), anchor="start", bold=True),
        _text(14, 52, badge, 13, _SOFT, anchor="start"),
        f'<rect x="{full - 12 - width}" y="11" width="{width}" height="28" rx="6" fill="{colour}"/>',
        _text(full - 12 - width / 2, 30, says, 15, "#fff", bold=True),
    ]
    if last_action:
        parts.append(_text(full - 14, 57, f"last: {last_action}", 12, _MARK, anchor="end"))
    return "".join(parts)


def _coordinates(view: View, left: int, cell: int) -> str:
    """Numbers of columns and rows."""
    columns, rows = len(view.rows[0]), len(view.rows)
    across = (_text(left + (x + 0.5) * cell, TOP - 5, str(x), 10) for x in range(columns))
    down = (_text(left - 5, TOP + (y + 0.5) * cell + 3.5, str(y), 10, anchor="end") for y in range(rows))
    return f'<g fill="{_SOFT}">{"".join((*across, *down))}</g>'


# ---------------------------------------------------------------------------------------------------------- the board


def colour_of(tile: Tile) -> str:
    """Colour of a type of tile."""
    grounds = _GROUNDS[tile.sort]
    return grounds[tile.rank % len(grounds)]


def _ground(view: View, cell: int) -> Iterator[str]:
    """One path for each type of tile, with what lets tiles be told apart without colours: edges, pits, marks."""
    columns, rows = len(view.rows[0]), len(view.rows)
    yield f'<path fill="#bdb6a6" d="M-2-2h{columns * cell + 4}v{rows * cell + 4}h-{columns * cell + 4}z"/>'
    for tile in view.tiles.values():
        places = [(x, y) for y, row in enumerate(view.rows) for x, letter in enumerate(row) if letter == tile.symbol]
        yield f'<path fill="{colour_of(tile)}" d="{_squares(places, cell, 0.5)}"/>'
        if tile.sort == WALL:
            edge = max(2, cell // 9)
            lit = "".join(f"M{x * cell + 0.5:g} {y * cell + 0.5:g}h{cell - 1}v{edge}h-{cell - 1}z" for x, y in places)
            dark = "".join(
                f"M{x * cell + 0.5:g} {(y + 1) * cell - edge - 0.5:g}h{cell - 1}v{edge}h-{cell - 1}z" for x, y in places
            )
            yield f'<path fill="#fff" opacity=".28" d="{lit}"/><path opacity=".22" d="{dark}"/>'
        elif tile.sort == DEADLY:
            yield f'<path fill="#000" opacity=".5" d="{_squares(places, cell, cell * 0.18)}"/>'
        elif tile.sort == HARMFUL or tile.rank > 0:
            dots = "".join(_tufts(x * cell, y * cell, cell) for x, y in places)
            yield f'<path fill="none" stroke="#5b4a33" stroke-opacity=".45" d="{dots}"/>'


def _squares(places: Sequence[tuple[int, int]], cell: int, inset: float) -> str:
    """A path of squares on cells."""
    side = _number(cell - 2 * inset)
    return "".join(
        f"M{_number(x * cell + inset)} {_number(y * cell + inset)}h{side}v{side}h-{side}z" for x, y in places
    )


def _tufts(x: int, y: int, cell: int) -> str:
    """Three short strokes on a cell."""
    size = cell / 6
    corners = ((0.2, 0.35), (0.6, 0.25), (0.4, 0.75))
    return "".join(f"M{_number(x + a * cell)} {_number(y + b * cell)}h{_number(size)}" for a, b in corners)


def _fog(view: View, cell: int) -> str:
    """A veil over the cells that the player does not see; the board itself is known to all."""
    if not view.unknown:
        return ""
    places = sorted(view.unknown)
    veil = f'<path fill="{_FOG}" opacity=".62" d="{_squares(places, cell, 0)}"/>'
    marks = "".join(
        f'<text x="{_number((x + 0.5) * cell)}" y="{_number((y + 0.68) * cell)}">?</text>' for x, y in places
    )
    return f'{veil}<g fill="#fff" fill-opacity=".4" font-size="{_number(cell * 0.5)}">{marks}</g>'


# ------------------------------------------------------------------------------------------------------------- units


def _unit(view: View, unit: Unit, cell: int) -> str:
    """The owner's shape with the type's code, a bar of health, and in its turn a dot for every action left."""
    spent = unit.owner == view.player and unit.left == 0
    x, y = _number(unit.x * cell), _number(unit.y * cell)
    faded = ' opacity=".5"' if spent else ""
    small = cell < _CORNERS
    size = cell * (0.38 if small else 0.46) - cell * (0.05 if len(unit.code) > 1 else 0)
    middle = cell * (0.255 if small else 0.44)
    letter = _text(cell * 0.5, middle + size * 0.36, unit.code, round(size, 1), "#fff", bold=True)
    needed = unit.kind == view.needed
    shape = _shape(unit.owner, cell * 0.5, cell * 0.43, cell * (0.41 if small else 0.38), _GOLD if needed else "#fff")
    crown = _crown(0, 0, cell * 0.3) if needed and small else _crown(cell * 0.33, 0, cell * 0.34) if needed else ""
    return (
        f'<g transform="translate({x} {y})"><title>{escape(_details(view, unit))}</title><g{faded}>{shape}{letter}</g>'
        f"{crown}{_health(unit, cell)}{_dots(unit, cell)}</g>"
    )


def _crown(x: float, y: float, width: float) -> str:
    """The mark of units that a player must not lose, by its corner and width."""
    height = width * 0.68
    points = " ".join(f"{_number(x + a * width)},{_number(y + b * height)}" for a, b in _CROWN)
    return f'<polygon points="{points}" fill="{_GOLD}" stroke="{INK}" stroke-width=".8"/>'


def _shape(player: int, x: float, y: float, r: float, edge: str = "#fff") -> str:
    """The shape of a player's units around a point: disc, square, hexagon, diamond, and the same again."""
    style = f'fill="{PLAYERS[player]}" stroke="{edge}" stroke-width="{_number(max(1, r / 9))}"'
    if player % 4 == 0:
        return f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(r)}" {style}/>'
    if player % 4 == 1:
        a = r * 0.88
        return (
            f'<rect x="{_number(x - a)}" y="{_number(y - a)}" width="{_number(2 * a)}" height="{_number(2 * a)}" '
            f'rx="{_number(r / 6)}" {style}/>'
        )
    outlines = {2: ((-1, 0), (-0.5, -0.9), (0.5, -0.9), (1, 0), (0.5, 0.9), (-0.5, 0.9))}
    diamond = ((0, -1.1), (1.1, 0), (0, 1.1), (-1.1, 0))
    points = " ".join(f"{_number(x + a * r)},{_number(y + b * r)}" for a, b in outlines.get(player % 4, diamond))
    return f'<polygon points="{points}" {style}/>'


def _health(unit: Unit, cell: int) -> str:
    """A bar; a golden end shows health above that of the start."""
    share = unit.health / unit.most
    return _health_bar(cell * 0.08, cell * 0.86, cell * 0.84, max(2.5, cell * 0.11), share)


def _health_bar(x: float, y: float, width: float, height: float, share: float) -> str:
    colour = _HEALTH if share > 0.66 else "#d39b00" if share > 0.33 else "#d4224f"
    back = _bar(x - 0.6, y - 0.6, width + 1.2, height + 1.2, "#26231f")
    filled = _bar(x, y, width * min(1.0, share), height, colour)
    more = _bar(x + width * 0.75, y, width * 0.25, height, _GOLD) if share > 1 else ""
    return back + filled + more


def _bar(x: float, y: float, width: float, height: float, colour: str) -> str:
    return (
        f'<rect x="{_number(x)}" y="{_number(y)}" width="{_number(width)}" height="{_number(height)}" fill="{colour}"/>'
    )


def _dots(unit: Unit, cell: int) -> str:
    """Actions left, of the player to move; a number where there are many."""
    if unit.left == 0:
        return ""
    if unit.left > 4:
        size = max(8.0, cell * 0.24)
        width = _plate_width(str(unit.left), size)
        return _plate(str(unit.left), cell - width / 2, 0, size, _GOLD)
    r = max(1.5, cell * 0.065)
    dots = "".join(_dot(cell - 1.2 * r, 1.4 * r + 2.5 * r * i, r) for i in range(unit.left))
    return f"<g>{dots}</g>"


def _dot(x: float, y: float, r: float) -> str:
    place = f'cx="{_number(x)}" cy="{_number(y)}" r="{_number(r)}"'
    return f'<circle {place} fill="{_GOLD}" stroke="{INK}" stroke-width=".8"/>'


def _label(unit: Unit, cell: int) -> str:
    """The unit's number, by which actions name it, on a plate: in the corner or, in small cells, below the code."""
    number = str(unit.number)
    x, y = unit.x * cell, unit.y * cell
    if cell < _CORNERS:
        return _plate(number, x + cell * 0.5, y + cell * 0.44, cell * 0.39)
    size = cell * 0.25
    return _plate(number, x + _plate_width(number, size) / 2, y, size)


def _plate_width(text: str, size: float) -> float:
    return 0.6 * size * len(text) + 3


def _plate(text: str, x: float, y: float, size: float, colour: str = _PLATE) -> str:
    """A text on a small light plate, by the middle of its upper edge."""
    width, height = _plate_width(text, size), size * 0.98
    return (
        f'<rect x="{_number(x - width / 2)}" y="{_number(y)}" width="{_number(width)}" height="{_number(height)}" '
        f'rx="2" fill="{colour}" stroke="{INK}" stroke-width=".5"/>'
        + _text(x, y + height / 2 + size * 0.36, text, round(size, 1), INK, bold=True)
    )


def _details(view: View, unit: Unit) -> str:
    """A unit in words, for its tooltip."""
    tile = view.tiles[view.rows[unit.y][unit.x]]
    words = f"{unit.kind} {unit.number} of player {unit.owner + 1} at {unit.x},{unit.y} on {tile.name}"
    health = f"health {unit.health} of {unit.most}"
    left = f"; {unit.left} of {unit.actions} actions left" if unit.owner == view.player else ""
    needed = "; must live" if unit.kind == view.needed else ""
    return f"{words}; {health}{left}{needed}"


# ------------------------------------------------------------------------------------------------------- last action


def _places(state: Mapping[str, Any], before: Mapping[str, Any] | None) -> dict[int, tuple[Sequence[int], ...]]:
    """Places of every unit by its number: before the last action, if that is known, and after it, if it lives."""
    places: dict[int, tuple[Sequence[int], ...]] = {}
    for known in (before, state):
        for number, _, _, x, y, *_ in known["units"] if known else ():
            if places.get(number, ((),))[-1] != (x, y):
                places[number] = (*places.get(number, ()), (x, y))
    return places


def _trace(action: str | None, places: Mapping[int, Sequence[Sequence[int]]], cell: int) -> str:
    """Where the last action went: an arrow for a move, an attack, a healing or a push, and a frame at its target."""
    words = (action or "end").split()
    if words[0] == "end" or int(words[1]) not in places:
        return ""
    colour = _ACTION_COLOURS.get(words[0], _MARK)
    source = places[int(words[1])][0]
    if words[0] == "move":
        column, row = words[2].split(",")
        target: Sequence[int] = (int(column), int(row))
    elif int(words[2]) in places:
        target = places[int(words[2])][0]
    else:
        target = source
    frames = _frame(target, cell, "")
    if target != source:
        frames += _frame(source, cell, "4 3")
        frames += _arrow(source, target, cell, colour)
    if words[0] == "push" and len(places.get(int(words[2]), ())) > 1:
        frames += _arrow(target, places[int(words[2])][1], cell, colour)
    return f'<g fill="none" stroke="{colour}" stroke-width="{_number(max(1.5, cell / 16))}">{frames}</g>'


def _frame(place: Sequence[int], cell: int, dashes: str) -> str:
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<path{dashed} d="{_squares([(place[0], place[1])], cell, 1.2)}"/>'


def _arrow(source: Sequence[int], target: Sequence[int], cell: int, colour: str) -> str:
    """From near the middle of one cell to near that of another."""
    dx, dy = (target[0] - source[0]) * cell, (target[1] - source[1]) * cell
    length = hypot(dx, dy)
    ux, uy = dx / length, dy / length
    x, y = (source[0] + 0.5) * cell, (source[1] + 0.45) * cell
    first, last = cell * 0.3, length - cell * 0.22
    tip = cell * 0.24
    x0, y0, x1, y1 = x + first * ux, y + first * uy, x + last * ux, y + last * uy
    bx, by = x1 - tip * ux, y1 - tip * uy
    line = f"M{_number(x0)} {_number(y0)}L{_number(bx)} {_number(by)}"
    corners = ((x1, y1), (bx - tip * 0.6 * uy, by + tip * 0.6 * ux), (bx + tip * 0.6 * uy, by - tip * 0.6 * ux))
    head = "M" + "L".join(f"{_number(a)} {_number(b)}" for a, b in corners) + "z"
    width = max(1.5, cell / 14)
    return (
        f'<path stroke="#fff" stroke-width="{_number(2 * width)}" d="{line}{head}"/>'
        f'<path stroke-width="{_number(width)}" d="{line}"/><path stroke="none" fill="{colour}" d="{head}"/>'
    )


# ------------------------------------------------------------------------------------------------- players and legend


def _side(view: View, side: Side, full: int, top: int, per_line: int) -> str:
    """A player's shape and what the player has."""
    column, line = side.player % per_line, side.player // per_line
    x, y = 14 + column * (full // per_line), top + line * _SIDE_HEIGHT
    words = f"Player {side.player + 1}: {side.words}"
    bold = side.player == (view.winner if view.verdict else view.player)
    faded = "" if side.is_in else ' opacity=".5"'
    return f"<g{faded}>{_shape(side.player, x + 8, y + 8, 8)}" + (
        _text(x + 24, y + 13, words, 13, anchor="start", bold=bold) + "</g>"
    )


def _legend(view: View, full: int, top: int) -> tuple[str, int]:
    """Types of tiles and of units, and what the marks of units mean; returns also where the picture ends."""
    entries = [(_key(colour_of(tile)), tile.words) for tile in view.tiles.values()]
    entries += [(_key(_FOGGED), "not seen")] if view.unknown else []
    entries += [(_key(_HARM, "!"), f"all tiles: {view.everywhere}")] if view.everywhere else []
    entries += [(_key("#4a463d", code), kind) for kind, code in view.codes.items()]
    entries += [(icon, words) for icon, words in _marks(view)]
    parts, x, y = [], 14.0, top
    for icon, text in entries:
        words = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
        width = 44 + 6 * len(words)
        if x + width > full and x > 14:
            x, y = 14.0, y + 22
        label = _text(22, 12, words, 11.5, _SOFT, anchor="start")
        parts.append(f'<g transform="translate({_number(x)} {y})">{icon}{label}</g>')
        x += width
    return "".join(parts), y + 28


def _key(colour: str, code: str = "") -> str:
    square = f'<rect width="16" height="16" rx="3" fill="{colour}" stroke="#8a8478"/>'
    return square + (_text(8, 12, code, 10, "#fff", bold=True) if code else "")


def _marks(view: View) -> Iterator[tuple[str, str]]:
    """The marks of units and their meaning."""
    yield _plate("7", 8, 3, 10), "number of a unit, as in actions"
    if not view.verdict:
        yield _dot(4, 8, 2.5) + _dot(11, 8, 2.5), "actions left in this turn"
        yield f'<g opacity=".5">{_shape(view.player, 8, 8, 7)}</g>', "no actions left in this turn"
    if view.heals:
        yield _health_bar(0, 5, 16, 5, 1.1), "more than full health"
    if view.needed:
        yield _crown(1, 3, 14), f"{view.needed}: who has none is out"
