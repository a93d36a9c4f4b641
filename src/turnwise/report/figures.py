"""Plots as inline SVG in one style that follows the page's light or dark theme.

Matplotlib draws with placeholder colours that are then replaced by the page's CSS variables, so one drawing serves
both themes. Text stays text (selectable, read out, in the page's font). Series colours are those of Okabe and Ito,
"Color Universal Design" (2008), which people with any kind of colour vision can tell apart; nothing depends on
colour alone.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from turnwise.arena.records import ENGINE_FAULTS
from turnwise.report.builder import EQUAL, FIRST_WON, SECOND_WON, ending_kinds
from turnwise.report.model import Endings, Measure, PlayerSample
from turnwise.report.words import compact, pair_words
from turnwise.statistics.ratings import RatingTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

INK, SOFT, GRID, SURFACE = "#010101", "#020202", "#030303", "#040404"
SERIES = tuple(f"#1001{index:02d}" for index in range(8))
_VARIABLES = {
    INK: "var(--ink)",
    SOFT: "var(--soft)",
    GRID: "var(--line)",
    SURFACE: "var(--card)",
    **{colour: f"var(--s{index})" for index, colour in enumerate(SERIES)},
}

ENDING_COLOURS = {
    FIRST_WON: SERIES[0],
    EQUAL: SERIES[6],
    "drawn by rule": SERIES[7],
    "drawn by limit": GRID,
    "illegal action": SERIES[3],
    "exception": SERIES[4],
    "time overrun": SERIES[5],
    **dict.fromkeys(map(str, ENGINE_FAULTS), SERIES[2]),
    "abandoned after lost workers": SOFT,
    SECOND_WON: SERIES[1],
}

_BAR_OPACITY = 0.62  # keeps the numbers in the bars readable in both themes
_WIDTH = 5.0  # inches; the page scales figures to the column
_MOST_VALUES = 4000  # largest number of values used for a density; evenly spaced ones if there are more
_LOG_FROM = 30.0  # largest ratio of positive values on a linear axis
_STYLE = {
    "font.family": "sans-serif",
    "font.size": 10,
    "text.color": INK,
    "text.parse_math": False,
    "axes.edgecolor": GRID,
    "axes.labelcolor": SOFT,
    "axes.labelsize": 9.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.grid.axis": "x",
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "xtick.color": GRID,
    "xtick.labelcolor": SOFT,
    "xtick.labelsize": 9,
    "ytick.left": False,
    "ytick.labelcolor": INK,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "svg.fonttype": "none",
}


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure for the page.

    Attributes:
        svg: One ``<svg>`` element without outer width and height; it fills its column.
        label: Description for people who cannot see the figure.
    """

    svg: str
    label: str


def ratings_figure(table: RatingTable, colours: Mapping[str, int], salt: str = "") -> Drawing:
    """Ratings as dots with their intervals, best first.

    Args:
        table: The ratings.
        colours: Player -> index of the series colour, the same in all figures of a page.
        salt: Makes ids unique on a page.
    """
    names = [rating.player for rating in table.ratings]
    with style():
        figure, axes = _rows(names)
        axes.axvline(0, color=SOFT, linewidth=1)
        for place, rating in enumerate(table.ratings):
            elo, colour = rating.elo, SERIES[colours.get(rating.player, place) % len(SERIES)]
            axes.plot([elo.low, elo.high], [place, place], color=colour, linewidth=3, solid_capstyle="round")
            axes.plot(elo.estimate, place, "o", color=colour, markersize=9, markeredgecolor=SURFACE)
            axes.annotate(
                f"{elo.estimate:+z.0f}".replace("-", "\N{MINUS SIGN}"),  # as on the axis
                (elo.estimate, place),
                (0, 9),
                textcoords="offset points",
                ha="center",
                bbox={"facecolor": SURFACE, "edgecolor": "none", "pad": 0.5},  # hides the lines of the grid
            )
        anchor = _short(table.anchor) if table.anchor else "the mean of all players"
        _axis_words(figure, f"Elo points above {anchor}")
        label = "Ratings: " + ", ".join(
            f"{rating.player} {rating.elo.estimate:+z.0f} ({rating.elo.low:+z.0f} to {rating.elo.high:+z.0f})"
            for rating in table.ratings
        )
        return finished(figure, label, f"{salt}ratings")


