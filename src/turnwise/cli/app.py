"""The commands and the global options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from turnwise.cli.commands import (
    bench,
    check,
    checking,
    compare,
    completion,
    contest,
    curve,
    discover,
    engine,
    export,
    match,
    merge,
    new,
    plan,
    play,
    profile,
    report,
    serve,
    solve,
    stats,
    study,
    tournament,
    tune,
    warmup,
)
from turnwise.cli.ui.options import examples
from turnwise.cli.ui.user_modules import import_modules

app = typer.Typer(
    name="turnwise",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples(
        "turnwise games",
        "turnwise plan hero-academy --planner online-evolution --budget time=100ms",
        "turnwise play hero-academy --planner mcts",
        "turnwise --import my_game plan my-game --planner greedy-turn",
    ),
)
for group in (
    discover,
    plan,
    solve,
    play,
    match,
    compare,
    curve,
    tournament,
    merge,
    tune,
    report,
    serve,
    export,
    study,
    check,
    checking,
    contest,
    engine,
    stats,
    bench,
    profile,
    new,
    warmup,
    completion,
):
    group.register(app)


def _show_version(wanted: bool) -> None:
    if wanted:
        from turnwise import __version__

        typer.echo(f"turnwise {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def turnwise(
    context: typer.Context,
    modules: Annotated[
        list[str] | None,
        typer.Option(
            "--import",
            metavar="MODULE",
            help="Python module that registers games or planners of your own; the current folder is searched too.",
        ),
    ] = None,
    presets: Annotated[
        list[Path] | None,
        typer.Option(
            "--presets",
            metavar="FILE.toml",
            help="Presets of planners, as 'turnwise tune --write-preset' writes them; may be given several times.",
        ),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Plan whole turns in games where a player takes several actions per turn."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(2)
    context.obj = tuple(modules or ())
    if context.obj:
        import_modules(context.obj)
    _load_presets(presets or [])


def _load_presets(files: list[Path]) -> None:
    """Load the user's presets in place of those of an earlier command in this process.

    Raises:
        TurnwiseError: A file cannot be read, or a preset in it is not valid.
    """
    from turnwise.search.presets import added, remove

    remove(*added())
    if files:
        from turnwise.registry import load_presets

        for file in files:
            load_presets(file)
