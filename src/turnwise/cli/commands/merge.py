"""``merge``: one results file from those of several machines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from turnwise.cli.ui.options import ForceOption, JsonOption, add
from turnwise.cli.ui.output import check_target, plain, print_json
from turnwise.core.errors import counted


def register(app: typer.Typer) -> None:
    """Add the command."""
    add(
        app,
        merge,
        "turnwise tournament league.toml --part 1/2 --out one.sqlite",
        "turnwise tournament league.toml --part 2/2 --out two.sqlite",
        "turnwise merge one.sqlite two.sqlite --out league.sqlite",
    )


def merge(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="RESULTS...", help="Results files of the same tournament.", show_default=False),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="RESULTS", help="The new results file.")],
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Join results files of one tournament, played in parts.

    The parts may come from several machines. The files are only read. The new file can be reported on, exported and
    continued like any other; games that are missing in all of them are played when the tournament is continued. With
    --part K/N, 'turnwise tournament' plays the K-th of N parts.
    """
    from turnwise.arena.results.merging import merge_results
    from turnwise.arena.results_file import results_files

    check_target(out, force, [part for file in files for part in results_files(file)])
    merged = merge_results(files, out)
    if as_json:
        taken = [{"file": str(file), "games": games} for file, games in zip(files, merged.taken, strict=True)]
        print_json({"results": str(out), "games": merged.games, "taken": taken, "in_several_files": merged.twice})
        return
    for file, games in zip(files, merged.taken, strict=True):
        plain(f"{file}: {counted(games, 'game', ',')} taken")
    if merged.twice:
        plain(f"{counted(merged.twice, 'game', ',')} in several files, counted once.")
    plain(f"Written: {out}, {counted(merged.games, 'game', ',')}")
