"""Reading a results file for reports, exports and tables. Nothing here writes."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from turnwise.arena.records import CODE_ERRORS, Ending, GameRecord
from turnwise.arena.results.checksums import UNCHECKED, checksum_of, game_entry, game_number, meta_name
from turnwise.arena.results.damage import DamagedGamesError, game_words, structure_remedy
from turnwise.arena.results.layout import StoredGame, game_record, stored_games
from turnwise.arena.results.partial import SQLITE_ERRORS, readable_rows
from turnwise.arena.results_file import (
    DamagedStructureError,
    check_header,
    check_kind,
    complaint,
    connect_read_only,
    cut_off,
    damage_reported,
    is_locked,
    structural_damage,
)
from turnwise.arena.tournament.specification import TournamentSpec, make_spec
from turnwise.core import arguments
from turnwise.core.errors import DamagedFileError, OptionError, TurnwiseError, counted


class Results:
    """Finished games of a tournament, in the tournament's order. Use it in a ``with`` block, or close it.

    A running tournament's file can be read at any time; every query sees the games finished so far. Every query reads
    only rows that agree with their checksums; see :mod:`turnwise.arena.results.checksums`.

    Attributes:
        path: The file.
        skipped: Numbers of the games that every query leaves out.
        damaged_left_out: Those of them that are left out because they are damaged.
        lists_all: Whether all lists of the file's games could be read; if not, damaged games may be missing from
            every query without a name.
    """

    def __init__(
        self, path: Path, connection: sqlite3.Connection, skip: Iterable[int] = (), *, tolerant: bool = False
    ) -> None:
        """Wrap an open file.

        Args:
            path: The file.
            connection: The connection; owned by this object.
            skip: Numbers of games that every query leaves out.
            tolerant: Whether to go on with what can be read if the file's structure is damaged; a game whose checksum
                cannot be read then counts as a game without one.
        """
        self.path = path
        self.skipped = tuple(sorted(set(skip)))
        self.damaged_left_out: tuple[int, ...] = ()
        self.lists_all = True
        self._tolerant = tolerant
        self._connection = connection
        self._has_checksums = self._rows("PRAGMA user_version")[0][0] > 1

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
        """Description of the tournament: ``spec``, ``identity``, ``rules`` (JSON), ``turnwise`` and ``command``.

        Raises:
            DamagedFileError: An entry is damaged or missing.
        """
        with self._snapshot():
            rows = dict(self._rows("SELECT name, value FROM meta"))
            entries = self._entries("meta ")
        if self._has_checksums:
            expected = {name: checksum for entry, checksum in entries.items() if (name := meta_name(entry))}
            found = {name: checksum_of([(name, value)]) for name, value in rows.items()}
            differ = {name for name in expected.keys() | found.keys() if expected.get(name) != found.get(name)}
            if self._tolerant and not self.lists_all:
                differ &= expected.keys()
            bad = sorted(ascii(name).strip("'") for name in differ)
            if bad:
                raise DamagedFileError(
                    f"{self.path}: damaged: the description of its tournament does not match its checksum "
                    f"({', '.join(bad)}). Run the tournament or study with --retry-damaged: this keeps the games and "
                    "writes a new description."
                )
        return rows

    @property
    def spec(self) -> TournamentSpec:
        """The specification of the last run.

        Raises:
            DamagedFileError: It cannot be read.
        """
        try:
            return make_spec(**json.loads(self.meta["spec"]))
        except DamagedFileError:
            raise
        except (KeyError, TypeError, ValueError, TurnwiseError) as error:
            raise self._unreadable("specification", error) from None

    @property
    def rules(self) -> dict[str, str]:
        """Rules version of every scenario.

        Raises:
            DamagedFileError: They cannot be read.
        """
        try:
            return {str(key): str(value) for key, value in json.loads(self.meta["rules"]).items()}
        except (KeyError, AttributeError, ValueError) as error:
            raise self._unreadable("rules versions", error) from None

    def _unreadable(self, what: str, error: Exception) -> DamagedFileError:
        """The error about an intact entry of the file's description with an unexpected content."""
        why = f"there is no entry {error}" if isinstance(error, KeyError) else str(error)
        return DamagedFileError(
            f"{self.path}: its {what} cannot be read ({why}). Read it with the version of turnwise that wrote it; if "
            "that is this one, restore a copy of the file."
        )

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players in the specification's order."""
        return tuple(self.spec.players)

    def __len__(self) -> int:
        """Number of games, abandoned ones included."""
        return len(self._numbers())

    def __iter__(self) -> Iterator[GameRecord]:
        """All records in order."""
        return self.records()

    def keys(self) -> set[str]:
        """Keys of all finished games.

        Raises:
            DamagedGamesError: Games are damaged. The other queries about all games raise it too.
        """
        return {game.key for game in self._all_stored()}

    def scores(self) -> dict[str, dict[str, float]]:
        """Key -> score by player, for all finished games; an abandoned game has no scores."""
        return {game.key: {} if game.ending == Ending.ABANDONED.value else game.scores for game in self._all_stored()}

    def failed_keys(self) -> set[str]:
        """Keys of the games that an error in a player's code ended."""
        return {game.key for game in self._all_stored() if game.ending in CODE_ERRORS}

    def endings(self) -> dict[str, int]:
        """Ending -> number of games."""
        return dict(sorted(Counter(game.ending for game in self._all_stored()).items()))

    def records(self, players: tuple[str, ...] | None = None) -> Iterator[GameRecord]:
        """Records in order, read one by one.

        Args:
            players: Only games of exactly these players, in any seats; None: all games.

        Raises:
            DamagedGamesError: Games cannot be read; it names all of them.
        """
        wanted = None if players is None else sorted(players)
        for number in self._numbers():
            try:
                stored = self._stored(number)
                if wanted is not None and sorted(stored.players) != wanted:
                    continue
                record = game_record(str(self.path), stored)
            except DamagedGamesError:
                raise self._damage_of_games() from None
            yield record

    def record(self, number: int) -> GameRecord:
        """One game by its number.

        Raises:
            TurnwiseError: No game of that number is finished, or it is left out.
            DamagedGamesError: It cannot be read.
        """
        if number in self.skipped:
            raise TurnwiseError(f"{self.path}: game {number} is left out, as requested.")
        return game_record(str(self.path), self._stored(number))

    def damaged(self) -> dict[int, str]:
        """Number of each damaged game -> what is wrong with it; reads every game except those left out."""
        found: dict[int, str] = {}
        for number in self._numbers():
            try:
                self.record(number)
            except DamagedGamesError as error:
                found |= error.reasons
        return found

    def _damage_of_games(self) -> DamagedFileError:
        """The error that names the damaged games, or the error about the whole file if no game is left."""
        reasons = self.damaged()
        structural = self.structural_damage() if len(reasons) == len(self) else ""
        if structural:
            return structure_error(DamagedStructureError(self.path, structural))
        return DamagedGamesError(str(self.path), reasons)

    def check_skipped(self) -> None:
        """Check that the games to leave out exist.

        Raises:
            OptionError: A number is not that of a stored game.
        """
        if self.skipped:
            unknown = sorted(set(self.skipped) - set(self._numbers(every=True)))
            if unknown:
                raise OptionError(f"{self.path} has no {game_words(unknown)} to leave out.")

    def unchecked(self) -> int:
        """Number of games without a checksum, written by an earlier version: damage in them may go unnoticed."""
        if not self._has_checksums:
            return len(self)
        if self._tolerant:
            return sum(self._checksum(number) == UNCHECKED for number in self._numbers())
        entries = self._entries().items()
        return sum(checksum == UNCHECKED and game_number(entry) not in self.skipped for entry, checksum in entries)

    def structural_damage(self) -> str:
        """What SQLite finds wrong with the file's structure; empty if nothing."""
        return structural_damage(self._connection)

    def intact(self, damaged: Collection[int]) -> Iterator[tuple[StoredGame, bool]]:
        """The rows of all games except the damaged ones, each with whether a checksum confirms them."""
        for number in self._numbers():
            if number not in damaged:
                checked = self._has_checksums and self._checksum(number) != UNCHECKED
                yield self._stored(number), checked

    def leave_out_damaged(self) -> None:
        """Leave out all damaged games from every later query."""
        self.damaged_left_out = tuple(sorted(self.damaged()))
        self.skipped = tuple(sorted({*self.skipped, *self.damaged_left_out}))

    def _numbers(self, *, every: bool = False) -> list[int]:
        """Numbers of the games in order, including games of which only the checksum is left.

        Args:
            every: Whether to include the games to leave out.
        """
        without = () if every else self.skipped
        if self._tolerant:
            found = self._readable_numbers()
        else:
            try:
                found = {number for (number,) in self._connection.execute("SELECT number FROM games")}
            except SQLITE_ERRORS as error:  # the query reads an index; the table holds the same numbers
                self._refuse_lock(error)
                found = {number for (number,) in self._rows("SELECT number FROM games NOT INDEXED")}
        if self._has_checksums:
            found |= {game_number(entry) for entry in self._entries()}
        elif not self._tolerant and not all(isinstance(number, int) for number in found):
            raise DamagedFileError(f"{self.path}: damaged: a game's number is unreadable. Restore a copy of the file.")
        return sorted(number for number in found if isinstance(number, int) and number not in without)

    def _readable_numbers(self) -> set[Any]:
        """Numbers of the games that the index, the table or the seats list where they can be read."""
        lists = (("games", "number"), ("games NOT INDEXED", "rowid"), ("seats", "number"))
        found: set[Any] = set()
        whole = False
        for table, order in lists:
            rows, trouble = readable_rows(self._connection, f"SELECT number FROM {table}", order)
            found |= {number for (number,) in rows}
            whole = whole or (trouble is None and table != "seats")
        self.lists_all = self.lists_all and whole
        return found

    def _entries(self, begin: str = "") -> dict[str, str]:
        """Checksums by entry name; an entry that is not text matches nothing.

        Args:
            begin: Where a tolerant reader begins, if not with the first entry.
        """
        if not self._has_checksums:
            return {}
        query = "SELECT CAST(entry AS BLOB), CAST(checksum AS BLOB) FROM checksums"
        if self._tolerant:
            rows, _ = readable_rows(self._connection, f"{query} WHERE entry >= ?", "entry", (begin,))
        else:
            rows = self._rows(query)
        return {
            (entry or b"").decode(errors="replace"): (checksum or b"").decode(errors="replace")
            for entry, checksum in rows
        }

    def _all_stored(self) -> Iterator[StoredGame]:
        """The rows of all games."""
        for number in self._numbers():
            try:
                yield self._stored(number)
            except DamagedGamesError:
                raise self._damage_of_games() from None

    def _stored(self, number: int) -> StoredGame:
        """The rows of a game, checked against its checksum if it has one.

        A damaged index can hide rows or point to others; a scan of all rows then finds them.

        Raises:
            TurnwiseError: No game of that number is finished.
            DamagedGamesError: It is damaged or missing.
        """
        candidates: list[StoredGame] = []
        listed, trouble = None, ""
        for scan in (False, True):
            try:
                candidates += stored_games(self._connection, number, scan=scan)
                listed = self._checksum(number)
            except SQLITE_ERRORS as error:
                trouble = self._trouble(error)
                continue
            for game in candidates:
                if not self._has_checksums or listed in (UNCHECKED, game.checksum):
                    return game
        if not candidates and not listed and not trouble:
            raise TurnwiseError(f"{self.path} has no finished game {number}; it has {counted(len(self), 'game')}.")
        for game in candidates:
            game_record(str(self.path), game)  # may raise an error that says more exactly what is wrong
        mismatch = "its content does not match its checksum" if listed else "its checksum is missing"
        raise DamagedGamesError(str(self.path), {number: trouble or (mismatch if candidates else "it is missing")})

    def _checksum(self, number: int) -> str | None:
        """A game's checksum in the file; None: the file does not list the game."""
        if not self._has_checksums:
            return None
        query = "SELECT checksum FROM checksums WHERE entry = ?"
        try:
            row = self._connection.execute(query, (game_entry(number),)).fetchone()
        except SQLITE_ERRORS:
            if not self._tolerant:
                raise
            return UNCHECKED
        return None if row is None else str(row[0])

    def _trouble(self, error: Exception) -> str:
        """SQLite's complaint about a game.

        Raises:
            DamagedFileError: The game is fine, but another process has the file locked.
        """
        self._refuse_lock(error)
        return f"SQLite says: {complaint(error)}"

    def _refuse_lock(self, error: Exception) -> None:
        """Raise DamagedFileError if SQLite complains about another process that has the file locked."""
        if is_locked(error):
            raise DamagedFileError(f"{self.path}: locked by another process; try again later.") from None

    @contextmanager
    def _snapshot(self) -> Iterator[None]:
        """Let several queries see one consistent state of the file."""
        with self._damage_reported():
            if self._connection.in_transaction:
                yield
                return
            self._connection.execute("BEGIN")
            try:
                yield
            finally:
                self._connection.execute("ROLLBACK")  # nothing was written

    def _rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with self._damage_reported():
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def _damage_reported(self) -> Iterator[None]:
        """Turn SQLite's errors into errors of turnwise that name a remedy."""
        try:
            with damage_reported(self.path):
                yield
        except DamagedStructureError as error:
            raise (error if self._tolerant else structure_error(error)) from None


