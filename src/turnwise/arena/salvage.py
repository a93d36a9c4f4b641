"""Going on from a damaged results file: the intact games go into a new file, which takes the old one's place.

A damaged file is not written to: where its structure is damaged, removing one game can damage others. It stays under
another name as it was.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from turnwise.arena.results.damage import game_words
from turnwise.arena.results.layout import insert_game, insert_meta, lay_out
from turnwise.arena.results.reading import Results, open_results
from turnwise.arena.results_file import damage_told, is_locked
from turnwise.core.errors import DamagedFileError, TurnwiseError, counted


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What became of a damaged file.

    Attributes:
        games: Games in the new file.
        damaged: Numbers of the games that are not.
        kept_as: Where the damaged file is now.
    """

    games: int
    damaged: tuple[int, ...]
    kept_as: Path

    def words(self) -> str:
        """One sentence for people."""
        again = f"; {game_words(self.damaged)} will be played again" if self.damaged else ""
        return (
            f"The results file was damaged: {counted(self.games, 'game')} kept{again}. The damaged file is now "
            f"{self.kept_as}."
        )


def salvage(path: Path, keys: set[str], check: Callable[[Results], None]) -> Salvaged | None:
    """Replace a damaged results file by one with its intact games.

    Args:
        path: The file; the caller holds its writer's lock.
        keys: Keys of the tournament's games: where the file no longer says reliably which tournament it is of, only
            these games are kept.
        check: Raises if a file is of another tournament.

    Returns:
        What was done; None if nothing is damaged.

    Raises:
        DamagedFileError: So much is damaged that no game can be found, or the folder cannot be written.
        TurnwiseError: Another process has the file open.
    """
    path = Path(os.path.realpath(path))
    try:
        _fold_journal(path)
        results = open_results(path)
    except DamagedFileError as error:
        raise _hopeless(path, error) from None
    with results:
        meta = _intact_meta(results)
        if meta:
            check(results)
        damaged = _damaged(results)
        if meta is not None and not damaged and not results.structural_damage():
            return None
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        os.close(handle)
        try:
            with damage_told(path):
                kept = _copy(results, Path(name), meta, set(damaged), None if meta else keys)
            backup = _backup(path)
            shutil.copymode(path, name)
            os.replace(name, path)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(name)
            raise
    return Salvaged(kept, tuple(sorted(damaged)), backup)


def _fold_journal(path: Path) -> None:
    """Write what a killed writer left in the journal into the file; the new one must not meet that journal."""
    with damage_told(path), contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        try:
            mode = connection.execute("PRAGMA journal_mode = DELETE").fetchone()[0]
        except sqlite3.OperationalError as error:
            if not is_locked(error):
                raise
            mode = "locked"
    if mode != "delete":
        raise TurnwiseError(f"{path}: another process is reading it; let that end, then run this again.")


def _intact_meta(results: Results) -> dict[str, str] | None:
    """What the file says about itself; None if that is damaged."""
    try:
        return results.meta
    except DamagedFileError:
        return None


def _damaged(results: Results) -> dict[int, str]:
    """The damaged games; where the checksums are not readable, those whose own content is not."""
    try:
        return results.damaged()
    except DamagedFileError:
        results.ignore_checksums()
    try:
        return results.damaged()
    except DamagedFileError as error:
        raise _hopeless(results.path, error) from None


def _hopeless(path: Path, error: DamagedFileError) -> DamagedFileError:
    """No game can be found; asking for what was asked for already would be no remedy."""
    why = str(error).removeprefix(f"{path}: ").partition(" If it is damaged, ")[0]
    return DamagedFileError(f"{path}: no game can be read from it: {why} Restore a copy, or choose another file.")


def _copy(results: Results, new: Path, meta: dict[str, str] | None, damaged: set[int], keys: set[str] | None) -> int:
    """Fill a new file with the intact games; returns how many."""
    kept = 0
    with contextlib.closing(sqlite3.connect(new, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN IMMEDIATE")
        lay_out(connection)
        insert_meta(connection, (meta or {}).items())
        for stored, checked in results.intact(damaged):
            if keys is None or stored.key in keys:
                kept += insert_game(connection, stored, checked=checked)
        connection.execute("COMMIT")
    return kept


def _backup(path: Path) -> Path:
    """Copy a file to the first free name of its kind."""
    names = (path.with_name(f"{path.name}.damaged{'' if number == 1 else f'-{number}'}") for number in count(1))
    backup = next(name for name in names if not name.exists())
    try:
        shutil.copy2(path, backup)
    except OSError as error:
        raise DamagedFileError(f"{backup}: cannot be written ({error.strerror}).") from None
    return backup
