"""A race as one self-contained SVG picture: the track, the car, and the line it has driven, coloured by speed.

The picture contains no ids, styles, scripts, fonts or links, so one page can hold any number of them. Each piece of the
driven line is an element of its own that is the same in all later pictures; the replay player stores it once.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import Any

from turnwise.core.errors import counted
from turnwise.core.svg_text import FONT, INK
from turnwise.games.search_race.scenario import HEIGHT, RADIUS, WIDTH, Point

_SCALE = 10  # map units per unit of the picture
_MARGIN, _HEADER, _FOOTER = 100, 90, 90  # units of the picture
_SHOWN_WIDTH = 960
_PALE, _GROUND, _ROUTE = "#6b6558", "#fbfaf6", "#b9b2a0"
_NEXT, _PASSED, _CAR = "#0b6e4f", "#8f897b", "#111111"
# From slow to fast; the lightness differs too.
_SPEEDS = ("#30247a", "#2a5ca8", "#1f8fae", "#2fae86", "#8cb83a", "#d9ab23", "#dd6f1e", "#bd1f36")
_FASTEST = 1200.0


def draw(
    points: Sequence[Point],
    total: int,
    now: Mapping[str, Any],
    driven: Sequence[Point] = (),
    last_action: str | None = None,
) -> str:
    """Draw a state with the line that the car has driven.

    Args:
        points: The track's checkpoints, the start first.
        total: Checkpoints to be passed.
        now: Canonical dictionary of the state.
        driven: Position of the car after every turn, the present one last; empty: the line is not known.
        last_action: The action that led here; an aiming move's point is marked.

    Returns:
        One ``<svg>`` element.
    """
    left, top, right, bottom = _frame(points)
    width, height = right - left, bottom - top + _HEADER + _FOOTER
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top - _HEADER} {width} {height}" '
        f'width="{_SHOWN_WIDTH}" height="{round(_SHOWN_WIDTH * height / width)}" role="img" '
        f'aria-label="{escape(summary(now, total))}" font-family="{FONT}" text-anchor="middle">'
        f'<rect x="{left}" y="{top - _HEADER}" width="{width}" height="{height}" fill="{_GROUND}"/>'
        f'<rect width="{WIDTH // _SCALE}" height="{HEIGHT // _SCALE}" fill="#fff" stroke="{_ROUTE}" stroke-width="2"/>'
        f"{_track(points, now, total)}{_driven(driven)}{_aim(last_action)}{_car(now)}"
        f"{_words(now, total, left, top, right, bottom)}</svg>"
    )


def summary(state: Mapping[str, Any], total: int) -> str:
    """A state in one sentence."""
    speed = math.hypot(state["vx"], state["vy"])
    progress = f"Search Race, after {counted(state['timer'], 'turn')}: {state['cp']} of {total} checkpoints passed"
    if state["cp"] == total:
        return f"Search Race: finished after {state['timer'] + state['col_time']:.2f} turns"
    return f"{progress}, {'lost' if state['done'] else f'speed {speed:.0f}'}"


def _units(value: float) -> str:
    return f"{value / _SCALE:.4g}" if abs(value) < 1e5 else f"{value / _SCALE:.0f}"


def _frame(points: Sequence[Point]) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of the contest's map and all checkpoints, in units of the picture."""
    xs, ys = [0, WIDTH, *(x for x, _ in points)], [0, HEIGHT, *(y for _, y in points)]
    return (
        min(xs) // _SCALE - _MARGIN,
        min(ys) // _SCALE - _MARGIN,
        max(xs) // _SCALE + _MARGIN,
        max(ys) // _SCALE + _MARGIN,
    )


def _track(points: Sequence[Point], state: Mapping[str, Any], total: int) -> str:
    """The checkpoints with their numbers, joined in order; the next target is highlighted."""
    places = [(_units(x), _units(y)) for x, y in points]
    route = " ".join(f"{x},{y}" for x, y in places)
    parts = [f'<polygon points="{route}" fill="none" stroke="{_ROUTE}" stroke-width="3" stroke-dasharray="14 10"/>']
    goal = -1 if state["cp"] >= total else (state["cp"] + 1) % len(points)
    for number, (x, y) in enumerate(places):
        colour, fill = (_NEXT, "#d5efe3") if number == goal else (_PASSED, "#f1eee6")
        parts.append(
            f'<circle cx="{x}" cy="{y}" r="{RADIUS // _SCALE}" fill="{fill}" fill-opacity=".7" stroke="{colour}" '
            f'stroke-width="4"/><text x="{x}" y="{y}" dy="13" font-size="38" font-weight="700" fill="{colour}">'
            f"{number}</text>"
        )
    return "".join(parts)


def _speed_colour(speed: float) -> str:
    return _SPEEDS[min(len(_SPEEDS) - 1, int(speed / _FASTEST * len(_SPEEDS)))]


def _driven(places: Sequence[Point]) -> str:
    """One piece of line per turn, coloured by its length."""
    parts = []
    for before, after in pairwise(places):
        colour = _speed_colour(math.dist(before, after))
        start, end = (f"{_units(x)} {_units(y)}" for x, y in (before, after))
        parts.append(f'<path d="M{start}L{end}" stroke="{colour}" stroke-width="7" stroke-linecap="round"/>')
    return "".join(parts)


def _aim(last_action: str | None) -> str:
    """A cross where an aiming move aimed."""
    parts = (last_action or "EXPERT").split(" ")
    if parts[0] == "EXPERT" or len(parts) < 2:
        return ""
    x, y = _units(int(parts[0])), _units(int(parts[1]))
    return f'<path transform="translate({x} {y})" d="M-14-14L14 14M14-14L-14 14" stroke="{_CAR}" stroke-width="5"/>'


def _car(state: Mapping[str, Any]) -> str:
    """The car as an arrow along its heading, and its speed as a line to where it would coast in one turn."""
    x, y = _units(state["x"]), _units(state["y"])
    end = f"{_units(state['x'] + state['vx'])} {_units(state['y'] + state['vy'])}"
    return (
        f'<path d="M{x} {y}L{end}" stroke="{_CAR}" stroke-width="5" stroke-dasharray="8 6"/>'
        f'<path transform="translate({x} {y})rotate({state["angle"]})" d="M34 0L-22-20-12 0-22 20z" fill="{_CAR}" '
        f'stroke="#fff" stroke-width="3"/>'
    )


def _words(state: Mapping[str, Any], total: int, left: int, top: int, right: int, bottom: int) -> str:
    """The headline, and what the colours mean."""
    step = 60
    swatches = "".join(
        f'<path d="M{right - 40 - (len(_SPEEDS) - i) * step} {bottom + 30}h{step - 8}" stroke="{colour}" '
        f'stroke-width="16"/>'
        for i, colour in enumerate(_SPEEDS)
    )
    begin = right - 40 - len(_SPEEDS) * step
    return (
        f'<text x="{left + 40}" y="{top - 25}" font-size="42" font-weight="700" text-anchor="start" fill="{INK}">'
        f"{escape(summary(state, total))}</text>{swatches}"
        f'<text x="{begin - 20}" y="{bottom + 42}" font-size="32" text-anchor="end" fill="{_PALE}">'
        f"distance per turn, 0 to {_FASTEST:.0f}</text>"
    )
