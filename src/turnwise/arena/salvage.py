"""Recovery of a damaged results file: the intact games are copied into a new file, which replaces the old one.

A damaged file is never written to: if its structure is damaged, removing one game can damage others. It is kept
unchanged under another name. A journal that cannot be merged into it moves to the kept file before the new file takes
its place. If the process is killed between these steps, the next recovery first moves the journal back.
"""

from __future__ import annotations

import contextlib
import filecmp
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, takewhile
from pathlib import Path

from turnwise.arena.results.damage import game_words, structure_remedy
from turnwise.arena.results.layout import insert_game, insert_meta, lay_out
from turnwise.arena.results.reading import Results, open_readable
from turnwise.arena.results_file import DamagedStructureError, cut_off, damage_reported, is_locked, odd_header
from turnwise.core.errors import DamagedFileError, TurnwiseError, counted


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What happened to a damaged file.

    Attributes:
        games: Games in the new file.
        damaged: Numbers of the games that could not be copied.
        kept_as: Where the damaged file is now.
    """

    games: int
    damaged: tuple[int, ...]
    kept_as: Path

    def words(self) -> str:
        """A message for people."""
        again = f"; {game_words(self.damaged)} will be played again" if self.damaged else ""
        return (
            f"The results file was damaged: {counted(self.games, 'game')} kept{again}. The damaged file is now "
            f"{self.kept_as}."
        )


def salvage(path: Path, keys: set[str], check: Callable[[Results], None]) -> Salvaged | None:
    """Replace a damaged results file by one with its intact games.

    Args:
        path: The file; the caller holds its writer's lock.
        keys: Keys of the tournament's games: if the file no longer says reliably which tournament it belongs to, only
            these games are kept.
        check: Raises if a file belongs to another tournament.

    Returns:
        What was done; None if nothing is damaged.

    Raises:
        DamagedFileError: The damage is so great that no game can be found, or the folder is not writable.
        TurnwiseError: Another process has the file open.
    """
    path = Path(os.path.realpath(path))
    unmerged = merge_journal(path)
    try:
        results = open_readable(path)
    except DamagedStructureError as error:
        raise _hopeless(path, error.why) from None
    with results:
        meta = _intact_meta(results)
        if meta:
            check(results)
        damaged = results.damaged()
        structural = results.structural_damage() or unmerged or odd_header(path)
        if meta is not None and not damaged and not structural:
            return None
        if structural and not len(results) - len(damaged):
            raise _hopeless(path, structural)

        def fill(new: Path) -> int:
            return _copy(results, new, meta, set(damaged), None if meta else keys)

        kept, backup = replace_by(path, fill)
    return Salvaged(kept, tuple(sorted(damaged)), backup)


def merge_journal(path: Path) -> str:
    """Merge the journal of a killed writer into a damaged file, if SQLite can.

    Args:
        path: The file; not a link.

    Returns:
        Why the journal cannot be merged, which is damage too; empty if it was or there is none.

    Raises:
        DamagedFileError: The file cannot be read or written.
        TurnwiseError: Another process has the file open.
    """
    _move_journal_back(path)
    try:
        _fold_journal(path)
    except DamagedStructureError as error:  # SQLite cannot open a file to write that is cut off, for example
        return error.why
    return ""


def replace_by(path: Path, fill: Callable[[Path], int]) -> tuple[int, Path]:
    """Put a new file in the place of a damaged one, which is kept under another name.

    Args:
        path: The damaged file; not a link.
        fill: Writes the new file, given its temporary name; returns how many games it kept.

    Returns:
        What ``fill`` returned, and where the damaged file is now.

    Raises:
        DamagedFileError: The folder is not writable.
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    os.close(handle)
    try:
        with damage_reported(path):
            kept = fill(Path(name))
        backup = _backup(path)
        shutil.copymode(path, name)
        _move_journal(path, backup)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
        raise
    return kept, backup


def _fold_journal(path: Path) -> None:
    """Merge the journal of a killed writer into the file: SQLite must not apply that journal to the new file."""
    with damage_reported(path), contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        try:
            mode = connection.execute("PRAGMA journal_mode = DELETE").fetchone()[0]
        except sqlite3.OperationalError as error:
            if not is_locked(error):
                raise
            mode = "locked"
    if mode != "delete":
        raise TurnwiseError(f"{path}: another process is reading it; wait until it ends, then run this again.")


def _intact_meta(results: Results) -> dict[str, str] | None:
    """The file's description of its tournament; None if it is damaged."""
    try:
        return results.meta
    except DamagedFileError:
        return None


def _hopeless(path: Path, why: str) -> DamagedFileError:
    """The error that no game can be found."""
    return DamagedFileError(f"{path}: damaged ({cut_off(path) or why}). {structure_remedy(0, False)}")


def _move_journal(path: Path, backup: Path) -> None:
    """Keep a journal that could not be merged with the damaged file: SQLite must not apply it to the new one."""
    with contextlib.suppress(FileNotFoundError):
        os.replace(_journal(path), _journal(backup))
        path.with_name(f"{path.name}-shm").unlink()


def _move_journal_back(path: Path) -> None:
    """Undo :func:`_move_journal` if the process was killed before the new file took the damaged file's place."""
    if _journal(path).exists() and _journal(path).stat().st_size:  # readers of the file leave an empty one
        return
    for backup in takewhile(Path.exists, _backup_names(path)):
        if _journal(backup).exists() and filecmp.cmp(path, backup, shallow=False):
            os.replace(_journal(backup), _journal(path))
            return


def _journal(path: Path) -> Path:
    """The journal that SQLite keeps for a file while it is written."""
    return path.with_name(f"{path.name}-wal")


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
    """Copy a file to the first free backup name."""
    backup = next(name for name in _backup_names(path) if not name.exists())
    try:
        shutil.copy2(path, backup)
    except OSError as error:
        raise DamagedFileError(f"{backup}: cannot be written ({error.strerror}).") from None
    return backup


def _backup_names(path: Path) -> Iterator[Path]:
    """The names of backups in their order, without end."""
    return (path.with_name(f"{path.name}.damaged{'' if number == 1 else f'-{number}'}") for number in count(1))
