"""How commands show games that errors in the players' code ended, and end after them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

from turnwise.cli.ui.exit_codes import FAULTS_FOUND

if TYPE_CHECKING:
    from turnwise.arena.tournament.failed_games import FailedGames


def error_facts(failed: Sequence[FailedGames]) -> list[dict[str, Any]]:
    """The games as data for programs, one entry per player that failed."""
    return [{"player": each.player, "games": each.games, "first": each.first} for each in failed]


def end_with_errors(failed: Sequence[FailedGames]) -> None:
    """End the command with the exit code for faults, if there is any.

    Raises:
        typer.Exit: Errors ended games.
    """
    if failed:
        raise typer.Exit(FAULTS_FOUND)
