"""Finished games as tables for other programs: CSV, or Parquet if the extra ``export`` is installed.

There are two tables: one row per game, and one row per seat. Column names are in snake_case. Without the columns of
wall time, equal games give equal bytes, regardless of interruptions and of the number of workers.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from turnwise.arena.records import GameRecord, SeatRecord, TurnCost
from turnwise.arena.tournament.standings import is_at_fault
from turnwise.core import arguments
from turnwise.core.errors import DamagedFileError, OptionError, shown
from turnwise.core.extras import need
from turnwise.core.output_files import not_writable, write_files

Table = list[dict[str, Any]]


def tables(records: Iterable[GameRecord], timing: bool = True) -> tuple[Table, Table]:
    """The rows of both tables, in the tournament's order.

    Args:
        records: For example an open :class:`~turnwise.arena.results.reading.Results`.
        timing: Whether to include wall times and overruns, which differ from run to run.

    Returns:
        Games and seats; all rows of a table have the same columns. A metric that a game does not have, and a figure
        that a planner does not report, is None.

    Raises:
        OptionError: Something else than records.
    """
    games: Table = []
    seats: Table = []
    if isinstance(records, str | bytes) or not isinstance(records, Iterable):
        raise OptionError(f"The records must be games, for example an open results file; got {shown(records)}.")
    for record in records:  # an open results file reads one game after another
        arguments.instance(record, GameRecord, "A record", "a GameRecord, from play_game or a results file")
        games.append(_game(record, timing))
        seats += [_seat(record, seat, timing) for seat in record.seats]
    for kind in _OPEN:
        _spread(seats, kind)
    return games, seats


_OPEN = ("metric", "figure")
"""Kinds of columns whose names depend on the game and on the planners."""


def _spread(seats: Table, kind: str) -> None:
    """Replace a column of mappings by a column for each of their names."""
    values = [row.pop(kind) for row in seats]
    columns = open_columns(kind, {name for each in values for name in each})
    for row, each in zip(seats, values, strict=True):
        row.update({column: each.get(name) for name, column in columns.items()})


def open_columns(kind: str, names: Iterable[str]) -> dict[str, str]:
    """Name -> name of its column: for metrics, "crystal hit points" -> "metric_crystal_hit_points".

    Letters become lower case, and other characters than letters and digits become underscores. If that makes two
    names equal, the later one in alphabetical order gets a number appended.
    """
    columns: dict[str, str] = {}
    for name in sorted(names):
        column = base = f"{kind}_{re.sub(r'[^a-z0-9]+', '_', name.lower()).strip('_')}"
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
        "actions": sum(cost.actions for cost in costs),
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
    return row | {"metric": dict(seat.metrics), "figure": _figures(costs)}


def _figures(costs: Sequence[TurnCost]) -> dict[str, float]:
    """Mean of each of the planner's own figures; a decision counts as often as it has actions."""
    found: dict[str, list[tuple[float, int]]] = {}
    for cost in costs:
        for name, value in cost.details.items():
            found.setdefault(name, []).append((value, cost.actions))
    weights = {name: sum(actions for _, actions in pairs) for name, pairs in found.items()}
    return {
        name: sum(value * actions for value, actions in pairs) / weights[name]
        for name, pairs in found.items()
        if weights[name] > 0
    }


def export_csv(records: Iterable[GameRecord], folder: str | Path, timing: bool = True) -> tuple[Path, Path]:
    """Write ``games.csv`` and ``seats.csv``.

    Args:
        records: The games.
        folder: Target folder; created if missing. Existing files of these names are replaced atomically.
        timing: Whether to include wall times.

    Returns:
        Paths of both files.

    Raises:
        OptionError: Not records, or not a path.
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
    where = arguments.path(folder, "The folder of an export")
    games, seats = (where / name for name in contents)
    try:
        games.parent.mkdir(parents=True, exist_ok=True)
        write_files({games: contents[games.name], seats: contents[seats.name]})
    except OSError as error:
        raise DamagedFileError(not_writable(games.parent, games.parent, error)) from None
    return games, seats