def measure_figure(measure: Measure, colours: Mapping[str, int], salt: str = "") -> Drawing:
    """Distribution of a measure per player: its density, the middle half as a bar, the median, the mean.

    Args:
        measure: The measure to draw.
        colours: Player -> index of the series colour, the same in all figures of a page.
        salt: Makes ids unique on a page.
    """
    samples = measure.samples
    stated = [sample.published for sample in samples if sample.published is not None]
    log = _is_wide([value for sample in samples for value in sample.values] + stated)
    with style():
        figure, axes = _rows([sample.player for sample in samples])
        if log:
            axes.set_xscale("log")
        for place, sample in enumerate(samples):
            _distribution(axes, place, sample, SERIES[colours.get(sample.player, place) % len(SERIES)], log)
        axes.xaxis.set_major_formatter(lambda value, _: compact(value))
        if not log:
            axes.locator_params(axis="x", nbins=6)
        else:
            axes.xaxis.set_minor_locator(_no_ticks())
        unit = f"{measure.unit} " if measure.unit else ""
        _axis_words(figure, f"{unit}per {measure.per}{', logarithmic' if log else ''}")
        label = f"{measure.title} per {measure.per}, mean: " + ", ".join(
            f"{sample.player} {compact(float(np.mean(sample.values)))}" for sample in samples
        )
        return finished(figure, label, f"{salt}{measure.key}")


def endings_figure(endings: Endings, salt: str = "") -> Drawing:
    """Draw one stacked bar per pair: its number of games by ending."""
    pairs = endings.pairs
    with style():
        figure, axes = _rows([pair_words((pair.first, pair.second)) for pair in pairs])
        shown = [kind for kind in ending_kinds() if any(kind in pair.counts for pair in pairs)]
        for place, pair in enumerate(pairs):
            left = 0.0
            for kind in shown:
                share = 100 * pair.counts.get(kind, 0) / max(1, pair.games)
                if share:
                    axes.barh(place, share, 0.62, left, color=ENDING_COLOURS[kind], alpha=_BAR_OPACITY, linewidth=0)
                if share >= 5:
                    middle = left + share / 2
                    axes.text(middle, place, str(pair.counts[kind]), ha="center", va="center", fontsize=9.5)
                left += share
        axes.set_xlim(0, 100)
        _axis_words(figure, "share of the pair's games in percent; in the bars: number of games")
        label = "How games ended: " + "; ".join(
            f"{pair_words((pair.first, pair.second))}: "
            + ", ".join(f"{number} {kind}" for kind, number in pair.counts.items())
            for pair in pairs
        )
        return finished(figure, label, f"{salt}endings")


def legend(endings: Endings) -> tuple[tuple[str, str], ...]:
    """(CSS colour, words) of the kinds of ending that occur, in the order of the bars."""
    occurring = {kind for pair in endings.pairs for kind in pair.counts}
    return tuple((_VARIABLES[ENDING_COLOURS[kind]], kind) for kind in ending_kinds() if kind in occurring)


def _distribution(axes: Axes, place: int, sample: PlayerSample, colour: str, log: bool) -> None:
    values = np.sort(np.asarray(sample.values, dtype=np.float64))
    if log:
        values = values[values > 0]
    if not values.size:
        return
    grid, height = _density(values, log)
    if grid.size:
        axes.fill_between(grid, place - 0.36 * height, place + 0.36 * height, color=colour, alpha=0.28, linewidth=0)
    low, first, median, third, high = np.quantile(values, (0.05, 0.25, 0.5, 0.75, 0.95))
    axes.plot([low, high], [place, place], color=colour, linewidth=1.4)
    axes.plot([first, third], [place, place], color=colour, linewidth=6, solid_capstyle="butt")
    axes.plot(median, place, "|", color=INK, markersize=13, markeredgewidth=2)
    axes.plot(float(np.mean(values)), place, "D", color=SURFACE, markersize=5.5, markeredgecolor=INK)
    if sample.published is not None:
        axes.plot(sample.published, place, "*", color=SURFACE, markersize=14, markeredgecolor=INK)


