"""``warmup``: compile all games and planners ahead of time, so that the first real use does not wait."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from turnwise.cli.options import add
from turnwise.cli.output import message, plain
from turnwise.cli.progress import bar
from turnwise.core.errors import TurnwiseError


def register(app: typer.Typer) -> None:
    """Add the command."""
    add(app, warmup, "turnwise warmup", "turnwise warmup hero-academy")


def warmup(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="GAME...", help="Only these games; default: all.")
    ] = None,
) -> None:
    """Compile all games and planners ahead of time; the second time there is nothing to do."""
    from turnwise.core import registry
    from turnwise.core.kernel import compile_notices

    scenarios = games or registry.games()
    for text in games or ():
        registry.make(text)  # a wrong name is told before anything is compiled
    jobs = [(game, planner) for game in scenarios for planner in registry.planners()]
    compiled: list[str] = []
    failed: list[str] = []
    begin = time.monotonic()
    with bar() as progress, compile_notices(compiled.append):
        task = progress.add_task("", total=len(jobs))
        for game, planner in jobs:
            progress.update(task, description=f"{game}, {planner}")
            before = len(compiled)
            try:
                _once(game, planner)
            except TurnwiseError as error:
                failed.append(f"{planner} on {game}: {error}")
            if progress.disable and len(compiled) > before:
                message("Compiled", f"{game}, {planner}: {len(compiled) - before} functions", style="yellow")
            progress.advance(task)
    if compiled:
        plain(f"Compiled {len(compiled)} functions in {time.monotonic() - begin:.0f} s; they are kept for later.")
    elif not failed:
        plain("Nothing to do: everything is compiled already.")
    if failed:
        raise TurnwiseError("Not everything could be compiled. " + " ".join(failed))


def _once(game: str, planner: str) -> None:
    """Plan a turn with a tiny budget, and look up what that does not touch.

    Raises:
        KeyboardInterrupt: Ctrl-C came meanwhile.
    """
    from turnwise.core.budget import Budget
    from turnwise.core.kernel import Entry
    from turnwise.core.registry import make
    from turnwise.core.registry import planner as make_planner

    scenario = make(game)
    for name in scenario.evaluation_names:
        function = scenario.evaluation(name)[1].function
        if isinstance(function, Entry):
            _ = function.address
    state = scenario.start()
    plan = make_planner(planner).plan(state.view(state.to_move), Budget(iterations=2))
    if plan.report.stopped_by == "interrupt":
        raise KeyboardInterrupt
