"""Reading a results file: what reports, exports and tables ask. Nothing here writes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from turnwise.arena.records import Ending, GameRecord
from turnwise.arena.results.layout import APPLICATION_ID, GAME_COLUMNS, SCHEMA_VERSION, SEAT_COLUMNS, game_record
from turnwise.arena.tournament.specification import TournamentSpec, make_spec
from turnwise.core.errors import DamagedFileError, TurnwiseError

_MAGIC = b"SQLite format 3\0"


class Results:
    """Finished games of a tournament, in the tournament's order. Use it in a ``with`` block, or close it.

    A running tournament's file can be read at any time; every question sees the games finished until then.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    @cached_property
    def meta(self) -> dict[str, str]:
        """What the file says about itself: ``spec``, ``identity``, ``rules`` (JSON), ``turnwise`` and ``command``."""
        return dict(self._rows("SELECT name, value FROM meta"))

    @property
    def spec(self) -> TournamentSpec:
        """The specification of the last run.

        Raises:
            DamagedFileError: It cannot be read.
        """
        try:
            return make_spec(**json.loads(self.meta["spec"]))
        except (KeyError, TypeError, ValueError, TurnwiseError) as error:
            raise DamagedFileError(f"{self.path}: its specification cannot be read ({error}).") from None

    @property
    def rules(self) -> dict[str, str]:
        """Rules version of every scenario.

        Raises:
            DamagedFileError: They cannot be read.
        """
        try:
            return {str(key): str(value) for key, value in json.loads(self.meta["rules"]).items()}
        except (KeyError, AttributeError, ValueError) as error:
            raise DamagedFileError(f"{self.path}: its rules versions cannot be read ({error}).") from None

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players in the specification's order."""
        return tuple(self.spec.players)

    def __len__(self) -> int:
        """Number of games, abandoned ones included."""
        return int(self._rows("SELECT COUNT(*) FROM games")[0][0])

    def __iter__(self) -> Iterator[GameRecord]:
        """All records in order."""
        return self.records()

    def keys(self) -> set[str]:
        """Keys of all finished games."""
        return {str(key) for (key,) in self._rows("SELECT key FROM games")}

    def scores(self) -> dict[str, dict[str, float]]:
        """Key -> score by player, for all finished games; an abandoned game has no scores."""
        found: dict[str, dict[str, float]] = {key: {} for key in self.keys()}
        query = "SELECT key, player, score FROM games JOIN seats USING (number) WHERE ending <> ?"
        for key, player, score in self._rows(query, Ending.ABANDONED.value):
            found.setdefault(key, {})[player] = score
        return found

    def endings(self) -> dict[str, int]:
        """Ending -> number of games."""
        return dict(self._rows("SELECT ending, COUNT(*) FROM games GROUP BY ending ORDER BY ending"))

    def records(self, players: tuple[str, ...] | None = None) -> Iterator[GameRecord]:
        """Records in order, read one by one.

        Args:
            players: Only games of exactly these players, in any seats; None: all games.

        Raises:
            DamagedFileError: A game cannot be read.
        """
        wanted = None if players is None else sorted(players)
        for (number,) in self._rows("SELECT number FROM games ORDER BY number"):
            if wanted is not None:
                seated = self._rows("SELECT player FROM seats WHERE number = ? ORDER BY player", number)
                if [name for (name,) in seated] != wanted:
                    continue
            yield self.record(number)

    def record(self, number: int) -> GameRecord:
        """One game by its number.

        Raises:
            TurnwiseError: No game of that number is finished.
            DamagedFileError: It cannot be read.
        """
        games = self._rows(f"SELECT {GAME_COLUMNS} FROM games WHERE number = ?", number)
        if not games:
            raise TurnwiseError(f"{self.path} has no finished game {number}; it has {len(self)} games.")
        seats = self._rows(f"SELECT {SEAT_COLUMNS} FROM seats WHERE number = ? ORDER BY seat", number)
        return game_record(str(self.path), games[0], seats)

    def _rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with damage_told(self.path):
            return self._connection.execute(query, values).fetchall()


def open_results(path: str | Path) -> Results:
    """Open a results file for reading.

    Raises:
        DamagedFileError: There is none, or it is damaged or something else.
    """
    path = Path(path)
    check_header(path)
    connection = _connect_read_only(path)
    try:
        with damage_told(path):
            connection.execute("PRAGMA trusted_schema = OFF")
            check_kind(path, connection)
    except BaseException:
        connection.close()
        raise
    return Results(path, connection)


def _connect_read_only(path: Path) -> sqlite3.Connection:
    """Connect without writing; a file in a folder that cannot be written needs SQLite's word for it."""
    address = path.absolute().as_uri() + "?mode=ro"
    with damage_told(path):
        connection = sqlite3.connect(address, uri=True, timeout=30, isolation_level=None)
        try:
            connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
        except sqlite3.OperationalError:
            connection.close()
            connection = sqlite3.connect(address + "&immutable=1", uri=True, isolation_level=None)
        return connection


def check_header(path: Path) -> None:
    """Check that a file is there and is an SQLite file.

    Raises:
        DamagedFileError: It is not.
    """
    try:
        with path.open("rb") as file:
            begin = file.read(len(_MAGIC))
    except OSError as error:
        raise DamagedFileError(f"{path}: cannot be read ({error.strerror}).") from None
    if begin != _MAGIC:
        raise DamagedFileError(
            f"{path}: not a tournament's results (an SQLite file is expected); it is damaged or another kind of file."
        )


def check_kind(path: Path, connection: sqlite3.Connection) -> None:
    """Check that an SQLite file is one of ours and of this version.

    Raises:
        DamagedFileError: It is not.
    """
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise DamagedFileError(f"{path}: an SQLite file, but not a tournament's results.")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version != SCHEMA_VERSION:
        raise DamagedFileError(
            f"{path}: results of layout version {version}; this turnwise reads version {SCHEMA_VERSION}. Read it "
            "with the turnwise that wrote it."
        )


@contextmanager
def damage_told(path: Path) -> Iterator[None]:
    """Turn SQLite's complaints about a file into ours."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise DamagedFileError(
            f"{path}: damaged, or its disk is full or cannot be written (SQLite says: {error})."
        ) from None
