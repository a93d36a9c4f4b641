"""The layout of a tuning's results file: tables, rows with checksums, and whose results they are."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import Any

from turnwise.arena.results.checksums import checksum_of
from turnwise.arena.results.partial import SQLITE_ERRORS, readable_rows
from turnwise.arena.results.writing import ResultsMismatchError
from turnwise.arena.results_file import (
    DamagedStructureError,
    complaint,
    connect_read_only,
    cut_off,
    damage_reported,
    odd_header,
    structural_damage,
)
from turnwise.arena.tournament.difference import differences
from turnwise.core.errors import DamagedFileError, brief, counted

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
_MOST_NAMED = 5

Row = tuple[Any, ...]
"""Trial, number, point, settings, fitness, detail."""


@dataclass(frozen=True, slots=True)
class StoredRows:
    """What can be read of a file's results.

    Attributes:
        intact: The rows that agree with their checksums.
        damaged: The evaluations of the others; an evaluation may occur several times.
        trouble: What is wrong with the file's structure; empty if nothing is.
        identity: The identity of the tuning as JSON; empty if it is damaged or missing.
        spec: Its specification as JSON; empty if it is damaged or missing.
    """

    intact: tuple[Row, ...]
    damaged: tuple[str, ...]
    trouble: str = ""
    identity: str = ""
    spec: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether no result has been written yet."""
        return not (self.intact or self.damaged or self.trouble)


def lay_out(connection: sqlite3.Connection) -> None:
    """Create the tables of an empty file; the caller commits."""
    for statement in _SCHEMA:
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def read_file(path: Path) -> StoredRows:
    """Read a results file without changing it.

    Raises:
        DamagedFileError: It is not the results file of a tuning; or SQLite cannot open it, so nothing can be read.
    """
    try:
        connection = connect_read_only(path)
    except DamagedStructureError as error:
        if not _names_tuning(path):
            raise _not_a_tuning(path) from None
        raise damaged_structure(path, cut_off(path) or error.why, 0) from None
    with closing(connection), damage_reported(path):
        found = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
        if found != [APPLICATION_ID, SCHEMA_VERSION]:
            raise _not_a_tuning(path)
        stored = stored_rows(connection)
        trouble = stored.trouble or cut_off(path) or odd_header(path) or structural_damage(connection)
        identity, spec = _described(connection, "identity"), _described(connection, "spec")
        return StoredRows(stored.intact, stored.damaged, trouble, identity, spec)


def _described(connection: sqlite3.Connection, name: str) -> str:
    """An entry of the file's description; empty if it is damaged or missing."""
    try:
        row = connection.execute("SELECT value, checksum FROM meta WHERE name = ?", (name,)).fetchone()
    except SQLITE_ERRORS:
        return ""
    return row[0] if row is not None and row[1] == checksum_of([(name, row[0])]) else ""


def _names_tuning(path: Path) -> bool:
    """Whether the header says that this is the results file of a tuning."""
    with path.open("rb") as file:
        return int.from_bytes(file.read(72)[68:72], "big") == APPLICATION_ID


def _not_a_tuning(path: Path) -> DamagedFileError:
    return DamagedFileError(
        f"{path}: not the results of a tuning that this version of turnwise can continue; expected a new name, or a "
        "file that 'turnwise tune' wrote. Choose another file with --out."
    )


def stored_rows(connection: sqlite3.Connection) -> StoredRows:
    """Read all results as far as they can be read."""
    rows, trouble = readable_rows(connection, f"SELECT {_COLUMNS}, checksum FROM samples", "trial")
    intact, damaged = [], []
    for *row, checksum in rows:
        is_sample = all(isinstance(value, kind) for value, kind in zip(row, _KINDS, strict=True))
        if is_sample and checksum == checksum_of([row]):
            intact.append(tuple(row))
        else:
            damaged.append(brief(row[0]))
    return StoredRows(tuple(intact), tuple(damaged), f"SQLite says: {complaint(trouble)}" if trouble else "")


def damaged_rows(path: Path, damaged: Sequence[str]) -> DamagedFileError:
    """The error about damaged results, with the remedy."""
    names = list(dict.fromkeys(damaged))
    shown = "; ".join(names[:_MOST_NAMED]) + ("; ..." if len(names) > _MOST_NAMED else "")
    are = "is" if len(damaged) == 1 else "are"
    them = "it" if len(damaged) == 1 else "them"
    return DamagedFileError(
        f"{path}: {counted(len(damaged), 'result')} {are} damaged (of {shown}; the content does not match its "
        f"checksum). To keep the others and play {them} again, run 'turnwise tune' with --retry-damaged."
    )


def damaged_structure(path: Path, why: str, readable: int) -> DamagedFileError:
    """The error about a file that SQLite cannot follow, with the remedy."""
    if not readable:
        remedy = (
            "No result in it can be read. Restore a copy, or move the file away: the tuning then plays all games again."
        )
    else:
        remedy = (
            f"{counted(readable, 'result')} in it can be read. To keep them and play the others again, run 'turnwise "
            "tune' with --retry-damaged."
        )
    return DamagedFileError(f"{path}: damaged ({why}). {remedy}")


def insert_row(connection: sqlite3.Connection, row: Row) -> None:
    """Write a result."""
    marks = ", ".join("?" * (len(row) + 1))
    connection.execute(f"INSERT INTO samples ({_COLUMNS}, checksum) VALUES ({marks})", (*row, checksum_of([row])))


def write_meta(connection: sqlite3.Connection, values: Mapping[str, str]) -> None:
    """Write entries of the file's description."""
    connection.executemany(
        "INSERT OR REPLACE INTO meta VALUES (?, ?, ?)",
        [(name, value, checksum_of([(name, value)])) for name, value in values.items()],
    )


def check_identity(path: Path, stored: StoredRows, identity: Mapping[str, Any]) -> None:
    """Compare a file's tuning with ours; a file without results is anybody's.

    Args:
        path: The file, for messages.
        stored: What can be read of it.
        identity: Everything that can change a result, as JSON data.

    Raises:
        ResultsMismatchError: The file is of another tuning.
        DamagedFileError: Its description is damaged, or missing although there are results.
    """
    if stored.is_empty:
        return
    try:
        changed = identity_changes(json.loads(stored.identity), identity)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise DamagedFileError(
            f"{path}: its description is damaged, so nothing shows which tuning its results belong to. Restore a copy "
            "of the file, or choose another file with --out."
        ) from None
    if changed:
        raise ResultsMismatchError(f"{path} holds results of other settings: {'; '.join(changed)}. {_REMEDY}")


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
