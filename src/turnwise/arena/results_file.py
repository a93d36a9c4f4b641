"""A results file as a file: which ones belong to it, what it must begin with, SQLite's complaints in our words."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from turnwise.arena.results.layout import APPLICATION_ID, READABLE_VERSIONS
from turnwise.core.errors import DamagedFileError

SQLITE_ERRORS = (sqlite3.DatabaseError, UnicodeDecodeError)
"""How SQLite's complaints arrive; the second where a damaged name in the complaint is no text."""

_MAGIC = b"SQLite format 3\0"


def results_files(path: Path) -> list[Path]:
    """A results file with the files that SQLite and a writer keep next to it, whether they are there or not."""
    bases = dict.fromkeys([path, Path(os.path.realpath(path))])  # of a link, SQLite follows it and the lock does not
    return [base.with_name(base.name + end) for base in bases for end in ("", "-wal", "-shm", "-journal", ".lock")]


def connect_read_only(path: Path) -> sqlite3.Connection:
    """Connect without writing; a file in a folder that cannot be written needs SQLite's word for it."""
    address = path.absolute().as_uri() + "?mode=ro"
    with damage_told(path):
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
    if version not in READABLE_VERSIONS:
        raise DamagedFileError(
            f"{path}: results of layout version {version}; this turnwise reads versions "
            f"{' and '.join(map(str, READABLE_VERSIONS))}. Read it with the turnwise that wrote it; if that is this "
            "one, the file is damaged: restore a copy."
        )


@contextmanager
def damage_told(path: Path) -> Iterator[None]:
    """Turn SQLite's complaints about a file into ours."""
    try:
        yield
    except SQLITE_ERRORS as error:
        raise DamagedFileError(
            f"{path}: damaged, or its disk is full or cannot be written (SQLite says: {complaint(error)}). "
            "If it is damaged, run the tournament or study with --retry-damaged: that keeps the games that can still "
            "be read."
        ) from None


def structural_damage(connection: sqlite3.Connection) -> str:
    """What SQLite finds wrong with a file's structure; empty if nothing."""
    try:
        found = str(connection.execute("PRAGMA integrity_check(1)").fetchone()[0])
    except SQLITE_ERRORS as error:
        return complaint(error)
    return "" if found == "ok" else found.splitlines()[-1]


def complaint(error: Exception) -> str:
    """SQLite's words, without the value that it could not read, which may be long and is no text."""
    return str(error).partition(" with text '")[0]


def is_locked(error: Exception) -> bool:
    """Whether SQLite complains about another process and not about the file."""
    return (getattr(error, "sqlite_errorcode", 0) & 0xFF) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
