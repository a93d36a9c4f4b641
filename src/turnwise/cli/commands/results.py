"""``report`` and ``export``: a tournament's results as an HTML page, and as tables for other programs."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from turnwise.cli.ui.options import ForceOption, add
from turnwise.cli.ui.output import check_target, message, plain, show
from turnwise.cli.ui.progress import compile_progress
from turnwise.core.errors import DamagedFileError, OptionError, TurnwiseError, counted
from turnwise.core.output_files import refuse_inputs

if TYPE_CHECKING:
    from turnwise.arena.records import GameRecord
    from turnwise.arena.results.reading import Results
    from turnwise.report.model import ReportData
    from turnwise.statistics.ratings import RatingTable

SkipOption = Annotated[
    list[int] | None,
    typer.Option(
        "--skip",
        metavar="GAME",
        min=0,
        help="Number of a game to leave out, for example a damaged game; may be given several times.",
        show_default=False,
    ),
]
SkipDamagedOption = Annotated[
    bool,
    typer.Option("--skip-damaged", help="Leave out all damaged games; the output names and counts them."),
]


class TableFormat(StrEnum):
    """Formats of tables."""

    CSV = "csv"
    PARQUET = "parquet"


def register(app: typer.Typer) -> None:
    """Add the commands."""
    add(
        app,
        report,
        "turnwise report league.sqlite",
        "turnwise report league.sqlite --out league-50.html --replays 50",
        "turnwise report race.json --out race.html",
    )
    add(
        app,
        export,
        "turnwise export league.sqlite --format csv --out tables",
        "turnwise export league.sqlite --format parquet --out tables",
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
    from turnwise.arena.results.reading import open_results
    from turnwise.arena.results_file import results_files
    from turnwise.report.builder import from_results
    from turnwise.report.facts import tournament_facts
    from turnwise.report.words import remarks_on

    out = out or Path(file.stem + ".html")
    check_target(out, force, results_files(file))
    if _is_replay(file):
        if skip or skip_damaged:
            flag = "--skip" if skip else "--skip-damaged"
            raise OptionError(f"{flag} applies to results files only, but {file} is a replay of one game.")
        _report_replay(file, out, title)
        return
    with open_results(file, skip or (), skip_damaged=skip_damaged) as results:
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
    page = _write(data, out)
    _warn_of_unknown_games(file, records, command)
    for remark in remarks:
        plain(remark)
    plain(f"Report on {counted(len(records), 'game')}: {page}")


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
    plain(f"Report on one game: {_write(data, out)}")


def _write(data: ReportData, out: Path) -> Path:
    """Write a page to a file.

    Raises:
        TurnwiseError: The disk is full or fails.
    """
    from turnwise.report.html import write_report

    warn_of_doubts(data)
    try:
        return write_report(data, out)
    except OSError as error:
        raise TurnwiseError(f"{out}: cannot write this file ({error.strerror}).") from None


_DOUBTS = "The file was changed or is damaged; games that are not on the page were not checked."


def warn_of_doubts(data: ReportData) -> None:
    """Warn of stored results that contradict the games' own actions; only games on the page are replayed."""
    for doubt in data.replays.doubts:
        message("Warning", f"{doubt} {_DOUBTS}", style="bold yellow")


def export(
    file: Annotated[
        Path,
        typer.Argument(metavar="RESULTS", help="Results file of a tournament or study.", show_default=False),
    ],
    out: Annotated[
        Path,
        typer.Option("--out", "-o", metavar="DIR", file_okay=False, help="Folder for the tables; created if missing."),
    ],
    form: Annotated[TableFormat, typer.Option("--format", "-f", help="Format of the tables.")] = TableFormat.CSV,
    timing: Annotated[
        bool,
        typer.Option(
            "--timing/--no-timing", help="Whether to write wall times; without them, equal games give equal files."
        ),
    ] = True,
    skip: SkipOption = None,
    skip_damaged: SkipDamagedOption = False,
    force: ForceOption = False,
) -> None:
    """Write results as tables for other programs.

    The tables are 'games' with one row per game and 'seats' with one row per player and game.
    """
    from turnwise.arena.results.export import export_csv, export_parquet
    from turnwise.arena.results.reading import open_results
    from turnwise.arena.results_file import results_files
    from turnwise.report.words import remarks_on

    if out.exists() and not out.is_dir():
        raise OptionError(f"{out} is a file; --out must name a folder for the tables.")
    refuse_inputs([out], results_files(file))
    if out.is_dir():
        for name in ("games", "seats"):
            check_target(out / f"{name}.{form.value}", force, results_files(file))
    write = export_csv if form is TableFormat.CSV else export_parquet
    with open_results(file, skip or (), skip_damaged=skip_damaged) as results:
        games, seats = write(results, out, timing)
        remarks = remarks_on(results)
    for remark in remarks:
        plain(remark)
    plain(f"Written: {games} and {seats}")


