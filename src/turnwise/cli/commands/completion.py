"""``completion``: a script that makes a shell complete commands, options and names."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from turnwise.cli.ui.options import add, choices
from turnwise.cli.ui.output import plain


class Shell(StrEnum):
    """Shells with a completion script."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def register(app: typer.Typer) -> None:
    """Add the command."""
    add(
        app,
        completion,
        "turnwise completion bash",
        "turnwise completion zsh",
        "turnwise completion fish",
        note="Save the output where the shell looks for it: in ~/.local/share/bash-completion/completions/turnwise "
        "(bash), in a file that ~/.zshrc sources (zsh), or in ~/.config/fish/completions/turnwise.fish (fish).",
    )


def completion(
    context: typer.Context,
    shell: Annotated[Shell, typer.Argument(metavar=choices(Shell), help="The shell.", show_default=False)],
) -> None:
    """Print a script that makes a shell complete names.

    It completes commands, options, games, planners and studies: all that this version knows, with those of modules
    named by --import. It also knows those of modules that the line to complete names by --import before the cursor.
    Write it again after an update.
    """
    from turnwise.cli.ui.completion import SHELLS, entries

    assert context.parent is not None
    commands = context.parent.command.commands  # type: ignore[attr-defined]
    plain(SHELLS[shell.value](entries(commands)).rstrip("\n"))
