"""``tournament``: play one from its file, or go on with it."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from turnwise.cli.ui.options import JsonOption, RetryDamagedOption, WorkersOption, add
from turnwise.cli.ui.output import message, plain, print_json
from turnwise.cli.ui.progress import Meter, compile_progress
from turnwise.core.errors import TurnwiseError, counted
from turnwise.core.output_files import refuse_inputs

if TYPE_CHECKING:
    from turnwise.arena.tournament.run import Progress

_FILE_EXAMPLE = """[bold]A small file[/bold]
games = "hero-academy"
players = \\["mcts", "greedy-turn", "random"]
budget = "time=30ms"
games_per_pair = 20"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    add(
        app,
        tournament,
        "turnwise tournament league.toml --workers 2",
        "turnwise tournament league.toml --store results.sqlite",
        note=_FILE_EXAMPLE,
    )


def tournament(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The tournament.", show_default=False)],
    store: Annotated[
        Path | None,
        typer.Option("--store", metavar="FILE", help="Results file; default: FILE.sqlite beside the tournament."),
    ] = None,
    workers: WorkersOption = 1,
    scheduler: Annotated[
        str, typer.Option("--scheduler", metavar="ADDRESS", help="Play on the workers of a Dask scheduler instead.")
    ] = "",
    retry_abandoned: Annotated[
        bool, typer.Option("--retry-abandoned", help="Play games again that were given up after lost workers.")
    ] = False,
    retry_damaged: RetryDamagedOption = False,
    as_json: JsonOption = False,
) -> None:
    """Play a tournament, or go on with one: games that are in the results file are not played again.

    Every finished game is written at once; after Ctrl-C, a crash or a power cut the same command goes on.
    """
    from turnwise.arena.results_file import results_files
    from turnwise.arena.tournament.run import run_tournament
    from turnwise.arena.tournament.specification import read_spec

    spec = read_spec(file)
    target = store or file.with_suffix(".sqlite")
    _check_results_file(target)
    refuse_inputs(results_files(target), [file])
    with compile_progress(), Meter(spec.name) as meter:
        summary = run_tournament(
            spec,
            target,
            workers=workers,
            scheduler=scheduler,
            imports=context.obj or (),
            retry_abandoned=retry_abandoned,
            retry_damaged=retry_damaged,
            command=_typed(file, target, context.obj or ()),
            progress=lambda step: _advance(meter, step),
        )
    facts = {
        "results": str(summary.path),
        "games": summary.total,
        "played": summary.played,
        "abandoned": summary.abandoned,
        "lost_workers": summary.lost,
        "decisions": list(summary.decisions),
    }
    from turnwise.cli.commands.results import show_standings, standings_facts

    if as_json:
        print_json(facts | standings_facts(summary.path))
        return
    stored = show_standings(summary.path)
    for text in summary.decisions:
        plain(text)
    done = f"{counted(summary.played, 'game')} played now" if summary.played else "All games were there already"
    plain(f"{done}; {counted(summary.total, 'game')} in {summary.path}")
    if stored > summary.total:
        plain(f"{stored - summary.total} further games from a run that asked for more are in the file and counted.")


def _typed(file: Path, store: Path, imports: tuple[str, ...]) -> str:
    """The command that plays it again, for the report; names of files without their folders."""
    words = ["turnwise", *(word for name in imports for word in ("--import", name)), "tournament", file.name]
    if store != file.with_suffix(".sqlite"):
        words += ["--store", store.name]
    return shlex.join(words)


def _check_results_file(path: Path) -> None:
    folder = path.absolute().parent
    if not folder.is_dir() or path.is_dir():
        what = "is a folder" if path.is_dir() else f"there is no folder {folder}"
        raise TurnwiseError(f"{path}: {what}; --store names the results file.")


def _advance(meter: Meter, step: Progress) -> None:
    """Move the bar, and say what the run has to say."""
    if step.message:
        message("Note", step.message, style="yellow")
    meter.show(step.done, step.total)
