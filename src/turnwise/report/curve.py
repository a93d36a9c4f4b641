"""A budget curve from finished games: one line per planner, with 95 % intervals."""

from __future__ import annotations

from collections.abc import Sequence

from turnwise.arena.records import GameRecord
from turnwise.arena.solving.solution import reached
from turnwise.arena.tournament.curve import BudgetCurve, player_name
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


def _strength(curve: BudgetCurve, records: Sequence[GameRecord]) -> Comparison:
    points: dict[str, list[float]] = {}
    for record in records:
        if record.is_counted:
            for seat in record.seats:
                points.setdefault(seat.player, []).append(seat.score)

    def value(name: str) -> Interval | None:
        if name == curve.reference:
            return Interval(50.0, 50.0, 50.0, 0.95, "by definition")
        tally = Tally.of(points.get(name, ()))
        if not tally.games:
            return None
        found = wilson_interval(tally.points, tally.games)
        return Interval(100 * found.estimate, 100 * found.low, 100 * found.high, found.confidence, found.method)

    return Comparison(
        title="Strength by budget",
        note=f"Score against {curve.reference}, with 95 % intervals (Wilson). Every start is played from both seats.",
        unit="% of the points",
        cases=curve.budgets,
        series=tuple(
            Series(planner, tuple(value(player_name(planner, budget)) for budget in curve.budgets))
            for planner in curve.planners
        ),
        baseline=50.0,
        decimals=1,
        places=curve.amounts,
        axis=curve.axis,
    )


def _results(curve: BudgetCurve, records: Sequence[GameRecord]) -> Comparison:
    results: dict[str, list[float]] = {}
    game, measure = "", "result"  # the same in all games
    for record in records:
        if record.is_counted:
            game, (measure, value) = record.replay.game, reached(record)
            results.setdefault(record.seats[0].player, []).append(value)
    seed = curve.tournament.seed

    def line(planner: str) -> Series:
        played = (results.get(player_name(planner, budget), ()) for budget in curve.budgets)
        return Series(planner, tuple(mean_of_results(values, seed) for values in played))

    return Comparison(
        title="Results by budget",
        note="Means of finished games with 95 % bootstrap intervals. All planners and budgets play the same starts.",
        unit=measure,
        cases=curve.budgets,
        series=tuple(line(planner) for planner in curve.planners),
        more_is_better=more_is_better(game, measure),
        decimals=decimals_of(results.values()),
        places=curve.amounts,
        axis=curve.axis,
    )
