"""How finished games lie in a results file: tables, versions, and rows to records and back."""

from __future__ import annotations

import json
import zlib
from typing import Any

from pydantic import ValidationError

from turnwise.arena.records import Ending, GameRecord, SeatRecord, TurnCost
from turnwise.core.errors import DamagedFileError
from turnwise.core.fields import problems
from turnwise.replay import LARGEST_REPLAY, read_replay

APPLICATION_ID = 0x74776973  # "twis" in the file's header: a results file of this program
SCHEMA_VERSION = 1

SCHEMA = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE games (
        key TEXT PRIMARY KEY,
        number INTEGER NOT NULL UNIQUE,
        grp INTEGER NOT NULL,
        scenario TEXT NOT NULL,
        start_seed TEXT NOT NULL,
        ending TEXT NOT NULL,
        detail TEXT NOT NULL,
        turns INTEGER NOT NULL,
        seconds REAL NOT NULL,
        replay BLOB NOT NULL
    )""",
    """CREATE TABLE seats (
        number INTEGER NOT NULL REFERENCES games (number) ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        player TEXT NOT NULL,
        rank INTEGER NOT NULL,
        score REAL NOT NULL,
        result REAL NOT NULL,
        metrics TEXT NOT NULL,
        decisions INTEGER NOT NULL,
        seconds REAL NOT NULL,
        forward_calls INTEGER NOT NULL,
        evaluations INTEGER NOT NULL,
        iterations INTEGER NOT NULL,
        overruns INTEGER NOT NULL,
        overrun_seconds REAL NOT NULL,
        costs BLOB NOT NULL,
        PRIMARY KEY (number, seat)
    ) WITHOUT ROWID""",
)

GAME_COLUMNS = "key, number, grp, scenario, start_seed, ending, detail, turns, seconds, replay"
SEAT_COLUMNS = "seat, player, rank, score, result, metrics, costs"
_MODELS = {model.__name__: model for model in (GameRecord, SeatRecord, TurnCost)}


def game_row(record: GameRecord) -> tuple[Any, ...]:
    """A game's row in the order of the table's columns."""
    return (
        record.key,
        record.number,
        record.group,
        record.scenario,
        str(record.start_seed),  # 64 bits without sign do not fit SQLite's integers
        record.ending.value,
        record.detail,
        record.turns,
        record.seconds,
        _pack(record.replay.model_dump_json()),
    )


def seat_row(number: int, seat: SeatRecord) -> tuple[Any, ...]:
    """A seat's row in the order of the table's columns: what it was, and its costs added up for SQL."""
    costs = seat.costs
    return (
        number,
        seat.seat,
        seat.player,
        seat.rank,
        seat.score,
        seat.result,
        json.dumps(dict(seat.metrics)),
        len(costs),
        sum(cost.seconds for cost in costs),
        sum(cost.forward_calls for cost in costs),
        sum(cost.evaluations for cost in costs),
        sum(cost.iterations for cost in costs),
        sum(cost.overrun > 0 for cost in costs),
        sum(cost.overrun for cost in costs),
        _pack(json.dumps([cost.model_dump(mode="json") for cost in costs])),
    )


def game_record(source: str, row: tuple[Any, ...], seats: list[tuple[Any, ...]]) -> GameRecord:
    """A record from its rows.

    Args:
        source: The file, for messages.
        row: The columns ``GAME_COLUMNS``.
        seats: The columns ``SEAT_COLUMNS``, one tuple per seat.

    Raises:
        DamagedFileError: The rows do not hold a game.
    """
    key, number, group, scenario, start_seed, ending, detail, turns, seconds, replay = row
    try:
        return GameRecord(
            key=key,
            number=number,
            group=group,
            scenario=scenario,
            start_seed=int(start_seed),
            ending=Ending(ending),
            detail=detail,
            turns=turns,
            seconds=seconds,
            replay=read_replay(_unpack(replay), f"{source}, game {number}"),
            seats=tuple(_seat_record(seat) for seat in seats),
        )
    except (ValidationError, ValueError, TypeError, zlib.error) as error:
        first = problems(error, _MODELS.get(error.title))[0] if isinstance(error, ValidationError) else str(error)
        raise DamagedFileError(f"{source}: game {number} is damaged ({first}).") from None


def _seat_record(row: tuple[Any, ...]) -> SeatRecord:
    seat, player, rank, score, result, metrics, costs = row
    return SeatRecord(
        player=player,
        seat=seat,
        rank=rank,
        score=score,
        result=result,
        metrics=json.loads(metrics),
        costs=tuple(TurnCost.model_validate(cost) for cost in json.loads(_unpack(costs))),
    )


def _pack(text: str) -> bytes:
    return zlib.compress(text.encode(), 6)


def _unpack(packed: bytes) -> bytes:
    """The text of a compressed column; never more than a replay may have.

    Raises:
        ValueError: It is cut off or too large.
    """
    unpacker = zlib.decompressobj()
    text = unpacker.decompress(packed, LARGEST_REPLAY)
    if not unpacker.eof:
        raise ValueError("a compressed column is cut off or too large")
    return text
