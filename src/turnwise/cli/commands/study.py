"""``study``: run a publication's experiment again and judge its claims."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from turnwise.cli.commands.results import warn_of_doubts
from turnwise.cli.ui.options import RetryDamagedOption, WorkersOption, add
from turnwise.cli.ui.output import console, message, plain
from turnwise.cli.ui.progress import Meter, compile_progress
from turnwise.studies import PARTS


class ReadingChoice(StrEnum):
    """Which reading of a publication is run."""

    SOUND = "sound"
    AS_PUBLISHED = "as-published"
    AS_CODED = "as-coded"
    BOTH = "both"
    ALL = "all"


def register(app: typer.Typer) -> None:
    """Add the command."""
    add(
        app,
        study,
        "turnwise study oe-2016 --effort quick --workers 2",
        "turnwise study oe-2016 --effort paper --games 100 --workers 2 --reading both --out oe-2016",
        "turnwise study oe-2016 --time 30 --games 6",
        "turnwise study hybrids-2022 --effort tenth --workers 2",
    )


NameArgument = Annotated[
    str | None, typer.Argument(metavar="NAME", help="The study; without a name: list them.", show_default=False)
]
EffortOption = Annotated[
    str,
    typer.Option(
        "--effort",
        metavar="NAME",
        help="paper (oe-2016) or thesis (hybrids-2022): the work per turn that the publication reports; tenth "
        "(hybrids-2022); quick: very little.",
    ),
]
TimeOption = Annotated[
    float | None,
    typer.Option("--time", metavar="MS", min=0.1, max=3_600_000, help="Wall time per turn instead of an effort."),
]
GamesOption = Annotated[
    int | None,
    typer.Option(
        "--games",
        "-g",
        min=1,
        max=1_000_000,
        help="Games per pair (oe-2016), rounded up to an even number; seeds per board and track (hybrids-2022).",
    ),
]
FolderOption = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="DIR", file_okay=False, help="Folder for results and report."),
]
ReadingOption = Annotated[
    ReadingChoice | None,
    typer.Option(
        "--reading",
        help="How the publication of oe-2016 is read; both (the default): sound and as published; all: all three.",
        show_default=False,
    ),
]
_PARTS = "; ".join(f"{name}: {', '.join(parts)}" for name, parts in PARTS.items())
PartOption = Annotated[
    list[str] | None,
    typer.Option(
        "--only",
        metavar="PART",
        help=f"Only this part ({_PARTS}); may be given several times.",
    ),
]


def study(
    name: NameArgument = None,
    effort: EffortOption = "quick",
    time_ms: TimeOption = None,
    games: GamesOption = None,
    workers: WorkersOption = 1,
    out: FolderOption = None,
    reading: ReadingOption = None,
    only: PartOption = None,
    retry_damaged: RetryDamagedOption = False,
) -> None:
    """Run a published experiment again: its tables beside ours, each claim with a verdict.

    The same command goes on where it stopped. The last line is the path of the report.
    """
    from turnwise.core.errors import OptionError
    from turnwise.core.extras import need
    from turnwise.report.terminal import print_report
    from turnwise.studies import STUDIES, get_study

    if effort != "quick" and time_ms is not None:
        raise OptionError("--effort and --time exclude each other: a study counts work or measures time.")
    if name is None:
        plain("Studies: " + ", ".join(STUDIES))
        return
    need("report", "A study's report")  # before hours of play, not after
    run_study = get_study(name)
    if reading is not None and name == "hybrids-2022":
        raise OptionError(
            "--reading: hybrids-2022 has one reading only, as its publication comes with no program to be read beside "
            "its text. Leave it away."
        )
    chosen = (reading or ReadingChoice.BOTH).value
    narrowed = {"only": tuple(only)} if only else {}
    said: list[str] = []

    def say(text: str) -> None:
        """Tell it now, and again below the tables, which may be long."""
        said.append(text)
        message("Note", text, style="yellow")

    with compile_progress(), Meter(name) as meter:
        result = run_study(
            effort,
            time_ms,
            games,
            workers,
            out,
            chosen,
            lambda *now: meter.show(*now),
            say=say,
            retry_damaged=retry_damaged,
            **narrowed,
        )
    print_report(result.data, console())
    warn_of_doubts(result.data)
    for text in said:
        plain(text)
    plain(str(result.path))
