"""``report``: a tournament's results or a replay as an HTML page."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from turnwise.cli.ui.options import ForceOption, SkipDamagedOption, SkipOption, add
from turnwise.cli.ui.output import check_target, message, plain
from turnwise.cli.ui.pages import write_page
from turnwise.cli.ui.progress import compile_progress
from turnwise.core.errors import DamagedFileError, OptionError, TurnwiseError, counted

if TYPE_CHECKING:
    from turnwise.arena.records import GameRecord
    from turnwise.arena.results.reading import Results


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
    ] = 20,
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

    out = out or Path(file.stem + ".html")
    check_target(out, force, results_files(file))
    if _is_replay(file):
        if skip or skip_damaged:
            flag = "--skip" if skip else "--skip-damaged"
            raise OptionError(f"{flag} applies to results files only, but {file} is a replay of one game.")
        _report_replay(file, out, title)
    else:
        _report_results(file, out, title, replays, skip or (), skip_damaged)


def _report_results(file: Path, out: Path, title: str, replays: int, skip: Sequence[int], skip_damaged: bool) -> None:
    """Write the page on the games of a results file.

    Raises:
        OptionError: There are no games.
    """
    from turnwise.arena.results.reading import open_results
    from turnwise.report.builder import from_results
    from turnwise.report.facts import tournament_facts
    from turnwise.report.words import remarks_on

    with open_results(file, skip, skip_damaged=skip_damaged) as results:
        spec, command = results.spec, results.meta.get("command", "")
        records = list(results)
        remarks = remarks_on(results)
        scenarios = scenario_texts(results)
    if not records:
        what = "no game is left" if skip or skip_damaged else "no game has finished yet"
        raise OptionError(f"{file}: {what}; there is nothing to report.")
    data = from_results(
        title or spec.name,
        records,
        command=command,
        facts=tournament_facts(spec, scenarios),
        players=list(spec.players),
        summary=" ".join(remarks),
        max_replays=replays,
        seed=spec.seed,
    )
    page = write_page(data, out)
    _warn_of_unknown_games(file, records, command)
    for remark in remarks:
        plain(remark)
    plain(f"Report on {counted(len(records), 'game')}: {page}")


def _is_replay(path: Path) -> bool:
    """Whether a file is text that begins like JSON, and therefore not a results file."""
    try:
        with path.open("rb") as file:
            return file.read(64).lstrip()[:1] == b"{"
    except OSError:
        return False  # opening it as a results file reports what is wrong


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


def scenario_texts(results: Results) -> list[str]:
    """The scenarios of a tournament as its file names them; one with the content of a file is named by its label."""
    return [label if "{" in text else text for text, label in zip(results.spec.games, results.rules, strict=True)]


def _warn_of_unknown_games(store: Path, records: Sequence[GameRecord], command: str) -> None:
    """Warn of games that are not registered here: the page has their tables, but cannot show how they were played."""
    from turnwise.registry import GAMES

    counts = Counter(record.replay.game for record in records)
    unknown = sorted(counts.keys() - set(GAMES.names()))
    if not unknown:
        return
    given = _imports_of(command)
    module = "" if given else ", where MODULE is the Python module that registers it"
    advised = shlex.join(["turnwise", *(given or ["--import", "MODULE"]), "report", str(store), "--force"])
    for name in unknown:
        message(
            "Warning",
            f"There is no game {name!r} here, so the page has tables of its {counted(counts[name], 'game')}, but no "
            f"game to watch. To show them, run: {advised}{module}. An installed "
            f"package that names the game as an entry point in {GAMES.group!r} needs no --import.",
            style="bold yellow",
        )


def _imports_of(command: str) -> list[str]:
    """The words ``--import MODULE`` of a recorded command; none if it is not in the syntax of a shell.

    A results file records any text as its command if a tournament is started from Python.
    """
    try:
        words = shlex.split(command)
    except ValueError:
        return []
    return [each for word, value in pairwise(words) if word == "--import" for each in (word, value)]
