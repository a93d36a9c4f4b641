"""The report as one self-contained HTML file, which needs neither a network nor a server."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from turnwise.core.errors import counted
from turnwise.core.extras import need
from turnwise.core.output_files import write_files
from turnwise.report import comparison, figures
from turnwise.report.csv_tables import curve_csv, data_link, results_csv
from turnwise.report.model import Comparison, EmbeddedGame, Measure, PlayerSample, Reading, ReportData, WinCell
from turnwise.report.words import (
    DASH,
    MANY_SEATS,
    MARKS,
    STOPPED,
    compact,
    compact_range,
    marks_words,
    milliseconds,
    p_value,
    pair_verdict,
    pair_words,
    percent,
    percent_range,
    significance_words,
    tests_words,
)
from turnwise.statistics.intervals import wilson_interval
from turnwise.statistics.verdict import Verdict

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_SECTIONS = (
    ("curve", "Curve"),
    ("results", "Results"),
    ("comparisons", "Comparisons"),
    ("claims", "Claims"),
    ("ratings", "Ratings"),
    ("games", "Games"),
    ("search", "Search"),
    ("work", "Work"),
    ("endings", "Endings"),
    ("run", "Run"),
    ("deviations", "Deviations"),
    ("notes", "Notes"),
)
_STRONGEST = 0.62  # opacity of a cell's colour at a score of 0 or 1; the text stays readable on it


def write_report(data: ReportData, path: str | os.PathLike[str]) -> Path:
    """Write the report atomically: a reader sees either the old file or the complete new one.

    Args:
        data: Content of the report.
        path: Path of the file; missing folders are created.

    Returns:
        The absolute path.

    Raises:
        OSError: The file cannot be written.
    """
    target = Path(path).absolute()
    text = render(data)
    target.parent.mkdir(parents=True, exist_ok=True)
    write_files({target: text.encode()})
    return target


def render(data: ReportData) -> str:
    """Render the page as text; equal data gives equal text.

    Raises:
        TurnwiseError: The extra ``report`` is not installed.
    """
    need("report", "An HTML report")
    from markupsafe import Markup

    views = [_view(reading, f"r{place}-") for place, reading in enumerate(data.readings)]
    cells = [cell for reading in data.readings for cell in reading.wins.cells.values()]
    samples = [s for reading in data.readings for m in (*reading.search, *reading.work) for s in m.samples]
    confidence = data.readings[0].wins.confidence if data.readings else 0.95
    return page(
        "turnwise.report",
        "report.html",
        ("page.js", "player.js"),
        data=data,
        views=views,
        curve=None if data.curve is None else _compared(data.curve, "curve-"),
        comparisons=[_compared(each, f"c{place}-") for place, each in enumerate(data.comparisons)],
        sections=[(anchor, words) for anchor, words in _SECTIONS if _has(data, views, anchor)],
        watchable=_watchable(data.replays.games),
        index=Markup(script_json([_listing(i, game) for i, game in enumerate(data.replays.games)])),
        skipped=_by_reason(data.replays.skipped),
        tally=_tally(data),
        downloads=_downloads(data),
        confidence=f"{100 * confidence:g} %",
        missed=f"{100 - 100 * confidence:.3g} %",
        any_published=any(cell.published is not None for cell in cells),
        verdict_marks=marks_words(cell.published.verdict for cell in cells if cell.published),
        meanings={m.title: m.meaning for reading in data.readings for m in reading.search if m.meaning},
        any_stated=any(sample.published is not None for sample in samples),
        any_ratings=any(view["ratings"] for view in views),
        rating_models=_rating_models(data),
    )


def page(package: str, template: str, scripts: Sequence[str], **values: Any) -> str:
    """Render a page in the report's style.

    Args:
        package: The package whose folder ``templates`` holds the template; it can include those of the report.
        template: File name of the template. It gets ``style``, ``script``, ``policy`` and ``version``.
        scripts: File names of the page's scripts.
        **values: What else the template gets.

    Raises:
        TurnwiseError: The extra ``report`` is not installed.
    """
    need("report", "An HTML report")
    from markupsafe import Markup

    environment = _environment(package)
    script = "\n".join(_source(name) for name in scripts)
    return environment.get_template(template).render(
        style=Markup(environment.get_template("style.css").render()),
        script=Markup(script),
        policy=_policy(script),
        version=_version(),
        **values,
    )


def script_json(value: Any) -> str:
    """JSON that is safe inside a script element even if its strings contain ``</script>`` or ``<!--``."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


