"""``warmup``: compile all games and planners ahead of time, so that the first use does not wait."""

from __future__ import annotations

import functools
import time
from typing import Annotated

import typer

from turnwise.cli.ui.interruption import keeping
from turnwise.cli.ui.options import add
from turnwise.cli.ui.output import message, plain
from turnwise.cli.ui.progress import bar
from turnwise.core.errors import OptionError, TurnwiseError, counted


def register(app: typer.Typer) -> None:
    """Add the command."""
    add(app, warmup, "turnwise warmup", "turnwise warmup hero-academy")


def warmup(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="GAME...", help="Only these games; default: all.")
    ] = None,
) -> None:
    """Compile games, planners and checks ahead of time.

    A second run has nothing left to do.
    """
    from turnwise import registry
    from turnwise.jit.cache import COMPILED, cache_trouble, compile_notices

    if not COMPILED:
        raise OptionError("TURNWISE_COMPILE=0 is set, so nothing is ever compiled. Unset it to warm up.")
    if trouble := cache_trouble():
        raise TurnwiseError(f"Warming up would have no effect. {trouble}")
    scenarios = games or registry.games()
    for text in games or ():
        registry.make(text)  # report a wrong name before anything is compiled
    jobs = [
        (game, what, work)
        for game in scenarios
        for what, work in (
            *((planner, functools.partial(_plan_once, game, planner)) for planner in registry.planners()),
            ("verify and perft", functools.partial(_check_once, game)),
        )
    ]
    compiled: list[str] = []
    failed: list[str] = []
    begin = time.monotonic()
    with keeping(lambda: "functions compiled so far are kept"), bar() as progress, compile_notices(compiled.append):
        task = progress.add_task("", total=len(jobs))
        for game, what, work in jobs:
            progress.update(task, description=f"{game}, {what}")
            before = len(compiled)
            try:
                work()
            except TurnwiseError as error:
                failed.append(f"{what} on {game}: {error}")
            if progress.disable and len(compiled) > before:
                message("Compiled", f"{game}, {what}: {counted(len(compiled) - before, 'function')}", style="yellow")
            progress.advance(task)
    if compiled:
        number = counted(len(compiled), "function")
        plain(f"Compiled {number} in {time.monotonic() - begin:.0f} s; cached for later.")
    elif not failed:
        plain("Nothing to do: everything is compiled already.")
    if failed:
        raise TurnwiseError("Not everything could be compiled. " + " ".join(failed))


def _plan_once(game: str, planner: str) -> None:
    """Plan a turn with a tiny budget, and compile what that leaves out.

    Raises:
        KeyboardInterrupt: Ctrl-C during the compilation.
    """
    from turnwise.core.budget import Budget
    from turnwise.jit.kernel import Entry
    from turnwise.registry import make
    from turnwise.registry import planner as make_planner

    scenario = make(game)
    for name in scenario.evaluation_names:
        function = scenario.evaluation(name)[1].function
        if isinstance(function, Entry):
            _ = function.address
    state = scenario.start()
    plan = make_planner(planner).plan(state.view(state.to_move), Budget(iterations=2))
    if plan.report.stopped_by == "interrupt":
        raise KeyboardInterrupt


def _check_once(game: str) -> None:
    """Run ``perft``, and let the reader of recorded play compile what it needs."""
    from turnwise.registry import make
    from turnwise.testing.perft import perft

    scenario = make(game)
    perft(scenario.start(), 1)
    reader = scenario.conformance()
    if reader is not None:
        reader.warm_up(scenario)
