"""A results file as a file: its companion files, its header, and SQLite's errors turned into turnwise errors."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from turnwise.arena.results.layout import APPLICATION_ID, READABLE_VERSIONS
from turnwise.arena.results.partial import SQLITE_ERRORS
from turnwise.core.errors import DamagedFileError

_MAGIC = b"SQLite format 3\0"
_ANY_QUERY = "SELECT COUNT(*) FROM sqlite_master"
_NOT_DAMAGE = (
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
)


class DamagedStructureError(DamagedFileError):
    """SQLite cannot follow a file's structure.

    Attributes:
        path: The file.
        why: What SQLite says.
    """

    def __init__(self, path: Path, why: str) -> None:
        self.path, self.why = path, why
        super().__init__(f"{path}: damaged ({why}). Restore a copy, or choose another file.")


def results_files(path: Path) -> list[Path]:
    """A results file with the files that SQLite and a writer keep next to it, whether they exist or not."""
    bases = dict.fromkeys([path, Path(os.path.realpath(path))])  # SQLite follows a link, the lock file does not
    return [base.with_name(base.name + end) for base in bases for end in ("", "-wal", "-shm", "-journal", ".lock")]


def connect_read_only(path: Path) -> sqlite3.Connection:
    """Connect without writing.

    In a read-only folder SQLite needs the option ``immutable``. A file that is shorter than its header says is opened
    too; queries then fail only where they need a lost page.
    """
    address = path.absolute().as_uri() + "?mode=ro"
    with damage_reported(path):
        try:
            return _connected(address)
        except sqlite3.OperationalError:
            return _connected(address + "&immutable=1")


def _connected(address: str) -> sqlite3.Connection:
    connection = sqlite3.connect(address, uri=True, timeout=30, isolation_level=None)
    try:
        try:
            connection.execute(_ANY_QUERY).fetchone()
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            connection.execute("PRAGMA writable_schema = ON")  # makes SQLite accept a file that is cut off
            connection.execute(_ANY_QUERY).fetchone()
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
        raise DamagedFileError(
            f"{path}: cannot be read ({error.strerror}); expected a tournament's results file (NAME.sqlite). Check the "
            "path: 'turnwise tournament' shows in its last line where the results are."
        ) from None
    if begin == _MAGIC:
        return
    if path.suffix == ".toml" and _kind_of(begin) == "text":
        raise DamagedFileError(
            f"{path}: not a tournament's results: expected an SQLite file, got the text of a specification. After "
            f"'turnwise tournament {path}' its results are in {path.with_suffix('.sqlite')}, unless --out named "
            "another file; give that one."
        )
    raise DamagedFileError(
        f"{path}: not a tournament's results: expected an SQLite file, got {_kind_of(begin)}. Give the results "
        "file (NAME.sqlite) that 'turnwise tournament' writes; if this is one, it is damaged: restore a copy."
    )


def _kind_of(begin: bytes) -> str:
    """What a file seems to be, by its first bytes."""
    if not begin:
        return "an empty file"
    if begin.lstrip()[:1] in (b"{", b"["):
        return "JSON (of replays, 'turnwise report' makes pages)"
    return "text" if begin.isascii() and b"\0" not in begin else "something else"


def check_kind(path: Path, connection: sqlite3.Connection) -> None:
    """Check that an SQLite file is a results file of a readable version.

    Raises:
        DamagedFileError: It is not.
    """
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise DamagedFileError(
            f"{path}: an SQLite file, but not a tournament's results: expected the file NAME.sqlite that 'turnwise "
            "tournament' writes. Check the name; if it is that file, it is damaged: restore a copy."
        )
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version not in READABLE_VERSIONS:
        raise DamagedFileError(
            f"{path}: results of layout version {version}; this turnwise reads versions "
            f"{' and '.join(map(str, READABLE_VERSIONS))}. Read it with the version of turnwise that wrote it; if that "
            "is this one, the file is damaged: restore a copy."
        )


@contextmanager
def damage_reported(path: Path) -> Iterator[None]:
    """Turn SQLite's errors about a file into DamagedFileError, and those about its structure into its subclass."""
    try:
        yield
    except SQLITE_ERRORS as error:
        if is_locked(error):
            raise DamagedFileError(f"{path}: locked by another process; try again later.") from None
        if (getattr(error, "sqlite_errorcode", 0) & 0xFF) in _NOT_DAMAGE:
            raise DamagedFileError(
                f"{path}: cannot be read or written (SQLite says: {complaint(error)}). Its disk or folder is full, "
                "failing or read-only: make room or choose another place, then run this again."
            ) from None
        raise DamagedStructureError(path, f"SQLite says: {complaint(error)}") from None


def cut_off(path: Path) -> str:
    """How a file is shorter than its own header says; empty if it is not, or if the header does not say."""
    try:
        with path.open("rb") as file:
            header = file.read(100)
        size = path.stat().st_size
    except OSError:
        return ""
    page = int.from_bytes(header[16:18], "big")
    expected = int.from_bytes(header[28:32], "big") * (65536 if page == 1 else page)
    return f"it is cut off: {size} of {expected} bytes are left" if size < expected else ""


def odd_header(path: Path) -> str:
    """How a file's header claims that another version of SQLite wrote it; empty if it does not.

    SQLite reads such a file, and refuses to write to it as if it were read-only.
    """
    try:
        with path.open("rb") as file:
            versions = file.read(20)[18:20]
    except OSError:
        return ""
    return "" if set(versions) <= {1, 2} else "its header names an unknown version of the format"


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
