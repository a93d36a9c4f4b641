"""One results file from several of the same tournament, played on several machines."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from turnwise.arena.records import Ending
from turnwise.arena.results.layout import StoredGame, insert_game, insert_meta, lay_out
from turnwise.arena.results.reading import Results, open_results
from turnwise.arena.results.writing import ResultsMismatchError
from turnwise.arena.results_file import damage_reported, results_files
from turnwise.arena.tournament.difference import differences
from turnwise.core import arguments
from turnwise.core.errors import DamagedFileError, OptionError, counted
from turnwise.core.output_files import check_writable, refuse_inputs

_RESULT_COLUMNS = slice(2, 6)  # of a seat: player, rank, score, result


@dataclass(frozen=True, slots=True)
class Merged:
    """What was merged.

    Attributes:
        games: Games in the new file.
        taken: Games taken from each file, in the order of the files; a game that an earlier file has is not counted.
        twice: Games that several files have.
    """

    games: int
    taken: tuple[int, ...]
    twice: int


def merge_results(paths: Sequence[str | Path], out: str | Path) -> Merged:
    """Write the games of several results files of one tournament into a new file.

    A game that several files have is taken from the first; a finished game is preferred to one that was given up.

    Args:
        paths: The files, two or more; all must be of the same tournament and rules. They are only read.
        out: The new file, which replaces a file of that name as a whole, or is not written at all.

    Raises:
        OptionError: There are fewer than two files, one is named twice or is the new file, or the new file cannot be
            written.
        ResultsMismatchError: They belong to different tournaments or rules, or hold different results of a game that
            does not depend on time; or a sequential test decides which games count.
        DamagedGamesError: Games in a file are damaged.
        DamagedFileError: A file is damaged, or is not a results file.
    """
    listed = arguments.sequence(paths, "The results files", "paths")
    files = [arguments.path(path, "A results file") for path in listed]
    target = arguments.path(out, "The new results file")
    _check_names(files, target)
    with contextlib.ExitStack() as stack:
        opened = [stack.enter_context(open_results(path)) for path in files]
        for other in opened[1:]:
            _compare(opened[0], other)
        _refuse_sequential(opened)
        games, origin, twice = _chosen(opened)
        largest = max(opened, key=lambda results: results.spec.games_per_pair)
        _write(target, largest.meta | {"command": ""}, games)
    taken = tuple(sum(place == number for place in origin.values()) for number in range(len(files)))
    return Merged(len(games), taken, twice)


def _check_names(files: Sequence[Path], target: Path) -> None:
    if len(files) < 2:
        raise OptionError(f"expected two or more results files to merge; got {counted(len(files), 'file')}.")
    real = [os.path.realpath(file) for file in files]
    for file, name in zip(files, real, strict=True):
        if real.count(name) > 1:
            raise OptionError(f"{file} is named twice; name every results file once.")
    folder = target.absolute().parent
    if not folder.is_dir() or target.is_dir():
        what = "this is a folder" if target.is_dir() else f"there is no folder {folder}"
        raise OptionError(f"{target}: {what}; expected the name of a new results file in an existing folder.")
    check_writable(target, folder)
    refuse_inputs(results_files(target), [part for file in files for part in results_files(file)])


def _compare(first: Results, other: Results) -> None:
    """Check that two files are of the same tournament and rules.

    Raises:
        ResultsMismatchError: They are not.
    """
    places = f"in {first.path}", f"in {other.path}"
    try:
        changed = differences(json.loads(first.meta["identity"]), json.loads(other.meta["identity"]), places)
    except (TypeError, ValueError, KeyError, AttributeError):
        raise DamagedFileError(
            f"{first.path} or {other.path}: the description of its tournament is unreadable; 'turnwise report' on each "
            "shows which. Restore a copy of that file."
        ) from None
    if first.rules != other.rules:
        changed = [*changed, f"rules versions: {first.rules} {places[0]}, {other.rules} {places[1]}"]
    if changed:
        raise ResultsMismatchError(
            f"{other.path} belongs to another tournament than {first.path}: {'; '.join(changed)}. Only files "
            "of one tournament can be merged, since their games are counted together."
        )


def _refuse_sequential(opened: Sequence[Results]) -> None:
    for results in opened:
        if results.spec.sprt is not None:
            raise ResultsMismatchError(
                f"{results.path}: a sequential test ends the games of a pair, so which games count depends on all "
                "earlier ones and they cannot be played in parts. Play such a tournament on one machine, or without "
                "[sprt]."
            )


def _chosen(opened: Sequence[Results]) -> tuple[dict[str, tuple[StoredGame, bool]], dict[str, int], int]:
    """Key -> game and whether it has a checksum; key -> number of the file; how many games several files have."""
    games: dict[str, tuple[StoredGame, bool]] = {}
    origin: dict[str, int] = {}
    twice: set[str] = set()
    for number, results in enumerate(opened):
        results.keys()  # all games are read and checked
        for stored, checked in results.intact(()):
            key = stored.key
            if key in games:
                twice.add(key)
                _compare_games(opened[origin[key]], results, games[key][0], stored)
            if key not in games or _is_abandoned(games[key][0]) > _is_abandoned(stored):
                games[key], origin[key] = (stored, checked), number
    return games, origin, len(twice)


def _is_abandoned(game: StoredGame) -> bool:
    return game.ending == Ending.ABANDONED.value


def _compare_games(first: Results, other: Results, one: StoredGame, same: StoredGame) -> None:
    """Check that two files have the same result of a game, where time plays no part.

    Raises:
        ResultsMismatchError: They have not.
    """
    if first.spec.is_timed or _is_abandoned(one) or _is_abandoned(same):
        return
    results = [[seat[_RESULT_COLUMNS] for seat in game.seats] for game in (one, same)]
    if results[0] != results[1]:
        raise ResultsMismatchError(
            f"Game {one.game[1]} has other results in {other.path} than in {first.path}, although its budgets do not "
            "depend on time: the machines had different versions of turnwise, of a game or of a planner. Find out "
            "which one is right, and play the games of the other file again."
        )


def _write(target: Path, meta: dict[str, str], games: dict[str, tuple[StoredGame, bool]]) -> None:
    """Write a whole results file, then give it its name."""
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.absolute().parent)
    os.close(handle)
    try:
        with damage_reported(target), contextlib.closing(sqlite3.connect(name, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("BEGIN IMMEDIATE")
            lay_out(connection)
            insert_meta(connection, meta.items())
            for stored, checked in sorted(games.values(), key=lambda game: int(game[0].game[1])):
                insert_game(connection, stored, checked=checked)
            connection.execute("COMMIT")
        umask = os.umask(0)
        os.umask(umask)
        Path(name).chmod(0o666 & ~umask)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