def structure_error(error: DamagedStructureError) -> DamagedFileError:
    """The error about a file with a damaged structure that says how many games can be read, and what to do."""
    readable, has_description = 0, False
    try:
        with open_readable(error.path) as results:
            results.leave_out_damaged()
            readable = len(results)
            has_description = bool(results.meta and results.spec)
    except TurnwiseError:
        pass  # the error says how many games were found until then
    why = cut_off(error.path) or error.why
    return DamagedFileError(f"{error.path}: damaged ({why}). {structure_remedy(readable, has_description)}")


def open_results(path: str | Path, skip: Iterable[int] = (), *, skip_damaged: bool = False) -> Results:
    """Open a results file for reading.

    Args:
        path: The file.
        skip: Numbers of games that every query leaves out, for example damaged ones.
        skip_damaged: Whether every query leaves out all damaged games, whatever of the file is damaged.

    Raises:
        DamagedFileError: The file does not exist, is damaged, or is not a results file.
        OptionError: A number in ``skip`` is not that of a stored game, or an argument has another type.
    """
    path = arguments.path(path, "A results file")
    skip = arguments.items(skip, int, "The games to skip", "whole numbers")
    try:
        results = open_readable(path, skip) if skip_damaged else _open(path, skip)
    except DamagedStructureError as error:
        raise structure_error(error) from None
    try:
        results.check_skipped()
        if skip_damaged:
            results.leave_out_damaged()
            if not len(results) and (results.damaged_left_out or not results.lists_all):
                raise DamagedFileError(f"{path}: damaged. {structure_remedy(0, False)}")
    except BaseException:
        results.close()
        raise
    return results


def open_readable(path: Path, skip: Iterable[int] = ()) -> Results:
    """Open a results file, whatever of it is damaged, and go on with what can be read.

    Raises:
        DamagedStructureError: Nothing of it can be read.
        DamagedFileError: The file does not exist or is not a results file.
    """
    return _open(path, skip, tolerant=True)


def _open(path: Path, skip: Iterable[int] = (), *, tolerant: bool = False) -> Results:
    check_header(path)
    connection = connect_read_only(path)
    try:
        with damage_reported(path):
            connection.execute("PRAGMA trusted_schema = OFF")
            check_kind(path, connection)
        return Results(path, connection, skip, tolerant=tolerant)
    except BaseException:
        connection.close()
        raise