def standings_facts(path: Path) -> dict[str, Any]:
    """The tables of a results file as data for programs."""
    from turnwise.arena.results.reading import open_results
    from turnwise.arena.tournament.standings import standings_of

    with open_results(path) as results:
        found = standings_of(results, results.players, seed=results.spec.seed)
        scores = score_facts(list(results), results.players, results.spec.seed)
    return {
        "players": list(found.players),
        "endings": dict(found.endings),
        "overruns": [
            {
                "player": name,
                "decisions": one.decisions,
                "overruns": one.overruns,
                "median_seconds": one.median_overrun,
                "largest_seconds": one.worst_overrun,
            }
            for name, one in found.summaries.items()
        ],
        "pairs": [
            {
                "player": row,
                "opponent": column,
                "wins": result.tally.wins,
                "draws": result.tally.draws,
                "losses": result.tally.losses,
                "score": result.score.estimate,
                "low": result.score.low,
                "high": result.score.high,
            }
            for (row, column), result in found.pairs.items()
        ],
        "ratings": rating_facts(found.ratings),
    } | ({"scores": scores} if scores else {})


def scenario_texts(results: Results) -> list[str]:
    """The scenarios of a tournament as its file names them; one with the content of a file is named by its label."""
    return [label if "{" in text else text for text, label in zip(results.spec.games, results.rules, strict=True)]


def rating_facts(ratings: RatingTable | None) -> list[dict[str, Any]]:
    """Ratings as data for programs, best first, in Elo points relative to the mean of all players."""
    if ratings is None:
        return []
    return [
        {
            "player": rating.player,
            "model": ratings.model,
            "elo": rating.elo.estimate,
            "low": rating.elo.low,
            "high": rating.elo.high,
            "games": rating.games,
        }
        for rating in ratings.ratings
    ]


def score_facts(records: Sequence[GameRecord], players: Sequence[str], seed: int) -> list[dict[str, Any]]:
    """Mean scores of single-player games as data for programs; equal bounds mean that no interval is known."""
    from turnwise.report.scores import score_comparisons

    return [
        {
            "player": series.name,
            "game": case,
            "measure": compared.unit,
            "mean": value.estimate,
            "low": value.low,
            "high": value.high,
        }
        for compared in score_comparisons(records, players, seed)
        for series in compared.series
        for case, value in zip(compared.cases, series.values, strict=True)
        if value is not None
    ]


def show_standings(path: Path) -> int:
    """Show every player against every other with intervals, ratings, overruns, endings; returns the number of games."""
    from turnwise.arena.results.reading import open_results
    from turnwise.report.builder import make_reading
    from turnwise.report.scores import score_comparisons
    from turnwise.report.terminal import (
        comparison_table,
        ending_table,
        key,
        overrun_table,
        rating_table,
        win_table,
    )
    from turnwise.report.words import MANY_SEATS

    with open_results(path) as results:
        records = list(results)
        found = make_reading("", records, players=results.players, seed=results.spec.seed)
        scores = score_comparisons(records, results.players, results.spec.seed)
    if not found.games:
        return len(records)
    show(win_table(found.wins, found.games))
    plain(key(found.wins))
    if found.ratings is not None:
        show(rating_table(found.ratings))
        if found.most_seats > 2:
            plain(MANY_SEATS)
    for compared in scores:
        show(comparison_table(compared))
    if found.overruns:
        show(overrun_table(found.overruns))
    if found.endings.pairs:
        show(ending_table(found.endings))
    return len(records)
