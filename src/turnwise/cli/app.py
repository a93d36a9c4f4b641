"""The commands and the global options."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from turnwise.cli.commands import (
    bench,
    checking,
    compare,
    contest,
    discover,
    export,
    match,
    merge,
    plan,
    play,
    profile,
    report,
    solve,
    stats,
    study,
    tournament,
    tune,
    warmup,
)
from turnwise.cli.ui.options import examples
from turnwise.cli.ui.output import message
from turnwise.core.errors import TurnwiseError

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
    tournament,
    merge,
    tune,
    report,
    export,
    study,
    checking,
    contest,
    stats,
    bench,
    profile,
    warmup,
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
        _import_all(context.obj)
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


def _import_all(modules: tuple[str, ...]) -> None:
    """Import the user's modules, here and in processes started from here.

    Raises:
        TurnwiseError: A module cannot be imported.
    """
    here = os.getcwd()
    if here not in sys.path:
        sys.path.insert(0, here)
        inherited = os.environ.get("PYTHONPATH")
        os.environ["PYTHONPATH"] = os.pathsep.join([here, inherited] if inherited else [here])
    from turnwise.registry import GAMES, PLANNERS

    for name in modules:
        before = [registry.names() for registry in (GAMES, PLANNERS)]
        try:
            module = importlib.import_module(name)
        except ImportError as error:
            raise TurnwiseError(
                f"The module {name!r} cannot be imported: {error}. Give the module's name as in Python (my_game, not "
                "my_game.py); it must be installed or be in the current folder."
            ) from None
        except Exception as error:  # a user's module can fail in any way
            raise TurnwiseError(
                f"The module {name!r} fails when it is imported: {type(error).__name__}: {error}."
            ) from error
        if before == [registry.names() for registry in (GAMES, PLANNERS)] and not _has_entries(name):
            message("Warning", _nothing_registered(name, getattr(module, "__file__", None)), style="bold yellow")


def _has_entries(module: str) -> bool:
    """Whether a registered game or planner belongs to a module or package; it may have been imported before."""
    from turnwise.registry import GAMES, PLANNERS

    owners = {registry.module(name) for registry in (GAMES, PLANNERS) for name in registry.names()}
    return any(owner == module or owner.startswith(f"{module}.") for owner in owners)


def _nothing_registered(module: str, file: str | None) -> str:
    where = f" ({file})" if file else ""
    return (
        f"--import {module}: expected a module that registers a game or a planner, but importing it{where} registers "
        "none. Check that it is the module you mean, and that it calls turnwise.GAMES.add(NAME, CLASS) or "
        "turnwise.PLANNERS.add(NAME, CLASS) at its top level, not only under 'if __name__ == \"__main__\":'. If it "
        "was imported for something else, ignore this."
    )
