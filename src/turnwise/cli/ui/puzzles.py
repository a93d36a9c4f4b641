"""Scenarios of single-player games from the command line: a named board or track, or a file with one's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from turnwise.core.errors import OptionError

if TYPE_CHECKING:
    from turnwise.core.game import Game

BoardOption = Annotated[
    str | None,
    typer.Option("--board", metavar="NAME|FILE", help="SameGame: a board's number or name, or a file with one."),
]
TrackOption = Annotated[
    str | None,
    typer.Option("--track", metavar="NAME|FILE", help="Search Race: a track's name, or a file with checkpoints."),
]


def make_puzzle(game: str, board: str | None = None, track: str | None = None) -> Game:
    """The scenario that a game's text and the options above name.

    Raises:
        OptionError: An option of another game, one given twice, or an impossible value.
        DamagedFileError: A file that cannot be read, or holds no board or track.
        UnknownNameError: No such game.
    """
    from turnwise.registry import GAMES, make, split_text

    name, settings = split_text(game)
    GAMES.get(name)  # a wrong name is told before whose option it is
    options: dict[str, Any] = {}
    for flag, owner, rivals, value in (
        ("board", "samegame", ("board", "rows"), board),
        ("track", "search-race", ("track", "checkpoints"), track),
    ):
        if value is None:
            continue
        if name != owner:
            raise OptionError(f"--{flag} belongs to {owner}; the game is {name}.")
        if any(rival in settings for rival in rivals):
            raise OptionError(f"--{flag} and {game!r} both name a {flag}; give one of them.")
        options |= _board(value) if flag == "board" else _track(value)
    return make(game, **options)


def short_text(game: Game, file: str | None = None) -> str:
    """A scenario for title lines: a board or track of one's own is not written out.

    Args:
        game: The scenario.
        file: Where the board or track came from, if it was read from a file.
    """
    from turnwise.core.game import settings_text

    settings = game.options.model_dump(mode="json", exclude_defaults=True)
    own = next((key for key in ("rows", "checkpoints") if key in settings), None)
    if own is None:
        return game.text
    del settings[own]
    return f"{settings_text(game.name, settings)} ({Path(file).name if file else f'own {own}'})"


def puzzle_files(board: str | None, track: str | None) -> list[Path]:
    """The files that ``--board`` and ``--track`` read, if any."""
    boards = [] if board is None or _is_known_board(board) else [Path(board)]
    tracks = [] if track is None or _is_known_track(track) else [Path(track)]
    return boards + tracks


def _board(value: str) -> dict[str, Any]:
    from turnwise.games.samegame.scenario import read_board

    return {"board": value} if _is_known_board(value) else {"rows": read_board(value)}


def _is_known_board(value: str) -> bool:
    from turnwise.games.samegame.scenario import named_boards

    return value.removeprefix("standard-") in named_boards() or not _looks_like_a_file(value)


def _track(value: str) -> dict[str, Any]:
    from turnwise.games.search_race.track_files import read_track

    return {"track": value} if _is_known_track(value) else {"checkpoints": read_track(value)}


def _is_known_track(value: str) -> bool:
    from turnwise.games.search_race.scenario import tracks

    return value in tracks() or not _looks_like_a_file(value)


def _looks_like_a_file(value: str) -> bool:
    """Whether something that is no known name is meant to be a file's name."""
    path = Path(value)
    return path.exists() or bool(path.suffix) or path.name != value
