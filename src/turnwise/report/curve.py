"""A budget curve from finished games: one line per planner, with 95 % intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from turnwise.arena.records import GameRecord
from turnwise.arena.solving.solution import reached
from turnwise.arena.tournament.curve import BudgetCurve, player_name
from turnwise.arena.tournament.failed_games import failed_games
from turnwise.report.model import Comparison, Series
from turnwise.report.scores import decimals_of, mean_of_results, more_is_better
from turnwise.statistics.intervals import Interval, Tally, wilson_interval


def curve_comparison(curve: BudgetCurve, records: Sequence[GameRecord]) -> Comparison:
    """The curve as figure and table of a report.

    Args:
        curve: What was played.
        records: Its finished games, in any order.
    """
    return _strength(curve, records) if curve.reference else _results(curve, records)


def curve_points(comparison: Comparison) -> list[dict[str, Any]]:
    """The points of a curve as data, line by line; ``value`` is None where nothing was played.

    The reference has ``is_reference``, the value 50 by definition and no interval.
    """
    return [
        {
            "planner": series.name,
            "budget": budget,
            "amount": amount,
            "value": None if value is None else value.estimate,
            "low": None if value is None or at == series.reference else value.low,
            "high": None if value is None or at == series.reference else value.high,
            "is_reference": at == series.reference,
        }
        for series in comparison.series
        for at, (budget, amount, value) in enumerate(
            zip(comparison.cases, comparison.places, series.values, strict=True)
        )
    ]


def _strength(curve: BudgetCurve, records: Sequence[GameRecord]) -> Comparison:
    points: dict[str, list[float]] = {}
    unknown = _with_errors(records)
    for record in records:
        if record.is_counted:
            for seat in record.seats:
                points.setdefault(seat.player, []).append(seat.score)

    def value(name: str) -> Interval | None:
        if name == curve.reference:
            return Interval(50.0, 50.0, 50.0, 0.95, "by definition")
        tally = Tally.of(points.get(name, ()))
        if not tally.games or name in unknown:
            return None
        found = wilson_interval(tally.points, tally.games)
        return Interval(100 * found.estimate, 100 * found.low, 100 * found.high, found.confidence, found.method)

    def line(planner: str) -> Series:
        names = [player_name(planner, budget) for budget in curve.budgets]
        reference = names.index(curve.reference) if curve.reference in names else None
        return Series(planner, tuple(map(value, names)), reference=reference)

    return Comparison(
        title="Strength by budget",
        note=f"Score against {curve.reference}, the reference (50 % by definition), with 95 % intervals (Wilson). "
        f"Every start is played from both seats.{_error_words(records)}",
        unit="% of the points",
        cases=curve.budgets,
        series=tuple(line(planner) for planner in curve.planners),
        baseline=50.0,
        decimals=1,
        places=curve.amounts,
        axis=curve.axis,
    )


def _with_errors(records: Sequence[GameRecord]) -> set[str]:
    """Players of games that an error ended: what is left of their games may be the ones that they were winning."""
    return {seat.player for record in records if record.is_failed for seat in record.seats}


def _error_words(records: Sequence[GameRecord]) -> str:
    """Which games errors ended, so that points have no value; empty without any."""
    found = failed_games(records)
    return "".join(f" {each.words()}" for each in found) + (" Points with such games have no value." if found else "")


def _results(curve: BudgetCurve, records: Sequence[GameRecord]) -> Comparison:
    results: dict[str, list[float]] = {}
    unknown = _with_errors(records)
    game, measure = "", "result"  # the same in all games
    for record in records:
        if record.is_counted and record.seats[0].player not in unknown:
            game, (measure, value) = record.replay.game, reached(record)
            results.setdefault(record.seats[0].player, []).append(value)
    seed = curve.tournament.seed

    def line(planner: str) -> Series:
        played = (results.get(player_name(planner, budget), ()) for budget in curve.budgets)
        return Series(planner, tuple(mean_of_results(values, seed) for values in played))

    return Comparison(
        title="Results by budget",
        note="Means of finished games with 95 % bootstrap intervals. All planners and budgets play the same starts."
        + _error_words(records),
        unit=measure,
        cases=curve.budgets,
        series=tuple(line(planner) for planner in curve.planners),
        more_is_better=more_is_better(game, measure),
        decimals=decimals_of(results.values()),
        places=curve.amounts,
        axis=curve.axis,
    )
