"""Layout of a results file: tables, versions, and conversion between rows and records."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from turnwise.arena.records import Ending, GameRecord, SeatRecord, TurnCost
from turnwise.arena.results.checksums import UNCHECKED, checksum_of, game_entry, meta_entry
from turnwise.arena.results.damage import DamagedGamesError
from turnwise.arena.results.partial import Rows, readable_rows
from turnwise.core.errors import DamagedFileError
from turnwise.core.fields import problems
from turnwise.replay import LARGEST_REPLAY, read_replay

APPLICATION_ID = 0x74776973  # "twis" in the file's header: a results file of this program
SCHEMA_VERSION = 2
READABLE_VERSIONS = (1, 2)
"""Version 1 had no checksums. No single flipped bit turns one of these versions into another."""

_CHECKSUMS = "CREATE TABLE checksums (entry TEXT PRIMARY KEY, checksum TEXT NOT NULL) WITHOUT ROWID"
_SCHEMA = (
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
    _CHECKSUMS,
)
_UPGRADE = (
    _CHECKSUMS,
    f"INSERT INTO checksums SELECT 'game ' || number, '{UNCHECKED}' FROM games",
)

_GAME_COLUMNS = "key, number, grp, scenario, start_seed, ending, detail, turns, seconds, replay"
_SEAT_COLUMNS = (
    "number, seat, player, rank, score, result, metrics, decisions, seconds, forward_calls, evaluations, iterations, "
    "overruns, overrun_seconds, costs"
)
_MODELS = {model.__name__: model for model in (GameRecord, SeatRecord, TurnCost)}


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as database rows: the data that a checksum covers.

    Attributes:
        game: All columns of its row.
        seats: All columns of the rows of its seats, in seat order.
    """

    game: tuple[Any, ...]
    seats: tuple[tuple[Any, ...], ...]

    @property
    def key(self) -> str:
        """The game's key."""
        return str(self.game[0])

    @property
    def ending(self) -> str:
        """How the game ended."""
        return str(self.game[5])

    @property
    def players(self) -> list[str]:
        """Names by seat."""
        return [str(seat[2]) for seat in self.seats]

    @property
    def scores(self) -> dict[str, float]:
        """Score by player."""
        return {seat[2]: seat[4] for seat in self.seats}

    @property
    def checksum(self) -> str:
        """Checksum of the game's content."""
        return checksum_of([self.game, *self.seats])


def lay_out(connection: sqlite3.Connection) -> None:
    """Create the tables of an empty file, within the caller's transaction."""
    for statement in _SCHEMA:
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def upgrade(connection: sqlite3.Connection) -> None:
    """Upgrade a file of version 1 to this version, within the caller's transaction; its games stay unchecked."""
    for statement in _UPGRADE:
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def stored_games(connection: sqlite3.Connection, number: int, *, scan: bool = False) -> list[StoredGame]:
    """The rows of the game with a number: one game or none; several only in a damaged file.

    Args:
        connection: The file.
        number: The game's number.
        scan: Whether to scan all rows that can be read instead of trusting the index.
    """
    games: Rows
    if scan:
        query = f"SELECT {_GAME_COLUMNS} FROM games NOT INDEXED WHERE number = ?"
        games, trouble = readable_rows(connection, query, "rowid", (number,))
        if trouble is not None and not games:
            raise trouble
    else:
        games = connection.execute(f"SELECT {_GAME_COLUMNS} FROM games WHERE number = ?", (number,)).fetchall()
    if not games:
        return []
    query = f"SELECT {_SEAT_COLUMNS} FROM seats WHERE number = ? ORDER BY seat"
    seats = tuple(connection.execute(query, (number,)).fetchall())
    return [StoredGame(game, seats) for game in games]


def insert_game(connection: sqlite3.Connection, stored: StoredGame, *, checked: bool = True) -> bool:
    """Write a game with its checksum, within the caller's transaction.

    Args:
        connection: The file.
        stored: The game.
        checked: Whether to write a checksum; False for a game copied from a file without checksums.

    Returns:
        Whether the game was new; a game that is already stored stays unchanged.
    """
    marks = ", ".join("?" * len(stored.game))
    new = connection.execute(f"INSERT INTO games VALUES ({marks}) ON CONFLICT (key) DO NOTHING", stored.game)
    if new.rowcount == 0:
        return False
    for seat in stored.seats:
        connection.execute(f"INSERT INTO seats VALUES ({', '.join('?' * len(seat))})", seat)
    number = stored.game[1]
    (there,) = stored_games(connection, number)  # the values as SQLite stored them and returns them to readers
    connection.execute(
        "INSERT INTO checksums VALUES (?, ?)", (game_entry(number), there.checksum if checked else UNCHECKED)
    )
    return True


def insert_meta(connection: sqlite3.Connection, values: Iterable[tuple[str, str]]) -> None:
    """Write a file's description of its tournament, with checksums, within the caller's transaction."""
    for row in values:
        connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", row)
        connection.execute("INSERT OR REPLACE INTO checksums VALUES (?, ?)", (meta_entry(row[0]), checksum_of([row])))


def stored_record(record: GameRecord) -> StoredGame:
    """Convert a record to rows."""
    return StoredGame(_game_row(record), tuple(_seat_row(record.number, seat) for seat in record.seats))


def _game_row(record: GameRecord) -> tuple[Any, ...]:
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


def _seat_row(number: int, seat: SeatRecord) -> tuple[Any, ...]:
    """A seat's row in the order of the table's columns, with totals of its costs for use in SQL."""
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


def game_record(source: str, stored: StoredGame) -> GameRecord:
    """Convert rows to a record.

    Args:
        source: The file, for messages.
        stored: The rows.

    Raises:
        DamagedGamesError: The rows do not describe a valid game.
    """
    key, number, group, scenario, start_seed, ending, detail, turns, seconds, replay = stored.game
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
            replay=read_replay(_unpack(replay), "its replay"),
            seats=tuple(_seat_record(seat) for seat in stored.seats),
        )
    except (DamagedFileError, ValueError, TypeError) as error:
        first = problems(error, _MODELS.get(error.title))[0] if isinstance(error, ValidationError) else str(error)
        raise DamagedGamesError(source, {number: first.rstrip(".")}) from None


def _seat_record(row: tuple[Any, ...]) -> SeatRecord:
    _, seat, player, rank, score, result, metrics, *_, costs = row
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
    """Decompress a column; never more than the largest size of a replay.

    Raises:
        ValueError: It is damaged, cut off or too large.
    """
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(packed, LARGEST_REPLAY)
    except zlib.error:
        raise ValueError("a compressed column cannot be unpacked") from None
    if not unpacker.eof:
        raise ValueError("a compressed column is cut off or too large")
    return text
