"""Finished games as tables for other programs: CSV, or Parquet if the extra ``export`` is installed.

There are two tables: one row per game, and one row per seat. Column names are in snake_case. Without the columns of
wall time, equal games give equal bytes, regardless of interruptions and of the number of workers.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from turnwise.arena.records import GameRecord, SeatRecord
from turnwise.arena.tournament.standings import is_at_fault
from turnwise.core.errors import DamagedFileError
from turnwise.core.extras import need
from turnwise.core.output_files import not_writable, write_files

Table = list[dict[str, Any]]


def tables(records: Iterable[GameRecord], timing: bool = True) -> tuple[Table, Table]:
    """The rows of both tables, in the tournament's order.

    Args:
        records: For example an open :class:`~turnwise.arena.results.reading.Results`.
        timing: Whether to include wall times and overruns, which differ from run to run.

    Returns:
        Games and seats; all rows of a table have the same columns. A metric that a game does not have is None.
    """
    games: Table = []
    seats: Table = []
    names: dict[str, None] = {}
    for record in records:
        games.append(_game(record, timing))
        for seat in record.seats:
            seats.append(_seat(record, seat, timing))
            names.update(dict.fromkeys(seat.metrics))
    columns = metric_columns(names)
    for row in seats:
        metrics = row.pop("metrics")
        row.update({columns[name]: metrics.get(name) for name in sorted(names)})
    return games, seats


def metric_columns(names: Iterable[str]) -> dict[str, str]:
    """Metric -> name of its column: "crystal hit points" -> "metric_crystal_hit_points".

    Letters become lower case, and other characters than letters and digits become underscores. If that makes two
    metrics equal, the later one in alphabetical order gets a number appended.
    """
    columns: dict[str, str] = {}
    for name in sorted(names):
        column = base = f"metric_{re.sub(r'[^a-z0-9]+', '_', name.lower()).strip('_')}"
        number = 1
        while column in columns.values():
            number += 1
            column = f"{base}_{number}"
        columns[name] = column
    return columns


def _game(record: GameRecord, timing: bool) -> dict[str, Any]:
    row: dict[str, Any] = {
        "number": record.number,
        "key": record.key,
        "group": record.group,
        "game": record.replay.game,
        "scenario": record.scenario,
        "rules": record.replay.rules,
        "start_seed": str(record.start_seed),  # 64 bits: as text no program rounds it
        "players": len(record.seats),
        "ending": record.ending.value,
        "detail": record.detail,
        "turns": record.turns,
    }
    return row | {"seconds": record.seconds} if timing else row


def _seat(record: GameRecord, seat: SeatRecord, timing: bool) -> dict[str, Any]:
    costs = seat.costs
    row: dict[str, Any] = {
        "number": record.number,
        "group": record.group,
        "scenario": record.scenario,
        "seat": seat.seat,
        "player": seat.player,
        "rank": seat.rank,
        "score": seat.score,
        "result": seat.result,
        "ending": record.ending.value,
        "forfeited": is_at_fault(record, seat),
        "decisions": len(costs),
        "forward_calls": sum(cost.forward_calls for cost in costs),
        "forward_calls_for_others": sum(cost.forward_calls_for_others for cost in costs),
        "evaluations": sum(cost.evaluations for cost in costs),
        "iterations": sum(cost.iterations for cost in costs),
    }
    if timing:
        row |= {
            "seconds": sum(cost.seconds for cost in costs),
            "overruns": sum(cost.overrun > 0 for cost in costs),
            "overrun_seconds": sum(cost.overrun for cost in costs),
        }
    return row | {"metrics": dict(seat.metrics)}


def export_csv(records: Iterable[GameRecord], folder: str | Path, timing: bool = True) -> tuple[Path, Path]:
    """Write ``games.csv`` and ``seats.csv``.

    Args:
        records: The games.
        folder: Target folder; created if missing. Existing files of these names are replaced atomically.
        timing: Whether to include wall times.

    Returns:
        Paths of both files.

    Raises:
        DamagedFileError: The files cannot be written there.
    """
    games, seats = tables(records, timing)
    return _write(folder, {"games.csv": _csv(games), "seats.csv": _csv(seats)})


def export_parquet(records: Iterable[GameRecord], folder: str | Path, timing: bool = True) -> tuple[Path, Path]:
    """Write ``games.parquet`` and ``seats.parquet``; see :func:`export_csv`.

    Raises:
        TurnwiseError: pyarrow is not installed.
        DamagedFileError: The files cannot be written there.
    """
    need("export", "Parquet", "CSV needs nothing else.")
    import pyarrow
    import pyarrow.parquet as parquet

    arrow: Any = pyarrow
    writer: Any = parquet

    def packed(rows: Table) -> bytes:
        sink = io.BytesIO()
        writer.write_table(arrow.Table.from_pylist(rows), sink)
        return sink.getvalue()

    games, seats = tables(records, timing)
    return _write(folder, {"games.parquet": packed(games), "seats.parquet": packed(seats)})


def _csv(rows: Table) -> bytes:
    text = io.StringIO(newline="")
    if rows:
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return text.getvalue().encode()


def _write(folder: str | Path, contents: dict[str, bytes]) -> tuple[Path, Path]:
    """Write both tables; neither replaces an existing file before both are complete."""
    games, seats = (Path(folder) / name for name in contents)
    try:
        games.parent.mkdir(parents=True, exist_ok=True)
        write_files({games: contents[games.name], seats: contents[seats.name]})
    except OSError as error:
        raise DamagedFileError(not_writable(games.parent, games.parent, error)) from None
    return games, seats
