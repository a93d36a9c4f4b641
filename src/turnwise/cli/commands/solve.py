"""``solve``: search for the best playthrough of a single-player game."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from turnwise.cli.ui.exit_codes import INTERRUPTED
from turnwise.cli.ui.game_files import CommandWithGameFiles, given_files, make_scenario, read_files, short_text
from turnwise.cli.ui.options import (
    SINGLE_GAME_HELP,
    CodedOption,
    ForceOption,
    JsonOption,
    PublishedOption,
    ReplayOption,
    SeedOption,
    StateOption,
    add,
    make_planner,
    seconds_of,
)
from turnwise.cli.ui.output import check_target, message, plain, print_json_line, write_whole
from turnwise.cli.ui.progress import SolveDisplay, compile_progress
from turnwise.core.errors import OptionError, counted, work_words

if TYPE_CHECKING:
    from turnwise.arena.solving.solution import Solution
    from turnwise.arena.solving.solver import Solver
    from turnwise.core.budget import Budget, Clock
    from turnwise.core.state import State
    from turnwise.search.planner import Planner

DEFAULT_SECONDS, _LEAST_SECONDS, _MOST_SECONDS = 10.0, 0.001, 1e7

TimeOption = Annotated[
    str | None,
    typer.Option(
        "--time",
        "-t",
        metavar="TIME",
        help=f"Time for the search alone: 500ms, 20s, 2min; default: {DEFAULT_SECONDS:g}s without --budget.",
    ),
]
SolverOption = Annotated[
    str, typer.Option("--planner", "-p", metavar="PLANNER", help="Planner; default: the strongest for the game.")
]
ClockOption = Annotated[
    str,
    typer.Option(
        "--clock",
        metavar="CLOCK",
        help="Clock of --time: wall, or cpu (CPU time of the process), which stands still while other programs use the "
        "core.",
    ),
]
PolishOption = Annotated[
    bool | None,
    typer.Option(
        "--polish/--no-polish",
        help="Spend the last 40 % of the time on improving the best game as a whole. Search Race can do that with "
        "moves=all, and does from 20 seconds on unless --planner is given. Without --time it ends when nothing more is "
        "found.",
        show_default=False,
    ),
]
LimitsOption = Annotated[
    str | None,
    typer.Option(
        "--budget",
        "-b",
        metavar="BUDGET",
        help="Limits as for 'plan': of the whole search for planners that search whole games, else of each turn. "
        "With --time as well, games are played until that time is over.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    add(
        app,
        solve,
        "turnwise solve samegame --board 7 --time 60s",
        "turnwise solve search-race --track test7 --time 60s --out race.json",
        "turnwise solve samegame --board my-board.txt -p nrpa --budget iterations=1000 --seed 3 --json",
        "turnwise solve search-race --track test7 -p rhea --budget time=100ms",
        kind=CommandWithGameFiles,
    )


def solve(
    context: typer.Context,
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help=SINGLE_GAME_HELP + " Not needed with --state.")
    ] = None,
    time: TimeOption = None,
    planner: SolverOption = "",
    budget: LimitsOption = None,
    clock: ClockOption = "wall",
    polish: PolishOption = None,
    seed: SeedOption = 0,
    state: StateOption = None,
    out: ReplayOption = None,
    force: ForceOption = False,
    as_published: PublishedOption = False,
    as_coded: CodedOption = False,
    as_json: JsonOption = False,
) -> None:
    """Search for the best game of a single-player game.

    Planners that search whole games (nrpa, nmcs, flat-mc, beam-search, sp-mcts) use the whole time for one search;
    others play turn by turn and divide it. Only the search counts, not what is compiled or loaded before it.

    The best result so far is shown meanwhile. Ctrl-C ends the search and keeps the best game. 'turnwise verify' and
    'turnwise report' read the replay of --out.
    """
    from turnwise.arena.live_games import clear, folder_of
    from turnwise.arena.solving.solver import Solver
    from turnwise.cli.ui.states import state_files

    files = given_files(context)
    limits, seconds = _limits(budget, time)
    measured_by = _clock(clock, seconds)
    if out is not None:
        check_target(out, force, [*state_files(state), *read_files(files)])
    try:
        with compile_progress():
            start = _start(game, files, state, seed)
            mind = _mind(planner, start, seconds, as_published, as_coded)
            live = None if out is None else folder_of(out)
            solver = Solver(
                start, mind, limits, seconds=seconds, clock=measured_by, seed=seed, live=live, polish=polish
            )
            solver.warm_up()
    except KeyboardInterrupt:
        message("Interrupted", "before the search began; no game was found, and nothing was written.", style="yellow")
        raise typer.Exit(INTERRUPTED) from None
    if live is not None:
        clear(live)
    try:
        with _terminated_is_interrupted(), SolveDisplay(solver):
            solution = solver.run()
    finally:
        if live is not None:
            clear(live)
    if as_json:
        print_json_line(solution_facts(solution, budget, out))
    else:
        _show(solver, solution, files)
    if out is not None:  # after the result: a disk that is full by now must not lose the game that was found
        write_whole(out, solution.replay.model_dump_json() + "\n", force=force)
        if not as_json:
            plain(f"Replay saved: {out}")
    if solution.stopped_by == "interrupt":
        where = "above" if out is None else f"above and in {out}"
        message("Interrupted", f"the search ended early; the best game found is {where}.", style="yellow")
        raise typer.Exit(INTERRUPTED)


def _limits(budget: str | None, time: str | None) -> tuple[Budget | None, float | None]:
    """The budget and the seconds of the search, at least one of them.

    Raises:
        OptionError: The budget or the time is invalid.
    """
    from turnwise.core.budget import parse_budget

    limits = None if budget is None else parse_budget(budget)
    if time is None:
        return limits, DEFAULT_SECONDS if limits is None else None
    return limits, seconds_of(time, "--time", _LEAST_SECONDS, _MOST_SECONDS)


def _clock(name: str, seconds: float | None) -> Clock:
    """The clock of the search.

    Raises:
        OptionError: There is no such clock, or it would measure nothing.
    """
    from turnwise.core.budget import as_clock

    clock = as_clock(name, "--clock")
    if seconds is None and clock != "wall":
        raise OptionError(
            f"--clock {clock} is the clock of --time, which is not given; use --budget cpu=10s or --time."
        )
    return clock


def _mind(text: str, start: State, seconds: float | None, as_published: bool, as_coded: bool) -> Planner | str:
    """The named planner; empty: none is named, and the solver takes the strongest for the game.

    Raises:
        TurnwiseError: There is no such planner, or it has no such form.
    """
    from turnwise.arena.recommended import recommended_planner

    if not text:
        if as_published or as_coded:
            text = recommended_planner(start.game, seconds=seconds)
            raise OptionError(
                f"The default planner, {text!r}, is tuned for this game and has no published form. Name a planner with "
                f"one by --planner, for example --planner {text.partition(':')[0]}."
            )
        return ""
    return make_planner(text, as_published=as_published, as_coded=as_coded)


def _start(game: str | None, files: Mapping[str, str], where: str | None, seed: int) -> State:
    """The state to solve from.

    Raises:
        TurnwiseError: The game, the file or their combination is invalid.
    """
    from turnwise.arena.solving.solver import check_solvable
    from turnwise.cli.ui.states import read_state
    from turnwise.registry import games

    if where is not None:
        if files:
            flag = next(iter(files))
            raise OptionError(f"--state already determines the {flag}; leave --{flag} out.")
        return read_state(where, game, seed)
    if game is None:
        raise OptionError(f"Expected a game ({', '.join(games())}), or a state with --state FILE.")
    scenario = make_scenario(game, files)
    check_solvable(scenario)
    return scenario.start(seed)


@contextmanager
def _terminated_is_interrupted() -> Iterator[None]:
    """Treat a termination signal like Ctrl-C: the search ends and the best game so far is kept."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def solution_facts(solution: Solution, budget: str | None, out: Path | None) -> dict[str, Any]:
    """A whole solution as data for programs; ``seconds`` is the time of the search alone, by its clock."""
    name, reached = solution.objective
    report = solution.report
    return {
        "game": solution.game.spec,
        "planner": solution.planner,
        "seed": solution.seed,
        "budget": budget,
        name: int(reached) if name == "score" else reached,
        "result": solution.line.end.returns[0],
        "seconds": solution.seconds,
        "stopped_by": solution.stopped_by,
        "games": solution.games,
        "value": solution.value,
        "played": solution.played,
        "iterations": report.iterations,
        "evaluations": report.evaluations,
        "forward_calls": report.forward_calls,
        "forward_calls_for_others": report.forward_calls_for_others,
        "replay": None if out is None else str(out),
        "actions": list(solution.actions),
    }


def _show(solver: Solver, solution: Solution, files: Mapping[str, str]) -> None:
    """Show a solution to people: the last board, the result, its cost, the actions."""
    from turnwise.cli.commands.plan import STOPPED
    from turnwise.report.words import reached_words

    result = reached_words(solution.game, *solution.objective, solution.line.end.returns[0])
    report = solution.report
    plain(str(solution.line.end))
    plain(
        f"\n{short_text(solution.game, files)}: {result} in {counted(len(solution.actions), 'action')} "
        f"({solution.planner}, seed {solution.seed}).\n"
        f"{solution.seconds:.1f} s of search, "
        f"{work_words(report.iterations, report.evaluations, report.forward_calls, report.forward_calls_for_others)}; "
        f"{STOPPED.get(solution.stopped_by, solution.stopped_by)}."
    )
    if solution.played is not None:
        plain(f"Improved as a whole; the {solver.objective} of the best game played was {solution.played:g}.")
    if not solver.plans_games:
        plain(f"Best of {counted(solution.games, 'game')} played turn by turn.")
    plain("\n" + "; ".join(solution.actions))
