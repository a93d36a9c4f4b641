"""Comparisons case by case, in rows or along an axis: a figure for the page, and a table for page and terminal."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from turnwise.report.figures import GRID, SERIES, SOFT, SURFACE, Drawing, canvas, finished, plain_canvas, style
from turnwise.report.model import Comparison, Series
from turnwise.report.words import DASH, compact
from turnwise.statistics.intervals import Interval

_WIDTH = 6.4  # inches
_NARROW = 4.0  # inches of a figure with lines on narrow screens: its letters have at least their own size there
_ROOM = 0.8  # share of a row's height for the players' marks
_HEIGHT = 3.2  # inches of a figure with lines
_LOG_FROM = 30.0  # largest ratio of places on a linear axis
_APART = 0.012  # of the axis' length: distance of two players' intervals at the same place


def comparison_figure(comparison: Comparison, salt: str = "") -> Drawing:
    """Draw dots with their intervals: in a row per case, or joined by lines if the cases have places on an axis.

    Args:
        comparison: The comparison to draw.
        salt: Makes ids unique on a page.
    """
    return _lines_figure(comparison, salt) if comparison.places else _rows_figure(comparison, salt)


def narrow_figure(comparison: Comparison, salt: str = "") -> Drawing | None:
    """Draw lines once more for narrow screens, where the words of the wide figure would be too small to be read.

    Args:
        comparison: The comparison to draw.
        salt: Makes ids unique on a page.

    Returns:
        The figure; None: there is one figure for all screens.
    """
    return _lines_figure(comparison, f"{salt}narrow-", _NARROW) if comparison.places else None


def _lines_figure(comparison: Comparison, salt: str, width: float = _WIDTH) -> Drawing:
    """Draw a line with intervals per player over the places, and a dashed one for the reference player."""
    places = np.asarray(comparison.places, dtype=np.float64)
    is_log = bool(places.min() > 0 and places.max() / places.min() > _LOG_FROM)
    ends = np.log(places) if is_log else places
    step = _APART * float(np.ptp(ends))
    count = len(comparison.series)
    with style():
        figure, axes = plain_canvas(width, _HEIGHT)
        if is_log:
            axes.set_xscale("log")
        if comparison.baseline is not None:
            axes.axhline(comparison.baseline, color=SOFT, linewidth=1)
        middle = (count - 1) / 2
        players = [(series, SERIES[at % len(SERIES)], "-", at - middle) for at, series in enumerate(comparison.series)]
        if comparison.mark is not None:
            players.append((comparison.mark, SOFT, "--", 0.0))
        for series, colour, dashes, shift in players:
            moved = ends + step * shift
            at = np.exp(moved) if is_log else moved
            known = [(float(x), value) for x, value in zip(at, series.values, strict=True) if value is not None]
            axes.plot(
                [x for x, _ in known], [value.estimate for _, value in known], dashes, color=colour, linewidth=1.6
            )
            for x, value in known:
                axes.plot([x, x], [value.low, value.high], color=colour, linewidth=1.2)
                axes.plot(x, value.estimate, "o", color=colour, markersize=4.5, markeredgecolor=SURFACE)
        axes.set_xticks(places, [compact(float(place)) for place in places])
        axes.set_xticks([], minor=True)
        axes.yaxis.set_major_formatter(lambda value, _: compact(value))
        figure.supxlabel(comparison.axis, fontsize=9.5, color=SOFT)
        figure.supylabel(comparison.scale, fontsize=9.5, color=SOFT)
        last = len(places) - 1
        ends_of = "; ".join(f"{series.name}: {_cell_of(series, last)}" for series in columns(comparison))
        label = f"{comparison.title}, by {comparison.axis}. At {comparison.cases[-1]}: {ends_of}"
        return finished(figure, label, f"{salt}comparison")


def _rows_figure(comparison: Comparison, salt: str) -> Drawing:
    """Draw a row per case with a dot and its interval per player, and a stroke for the reference player."""
    count = max(1, len(comparison.series))
    with style():
        figure, axes = canvas(_WIDTH, 0.9 + len(comparison.cases) * (0.18 + 0.07 * count), comparison.cases)
        for row in range(0, len(comparison.cases), 2):
            axes.axhspan(row - 0.5, row + 0.5, color=GRID, alpha=0.35, linewidth=0)
        if comparison.baseline is not None:
            axes.axvline(comparison.baseline, color=SOFT, linewidth=1)
        for number, series in enumerate(comparison.series):
            colour = SERIES[number % len(SERIES)]
            shift = _ROOM * ((number + 0.5) / count - 0.5)
            for row, value in enumerate(series.values):
                if value is not None:
                    place = row + shift
                    axes.plot([value.low, value.high], [place, place], color=colour, linewidth=1.6)
                    axes.plot(value.estimate, place, "o", color=colour, markersize=4.5, markeredgecolor=SURFACE)
        if comparison.mark is not None:
            for row, value in enumerate(comparison.mark.values):
                if value is not None:
                    axes.plot([value.estimate] * 2, [row - 0.42, row + 0.42], color=SOFT, linewidth=2)
        axes.xaxis.set_major_formatter(lambda value, _: compact(value))
        figure.supxlabel(comparison.scale, fontsize=9.5, color=SOFT)
        means = "; ".join(f"{s.name}: {compact(s.mean.estimate)}" for s in comparison.series if s.mean is not None)
        return finished(figure, f"{comparison.title}. Means over all cases: {means}", f"{salt}comparison")


def legend(comparison: Comparison) -> list[tuple[str, str]]:
    """(CSS colour, player) of every series, and of the reference mark."""
    entries = [(f"var(--s{number % len(SERIES)})", s.name) for number, s in enumerate(comparison.series)]
    drawn = "dashed" if comparison.places else "stroke"
    return entries + ([("var(--soft)", f"{comparison.mark.name} ({drawn})")] if comparison.mark else [])


def columns(comparison: Comparison) -> tuple[Series, ...]:
    """The players in the order of a table's columns, the reference player last."""
    return (*comparison.series, *((comparison.mark,) if comparison.mark else ()))


def rows(comparison: Comparison) -> Iterator[tuple[str, list[str]]]:
    """(Case, cells) in order, with the means at the end if there are any."""
    players = columns(comparison)
    for number, case in enumerate(comparison.cases):
        yield case, [_cell_of(player, number, comparison.decimals) for player in players]
    if any(player.mean is not None for player in players):
        yield "mean", [cell(player.mean, comparison.decimals) for player in players]


def _cell_of(player: Series, case: int, decimals: int | None = None) -> str:
    """A player's cell: its value, or that it is the reference there."""
    return "reference" if case == player.reference else cell(player.values[case], decimals)


def cell(value: Interval | None, decimals: int | None = None) -> str:
    """Format an estimate, with its interval if it has one."""
    if value is None:
        return DASH
    low, mean, high = (
        compact(number) if decimals is None else f"{number:,.{decimals}f}"
        for number in (value.low, value.estimate, value.high)
    )
    return mean if value.low == value.high else f"{mean} ({low} to {high})"