def _density(values: np.ndarray, log: bool) -> tuple[np.ndarray, np.ndarray]:
    """A Gaussian kernel density with Silverman's bandwidth on 90 points, scaled to a height of 1.

    Args:
        values: float64[n], sorted.
        log: Whether the density is that of the logarithms.

    Returns:
        Positions and heights, both float64[90]; empty if the values have no spread.
    """
    x = np.log(values) if log else values
    x = x[:: -(-x.size // _MOST_VALUES)]
    quarter, three_quarters = np.quantile(x, (0.25, 0.75))
    spread = min(float(x.std()), float(three_quarters - quarter) / 1.34) or float(x.std())
    if x.size < 5 or spread <= 1e-12 * max(1.0, float(np.abs(x).max())):
        return np.empty(0), np.empty(0)
    width = 0.9 * spread * x.size**-0.2
    grid = np.linspace(x[0], x[-1], 90)
    height = np.exp(-0.5 * ((grid[:, None] - x[None, :]) / width) ** 2).sum(axis=1)
    return (np.exp(grid) if log else grid), height / height.max()


def _is_wide(values: Sequence[float]) -> bool:
    """Whether positive values are spread so widely that only a logarithmic axis shows all of them."""
    array = np.asarray(values, dtype=np.float64)
    low, high = np.quantile(array, (0.01, 0.99)) if array.size else (1.0, 1.0)
    return bool(low > 0 and high / low > _LOG_FROM)


def _no_ticks() -> Any:
    from matplotlib.ticker import NullLocator

    return NullLocator()


def style() -> Any:
    """The page's style, as a context for drawing."""
    import matplotlib as mpl

    return mpl.rc_context(_STYLE)  # type: ignore[arg-type]


def _rows(names: Sequence[str]) -> tuple[Canvas, Axes]:
    """Make empty axes with one row per name, the first at the top."""
    return canvas(_WIDTH, 0.8 + 0.44 * max(1, len(names)), names)


def canvas(width: float, height: float, names: Sequence[str]) -> tuple[Canvas, Axes]:
    """Make a figure of a size in inches, and its axes with one row per name, the first at the top."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.set_yticks(range(len(names)), [_short(name) for name in names])
    axes.set_ylim(len(names) - 0.45, -0.55)
    return figure, axes


def plain_canvas(width: float, height: float) -> tuple[Canvas, Axes]:
    """Make a figure of a size in inches, and its axes with numbers on both sides and horizontal lines."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.grid(False)
    axes.grid(True, axis="y")
    axes.tick_params(axis="y", labelcolor=SOFT, labelsize=9)
    return figure, axes


def _axis_words(figure: Canvas, words: str) -> None:
    """Write a label below the axis, centred on the whole figure, since long names leave the axes little width."""
    figure.supxlabel(words, fontsize=9.5, color=SOFT)


def _short(name: str, longest: int = 34) -> str:
    return name if len(name) <= longest else f"{name[: longest - 1]}…"


def finished(figure: Canvas, label: str, salt: str) -> Drawing:
    """Convert a figure to an ``<svg>`` element with the page's colours and font, no outer size and no global rules."""
    import matplotlib as mpl

    out = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": salt}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # names in any script; the browser has the glyphs
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    svg = out.getvalue()
    svg = svg[svg.index("<svg") :].strip()
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", svg, flags=re.DOTALL)
    head, _, body = svg.partition(">")
    box = re.search(r'viewBox="([^"]+)"', head)
    assert box is not None  # matplotlib always writes one
    mark = re.sub(r"[^a-z0-9]+", "-", salt.lower())
    body = re.sub(r"<[^>]*>", lambda tag: _adopted(tag[0], mark), body)
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="{box[1]}" '
        f'role="img" aria-label="{escape(label)}" stroke-linejoin="round" stroke-linecap="butt">'
    )
    return Drawing(opening + body, label)


def _adopted(tag: str, mark: str) -> str:
    """Rewrite a tag with the page's colours and font, and with ids that are unique on the page."""
    tag = re.sub(r"(fill|stroke): (#[0-9a-f]{6})", lambda m: f"{m[1]}: {_VARIABLES.get(m[2], m[2])}", tag)
    tag = re.sub(r"(font: [^;\"']*?)('[^;\"]*|sans-serif)(?=[;\"])", r"\1var(--font)", tag)
    return re.sub(r'(id="|url\(#|href="#)', rf"\g<1>{mark}-", tag)
