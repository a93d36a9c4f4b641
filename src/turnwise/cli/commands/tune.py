"""``tune``: search for good parameters of a planner, or continue a search."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from turnwise.cli.ui.interruption import keeping, kept_in
from turnwise.cli.ui.options import (
    ForceOption,
    JsonOption,
    ResultsOption,
    RetryDamagedOption,
    SchedulerOption,
    WorkersOption,
    add,
)
from turnwise.cli.ui.output import check_target, message, plain, print_json, show, table, write_whole
from turnwise.cli.ui.progress import ProgressMeter, compile_progress
from turnwise.cli.ui.results_target import repeating_command, results_target
from turnwise.core.errors import counted
from turnwise.core.text_file import errors_name

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
parameters.policy = \\["uniform", "random-heuristic"]"""


FileArgument = Annotated[Path, typer.Argument(metavar="FILE.toml", help="The tuning's file.", show_default=False)]
ReportOption = Annotated[
    Path | None,
    typer.Option("--report", metavar="PAGE.html", help="Write a page with plots by parameter and pair."),
]
PresetOption = Annotated[
    str,
    typer.Option(
        "--write-preset",
        metavar="NAME",
        help="Write the best settings to NAME.toml, as a preset for '--presets NAME.toml' or a game's settings.toml.",
    ),
]


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
    file: FileArgument,
    out: ResultsOption = None,
    workers: WorkersOption = 1,
    scheduler: SchedulerOption = "",
    report: ReportOption = None,
    write_preset: PresetOption = "",
    retry_damaged: RetryDamagedOption = False,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Search for the best parameters of a planner, or continue.

    Evaluations that are in the results file are not repeated. Every finished game is saved at once; after Ctrl-C, a
    crash or a power cut the same command continues.
    """
    from turnwise.tuning.campaign import check_tuning, run_tuning
    from turnwise.tuning.page import forfeit_words
    from turnwise.tuning.results import has_results
    from turnwise.tuning.specification import read_tuning

    imports = context.obj or ()
    spec = read_tuning(file)
    with errors_name(file):
        check_tuning(spec, imports)
    target = results_target(file, out)
    outputs = _Outputs(spec, report, write_preset, force)
    outputs.check(file, target)
    command = repeating_command("tune", file, target, imports)
    display = _Display()
    with (
        keeping(kept_in(target, has_results)),
        compile_progress(),
        ProgressMeter(spec.name, thing="call" if spec.function else "game") as meter,
    ):
        tuning = run_tuning(
            spec,
            target,
            workers=workers,
            scheduler=scheduler,
            imports=imports,
            retry_damaged=retry_damaged,
            command=command,
            progress=lambda step: display.show(meter, step),
        )
    outputs.write(tuning, command)
    if as_json:
        print_json(_facts(spec, tuning, target))
        return
    _show(spec, tuning)
    plain(f"{counted(len(tuning.evaluations), 'evaluation')} in {target}")
    if words := forfeit_words(tuning):
        message("Note", words, style="yellow")
    outputs.show()


class _Outputs:
    """The files that are written at the end: report and preset."""

    def __init__(self, spec: TuningSpec, report: Path | None, preset_name: str, force: bool) -> None:
        self._spec, self._force = spec, force
        self._report = report
        self._preset_name = preset_name
        self._preset = Path(f"{preset_name}.toml") if preset_name else None

    def check(self, file: Path, results: Path) -> None:
        """Check that they can be written, before hours of play.

        Args:
            file: The specification.
            results: The results file.

        Raises:
            OptionError: One would replace a file that is read, or exists, or the preset's name is no word.
            TurnwiseError: The extra ``report`` is not installed.
        """
        from turnwise.arena.results_file import results_files
        from turnwise.core.extras import need
        from turnwise.tuning.preset import check_preset

        inputs = [file, *results_files(results)]
        if self._preset is not None:
            check_preset(self._spec, self._preset_name)
            check_target(self._preset, self._force, inputs)
            inputs.append(self._preset)
        if self._report is not None:
            check_target(self._report, self._force, inputs)
            need("report", "An HTML report", "Without --report the results are printed.")

    def write(self, tuning: Tuning, command: str) -> None:
        """Write them."""
        if self._report is not None:
            from turnwise.tuning.page import render_tuning

            write_whole(self._report, render_tuning(self._spec, tuning, command), force=self._force)
        if self._preset is not None:
            from turnwise.tuning.preset import preset_text

            write_whole(self._preset, preset_text(self._spec, tuning, self._preset_name), force=self._force)

    def show(self) -> None:
        """Print where they are."""
        if self._report is not None:
            plain(f"Report: {self._report}")
        if self._preset is not None:
            from turnwise.registry import split_text

            text = f"{split_text(self._spec.planner)[0]}:preset={self._preset_name}"
            plain(f"Preset: {self._preset}; 'turnwise --presets {self._preset} COMMAND ...' knows it as {text}")


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
        "forfeited": len(tuning.forfeits),
    }


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
        is_old = not step.played and step.done < step.total
        meter.show(step.done, step.total, note=self._best, shown=self._best, is_old=is_old)
