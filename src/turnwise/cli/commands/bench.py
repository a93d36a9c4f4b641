"""``bench``: the speed of a game and its planners on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from turnwise.cli.ui.options import GameArgument, JsonOption, add, seconds_of
from turnwise.cli.ui.output import message, plain, show, table
from turnwise.cli.ui.progress import bar, compile_progress, duration
from turnwise.core.errors import counted


def register(app: typer.Typer) -> None:
    """Add the command."""
    add(
        app,
        bench,
        "turnwise bench hero-academy",
        "turnwise bench hero-academy --only mcts --only playout",
        "turnwise bench hero-academy --time 2s --json",
        "turnwise bench hero-academy --states positions.jsonl",
    )


def bench(
    game: GameArgument,
    time: Annotated[
        str, typer.Option("--time", "-t", metavar="TIME", help="Time per figure, state and round: 200ms, 2s.")
    ] = "500ms",
    states: Annotated[
        Path | None,
        typer.Option(
            "--states",
            metavar="FILE",
            help="States to measure in, one per line; default: the game's own sample, or states of a short game.",
        ),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="NAME", help="Measure only this figure; may be repeated.")
    ] = None,
    at_most: Annotated[
        str,
        typer.Option(
            "--at-most",
            metavar="TIME",
            help="Time of all figures together: as many of the states are used as fit into it, at least one.",
        ),
    ] = "2min",
    as_json: JsonOption = False,
) -> None:
    """Measure the single-thread speed of a game and its planners.

    The figures are medians over rounds, with the slowest and the fastest round; they are not judged. The last column is
    relative to a fixed calibration loop that is measured with every round, and can be compared between machines and
    days. Use an idle machine.
    """
    from turnwise.cli.ui.samples import sample_states
    from turnwise.registry import make
    from turnwise.testing.bench.measure import run_bench
    from turnwise.testing.bench.programme import chosen_figures, expected_seconds, programme_of, states_in_time

    seconds = seconds_of(time, "--time", 0.001, 600)
    limit = seconds_of(at_most, "--at-most", 1, 86_400)
    scenario = make(game)
    programme = chosen_figures(programme_of(scenario), only or (), scenario.name)
    with compile_progress(), bar() as meter:
        sample = sample_states(scenario, states)
        found = states_in_time(programme, sample, seconds, limit)
        most = expected_seconds(programme, len(found), seconds)
        what = f"{counted(programme.figures, 'figure')} in {len(found)} of {counted(len(sample), 'state')}"
        message("Measuring", f"{what}, {duration(most)} if nothing else runs", style="green")
        task = meter.add_task("", total=programme.figures)
        begun = 0

        def progress(name: str) -> None:
            nonlocal begun
            meter.update(task, description=name, completed=begun)
            begun += 1
            if meter.disable:
                message("Measuring", f"{name} ({begun} of {programme.figures})", style="green")

        result = run_bench(scenario, found, seconds, progress, programme)
    if as_json:
        plain(result.to_json())
        return
    columns = ("per second", "slowest round", "fastest round", "per million steps")
    listing = table("", *columns, title=f"{result.game} on {result.machine}", numbers=columns)
    for figure in result.results:
        what = f"{figure.name} ({figure.planner})" if figure.planner not in ("", figure.name) else figure.name
        rates = (f"{value:,.0f}" for value in (figure.per_second, figure.low, figure.high))
        listing.add_row(what, *rates, f"{figure.relative:,.{0 if figure.relative >= 100 else 2}f}")
    show(listing)
    plain(f"Steps of the calibration loop: {result.calibration / 1e6:,.1f} million per second.")
