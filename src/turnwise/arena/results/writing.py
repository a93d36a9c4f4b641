"""Writing a results file: one process, one transaction per finished game.

The file is SQLite in WAL mode, synchronised at every commit: a game is stored completely or not at all, whatever
happens to the process or the machine. A lock file in the same folder keeps a second writer away; the operating system
releases the lock when its holder dies. When the writer closes the file, it becomes a plain single file again and the
lock file is removed. The next writer reuses the lock file of a killed process.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import turnwise
from turnwise.arena.records import Ending, GameRecord
from turnwise.arena.results.layout import insert_game, insert_meta, lay_out, stored_record, upgrade
from turnwise.arena.results.partial import SQLITE_ERRORS
from turnwise.arena.results.reading import Results, structure_error
from turnwise.arena.results_file import (
    DamagedStructureError,
    check_header,
    check_kind,
    damage_reported,
    structural_damage,
)
from turnwise.arena.salvage import Salvaged, salvage
from turnwise.arena.tournament.difference import differences
from turnwise.arena.tournament.schedule import Schedule
from turnwise.core.errors import DamagedFileError, TurnwiseError
from turnwise.core.output_files import not_writable


class ResultsMismatchError(TurnwiseError):
    """A results file belongs to another tournament, or to other rules."""


class ResultsBusyError(TurnwiseError):
    """Another process is writing to the results file."""


class WriterLock:
    """The right to write to a results file, represented by a lock file in the same folder.

    The holder removes the file before it releases the lock. A process that opened the file earlier and gets the lock
    later has locked a deleted file; so the lock counts only if the name still refers to the locked file.
    """

    def __init__(self, path: Path) -> None:
        """Take the lock.

        Raises:
            ResultsBusyError: Another process has it.
            DamagedFileError: The lock file cannot be written, or a different file has its name.
        """
        import fcntl

        self.path = path.with_name(path.name + ".lock")
        while True:
            try:
                self._file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
            except OSError as error:
                raise DamagedFileError(not_writable(path, path.absolute().parent, error)) from None
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                holder = os.read(self._file, 32).decode("ascii", "replace").strip()
                os.close(self._file)
                raise ResultsBusyError(
                    f"{path}: another tournament is writing to it (process {holder or 'unknown'}). Wait until it has "
                    "finished, or stop it; its finished games are kept."
                ) from None
            if self._is_current():
                break
            os.close(self._file)  # its holder removed it between our opening and locking it
        if os.read(self._file, 32).strip(b"0123456789 \n"):  # a lock that a killed process left holds its number
            os.close(self._file)
            raise DamagedFileError(
                f"{self.path}: a lock file of this name is needed, but a different file already has the name. Choose "
                "another name for the results, or move that file."
            )
        os.ftruncate(self._file, 0)
        os.lseek(self._file, 0, os.SEEK_SET)
        os.write(self._file, f"{os.getpid()}\n".encode())

    def _is_current(self) -> bool:
        """Whether the lock file's name still refers to the file that is open here."""
        try:
            return os.path.samestat(os.stat(self.path), os.fstat(self._file))
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Remove the lock file, then release the lock."""
        try:
            if self._is_current():  # otherwise the file was removed, and one of that name belongs to another process
                self.path.unlink()
        except OSError:
            pass  # the folder has become read-only: the file stays and does no harm
        finally:
            os.close(self._file)


class ResultsStore(Results):
    """A results file opened for writing; it can be read through the same object.

    Attributes:
        salvaged: What was done about damaged games when the file was opened; None: nothing.
    """

    def __init__(
        self, path: Path, connection: sqlite3.Connection, lock: WriterLock, salvaged: Salvaged | None = None
    ) -> None:
        super().__init__(path, connection)
        self.salvaged = salvaged
        self._lock = lock

    def add(self, record: GameRecord) -> bool:
        """Write a finished game in one transaction.

        Returns:
            Whether the game was new; a game that is already stored stays unchanged.
        """
        with self._transaction():
            return insert_game(self._connection, stored_record(record))

    def forget_abandoned(self) -> int:
        """Remove abandoned games, so that they are played again; returns how many."""
        with self._transaction():
            entries = "SELECT 'game ' || number FROM games WHERE ending = ?"
            query = f"DELETE FROM checksums WHERE entry IN ({entries})"
            self._connection.execute(query, (Ending.ABANDONED.value,))
            query = "DELETE FROM games WHERE ending = ?"
            return self._connection.execute(query, (Ending.ABANDONED.value,)).rowcount

    def close(self) -> None:
        """Turn it into a single plain file unless somebody is reading it, close it, and release the lock."""
        try:
            with contextlib.suppress(*SQLITE_ERRORS):
                self._connection.execute("PRAGMA journal_mode = DELETE")
            self._connection.close()
        finally:
            self._lock.release()

    def set_meta(self, values: Iterable[tuple[str, str]]) -> None:
        """Write the description of the tournament; a file of an earlier layout is upgraded to this layout."""
        with self._transaction():
            if not self._has_checksums:
                upgrade(self._connection)
            insert_meta(self._connection, values)
        self._has_checksums = True
        self.__dict__.pop("meta", None)

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._damage_reported():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # False if Ctrl-C came right after the commit
                    self._connection.execute("ROLLBACK")
                raise


def open_store(path: str | Path, schedule: Schedule, command: str = "", *, retry_damaged: bool = False) -> ResultsStore:
    """Open a tournament's results file for writing, or create it.

    Args:
        path: The file.
        schedule: The tournament; an existing file must be of the same tournament and rules.
        command: The command that plays it, for reports; empty if no single command does.
        retry_damaged: Replace a damaged file by one with its intact games; see :mod:`turnwise.arena.salvage`.

    Raises:
        ResultsBusyError: Another process is writing to it.
        ResultsMismatchError: It belongs to another tournament or to other rules.
        DamagedGamesError: Games in it are damaged.
        DamagedFileError: The file is damaged, or is not a results file.
    """
    path = Path(path)
    lock = WriterLock(path)
    try:
        salvaged = _salvage(path, schedule) if retry_damaged and _has_content(path) else None
        connection = _connect(path)
        try:
            with damage_reported(path):
                _prepare(path, connection)
            store = ResultsStore(path, connection, lock, salvaged)
        except BaseException:
            connection.close()
            raise
    except DamagedStructureError as error:
        lock.release()
        raise structure_error(error) from None
    except BaseException:
        lock.release()
        raise
    try:
        _claim(store, schedule, command)
    except BaseException:
        store.close()  # a refused file becomes a plain single file again, too
        raise
    return store


def _salvage(path: Path, schedule: Schedule) -> Salvaged | None:
    return salvage(path, {job.key for job in schedule.jobs()}, lambda results: _compare(results, schedule))


def _has_content(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def _connect(path: Path) -> sqlite3.Connection:
    if _has_content(path):
        check_header(path)
    with damage_reported(path):
        return sqlite3.connect(path, timeout=30, isolation_level=None)


def _prepare(path: Path, connection: sqlite3.Connection) -> None:
    """Check an existing file, or create the tables of an empty one in a single transaction."""
    tables = connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]
    if tables or connection.execute("PRAGMA application_id").fetchone()[0]:
        check_kind(path, connection)
        found = structural_damage(connection)
        if found:
            raise DamagedStructureError(path, found)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    if not tables:
        connection.execute("BEGIN IMMEDIATE")
        lay_out(connection)
        connection.execute("COMMIT")


def _claim(store: ResultsStore, schedule: Schedule, command: str) -> None:
    """Compare the file's tournament with ours, check its games, and write our tournament into it."""
    if "identity" in store.meta:
        _compare(store, schedule)
    store.keys()  # nothing is written to a file with damaged games
    store.set_meta(
        [
            ("identity", json.dumps(schedule.identity)),
            ("rules", json.dumps(schedule.rules)),
            ("spec", schedule.full.model_dump_json()),
            ("turnwise", turnwise.__version__),
            ("command", command),
        ]
    )


def _compare(store: Results, schedule: Schedule) -> None:
    """Check that a file is of the same tournament.

    Raises:
        ResultsMismatchError: It is not; the message names what differs.
    """
    remedy = "Choose another file or folder for the new games, or undo the change to continue with the old ones."
    try:
        was: dict[str, Any] = dict(json.loads(store.meta["identity"]))
        changed = differences(was, json.loads(json.dumps(schedule.identity)))
    except (TypeError, ValueError, KeyError, AttributeError):
        raise DamagedFileError(f"{store.path}: its specification is unreadable. Restore a copy of the file.") from None
    if changed:
        raise ResultsMismatchError(f"{store.path} holds games of other settings: {'; '.join(changed)}. {remedy}")
    rules = store.rules
    if rules != schedule.rules:
        changed = [
            f"{game} has rules version {version} now, the games there {rules.get(game, 'none')}"
            for game, version in schedule.rules.items()
            if rules.get(game) != version
        ]
        raise ResultsMismatchError(
            f"{store.path} was played under other rules: {'; '.join(changed)}. Games under different rules must not be "
            f"counted together. {remedy}"
        )
