"""``report``: a tournament's results or a replay as an HTML page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from turnwise.cli.ui.options import ForceOption, SkipDamagedOption, SkipOption, add
from turnwise.cli.ui.output import check_target, plain
from turnwise.cli.ui.pages import write_page
from turnwise.cli.ui.progress import compile_progress
from turnwise.cli.ui.results_page import PAGE_REPLAYS, results_page
from turnwise.core.errors import DamagedFileError, OptionError, TurnwiseError
from turnwise.core.text_file import begins_like_json


def register(app: typer.Typer) -> None:
    """Add the command."""
    add(
        app,
        report,
        "turnwise report league.sqlite",
        "turnwise report league.sqlite --out league-50.html --replays 50",
        "turnwise report race.json --out race.html",
    )


def report(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="RESULTS|REPLAY",
            help="Results file of a tournament or study, or a replay of one game.",
            show_default=False,
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            dir_okay=False,
            help="File to write; default: the name of the given file with .html, in this folder.",
        ),
    ] = None,
    title: Annotated[
        str,
        typer.Option(
            "--title", metavar="TEXT", help="Headline; default: the tournament's name, or the game and its result."
        ),
    ] = "",
    replays: Annotated[
        int, typer.Option("--replays", min=0, max=10_000, help="Largest number of games in the page.")
    ] = PAGE_REPLAYS,
    skip: SkipOption = None,
    skip_damaged: SkipDamagedOption = False,
    force: ForceOption = False,
) -> None:
    """Write an HTML page on results or on a replay.

    The page is one file with tables, figures and games to watch; it needs no network. The page on a replay (--out
    of 'solve', 'match' and 'play') shows that game. A tournament may still be running: the page shows the games
    finished so far.
    """
    from turnwise.arena.results_file import results_files

    if not file.exists():
        raise OptionError(
            f"{file}: cannot be read (No such file or directory); expected a tournament's results file (NAME.sqlite), "
            "or a replay that 'match', 'play' or 'solve' wrote (--out). Check the path."
        )
    out = out or Path(file.stem + ".html")
    check_target(out, force, results_files(file))
    if begins_like_json(file):  # else opening it as a results file says what is wrong
        if skip or skip_damaged:
            flag = "--skip" if skip else "--skip-damaged"
            raise OptionError(f"{flag} applies to results files only, but {file} is a replay of one game.")
        _report_replay(file, out, title)
    else:
        results_page(file, out, title=title, replays=replays, skip=skip or (), skip_damaged=skip_damaged)


def _report_replay(source: Path, out: Path, title: str) -> None:
    from turnwise.cli.ui.output import read_text
    from turnwise.replay import LARGEST_REPLAY, read_replay
    from turnwise.report.one_game import from_replay

    try:
        replay = read_replay(read_text(source, LARGEST_REPLAY, "a replay"), str(source))
    except DamagedFileError as error:
        raise DamagedFileError(
            f"{error} Expected a tournament's results (NAME.sqlite), or a replay that 'match', 'play' or 'solve' wrote "
            "(--out)."
        ) from None
    try:
        with compile_progress():
            data = from_replay(replay, title)
    except TurnwiseError as error:
        raise type(error)(f"{source}: {error}") from None
    plain(f"Report on one game: {write_page(data, out)}")
