"""The report on a tuning: one HTML page with the best settings, the points, and plots by parameter and pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from turnwise.core.errors import counted
from turnwise.registry import make
from turnwise.report import figures
from turnwise.report.facts import environment_facts
from turnwise.report.html import page
from turnwise.report.model import Fact
from turnwise.report.words import DASH, compact, compact_range
from turnwise.statistics.intervals import Interval
from turnwise.tuning.estimates import (
    NO_SPREAD,
    Marginal,
    TrialResult,
    interval_of,
    marginals,
    samples_by_point,
    samples_by_value,
)
from turnwise.tuning.grouping import Grouping, grouping
from turnwise.tuning.run import Tuning
from turnwise.tuning.space import Point, Space
from turnwise.tuning.specification import TuningSpec

_MOST_POINTS, _MOST_PAIRS = 20, 190
_SOME = 3  # forfeits in a text
_STRONGEST = 0.62  # opacity of the best cell's colour; the text stays readable on it


@dataclass(frozen=True, slots=True)
class _Row:
    """A point in a table."""

    settings: str
    evaluations: int
    mean: str
    range: str


@dataclass(frozen=True, slots=True)
class _Cell:
    """A pair of values in a table."""

    mean: str
    number: int
    shade: str


@dataclass(frozen=True, slots=True)
class _Pair:
    """The table of two dimensions."""

    rows: str
    columns: str
    column_labels: list[str]
    body: list[tuple[str, list[_Cell | None]]]


def render_tuning(spec: TuningSpec, tuning: Tuning, command: str = "") -> str:
    """The page as text; equal results give equal text on the same machine.

    Args:
        spec: The tuning.
        tuning: Its result.
        command: The command that repeats it; empty: none is shown.

    Raises:
        TurnwiseError: The extra ``report`` is not installed.
    """
    from markupsafe import Markup

    space, evaluations = tuning.space, tuning.evaluations
    shown = [place for place, dimension in enumerate(space.dimensions) if dimension.size > 1]
    groups = {place: grouping(space, place, evaluations) for place in shown}
    by_value = {
        place: marginals(space, evaluations, place, groups={place: found.of}) for place, found in groups.items()
    }
    span = _common_span(by_value.values())
    drawings = []
    for place, found in by_value.items():
        drawing = _marginal_figure(space, place, groups[place], found, span)
        drawings.append((_typed(space.dimensions[place].name), figures.Drawing(Markup(drawing.svg), drawing.label)))
    pairs = list(combinations(shown, 2))
    more = len(pairs) - _MOST_PAIRS
    return page(
        "turnwise.tuning",
        "tuning.html",
        ("page.js",),
        title=spec.name,
        summary=f"{best_words(tuning)} after {counted(len(evaluations), 'evaluation')}.",
        facts=[*tuning_facts(spec, command), *environment_facts()],
        how_chosen=_how_chosen(tuning),
        best=[(name.replace("_", "-"), _plain(value)) for name, value in tuning.best.items()],
        recommendations=_rows(space, evaluations, dict.fromkeys(tuning.recommendations), fair=True),
        evaluated=f"{len({e.trial.point for e in evaluations})} of the {space.size} points were evaluated.",
        points=_rows(space, evaluations, _most_evaluated(evaluations)),
        marginals=drawings,
        pairs=[_pair(space, evaluations, pair, groups) for pair in pairs[:_MOST_PAIRS]],
        left_out=f"{counted(more, 'pair')} of later parameters are not shown." if more > 0 else "",
        forfeits=forfeit_words(tuning),
        refusals=list(dict.fromkeys(each.refusal for each in evaluations if each.refusal)),
    )


def best_words(tuning: Tuning) -> str:
    """The best settings with their fitness in words: "Best: exploration=0.5: 0.62 (0.55 to 0.69)"."""
    return f"Best: {settings_words(tuning.best)}: {fitness_words(tuning.interval)}"


def settings_words(settings: dict[str, Any]) -> str:
    """Settings as in a planner's text."""
    return ",".join(f"{name.replace('_', '-')}={_plain(value)}" for name, value in settings.items())


def fitness_words(interval: Interval | None) -> str:
    """A fitness with its interval."""
    if interval is None:
        return "refused"
    span = "1 evaluation" if interval.method == NO_SPREAD else compact_range(interval)
    return f"{compact(interval.estimate)} ({span})"


def forfeit_words(tuning: Tuning) -> str:
    """How many games were forfeited, and examples; empty if none was."""
    found = tuning.forfeits
    if not found:
        return ""
    games = sum(len(each.samples) for each in tuning.evaluations)
    kinds = list(dict.fromkeys(found))
    some = "; ".join(kinds[:_SOME]) + ("; ..." if len(kinds) > _SOME else "")
    return (
        f"{len(found)} of {counted(games, 'game')} {'was' if len(found) == 1 else 'were'} forfeited, which counts as "
        f"lost for the player at fault: {some}"
    )


def scenario_labels(spec: TuningSpec) -> list[str]:
    """The scenarios as all reports name them: those from files with the hash of their content."""
    return [make(text).spec for text in spec.games]


