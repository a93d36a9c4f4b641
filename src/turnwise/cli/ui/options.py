"""Arguments and options that several commands share, so that they have the same names and help texts."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from turnwise.core.errors import OptionError

if TYPE_CHECKING:
    from typer.core import TyperCommand

    from turnwise.search.planner import Planner

GLOBAL_OPTIONS = ("--import", "--presets")
"""Options of every command, each with a value."""

GAME_HELP = "Game, with options if needed, as in [bold]hero-academy:map=a-small,deck=small[/bold]."
SINGLE_GAME_HELP = "Single-player game, with options if needed, as in [bold]samegame:board=7[/bold]."
PLANNER_HELP = "Planner, with parameters if needed, as in [bold]online-evolution:population=50[/bold]."
BUDGET_HELP = (
    "Limits of a turn: time=30ms, time=6s, cpu=6s (CPU time), forward=10000, evaluations=5000, iterations=1000; join "
    "several by '+'; '/action' at the end makes them limits of each action."
)

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help=GAME_HELP, show_default=False)]
PlannerOption = Annotated[str, typer.Option("--planner", "-p", metavar="PLANNER", help=PLANNER_HELP)]
PlayerOption = Annotated[
    str | None,
    typer.Option("--planner", "-p", metavar="PLANNER", help=PLANNER_HELP + " Default: the game's recommended one."),
]
BudgetOption = Annotated[str, typer.Option("--budget", "-b", metavar="BUDGET", help=BUDGET_HELP)]
SeedOption = Annotated[int, typer.Option("--seed", "-s", help="Seed of all random choices: any whole number.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON on standard output, for programs.")]
ForceOption = Annotated[bool, typer.Option("--force", help="Overwrite existing output files.")]
RetryDamagedOption = Annotated[
    bool,
    typer.Option(
        "--retry-damaged",
        help="Play again games that are damaged in the results file; the damaged file is kept as NAME.damaged.",
    ),
]
ResultsOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="RESULTS",
        help="Results file to write or continue; default: FILE.sqlite next to FILE.toml.",
    ),
]
OwnResultsOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="RESULTS",
        help="Results file to write or continue; default: a name made from the players and the game, in this folder.",
    ),
]
SchedulerOption = Annotated[
    str, typer.Option("--scheduler", metavar="ADDRESS", help="Play on the workers of a Dask scheduler instead.")
]
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
PageOption = Annotated[
    Path | None,
    typer.Option(
        "--html",
        metavar="FILE",
        help="Also write a page with tables, figures and games. The command replaces its own page on the same results.",
    ),
]
ReplayOption = Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="Save the game as a replay.")]
WorkersOption = Annotated[
    int, typer.Option("--workers", "-w", min=1, max=1024, help="Number of processes that play games in parallel.")
]
StateOption = Annotated[
    str | None,
    typer.Option(
        "--state",
        metavar="FILE[:LINE]",
        help="State to start from: a JSON file, or a line of a JSONL file (FILE:LINE; default: the first line); "
        "'-' reads standard input.",
    ),
]
PublishedOption = Annotated[
    bool, typer.Option("--as-published", help="Use the planner as its publication describes it.")
]
CodedOption = Annotated[bool, typer.Option("--as-coded", help="Use the planner as the publication's program runs it.")]


def add(
    app: typer.Typer,
    command: Callable[..., None],
    *shown: str,
    note: str = "",
    kind: type[TyperCommand] | None = None,
) -> None:
    """Add a command; its docstring is its help text, followed by examples.

    Args:
        app: The application.
        command: The function of the command, which also gives its name.
        *shown: Examples.
        note: A last paragraph of the help text.
        kind: Class of the command, if not the default.
    """
    paragraphs = inspect.cleandoc(command.__doc__ or "").split("\n\n")
    text = "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
    app.command(cls=kind, help=text, epilog=examples(*shown) + (f"\n\n{note}" if note else ""))(command)


def choices(kinds: type[StrEnum]) -> str:
    """How the help text and completion show an argument with few values: ``bash|zsh|fish``."""
    return "|".join(kinds)


def examples(*commands: str) -> str:
    """The end of a help text: commands to copy, one per line."""
    return "\n".join(["[bold]Examples[/bold]", *(f"[cyan]$ {command}[/cyan]" for command in commands)])


def seconds_of(text: str, option: str, least: float, most: float) -> float:
    """Read a time from the command line: ``30ms``, ``6s``, ``2min``.

    A bare number is refused, although budgets take it: a person may mean seconds or milliseconds.

    Args:
        text: What was typed.
        option: The option, for messages.
        least: Smallest number of seconds allowed.
        most: Largest number of seconds allowed.

    Raises:
        OptionError: This is not a time with a unit, or it is outside the range.
    """
    from turnwise.core.budget import parse_time

    seconds = parse_time(text, option, needs_unit=True)
    if not least <= seconds <= most:
        raise OptionError(f"{option}: expected a time from {1000 * least:g}ms to {most:.0f}s; got {text!r}.")
    return seconds


def make_planner(text: str, *, as_published: bool = False, as_coded: bool = False, **parameters: object) -> Planner:
    """Make the planner of a text, in the reading that the flags select.

    Raises:
        OptionError: Both readings are selected, or a reading and ``preset=``; or a parameter is invalid.
        UnknownNameError: No such planner.
    """
    from turnwise.registry import planner, split_text

    if as_published and as_coded:
        raise OptionError("--as-published and --as-coded exclude each other; give one of them.")
    if as_published or as_coded:
        flag = "as-published" if as_published else "as-coded"
        if "preset" in split_text(text)[1]:
            raise OptionError(f"--{flag} and 'preset=' in {text!r} both choose a preset; give one of them.")
        parameters["preset"] = flag
    return planner(text, **parameters)
