"""The results file of a tuning: SQLite, one transaction per finished game or call.

A game is stored completely or not at all, whatever happens to the process or the machine, and every row has a checksum.
The right to write is that of a tournament's results file. A lost row is a game that has not been played yet.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import turnwise
from turnwise.arena.results.partial import SQLITE_ERRORS
from turnwise.arena.results.writing import ResultsMismatchError, WriterLock
from turnwise.arena.results_file import DamagedStructureError, connect_read_only, damage_reported
from turnwise.tuning.fitness import Sample
from turnwise.tuning.plan import Trial
from turnwise.tuning.results_layout import (
    StoredRows,
    check_identity,
    damaged_rows,
    damaged_structure,
    insert_row,
    lay_out,
    read_file,
    write_meta,
)
from turnwise.tuning.salvage import salvage


class TuningResults:
    """A results file opened for writing.

    Attributes:
        path: The file.
        salvaged: What was done about damage when the file was opened, for people; empty: nothing.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, stored: StoredRows, salvaged: str = "") -> None:
        self.path = path
        self.salvaged = salvaged
        self._connection = connection
        self._samples = {(row[0], row[1]): row for row in stored.intact}

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
            insert_row(self._connection, row)
        self._samples[trial.key, number] = row

    def describe(self, entries: Mapping[str, str]) -> None:
        """Write the description of the tuning."""
        with damage_reported(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            write_meta(self._connection, {"turnwise": turnwise.__version__, **entries})
            self._connection.execute("COMMIT")


@contextmanager
def open_results(
    path: Path, identity: Mapping[str, Any], more: Mapping[str, str], *, retry_damaged: bool = False
) -> Iterator[TuningResults]:
    """Open a tuning's results file for writing, or create it.

    Args:
        path: The file.
        identity: Everything that can change a result, as JSON data.
        more: Further entries of the description, for people.
        retry_damaged: Replace a damaged file by one with its intact results; see :mod:`turnwise.tuning.salvage`.

    Raises:
        ResultsBusyError: Another process is writing to it.
        ResultsMismatchError: It belongs to another tuning.
        DamagedFileError: It is damaged, or is not the results file of a tuning.
    """
    identity = json.loads(json.dumps(identity))  # as it is stored: lists, not tuples
    lock = WriterLock(path)
    try:
        salvaged = salvage(path, identity) if retry_damaged and _has_content(path) else ""
        stored = _checked(path, identity)
        with damage_reported(path):
            connection = sqlite3.connect(path, timeout=30, isolation_level=None)
        try:
            with damage_reported(path):
                _prepare(connection)
            try:
                results = TuningResults(path, connection, stored, salvaged)
                results.describe({"identity": json.dumps(identity), **more})
                yield results
            finally:
                with suppress(*SQLITE_ERRORS):
                    connection.execute("PRAGMA journal_mode = DELETE")
        finally:
            connection.close()
    finally:
        lock.release()


def has_results(path: Path) -> bool:
    """Whether a file holds anything that a tuning could go on from, or that is to be kept."""
    if not _has_content(path) or _is_blank(path):
        return False
    return not read_file(path).is_empty


def _has_content(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def _checked(path: Path, identity: Mapping[str, Any]) -> StoredRows:
    """The results in a file, which may be missing; a file that is refused is not changed.

    Raises:
        ResultsMismatchError: It is of another tuning.
        DamagedFileError: It is damaged, or is not the results file of a tuning.
    """
    if not _has_content(path) or _is_blank(path):
        return StoredRows((), ())
    stored = read_file(path)
    if stored.trouble:
        raise damaged_structure(path, stored.trouble, len(stored.intact))
    check_identity(path, stored, identity)
    if stored.damaged:
        raise damaged_rows(path, stored.damaged)
    return stored


def _is_blank(path: Path) -> bool:
    """Whether it is a database without tables: the process that made it was killed before it had any."""
    try:
        with damage_reported(path), closing(connect_read_only(path)) as connection:
            kind = connection.execute("PRAGMA application_id").fetchone()[0]
            return bool(kind == 0 and connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0] == 0)
    except DamagedStructureError:
        return False


def _prepare(connection: sqlite3.Connection) -> None:
    """Make a checked file ready for writing, with its tables if it has none."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA trusted_schema = OFF")
    if not connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]:
        connection.execute("BEGIN IMMEDIATE")
        lay_out(connection)
        connection.execute("COMMIT")
