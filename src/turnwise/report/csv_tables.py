"""The report's numbers as CSV, which the page holds as data for downloads."""

from __future__ import annotations

import base64
import csv
import io
from collections.abc import Iterable, Sequence

from turnwise.arena.records import GameRecord
from turnwise.report.curve import curve_points
from turnwise.report.model import Comparison, Reading

_GAME_COLUMNS = ("game", "group", "scenario", "ending", "detail", "turns", "seat", "player", "rank", "score", "result")
_CELL_COLUMNS = ("reading", "player", "opponent", "games", "won", "drawn", "lost", "score", "low", "high", "published")


def games_csv(records: Iterable[GameRecord]) -> str:
    """One line for every player of every game; seats count from 0, as in output for programs."""
    return _csv(
        _GAME_COLUMNS,
        (
            (
                *(record.key, record.group, record.scenario or record.replay.game, record.ending, record.detail),
                *(record.turns, seat.seat, seat.player, seat.rank, seat.score, seat.result),
            )
            for record in sorted(records, key=lambda record: (record.group, record.number, record.key))
            for seat in record.seats
        ),
    )


def results_csv(readings: Sequence[Reading]) -> str:
    """One line for every cell of the win tables; scores and intervals are shares."""
    return _csv(
        _CELL_COLUMNS,
        (
            (
                *(reading.title, cell.row, cell.column, cell.tally.games),
                *(cell.tally.wins, cell.tally.draws, cell.tally.losses),
                *((cell.score.estimate, cell.score.low, cell.score.high) if cell.score else ("", "", "")),
                "" if cell.published is None or cell.published.score is None else cell.published.score,
            )
            for reading in readings
            for cell in reading.wins.cells.values()
        ),
    )


def curve_csv(comparison: Comparison) -> str:
    """One line for every point of a curve; the reference has no interval."""
    points = curve_points(comparison)
    return _csv(tuple(points[0]) if points else (), (tuple(point.values()) for point in points))


def data_link(text: str) -> str:
    """The address of a link that holds a table."""
    return "data:text/csv;charset=utf-8;base64," + base64.b64encode(text.encode()).decode("ascii")


def _csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue()


def _cell(value: object) -> object:
    """A value; spreadsheets would run text that begins like a formula."""
    text = str(value)
    return f"'{text}" if isinstance(value, str) and text[:1] in "=+-@\t\r" and text else value