@cache
def _environment(package: str = "turnwise.report") -> Environment:
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=ChoiceLoader([PackageLoader(name, "templates") for name in dict.fromkeys((package, "turnwise.report"))]),
        autoescape=lambda name: name is not None and name.endswith(".html"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        percent=percent,
        percent_range=percent_range,
        compact=compact,
        milliseconds=milliseconds,
        breakable=breakable,
        side=_side,
        shade=_shade,
        cell_words=cell_words,
        summary=_summary,
        p_value=p_value,
        pair_words=pair_words,
        pair_verdict=pair_verdict,
        significance_words=significance_words,
        tests_words=tests_words,
        elo="{:+z.0f}".format,
    )
    environment.globals["marks"] = MARKS
    environment.globals["many_seats"] = MANY_SEATS
    environment.globals["stopped"] = STOPPED
    return environment


def _source(name: str) -> str:
    environment = _environment()
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0]


def _policy(script: str) -> str:
    """The content security policy: nothing is loaded, and only the page's own script runs."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    allowed = f"script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def _compared(compared: Comparison, salt: str) -> dict[str, Any]:
    """A comparison with its figure, another one for narrow screens if it needs one, and its table."""
    from markupsafe import Markup

    drawing, narrow = comparison.comparison_figure(compared, salt), comparison.narrow_figure(compared, salt)
    return {
        "comparison": compared,
        "figure": figures.Drawing(Markup(drawing.svg), drawing.label),
        "narrow": None if narrow is None else figures.Drawing(Markup(narrow.svg), narrow.label),
        "legend": comparison.legend(compared),
        "columns": [series.name for series in comparison.columns(compared)],
        "rows": list(comparison.rows(compared)),
    }


def _view(reading: Reading, salt: str) -> dict[str, Any]:
    """A reading with its figures."""
    from markupsafe import Markup

    colours = {player: place for place, player in enumerate(reading.wins.players)}

    def safe(drawing: figures.Drawing) -> figures.Drawing:
        return figures.Drawing(Markup(drawing.svg), drawing.label)

    def measures(part: str) -> list[tuple[Measure, figures.Drawing | None]]:
        """Measures with a drawing if their values differ; the others are shown in a table."""
        return [
            (
                measure,
                safe(figures.measure_figure(measure, colours, f"{salt}{part}-")) if measure.kind == "spread" else None,
            )
            for measure in getattr(reading, part)
        ]

    plain = {part: [m for m in getattr(reading, part) if m.kind != "spread"] for part in ("search", "work")}
    has_endings = bool(reading.endings.pairs)
    return {
        "reading": reading,
        "first_seat": _first_seat(reading),
        "ratings": safe(figures.ratings_figure(reading.ratings, colours, salt)) if reading.ratings else None,
        "search": measures("search"),
        "work": measures("work"),
        "plain": plain,
        "plain_players": {
            part: [p for p in reading.wins.players if any(s.player == p for m in found for s in m.samples)]
            for part, found in plain.items()
        },
        "endings": safe(figures.endings_figure(reading.endings, salt)) if has_endings else None,
        "legend": figures.legend(reading.endings),
    }


def _has(data: ReportData, views: list[dict[str, Any]], anchor: str) -> bool:
    """Whether the page has a section."""
    if anchor in ("ratings", "search", "work", "endings"):
        return any(view[anchor] for view in views)
    there = {
        "run": data.facts,
        "curve": data.curve,
        "results": data.readings,
        "comparisons": data.comparisons,
        "claims": data.claims,
        "games": data.replays.total,
        "deviations": data.deviations,
        "notes": data.notes,
    }
    return bool(there[anchor])


def _downloads(data: ReportData) -> list[tuple[str, str, str]]:
    """(words, file name, address) of the tables to download."""
    tables = [("all games", "games.csv", data.games_csv)]
    if any(reading.wins.cells for reading in data.readings):
        tables.insert(0, ("the tables", "results.csv", results_csv(data.readings)))
    if data.curve is not None:
        tables.insert(0, ("the curve", "curve.csv", curve_csv(data.curve)))
    return [(words, name, data_link(text)) for words, name, text in tables if text]


def _first_seat(reading: Reading) -> str:
    """The advantage of moving first, in words; empty without games of two players."""
    tally = reading.first_seat
    if not tally.games:
        return ""
    score = wilson_interval(tally.points, tally.games, reading.wins.confidence)
    return (
        f"Over all games the player who moves first scores {percent(score.estimate)} % ({tally.wins} won, "
        f"{tally.draws} drawn, {tally.losses} lost; {100 * reading.wins.confidence:g} % interval "
        f"{percent(score.low)} to {percent(score.high)} %); 50 % would be no advantage."
    )


def _by_reason(skipped: Iterable[tuple[str, str]]) -> list[tuple[str, list[str]]]:
    """(reason, titles) of the games that are not shown, for one line per reason."""
    found: dict[str, list[str]] = {}
    for title, reason in skipped:
        found.setdefault(reason, []).append(title)
    return list(found.items())


def breakable(text: str) -> Markup:
    """A name with places at which a line may break: after the punctuation of a planner's or scenario's text."""
    from markupsafe import Markup

    return Markup("<wbr>").join(re.split(r"(?<=[:,+/|_])(?=\S)", text))


def _watchable(games: Iterable[EmbeddedGame]) -> set[tuple[str, str, str]]:
    """(reading, row, column) of the win tables' cells with games on the page."""
    return {(game.reading, *pair) for game in games for pair in permutations(set(game.players), 2)}


