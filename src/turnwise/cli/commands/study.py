"""``study``: repeat a publication's experiment and judge its claims."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from turnwise.cli.ui.interruption import keeping
from turnwise.cli.ui.options import RetryDamagedOption, WorkersOption, add, seconds_of
from turnwise.cli.ui.output import console, message, plain, show, table
from turnwise.cli.ui.pages import warn_of_doubts
from turnwise.cli.ui.progress import ProgressMeter, compile_progress
from turnwise.studies import all_studies, get_study
from turnwise.studies.base import Study


def register(app: typer.Typer) -> None:
    """Add the command."""
    add(
        app,
        study,
        "turnwise study oe-2016 --effort quick --workers 2",
        "turnwise study oe-2016 --effort paper --games 100 --workers 2 --reading both --out oe-2016",
        "turnwise study oe-2016 --time 30ms --games 6",
        "turnwise study hybrids-2022 --effort tenth --workers 2",
        "turnwise study portfolio-2021 --effort quick --workers 2",
    )


def _efforts(study: Study) -> str:
    return "\n".join(f"{name}: {meaning}" for name, meaning in study.efforts.items())


def _parts(study: Study) -> str:
    return ", ".join(f"{part} (only on request)" if part in study.on_request else part for part in study.parts)


def _readings(study: Study) -> str:
    def shown(name: str) -> str:
        several = " and ".join(study.readings[name]) if len(study.readings[name]) > 1 else ""
        default = "the default" if name == study.default_reading else ""
        notes = "; ".join(filter(None, (several, default)))
        return f"{name} ({notes})" if notes else name

    return ", ".join(map(shown, study.readings))


_OPTIONS: Mapping[str, Callable[[Study], str]] = {
    "--effort": _efforts,
    "--games": lambda study: study.games,
    "--reading": _readings,
    "--only": _parts,
}


def _show_studies() -> None:
    """What every study asks, and the values of its options."""
    for known in all_studies():
        listing = table("option", "values", title=f"{known.name}: {known.summary}")
        for option, words in _OPTIONS.items():
            if values := words(known):
                listing.add_row(option, values)
        show(listing)
        plain(f"Publication: {known.title} ({known.source}).\n")


_LISTED = "'turnwise study' lists them."
NameArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="NAME", help="The study; without a name, all are listed with their options.", show_default=False
    ),
]
EffortOption = Annotated[
    str | None,
    typer.Option(
        "--effort",
        metavar="NAME",
        help=f"Search effort of each planner; without --effort and --time: quick. Every study has its own: {_LISTED}",
    ),
]
TimeOption = Annotated[
    str | None,
    typer.Option(
        "--time",
        "-t",
        metavar="TIME",
        help="Wall time per turn instead of an effort: 30ms, 6s; not together with --effort.",
    ),
]
GamesOption = Annotated[
    int | None,
    typer.Option(
        "--games",
        "-g",
        min=1,
        max=1_000_000,
        help="Number of games; 'turnwise study' says of what, and how many there are by default.",
    ),
]
FolderOption = Annotated[
    Path | None,
    typer.Option(
        "--out", "-o", metavar="DIR", file_okay=False, help="Folder for results and report; default: runs/NAME-EFFORT."
    ),
]
ReadingOption = Annotated[
    str,
    typer.Option(
        "--reading",
        metavar="NAME",
        help=f"Reading of the publication. Every study has its own: {_LISTED}",
        show_default=False,
    ),
]
PartOption = Annotated[
    list[str] | None,
    typer.Option(
        "--only",
        metavar="PART",
        help=f"Run only this part; may be given several times. Every study has its own: {_LISTED}",
    ),
]


def study(
    name: NameArgument = None,
    effort: EffortOption = None,
    time: TimeOption = None,
    games: GamesOption = None,
    workers: WorkersOption = 1,
    out: FolderOption = None,
    reading: ReadingOption = "",
    only: PartOption = None,
    retry_damaged: RetryDamagedOption = False,
) -> None:
    """Repeat a published experiment and judge its claims.

    The tables show the published numbers next to ours. After an interruption the same command continues where it
    stopped. The last line is the path of the report.
    """
    from turnwise.core.extras import need
    from turnwise.report.terminal import closing_lines, print_report
    from turnwise.studies.parts import WRITING_THE_REPORT

    time_ms = None if time is None else 1000 * seconds_of(time, "--time", 1e-4, 3600)
    if name is None:
        _show_studies()
        return
    need("report", "A study's report")  # before hours of play, not after
    chosen = get_study(name)
    notes: list[str] = []

    def say(text: str) -> None:
        """Show a text now, and again below the tables, which may be long."""
        if text != WRITING_THE_REPORT:
            notes.append(text)
        message("Note", text, style="yellow")

    message("Study", f"{chosen.title} ({chosen.source})", style="green")
    kept = "files and finished games written so far are kept"
    with keeping(lambda: kept), compile_progress(), ProgressMeter(name) as meter:
        result = chosen.run(
            effort=effort,
            time_ms=time_ms,
            games=games,
            workers=workers,
            out=out,
            reading=reading,
            only=only or (),
            retry_damaged=retry_damaged,
            progress=lambda *now: meter.show(*now),
            say=say,
        )
    print_report(result.data, console())
    warn_of_doubts(result.data)
    plain("")
    for text in (*closing_lines(result.data), *notes):
        plain(text)
    published = next(iter(chosen.efforts))
    if effort != published or time is not None:
        plain(f"Next: 'turnwise study {name} --effort {published}' plays at the published effort, for hours.")
    plain("Report with figures and games to watch, for a browser:")
    plain(str(result.path))
