"""Cost of turns and search figures by player, with intervals that take games as the sampling unit."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Literal

from turnwise.arena.records import GameRecord, SeatRecord, TurnCost
from turnwise.report.model import Measure, PlayerSample
from turnwise.report.names import FigureName, figure_name
from turnwise.statistics.intervals import Interval, bootstrap_mean

_RESAMPLES = 2000

GameValues = list[list[float]]
"""The values of one player: one list per game."""

ValuesOf = Callable[[SeatRecord], list[float]]
"""Returns a player's values in one game."""

_WORK: tuple[tuple[str, str, str, Callable[[TurnCost], float]], ...] = (
    ("seconds", "Time", "s", lambda cost: cost.seconds),
    ("forward_calls", "Forward-model calls", "", lambda cost: cost.forward_calls),
    ("forward_calls_for_others", "Forward-model calls for other seats", "", lambda cost: cost.forward_calls_for_others),
    ("evaluations", "Evaluations", "", lambda cost: cost.evaluations),
    ("iterations", "Iterations of the planner's main loop", "", lambda cost: cost.iterations),
)


def work_measures(players: Sequence[str], records: Sequence[GameRecord], seed: int = 0) -> tuple[Measure, ...]:
    """Time and work per turn; several decisions of one turn are added up. Measures that are zero are left out.

    Args:
        players: Order of the samples.
        records: Finished games.
        seed: Seed of the bootstrap.
    """
    measures = []
    for key, title, unit, value_of in _WORK:
        values = _by_player(records, _turn_sums(value_of))
        if any(value > 0 for games in values.values() for game in games for value in game):
            measures.append(_measure(key, FigureName(title, unit), "turn", _samples(players, values, seed)))
    return tuple(measures)


def search_measures(
    players: Sequence[str],
    records: Sequence[GameRecord],
    seed: int = 0,
    published: Mapping[tuple[str, str], float] | None = None,
) -> tuple[Measure, ...]:
    """The planners' own figures, with one value per decision: every key of ``TurnCost.details``, sorted by title.

    Titles, units and kinds come from `turnwise.report.names`; yes-or-no figures become percentages.

    Args:
        players: Order of the samples.
        records: Finished games.
        seed: Seed of the bootstrap.
        published: Published mean values by (key, player), in the unit of the records.
    """
    stated = published or {}
    keys = sorted({key for record in records for seat in record.seats for cost in seat.costs for key in cost.details})
    measures = []
    for key in keys:
        values = _by_player(records, _details(key))
        name = figure_name(key, {value for games in values.values() for game in games for value in game})
        scaled = {p: [[name.scale * value for value in game] for game in games] for p, games in values.items()}
        printed = {player: name.scale * value for (k, player), value in stated.items() if k == key}
        samples = _samples(players, scaled, seed, printed)
        measures.append(_measure(key, name, "decision", samples))
    return tuple(sorted(measures, key=lambda measure: (measure.title, measure.key)))


def _measure(key: str, name: FigureName, per: str, samples: tuple[PlayerSample, ...]) -> Measure:
    constant = all(len(set(sample.values)) == 1 for sample in samples)
    kind: Literal["share", "constant", "spread"] = "share" if name.yes_no else "constant" if constant else "spread"
    return Measure(key, name.title, name.unit, per, samples, kind, name.meaning)


def _by_player(records: Sequence[GameRecord], values_of: ValuesOf) -> dict[str, GameValues]:
    found: dict[str, GameValues] = {}
    for record in records:
        for seat in record.seats:
            finite = [value for value in values_of(seat) if math.isfinite(value)]
            if finite:
                found.setdefault(seat.player, []).append(finite)
    return found


def _turn_sums(value_of: Callable[[TurnCost], float]) -> ValuesOf:
    def of(seat: SeatRecord) -> list[float]:
        sums: dict[int, float] = {}
        for cost in seat.costs:
            sums[cost.turn] = sums.get(cost.turn, 0.0) + value_of(cost)
        return list(sums.values())

    return of


def _details(key: str) -> ValuesOf:
    def of(seat: SeatRecord) -> list[float]:
        return [cost.details[key] for cost in seat.costs if key in cost.details]

    return of


def _samples(
    players: Sequence[str], values: Mapping[str, GameValues], seed: int, published: Mapping[str, float] | None = None
) -> tuple[PlayerSample, ...]:
    samples = []
    for player in players:
        games = values.get(player, [])
        if games:
            flat = tuple(value for game in games for value in game)
            stated = (published or {}).get(player)
            samples.append(PlayerSample(player, flat, len(games), _mean_interval(games, seed), stated))
    return tuple(samples)


def _mean_interval(games: GameValues, seed: int) -> Interval | None:
    """Mean over games with its interval: decisions of a game are not independent, so each game counts once."""
    if len(games) < 2:
        return None
    return bootstrap_mean([fmean(game) for game in games], seed=seed, resamples=_RESAMPLES)