def tuning_facts(spec: TuningSpec, command: str = "") -> list[Fact]:
    """What was tuned, and how."""
    runs = counted(spec.runs, "run")
    choice = f", {100 * spec.selection:g} % of them for the choice among {runs}" if spec.runs > 1 else ""
    settings = ", ".join(f"{name} = {value}" for name, value in spec.settings.model_dump(mode="json").items())
    if spec.function:
        what = [Fact("Fitness", spec.function, code=True)]
    else:
        of = spec.fitness if spec.fitness != "auto" else "score, in single-player games the result"
        opponents = "; ".join(
            f"{text if name == text else f'{name}: {text}'}, {spec.budgets.get(name, spec.budget)}"
            for name, text in spec.opponents.items()
        )
        what = [
            Fact("Planner", f"{spec.planner}, {spec.budgets.get('tuned', spec.budget)}", code=True),
            Fact("Scenarios", ", ".join(scenario_labels(spec)), code=True),
            *([Fact("Opponents", opponents, code=True)] if opponents else []),
            Fact("Evaluation", f"{spec.games_per_pair} games against each opponent in each scenario; fitness: {of}"),
        ]
    return [
        *what,
        Fact("Points", f"{spec.space.size}, {counted(len(spec.parameters), 'parameter')}"),
        Fact("Algorithm", f"{spec.algorithm} ({settings})"),
        Fact("Evaluations", f"{spec.evaluations} in {runs} of batches of {spec.batch}{choice}"),
        Fact("Seed", str(spec.seed), code=True),
        *([Fact("Command", command, code=True)] if command else []),
    ]


def _how_chosen(tuning: Tuning) -> str:
    if tuning.is_chosen:
        return (
            "The best of the runs' recommendations, by evaluations that the searches did not see. The interval is "
            "from these evaluations only; it is a little too optimistic where several recommendations were close."
        )
    return (
        "The recommendation of the search. Its interval is from the evaluations that led to it, so it is too "
        "optimistic; several runs with a choice among them give an interval that can be trusted."
    )


def _typed(name: str) -> str:
    """A dimension's name as users type it; the items of a subset stay as they are."""
    parameter, colon, item = name.partition(":")
    return parameter.replace("_", "-") + colon + item


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _most_evaluated(evaluations: Sequence[TrialResult]) -> list[Point]:
    """The points with most evaluations; of equals, those with the better mean first."""
    numbers = Counter(each.trial.point for each in evaluations if each.samples)
    samples = samples_by_point(evaluations)
    ranked = sorted(numbers, key=lambda p: (-numbers[p], -sum(samples[p]) / len(samples[p])))
    return ranked[:_MOST_POINTS]


def _rows(
    space: Space, evaluations: Sequence[TrialResult], points: Iterable[Point], *, fair: bool = False
) -> list[_Row]:
    """Rows of a table of points: by all their evaluations, or by those of the choice where there are any (``fair``)."""
    rows = []
    for point in points:
        mine = [each for each in evaluations if each.trial.point == point]
        chosen = [each for each in mine if each.trial.phase == "choice"]
        counted_ones = chosen if fair and chosen else mine
        samples = [sample for each in counted_ones for sample in each.samples]
        interval = interval_of(samples) if samples else None
        mean = compact(interval.estimate) if interval else "refused"
        span = compact_range(interval) if interval and interval.method != NO_SPREAD else DASH
        rows.append(_Row(settings_words(space.settings(point)), len(counted_ones), mean, span))
    return rows


def _common_span(groups: Iterable[Sequence[Marginal]]) -> tuple[float, float]:
    """The fitnesses that all plots show, so that effects of different parameters can be compared by eye."""
    intervals = [each.interval for found in groups for each in found]
    if not intervals:
        return 0.0, 1.0
    low, high = min(each.low for each in intervals), max(each.high for each in intervals)
    margin = 0.03 * (high - low) or 0.5
    return low - margin, high + margin


def _marginal_figure(
    space: Space, place: int, groups: Grouping, found: Sequence[Marginal], span: tuple[float, float]
) -> figures.Drawing:
    """Mean fitness by value of a dimension, one row per value.

    Args:
        space: The space.
        place: The dimension.
        groups: Its values as they are shown.
        found: Their means.
        span: Smallest and largest fitness shown.
    """
    name = _typed(space.dimensions[place].name)
    labels = [f"{groups.labels[each.indices[0]]} ({each.evaluations})" for each in found]
    with figures.style():
        canvas, axes = figures.canvas(5.0, 0.8 + 0.36 * max(1, len(found)), labels)
        for row, each in enumerate(found):
            interval = each.interval
            axes.plot([interval.low, interval.high], [row, row], color=figures.SERIES[0], linewidth=3)
            axes.plot(
                interval.estimate, row, "o", color=figures.SERIES[0], markersize=8, markeredgecolor=figures.SURFACE
            )
        axes.set_xlim(*span)
        canvas.supxlabel("mean fitness", fontsize=9.5, color=figures.SOFT)
        means = (f"{label} {compact(each.interval.estimate)}" for label, each in zip(labels, found, strict=True))
        return figures.finished(canvas, f"Mean fitness by {name}: {', '.join(means)}", f"marginal-{place}")


def _pair(
    space: Space, evaluations: Sequence[TrialResult], pair: tuple[int, int], groups: Mapping[int, Grouping]
) -> _Pair:
    """Mean fitness by the values of two dimensions."""
    found = {
        key: (number, sum(samples) / len(samples))
        for key, (number, samples) in samples_by_value(
            evaluations, *pair, groups={place: groups[place].of for place in pair}
        ).items()
    }
    means = [mean for _, mean in found.values()]
    low, high = (min(means), max(means)) if means else (0.0, 0.0)

    def cell(key: tuple[int, int]) -> _Cell | None:
        if key not in found:
            return None
        number, mean = found[key]
        share = (mean - low) / (high - low) if high > low else 0.0
        return _Cell(compact(mean), number, f"{_STRONGEST * share:.3f}")

    rows, columns = (groups[place].labels for place in pair)
    return _Pair(
        _typed(space.dimensions[pair[0]].name),
        _typed(space.dimensions[pair[1]].name),
        list(columns),
        [(label, [cell((row, column)) for column in range(len(columns))]) for row, label in enumerate(rows)],
    )
