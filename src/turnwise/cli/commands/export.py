"""``export``: a tournament's results as tables for other programs."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from turnwise.cli.ui.options import ForceOption, SkipDamagedOption, SkipOption, add
from turnwise.cli.ui.output import check_target, plain
from turnwise.core.errors import OptionError
from turnwise.core.output_files import refuse_inputs

if TYPE_CHECKING:
    pass


class TableFormat(StrEnum):
    """Formats of tables."""

    CSV = "csv"
    PARQUET = "parquet"


def register(app: typer.Typer) -> None:
    """Add the command."""
    add(
        app,
        export,
        "turnwise export league.sqlite --format csv --out tables",
        "turnwise export league.sqlite --format parquet --out tables",
    )


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
