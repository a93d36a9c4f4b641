"""``tournament``: play a tournament from its file, or continue it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from turnwise.cli.ui.options import (
    ForceOption,
    JsonOption,
    PageOption,
    ResultsOption,
    RetryDamagedOption,
    SchedulerOption,
    WorkersOption,
    add,
)
from turnwise.cli.ui.output import message, plain, print_json
from turnwise.cli.ui.pages import check_page, page_maker
from turnwise.cli.ui.results_page import report_command, results_page
from turnwise.cli.ui.results_target import merge_command, repeating_command, results_target
from turnwise.cli.ui.standings import show_standings, standings_facts
from turnwise.cli.ui.tournament_runs import play_games
from turnwise.core.errors import OptionError, counted
from turnwise.core.text_file import errors_name

_PART = re.compile(r"(\d{1,6})/(\d{1,6})")
_FILE_EXAMPLE = """[bold]A small file[/bold]
games = "hero-academy"
players = \\["mcts", "greedy-turn", "random"]
budget = "time=30ms"
games_per_pair = 20"""

_NOTHING = "This part has no game, so there is nothing to show:"


def register(app: typer.Typer) -> None:
    """Add the command."""
    add(
        app,
        tournament,
        "turnwise tournament league.toml --workers 2",
        "turnwise tournament league.toml --out results.sqlite",
        "turnwise tournament league.toml --html league.html",
        "turnwise tournament league.toml --part 1/2 --out one.sqlite",
        note=_FILE_EXAMPLE,
    )


def tournament(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The tournament's file.", show_default=False)],
    out: ResultsOption = None,
    workers: WorkersOption = 1,
    scheduler: SchedulerOption = "",
    retry_abandoned: Annotated[
        bool, typer.Option("--retry-abandoned", help="Play again games that were given up after lost workers.")
    ] = False,
    retry_damaged: RetryDamagedOption = False,
    part: Annotated[
        str,
        typer.Option("--part", metavar="K/N", help="Play the K-th of N parts; 'turnwise merge' joins their results."),
    ] = "1/1",
    html: PageOption = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Play a tournament from its file, or continue it.

    Games that are in the results file are not played again. Every finished game is saved at once; after Ctrl-C, a
    crash or a power cut the same command continues.
    """
    from turnwise.arena.results_file import results_files
    from turnwise.arena.tournament.schedule import make_schedule
    from turnwise.arena.tournament.specification import read_spec

    portion = _read_part(part)
    spec = read_spec(file)
    with errors_name(file):
        next(make_schedule(spec).jobs())
    target = results_target(file, out)
    maker = "" if html is None else page_maker("tournament", target, html)
    if html is not None:
        check_page(html, maker, force, [file, *results_files(target)])
    summary = play_games(
        spec,
        target,
        workers=workers,
        scheduler=scheduler,
        imports=context.obj or (),
        retry_abandoned=retry_abandoned,
        retry_damaged=retry_damaged,
        command=repeating_command("tournament", file, target, context.obj or ()),
        part=portion,
    )
    facts = {
        "results": str(summary.path),
        "games": summary.total,
        "played": summary.played,
        "abandoned": summary.abandoned,
        "lost_workers": summary.lost,
        "decisions": list(summary.decisions),
    }
    if as_json:
        print_json(facts | standings_facts(summary.path))
        if html is not None and summary.total:
            results_page(summary.path, html, maker=maker, is_quiet=True)
        elif html is not None:
            message("Note", f"{_NOTHING} {html} was not written.", style="yellow")
        return
    stored = show_standings(summary.path)
    done = f"{counted(summary.played, 'game')} played now" if summary.played else "All games had been played already"
    plain(f"{done}; {counted(summary.total, 'game')} in {summary.path}")
    if stored > summary.total:
        more = stored - summary.total
        they = "it is" if more == 1 else "they are"
        whose = "a run with more games" if portion[1] == 1 else "other parts"
        plain(f"The file also holds {counted(more, 'game')} of {whose}; {they} counted, too.")
    if portion[1] > 1 and stored < sum(1 for _ in make_schedule(spec).jobs()):
        plain(f"This is part {portion[0]} of {portion[1]}. To join all when they are played:")
        plain(f"  {merge_command(file, target, *portion)}")
    if html is not None and not stored:
        plain(f"{_NOTHING} {html} was not written.")
    elif html is not None:
        results_page(summary.path, html, maker=maker)
    elif stored and portion[1] == 1:
        plain(f"For a page on these results: {report_command(summary.path, context.obj or ())}")


def _read_part(text: str) -> tuple[int, int]:
    """Read ``K/N``.

    Raises:
        OptionError: It is not of that form, or there is no such part.
    """
    found = _PART.fullmatch(text.strip())
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise OptionError(f"--part {text!r}: expected K/N with 1 <= K <= N, for example 2/3 for the second of three.")
    return int(found[1]), int(found[2])
