"""The figures of the sweeps: scores along an axis, with the published ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from turnwise.report.model import Comparison, Series
from turnwise.statistics.intervals import Interval, wilson_interval
from turnwise.studies.figures import exactly, percent
from turnwise.studies.played import Pair, Played
from turnwise.studies.turn_search.experiment import MORE_TIME, ON_ISLANDS, Key, times_of
from turnwise.studies.turn_search.players import MAXIMIN, SWEEP_RIVALS
from turnwise.studies.turn_search.printed import (
    ACTION_POINTS,
    AGAINST_GREEDY_TURN,
    BB,
    NE,
    OE,
    PAPER,
    SWEEP,
    THESIS,
    TIMES,
)


def sweep_figures(played: Mapping[Key, Played]) -> list[Comparison]:
    """All figures for which there are games."""
    found = [_action_points(reading, played) for reading in dict.fromkeys(key[0] for key in played)]
    return [figure for figures in (*found, _islands(played), _times(played)) for figure in figures]


def _action_points(reading: str, played: Mapping[Key, Played]) -> list[Comparison]:
    """Figure 5, a figure for each rival, and turn-maximin against all of them."""
    there = [points for points in ACTION_POINTS if (reading, "action-points", str(points)) in played]
    if not there:
        return []
    points = [played[reading, "action-points", str(each)] for each in there]

    def figure(title: str, series: Sequence[Series], mark: Series | None = None) -> Comparison:
        return _lines(f"{reading}: {title}", there, "action points per turn", series, mark)

    figures = []
    for rival, printed in SWEEP.items():
        values = tuple(exactly(100 * printed[ACTION_POINTS.index(each)]) for each in there)
        ours = _series("this study", points, (OE, rival))
        figures.append(figure(f"{OE} against {rival}, by action points", [ours], Series(PAPER, values)))
    series = [_series(rival, points, (MAXIMIN, rival)) for rival in (OE, "mcts", NE, BB)]
    return [*figures, figure(f"{MAXIMIN} against each, by action points", series)]


def _islands(played: Mapping[Key, Played]) -> list[Comparison]:
    """Figure 5.7 of the thesis, a figure for each planner."""
    there = [time for time in TIMES if ("sound", "islands", f"sweep-{time}ms") in played]
    if not there:
        return []
    points = [played["sound", "islands", f"sweep-{time}ms"] for time in there]
    figures = []
    for name in (ON_ISLANDS, NE):
        values = tuple(exactly(100 * AGAINST_GREEDY_TURN[name][TIMES.index(time)]) for time in there)
        ours = _series("this study", points, (name, "greedy-turn"))
        title = f"{name} against greedy-turn with 3 s"
        figures.append(_lines(title, there, "ms per turn, as published", [ours], Series(THESIS, values)))
    return figures


def _times(played: Mapping[Key, Played]) -> list[Comparison]:
    """Our sweep over time, a figure for each game."""
    figures = []
    for game, rivals in SWEEP_RIVALS.items():
        equal = {time: played.get(("sound", "time-sweep", f"{game}-{time}ms")) for time in times_of(game)}
        more = {time: played.get(("sound", "more-time", f"{game}-{time}ms")) for time in times_of(game)}
        there = [time for time in times_of(game) if equal[time] or more[time]]
        if there:
            series = [_series(rival, [equal[time] for time in there], (MAXIMIN, rival)) for rival in rivals]
            series.append(_series(MORE_TIME, [more[time] for time in there], (MAXIMIN, MORE_TIME)))
            title = f"{game}: {MAXIMIN} against each, by time"
            figures.append(_lines(title, there, "ms per turn at full effort", series))
    return figures


def _series(name: str, points: Sequence[Played | None], pair: Pair) -> Series:
    """The scores of the first of a pair at every place; none where it was not played."""
    return Series(name, tuple(_score(played, pair) for played in points))


def _score(played: Played | None, pair: Pair) -> Interval | None:
    tally = None if played is None else played.tallies.get(pair)
    return None if tally is None else percent(wilson_interval(tally.points, tally.games))


def _lines(
    title: str, places: Sequence[float], axis: str, series: Sequence[Series], mark: Series | None = None
) -> Comparison:
    return Comparison(
        title=title,
        note="",
        unit="score in %",
        cases=tuple(f"{place:g}" for place in places),
        series=tuple(series),
        mark=mark,
        baseline=50.0,
        decimals=1,
        places=tuple(map(float, places)),
        axis=axis,
    )
