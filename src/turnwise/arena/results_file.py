"""A results file as a file: its companion files, its header, and SQLite's errors turned into turnwise errors."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from turnwise.arena.results.layout import APPLICATION_ID, READABLE_VERSIONS
from turnwise.core.errors import DamagedFileError

SQLITE_ERRORS = (sqlite3.DatabaseError, UnicodeDecodeError)
"""Errors that SQLite raises; the second if its message contains a damaged name that is not text."""

_MAGIC = b"SQLite format 3\0"


def results_files(path: Path) -> list[Path]:
    """A results file with the files that SQLite and a writer keep next to it, whether they exist or not."""
    bases = dict.fromkeys([path, Path(os.path.realpath(path))])  # SQLite follows a link, the lock file does not
    return [base.with_name(base.name + end) for base in bases for end in ("", "-wal", "-shm", "-journal", ".lock")]


def connect_read_only(path: Path) -> sqlite3.Connection:
    """Connect without writing; in a read-only folder SQLite needs the option ``immutable``."""
    address = path.absolute().as_uri() + "?mode=ro"
    with damage_reported(path):
        connection = sqlite3.connect(address, uri=True, timeout=30, isolation_level=None)
        try:
            connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
        except sqlite3.OperationalError:
            connection.close()
            connection = sqlite3.connect(address + "&immutable=1", uri=True, isolation_level=None)
        except BaseException:
            connection.close()
            raise
        return connection


def check_header(path: Path) -> None:
    """Check that a file exists and is an SQLite file.

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
            f"{path}: not a tournament's results: expected an SQLite file. It is damaged, or another kind of file."
        )


def check_kind(path: Path, connection: sqlite3.Connection) -> None:
    """Check that an SQLite file is a results file of a readable version.

    Raises:
        DamagedFileError: It is not.
    """
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise DamagedFileError(f"{path}: an SQLite file, but not a tournament's results.")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version not in READABLE_VERSIONS:
        raise DamagedFileError(
            f"{path}: results of layout version {version}; this turnwise reads versions "
            f"{' and '.join(map(str, READABLE_VERSIONS))}. Read it with the version of turnwise that wrote it; if that "
            "is this one, the file is damaged: restore a copy."
        )


@contextmanager
def damage_reported(path: Path) -> Iterator[None]:
    """Turn SQLite's errors about a file into DamagedFileError."""
    try:
        yield
    except SQLITE_ERRORS as error:
        raise DamagedFileError(
            f"{path}: damaged, or its disk is full or read-only (SQLite says: {complaint(error)}). "
            "If it is damaged, run the tournament or study with --retry-damaged: this keeps the games that can still "
            "be read."
        ) from None


def structural_damage(connection: sqlite3.Connection) -> str:
    """What SQLite finds wrong with a file's structure; empty if nothing is."""
    try:
        found = str(connection.execute("PRAGMA integrity_check(1)").fetchone()[0])
    except SQLITE_ERRORS as error:
        return complaint(error)
    return "" if found == "ok" else found.splitlines()[-1]


def complaint(error: Exception) -> str:
    """SQLite's message without the value that it could not read, which may be long and is not text."""
    return str(error).partition(" with text '")[0]


def is_locked(error: Exception) -> bool:
    """Whether SQLite complains about another process and not about the file."""
    return (getattr(error, "sqlite_errorcode", 0) & 0xFF) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
