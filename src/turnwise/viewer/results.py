"""A results file that is watched: its tables while the tournament plays, and its games."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from turnwise.arena.records import GameRecord
from turnwise.arena.results.reading import Results, open_results
from turnwise.arena.tournament.schedule import make_schedule
from turnwise.arena.tournament.specification import TournamentSpec
from turnwise.core.errors import OptionError, TurnwiseError
from turnwise.replay import Replay
from turnwise.report.builder import make_reading
from turnwise.report.model import Measure, Reading
from turnwise.report.words import pair_verdict, result_words, tests_words
from turnwise.viewer.live_watch import LiveWatch
from turnwise.viewer.watched_file import WatchedFile

_RESAMPLES = 200
_MOST_LISTED = 300
_MOST_COUNTED = 200_000


class ResultsWatch(LiveWatch):
    """A tournament's results file, read again whenever it has changed."""

    def __init__(self, path: Path) -> None:
        """Open it once, so that a wrong file is refused at once.

        Args:
            path: The file.

        Raises:
            DamagedFileError: It is no results file, or is damaged.
        """
        super().__init__(path)
        self._watched = WatchedFile(path, _read)
        with open_results(path):
            pass

    def facts(self) -> dict[str, Any]:
        """Tables, the games that are being played, and the latest ones as data for the page.

        Raises:
            DamagedFileError: The file was damaged or deleted meanwhile.
        """
        return self._watched.facts() | {"playing": self.playing()}

    def replay(self, number: int) -> tuple[Replay, tuple[str, ...]]:
        """A game that was kept, and its players.

        Raises:
            OptionError: There is no such game, or its actions were not kept.
        """
        with open_results(self.path) as results:
            record = results.record(number)
        if not record.replay.steps:
            raise OptionError(f"The tournament has not kept the actions of game {number} (its setting 'replays').")
        return record.replay, tuple(seat.player for seat in sorted(record.seats, key=lambda seat: seat.seat))


def _read(path: Path) -> dict[str, Any]:
    with open_results(path) as results:
        return _facts(results)


def _facts(results: Results) -> dict[str, Any]:
    records, spec = list(results), results.spec
    reading = make_reading("", records, players=results.players, seed=spec.seed, resamples=_RESAMPLES, test=spec.sprt)
    return {
        "kind": "tournament",
        "name": spec.name,
        "played": len(records),
        "total": _total(spec.model_dump_json()),
        "stops_early": spec.sprt is not None,
        "players": list(reading.wins.players),
        "cells": _cells(reading),
        "ratings": _ratings(reading),
        "pairs": [
            {"first": pair.first, "second": pair.second, "games": pair.games, "verdict": pair_verdict(pair)}
            for pair in reading.significance
        ],
        "tests": tests_words(reading.tests) if reading.tests else "",
        "search": [
            {"title": measure.heading, "meaning": measure.meaning, "samples": _samples(measure)}
            for measure in (*reading.work, *reading.search)
        ],
        "endings": results.endings(),
        "games": [_game(record) for record in records[-_MOST_LISTED:][::-1]],
    }


def _samples(measure: Measure) -> list[list[Any]]:
    """Player and mean of a figure of the searches."""
    return [[sample.player, sample.mean.estimate] for sample in measure.samples if sample.mean is not None]


@lru_cache(maxsize=8)
def _total(spec: str) -> int | None:
    """Number of games of a whole tournament; None: its games are not registered here.

    Args:
        spec: The tournament as JSON; the file is read again and again, and its games are counted once.
    """
    try:
        jobs = make_schedule(TournamentSpec.model_validate_json(spec)).jobs()
        return sum(1 for _, _ in zip(range(_MOST_COUNTED), jobs, strict=False))
    except TurnwiseError:
        return None


def _cells(reading: Reading) -> list[dict[str, Any]]:
    return [
        {
            "row": cell.row,
            "column": cell.column,
            "games": cell.tally.games,
            "score": None if cell.score is None else cell.score.estimate,
            "low": None if cell.score is None else cell.score.low,
            "high": None if cell.score is None else cell.score.high,
        }
        for cell in reading.wins.cells.values()
    ]


def _ratings(reading: Reading) -> list[dict[str, Any]]:
    if reading.ratings is None:
        return []
    return [
        {
            "player": rating.player,
            "elo": rating.elo.estimate,
            "low": rating.elo.low,
            "high": rating.elo.high,
            "games": rating.games,
        }
        for rating in reading.ratings.ratings
    ]


def _game(record: GameRecord) -> dict[str, Any]:
    return {
        "number": record.number,
        "players": [seat.player for seat in sorted(record.seats, key=lambda seat: seat.seat)],
        "scenario": record.scenario,
        "result": result_words(record),
        "turns": record.turns,
        "is_kept": bool(record.replay.steps),
    }
