"""``tune``: search for good parameters of a planner, or continue a search."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from turnwise.cli.ui.options import ForceOption, JsonOption, WorkersOption, add
from turnwise.cli.ui.output import check_target, message, plain, print_json, show, table, write_whole
from turnwise.cli.ui.progress import ProgressMeter, compile_progress
from turnwise.core.errors import TurnwiseError, counted
from turnwise.core.output_files import check_writable, refuse_inputs

if TYPE_CHECKING:
    from turnwise.tuning.campaign import TuningProgress
    from turnwise.tuning.run import Tuning
    from turnwise.tuning.specification import TuningSpec

_FILE_EXAMPLE = """[bold]A small file[/bold]
games = "hero-academy"
planner = "mcts"
opponents = "greedy-turn"
budget = "time=30ms"
evaluations = 100
parameters.exploration = \\[0.05, 0.1, 0.2, 0.5, 1.0]
parameters.policy = \\["random", "heuristic"]"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    add(
        app,
        tune,
        "turnwise tune mcts.toml --workers 2",
        "turnwise tune mcts.toml --report mcts.html --write-preset tuned-mcts",
        note=_FILE_EXAMPLE,
    )


def tune(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The tuning's file.", show_default=False)],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="RESULTS",
            help="Results file to write or continue; default: FILE.sqlite next to FILE.toml.",
        ),
    ] = None,
    workers: WorkersOption = 1,
    scheduler: Annotated[
        str, typer.Option("--scheduler", metavar="ADDRESS", help="Play on the workers of a Dask scheduler instead.")
    ] = "",
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="PAGE.html", help="Write a page with plots by parameter and pair."),
    ] = None,
    write_preset: Annotated[
        str,
        typer.Option(
            "--write-preset",
            metavar="NAME",
            help="Write the best settings to NAME.toml, as a preset for a game's settings.toml.",
        ),
    ] = "",
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Search for the best parameters of a planner, or continue.

    Evaluations that are in the results file are not repeated. Every finished game is saved at once; after Ctrl-C, a
    crash or a power cut the same command continues.
    """
    from turnwise.arena.results_file import results_files
    from turnwise.tuning.campaign import run_tuning
    from turnwise.tuning.preset import check_preset, preset_text
    from turnwise.tuning.specification import read_tuning

    spec = read_tuning(file)
    target = out or file.with_suffix(".sqlite")
    _check_results_file(target)
    inputs = [file, *results_files(target)]
    refuse_inputs(results_files(target), [file])
    preset = Path(f"{write_preset}.toml") if write_preset else None
    if preset is not None:
        check_preset(spec, write_preset)
        check_target(preset, force, inputs)
    if report is not None:
        check_target(report, force, [*inputs, *([preset] if preset else [])])
        _need_report()
    display = _Display()
    typed = _typed(file, target, context.obj or ())
    with compile_progress(), ProgressMeter(spec.name, thing="call" if spec.function else "game") as meter:
        tuning = run_tuning(
            spec,
            target,
            workers=workers,
            scheduler=scheduler,
            imports=context.obj or (),
            command=typed,
            progress=lambda step: display.show(meter, step),
        )
    if report is not None:
        from turnwise.tuning.page import render_tuning

        write_whole(report, render_tuning(spec, tuning, typed), force=force)
    if preset is not None:
        write_whole(preset, preset_text(spec, tuning, write_preset), force=force)
    if as_json:
        print_json(_facts(spec, tuning, target))
        return
    _show(spec, tuning)
    plain(f"{counted(len(tuning.evaluations), 'evaluation')} in {target}")
    for what, path in (("Report", report), ("Preset", preset)):
        if path is not None:
            plain(f"{what}: {path}")


def _need_report() -> None:
    from turnwise.core.extras import need

    need("report", "An HTML report", "Without --report the results are printed.")


def _show(spec: TuningSpec, tuning: Tuning) -> None:
    """Print the best settings with their fitness, and what the other runs recommend."""
    from turnwise.tuning.estimates import fair_samples, interval_of
    from turnwise.tuning.page import fitness_words, settings_words

    plain(f"Best settings of {spec.name}")
    best = table("parameter", "value")
    for name, value in tuning.best.items():
        best.add_row(name.replace("_", "-"), settings_words({name: value}).partition("=")[2])
    show(best)
    kind = "of evaluations that the search did not see" if tuning.is_chosen else "of the search, so too optimistic"
    plain(f"Fitness {fitness_words(tuning.interval)}, {kind}")
    others = [point for point in dict.fromkeys(tuning.recommendations) if point != tuning.point]
    for point in others:
        samples, _ = fair_samples(tuning.evaluations, point)
        words = fitness_words(interval_of(samples) if samples else None)
        plain(f"Also recommended: {settings_words(tuning.space.settings(point))}, fitness {words}")


def _facts(spec: TuningSpec, tuning: Tuning, target: Path) -> dict[str, Any]:
    interval = tuning.interval
    return {
        "results": str(target),
        "name": spec.name,
        "points": tuning.space.size,
        "evaluations": len(tuning.evaluations),
        "best": tuning.best,
        "fitness": interval and {"estimate": interval.estimate, "low": interval.low, "high": interval.high},
        "is_chosen": tuning.is_chosen,
        "recommendations": [tuning.space.settings(point) for point in tuning.recommendations],
        "refused": sum(bool(each.refusal) for each in tuning.evaluations),
    }


def _typed(file: Path, results: Path, imports: tuple[str, ...]) -> str:
    """The command that repeats the tuning, for the report; file names without folders."""
    words = ["turnwise", *(word for name in imports for word in ("--import", name)), "tune", file.name]
    if results != file.with_suffix(".sqlite"):
        words += ["--out", results.name]
    return shlex.join(words)


def _check_results_file(path: Path) -> None:
    folder = path.absolute().parent
    if not folder.is_dir() or path.is_dir():
        what = "this is a folder" if path.is_dir() else f"there is no folder {folder}"
        raise TurnwiseError(f"{path}: {what}; --out must name a results file in an existing folder.")
    check_writable(path, folder, "--out")


class _Display:
    """Progress of a tuning: the bar, the best settings so far, and the run's messages."""

    def __init__(self) -> None:
        self._tuning: Tuning | None = None
        self._best = ""

    def show(self, meter: ProgressMeter, step: TuningProgress) -> None:
        """Show a step."""
        from turnwise.tuning.page import best_words

        if step.message:
            message("Note", step.message, style="yellow")
        if step.tuning is not self._tuning and step.tuning is not None:
            self._tuning, self._best = step.tuning, best_words(step.tuning)
        meter.show(step.done, step.total, self._best, self._best)
