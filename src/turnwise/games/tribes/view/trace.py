"""The last action on the board: frames where it happened, an arrow for a move or an attack, and changed hit points."""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot
from typing import Any

from turnwise.games.tribes.view.marks import CELL, at, middle, number, text
from turnwise.games.tribes.view.position import View
from turnwise.games.tribes.view.technologies import MARK

_ATTACK = "#a3003c"
_Place = tuple[int, int]


def trace(action: str | None, view: View, before: Mapping[str, Any] | None) -> tuple[str, str]:
    """The last action as markup: what belongs under the cities and units, and what belongs over them.

    Args:
        action: The action's notation; None: there was none.
        view: The position after it.
        before: The state before it, if it is known: where units came from and stood.
    """
    words = (action or "end").split()
    seen = {(tile.row, tile.column) for row in view.tiles for tile in row if tile.terrain != " "}
    old = {unit["id"]: unit for unit in before["units"]} if before else {}
    source, target = ends(words, view, old)
    if target is None or target not in seen:
        return "", ""
    colour = _ATTACK if words[0] in ("attack", "convert") else MARK
    frames, arrow = _frame(target, "", colour), ""
    if source is not None and source != target and source in seen:
        frames += _frame(source, "6 4", colour)
        arrow = _arrow(source, target, colour)
    over = arrow + _changes(words, view, old, source)
    return f'<g pointer-events="none">{frames}</g>', f'<g pointer-events="none">{over}</g>'


def ends(words: list[str], view: View, old: Mapping[int, Mapping[str, Any]]) -> tuple[_Place | None, _Place | None]:
    """Where an action began, if it went anywhere, and its target; None if they are not known."""

    def unit(name: str) -> _Place | None:
        """Where a unit was before the action, or is now if it was not known then."""
        was = old.get(int(name[1:]))
        if was is not None:
            return was["pos"][0], was["pos"][1]
        return next(((one.row, one.column) for one in view.units if one.number == int(name[1:])), None)

    def city(name: str) -> _Place | None:
        """The centre of a city."""
        return next(((one.row, one.column) for one in view.cities if one.number == int(name[1:])), None)

    def tile(name: str) -> _Place:
        """A tile by its text."""
        row, column = name.split(",")
        return int(row), int(column)

    kind = words[0]
    if kind in ("end", "research"):
        return None, None
    if kind == "move":
        return unit(words[1]), tile(words[2])
    if kind in ("attack", "convert"):
        return unit(words[1]), unit(words[2])
    if kind in ("spawn", "levelup"):
        return None, city(words[1])
    if words[1][0] == "u":
        return None, unit(words[1])
    return None, tile(words[1] if kind == "road" else words[2])


def _frame(place: _Place, dashes: str, colour: str) -> str:
    x, y = middle(*place)
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    square = f'd="M{number(x - 22)} {number(y - 22)}h44v44h-44z"'
    return (
        f'<path fill="none" stroke="#fff" stroke-opacity=".85" stroke-width="5" {square}/>'
        f'<path fill="none" stroke="{colour}" stroke-width="3"{dashed} {square}/>'
    )


def _arrow(source: _Place, target: _Place, colour: str) -> str:
    """From near the middle of a tile to the edge of another, so that it hides no hit points."""
    (x0, y0), (x1, y1) = middle(*source), middle(*target)
    length = hypot(x1 - x0, y1 - y0)
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    first, last, tip = CELL * 0.24, length - CELL * 0.5, CELL * 0.22
    ax, ay, bx, by = x0 + first * ux, y0 + first * uy, x0 + last * ux, y0 + last * uy
    cx, cy = bx - tip * ux, by - tip * uy
    line = f"M{number(ax)} {number(ay)}L{number(cx)} {number(cy)}"
    corners = ((bx, by), (cx - tip * 0.6 * uy, cy + tip * 0.6 * ux), (cx + tip * 0.6 * uy, cy - tip * 0.6 * ux))
    head = "M" + "L".join(f"{number(a)} {number(b)}" for a, b in corners) + "z"
    return (
        f'<path fill="none" stroke="#fff" stroke-width="7" stroke-linejoin="round" d="{line}{head}"/>'
        f'<path fill="none" stroke="{colour}" stroke-width="4" d="{line}"/><path fill="{colour}" d="{head}"/>'
    )


def _changes(words: list[str], view: View, old: Mapping[int, Mapping[str, Any]], source: _Place | None) -> str:
    """Hit points that units have lost or won, and a note where one of the fighters died."""
    parts = []
    now = {one.number: one for one in view.units}
    for name, was in old.items():
        if name in now and now[name].health != was["hp"]:
            change = now[name].health - was["hp"]
            x, y = middle(now[name].row, now[name].column)
            parts.append(
                at(
                    x + 12,
                    y - 14,
                    _bubble(f"{change:+d}".replace("-", "\N{MINUS SIGN}"), "#1f7a50" if change > 0 else "#b3123f"),
                )
            )
    fighters = [int(word[1:]) for word in words[1:3]] if words[0] == "attack" else []
    for name in fighters:
        if name in old and name not in now:
            x, y = middle(*old[name]["pos"])
            is_above = source is not None and source[0] < old[name]["pos"][0]  # leave room for the arrow
            parts.append(at(x, y + (27 if is_above else -25), _bubble(f"u{name} killed", _ATTACK)))
    return "".join(parts)


def _bubble(words: str, colour: str) -> str:
    width = 8 + 6.2 * len(words)
    box = f'x="{number(-width / 2)}" y="-7.5" width="{number(width)}" height="15" rx="7"'
    return f'<rect {box} fill="{colour}" stroke="#fff"/>' + text(0, 3.8, words, 10.5, "#fff", bold=True)
