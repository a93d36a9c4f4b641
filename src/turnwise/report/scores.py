"""Comparisons of players of single-player games, board by board, from finished games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from turnwise.arena.records import GameRecord
from turnwise.arena.solving.solution import known_game, reached
from turnwise.report.model import Comparison, Series
from turnwise.statistics.intervals import Interval, bootstrap_mean, mean_of_means

_RESAMPLES = 2000

Results = Mapping[tuple[str, str], Sequence[float]]
"""(player, scenario) -> results of its games."""


def score_comparisons(
    records: Sequence[GameRecord], players: Sequence[str] = (), seed: int = 0
) -> tuple[Comparison, ...]:
    """Means with intervals, scenario by scenario; one comparison per game and measure.

    Args:
        records: Finished games; games of several players and abandoned games are ignored.
        players: Order of the players; other players follow in the order of appearance.
        seed: Seed of the bootstrap of the intervals.
    """
    found: dict[tuple[str, str], dict[tuple[str, str], list[float]]] = {}
    for record in records:
        if len(record.seats) == 1 and record.is_counted:
            measure, value = reached(record)
            results = found.setdefault((record.replay.game, measure), {})
            results.setdefault((record.seats[0].player, record.scenario), []).append(value)
    return tuple(_comparison(game, measure, results, players, seed) for (game, measure), results in found.items())


def _comparison(game: str, measure: str, results: Results, players: Sequence[str], seed: int) -> Comparison:
    there = {player for player, _ in results}
    cases = tuple(dict.fromkeys(case for _, case in results))
    return Comparison(
        title=f"{game}: means",
        note="Means of finished games with 95 % bootstrap intervals; a single game, or equal results, have none.",
        unit=measure,
        cases=cases,
        series=tuple(
            _series(player, [results.get((player, case), ()) for case in cases], seed)
            for player in dict.fromkeys([*players, *(player for player, _ in results)])
            if player in there
        ),
        more_is_better=more_is_better(game, measure),
        decimals=decimals_of(results.values()),
    )


def _series(player: str, cases: Sequence[Sequence[float]], seed: int) -> Series:
    """A player's means; the mean over all cases only if it has played all of them, so that means are comparable."""
    whole = mean_of_means(cases, seed=seed, resamples=_RESAMPLES) if len(cases) > 1 and all(cases) else None
    return Series(player, tuple(mean_of_results(values, seed) for values in cases), whole)


def more_is_better(game: str, measure: str) -> bool:
    """Whether larger values of a measure are better: of a game's own measure, as the game says."""
    kind = known_game(game)
    return kind is None or not kind.less_is_better or measure != kind.objective


def decimals_of(results: Iterable[Sequence[float]]) -> int:
    """Decimals with which means of such results are shown: none for whole numbers."""
    return 0 if all(value.is_integer() for values in results for value in values) else 2


def mean_of_results(values: Sequence[float], seed: int) -> Interval | None:
    """Their mean with its interval, which is empty for a single result; None: there are none."""
    if not values:
        return None
    if len(values) == 1:
        return Interval(values[0], values[0], values[0], 0.95, "one game")
    return bootstrap_mean(values, seed=seed, resamples=_RESAMPLES)