def _listing(number: int, game: EmbeddedGame) -> dict[str, Any]:
    return {
        "number": number,
        "title": game.title,
        "pair": game.pair,
        "reading": game.reading,
        "players": list(game.players),
        "result": game.result,
        "turns": game.turns,
        "winner": game.winner,
        "ending": game.ending,
    }


def _rating_models(data: ReportData) -> str:
    """The models of the ratings on the page, with en dashes."""
    models = dict.fromkeys(reading.ratings.model for reading in data.readings if reading.ratings is not None)
    return " or ".join(models).replace("-", DASH)


def _tally(data: ReportData) -> str:
    counts = Counter(claim.verdict for claim in data.claims)
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict])


def _side(cell: WinCell) -> str:
    if cell.score is None:
        return "none"
    return "above" if cell.score.estimate >= 0.5 else "below"


def _shade(cell: WinCell) -> str:
    distance = abs(cell.score.estimate - 0.5) if cell.score else 0.0
    return f"{2 * _STRONGEST * distance:.3f}"


def cell_words(cell: WinCell, confidence: float) -> str:
    """Describe a cell of the win table: counts, interval, and the published value with its verdict."""
    words = [f"{cell.row} against {cell.column}:"]
    if cell.score is None:
        words.append("not played.")
    else:
        tally = cell.tally
        words.append(
            f"{percent(cell.score.estimate)} % of {counted(tally.games, 'game')} ({tally.wins} won, {tally.draws} "
            f"drawn, {tally.losses} lost); {100 * confidence:g} % interval {percent(cell.score.low)} to "
            f"{percent(cell.score.high)} %."
        )
    stated = cell.published
    if stated is not None and stated.score is not None:
        games = f" of {counted(stated.games, 'game')}" if stated.games else ""
        verdict = f": {stated.verdict}" if stated.verdict else ""
        reason = f" ({stated.reason})" if stated.reason else ""
        words.append(f"Paper: {percent(stated.score)} %{games}{verdict}{reason}.")
    return " ".join(words)


def _summary(sample: PlayerSample) -> dict[str, str]:
    low, median, high = np.quantile(np.asarray(sample.values, dtype=np.float64), (0.05, 0.5, 0.95))
    mean = sample.mean
    return {
        "mean": compact(mean.estimate if mean else float(np.mean(sample.values))),
        "interval": compact_range(mean) if mean else DASH,
        "median": compact(float(median)),
        "range": f"{compact(float(low))} to {compact(float(high))}",
    }


def _version() -> str:
    try:
        return version("turnwise")
    except PackageNotFoundError:
        return ""
