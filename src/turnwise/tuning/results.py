"""The results file of a tuning: SQLite, one transaction per finished game or call.

A game is stored completely or not at all, whatever happens to the process or the machine, and every row has a checksum.
The right to write is that of a tournament's results file.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import NoneType
from typing import Any

import turnwise
from turnwise.arena.results.checksums import checksum_of
from turnwise.arena.results.partial import SQLITE_ERRORS
from turnwise.arena.results.writing import ResultsMismatchError, WriterLock
from turnwise.arena.results_file import damage_reported, structural_damage
from turnwise.arena.tournament.difference import differences
from turnwise.core.errors import DamagedFileError, brief
from turnwise.tuning.fitness import Sample
from turnwise.tuning.plan import Trial

APPLICATION_ID = 0x74777475  # "twtu" in the file's header: the results of a tuning
SCHEMA_VERSION = 1
_SCHEMA = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL, checksum TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE samples (
        trial TEXT NOT NULL,
        number INTEGER NOT NULL,
        point TEXT NOT NULL,
        settings TEXT NOT NULL,
        fitness REAL,
        detail TEXT NOT NULL,
        checksum TEXT NOT NULL,
        PRIMARY KEY (trial, number)
    ) WITHOUT ROWID""",
)
_COLUMNS = "trial, number, point, settings, fitness, detail"
_KINDS: tuple[type | tuple[type, ...], ...] = (str, int, str, str, (float, NoneType), str)
_REMEDY = "Choose another file with --out, or undo the change to continue with the old results."


class TuningResults:
    """A results file opened for writing."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._samples = {(row[0], row[1]): row for row in self._rows()}

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        """All stored samples.

        Raises:
            DamagedFileError: A row does not match its checksum.
        """
        with damage_reported(self.path):
            rows = self._connection.execute(f"SELECT {_COLUMNS}, checksum FROM samples").fetchall()
        for *row, checksum in rows:
            is_sample = all(isinstance(value, kind) for value, kind in zip(row, _KINDS, strict=True))
            if not is_sample or checksum != checksum_of([row]):
                raise DamagedFileError(
                    f"{self.path}: the result of {brief(row[0])} is damaged (its content does not match its checksum). "
                    "Restore a copy of the file, or choose another file to begin again."
                )
            yield tuple(row)

    def __len__(self) -> int:
        return len(self._samples)

    def get(self, trial: Trial, number: int) -> Sample | None:
        """A stored sample; None if it is not stored.

        Raises:
            ResultsMismatchError: It is stored for a different point.
        """
        row = self._samples.get((trial.key, number))
        if row is None:
            return None
        if row[2] != json.dumps(list(trial.point)):
            raise ResultsMismatchError(
                f"{self.path}: {trial.key} evaluated the point {row[2]:.200} there, and {list(trial.point)} now. The "
                "file was written by another version of turnwise or of a library. Choose another file with --out."
            )
        return Sample(row[4], row[5])

    def add(self, trial: Trial, number: int, settings: Mapping[str, Any], sample: Sample) -> None:
        """Write a sample in one transaction."""
        point, plain = json.dumps(list(trial.point)), json.dumps(dict(settings))
        row = (trial.key, number, point, plain, sample.fitness, sample.detail)
        with damage_reported(self.path):
            self._connection.execute(
                f"INSERT INTO samples ({_COLUMNS}, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)", (*row, checksum_of([row]))
            )
        self._samples[trial.key, number] = row

    def claim(self, identity: Mapping[str, Any], more: Mapping[str, str]) -> None:
        """Compare the file's tuning with ours, and write ours into it.

        Args:
            identity: Everything that can change a result, as JSON data.
            more: Further entries of the description, for people.

        Raises:
            ResultsMismatchError: The file is of another tuning.
            DamagedFileError: Its description is damaged.
        """
        now = json.loads(json.dumps(identity))
        with damage_reported(self.path):
            stored = self._connection.execute("SELECT value, checksum FROM meta WHERE name = 'identity'").fetchone()
        if stored is not None:
            changed = self._changes(stored, now)
            if changed:
                raise ResultsMismatchError(
                    f"{self.path} holds results of other settings: {'; '.join(changed)}. {_REMEDY}"
                )
        values = {"identity": json.dumps(now), "turnwise": turnwise.__version__, **more}
        with damage_reported(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(
                "INSERT OR REPLACE INTO meta VALUES (?, ?, ?)",
                [(name, value, checksum_of([(name, value)])) for name, value in values.items()],
            )
            self._connection.execute("COMMIT")

    def _changes(self, stored: tuple[str, str], now: dict[str, Any]) -> list[str]:
        try:
            if stored[1] != checksum_of([("identity", stored[0])]):
                raise ValueError
            return identity_changes(json.loads(stored[0]), now)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise DamagedFileError(f"{self.path}: its description is damaged. Restore a copy of the file.") from None


def identity_changes(was: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """One text per setting in which two tunings differ."""
    found = []
    for name in dict.fromkeys([*was, *now]):
        old, new = was.get(name), now.get(name)
        if old == new:
            continue
        if name == "tournament" and old is not None and new is not None:
            found += differences(old, new)
        elif name == "parameters" and old is not None and new is not None:
            before, after = ({p["name"]: p for p in space} for space in (old, new))
            changed = [key for key in dict.fromkeys([*before, *after]) if before.get(key) != after.get(key)]
            found.append(f"parameters: {', '.join(changed) or 'their order'}")
        else:
            found.append(f"{name}: {brief(old)} there, {brief(new)} now")
    return found


@contextmanager
def open_results(path: Path, identity: Mapping[str, Any], more: Mapping[str, str]) -> Iterator[TuningResults]:
    """Open a tuning's results file for writing, or create it.

    Args:
        path: The file.
        identity: See :meth:`TuningResults.claim`.
        more: See :meth:`TuningResults.claim`.

    Raises:
        ResultsBusyError: Another process is writing to it.
        ResultsMismatchError: It belongs to another tuning.
        DamagedFileError: It is damaged, or is not the results file of a tuning.
    """
    lock = WriterLock(path)
    try:
        with damage_reported(path):
            connection = sqlite3.connect(path, timeout=30, isolation_level=None)
        try:
            with damage_reported(path):
                _prepare(path, connection)
            try:
                results = TuningResults(path, connection)
                results.claim(identity, more)
                yield results
            finally:
                with suppress(*SQLITE_ERRORS):
                    connection.execute("PRAGMA journal_mode = DELETE")
        finally:
            connection.close()
    finally:
        lock.release()


def _prepare(path: Path, connection: sqlite3.Connection) -> None:
    """Check an existing file, or create the tables of an empty one.

    Raises:
        DamagedFileError: The file is damaged, or something else.
    """
    try:
        tables = connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]
    except sqlite3.DatabaseError:
        tables, application = 1, 0
    else:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0] if application == APPLICATION_ID else 0
    if (tables or application) and (application, version) != (APPLICATION_ID, SCHEMA_VERSION):
        raise DamagedFileError(
            f"{path}: not the results of a tuning that this version of turnwise can continue; expected a new name, or "
            "a file that 'turnwise tune' wrote. Choose another file with --out."
        )
    found = structural_damage(connection) if tables else ""
    if found:
        raise DamagedFileError(f"{path}: damaged ({found}). Restore a copy, or choose another file with --out.")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA trusted_schema = OFF")
    if not tables:
        connection.execute("BEGIN IMMEDIATE")
        for statement in _SCHEMA:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
