"""``new``: a package with a game or planner of one's own."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from turnwise.cli.new_package.package import Kind, new_package
from turnwise.cli.ui.options import add, choices
from turnwise.cli.ui.output import plain


def register(app: typer.Typer) -> None:
    """Add the command."""
    add(
        app,
        new,
        "turnwise new game my-game",
        "turnwise new game my-game --compiled",
        "turnwise new planner my-planner --compiled --in projects",
    )


def new(
    kind: Annotated[Kind, typer.Argument(metavar=choices(Kind), help="What the package holds.", show_default=False)],
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Its name, in small letters: my-game.", show_default=False)
    ],
    compiled: Annotated[
        bool,
        typer.Option(
            "--compiled", help="Compiled code, up to a hundred times as fast; a game comes with its plain twin."
        ),
    ] = False,
    folder: Annotated[
        Path, typer.Option("--in", metavar="DIR", file_okay=False, help="Folder in which the package is made.")
    ] = Path(),
) -> None:
    """Begin a package with a game or planner of your own.

    It works at once and is there to be changed step by step. The package has an entry point, by which turnwise finds it
    once it is installed, and tests by the conformance kit.
    """
    written = new_package(kind, name, folder, compiled=compiled)
    for file in written:
        plain(f"  {file}")
    package, module = written[0].parent, name.replace("-", "_")
    example = f"plan {name} --planner greedy-turn" if kind is Kind.GAME else f"plan GAME --planner {name}"
    plain(f"Next: cd {shlex.quote(str(package))}; pip install -e .; pytest; turnwise {example} --budget forward=1000")
    plain(f"Without installing it: PYTHONPATH=src turnwise --import {module} {example} --budget forward=1000")
    checked = f"check {name}" if kind is Kind.GAME else f"check {name} --game GAME"
    plain(f"The conformance kit at any time: turnwise {checked}")
