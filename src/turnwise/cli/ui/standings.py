"""The standings of a results file: tables for the terminal, and data for programs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwise.cli.ui.failed_games import error_facts
from turnwise.cli.ui.output import plain, show

if TYPE_CHECKING:
    from turnwise.arena.records import GameRecord
    from turnwise.arena.tournament.sequential_verdict import SequentialVerdict
    from turnwise.arena.tournament.significance import PairSignificance
    from turnwise.statistics.ratings import RatingTable


def show_standings(path: Path) -> int:
    """Show every player against every other with intervals, ratings, overruns, endings; returns the number of games."""
    from turnwise.arena.results.reading import open_results
    from turnwise.arena.tournament.failed_games import failed_games
    from turnwise.report.builder import make_reading
    from turnwise.report.scores import score_comparisons
    from turnwise.report.terminal import (
        comparison_table,
        ending_table,
        key,
        overrun_table,
        rating_table,
        significance_table,
        test_summary,
        win_table,
    )
    from turnwise.report.words import MANY_SEATS, STOPPED

    with open_results(path) as results:
        records = list(results)
        found = make_reading("", records, players=results.players, seed=results.spec.seed, test=results.spec.sprt)
        scores = score_comparisons(records, results.players, results.spec.seed)
    if not found.games:
        return len(records)
    show(win_table(found.wins, found.games))
    plain(key(found.wins))
    if found.significance:
        show(significance_table(found.significance))
    if found.tests:
        show(test_summary(found.tests))
        plain(STOPPED)
    if found.ratings is not None:
        show(rating_table(found.ratings))
        if found.most_seats > 2:
            plain(MANY_SEATS)
    for compared in scores:
        show(comparison_table(compared))
    if found.overruns:
        show(overrun_table(found.overruns))
    if found.endings.pairs:
        show(ending_table(found.endings))
    for failed in failed_games(records):
        plain(failed.words())
    return len(records)


def standings_facts(path: Path) -> dict[str, Any]:
    """The tables of a results file as data for programs."""
    from turnwise.arena.results.reading import open_results
    from turnwise.arena.tournament.failed_games import failed_games
    from turnwise.arena.tournament.significance import significance_of
    from turnwise.arena.tournament.standings import standings_of
    from turnwise.arena.tournament.stopping import verdicts_on

    with open_results(path) as results:
        records, seed, test = list(results), results.spec.seed, results.spec.sprt
        found = standings_of(records, results.players, seed=seed)
        significance = () if test else significance_of(records, found.players, seed=seed)
        pairs = {pair: each for each in significance for pair in permutations((each.first, each.second))}
        scores = score_facts(records, results.players, seed)
    return {
        "players": list(found.players),
        "endings": dict(found.endings),
        "errors": error_facts(failed_games(records)),
        "overruns": [
            {
                "player": name,
                "decisions": one.decisions,
                "overruns": one.overruns,
                "median_seconds": one.median_overrun,
                "largest_seconds": one.worst_overrun,
            }
            for name, one in found.summaries.items()
        ],
        "pairs": [
            {
                "player": row,
                "opponent": column,
                "wins": result.tally.wins,
                "draws": result.tally.draws,
                "losses": result.tally.losses,
                "score": result.score.estimate,
                "low": result.score.low,
                "high": result.score.high,
                **(_significance_facts(pairs[row, column]) if pairs else {}),
            }
            for (row, column), result in found.pairs.items()
        ],
        "ratings": rating_facts(found.ratings),
        **({"scores": scores} if scores else {}),
        **({"tests": [_verdict_facts(verdict) for verdict in verdicts_on(test, records)]} if test else {}),
    }


def _significance_facts(pair: PairSignificance) -> dict[str, Any]:
    """Whether two players differ by more than chance; the same for both orders of the pair."""
    return {
        "p_value": pair.p_value,
        "corrected_p_value": pair.adjusted,
        "stronger": pair.stronger,
        "more_games": pair.more_games,
        "errors": pair.errors,
    }


def _verdict_facts(verdict: SequentialVerdict) -> dict[str, Any]:
    """What a sequential test says of a meeting; it takes the place of p-values."""
    low, high = verdict.test.bounds
    return {
        "player": verdict.players[0],
        "opponent": verdict.players[1],
        "game": verdict.scenario,
        "games": verdict.games,
        "llr": verdict.llr,
        "decides_at": [low, high],
        "decided": verdict.is_decided,
        "elo": verdict.accepted,
        "errors": verdict.errors,
    }


def rating_facts(ratings: RatingTable | None) -> list[dict[str, Any]]:
    """Ratings as data for programs, best first, in Elo points relative to the mean of all players."""
    if ratings is None:
        return []
    return [
        {
            "player": rating.player,
            "model": ratings.model,
            "elo": rating.elo.estimate,
            "low": rating.elo.low,
            "high": rating.elo.high,
            "games": rating.games,
        }
        for rating in ratings.ratings
    ]


def score_facts(records: Sequence[GameRecord], players: Sequence[str], seed: int) -> list[dict[str, Any]]:
    """Mean scores of single-player games as data for programs; equal bounds mean that no interval is known."""
    from turnwise.report.scores import score_comparisons

    return [
        {
            "player": series.name,
            "game": case,
            "measure": compared.unit,
            "mean": value.estimate,
            "low": value.low,
            "high": value.high,
        }
        for compared in score_comparisons(records, players, seed)
        for series in compared.series
        for case, value in zip(compared.cases, series.values, strict=True)
        if value is not None
    ]
