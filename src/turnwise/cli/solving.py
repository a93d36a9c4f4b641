"""``solve``: the best game of a single-player game that a planner finds."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from turnwise.cli.exit_codes import INTERRUPTED
from turnwise.cli.options import (
    GAME_HELP,
    CodedOption,
    ForceOption,
    JsonOption,
    PublishedOption,
    SeedOption,
    StateOption,
    add,
    make_planner,
)
from turnwise.cli.output import check_target, message, plain, print_json_line, write_whole
from turnwise.cli.progress import SolveDisplay, compile_progress
from turnwise.cli.puzzles import BoardOption, TrackOption, make_puzzle
from turnwise.core.errors import OptionError

if TYPE_CHECKING:
    from turnwise.arena.solution import Solution
    from turnwise.arena.solver import Solver
    from turnwise.core.state import State

_DEFAULT_SECONDS = 10.0


def register(app: typer.Typer) -> None:
    """Add the command."""
    add(
        app,
        solve,
        "turnwise solve samegame --board 7 --seconds 60",
        "turnwise solve search-race --track test7 --seconds 60 --out race.json",
        "turnwise solve samegame --board my-board.txt -p nrpa --budget iterations=1000 --seed 3 --json",
        "turnwise solve search-race --track test7 -p rhea --budget time=100ms",
    )


def solve(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help=GAME_HELP + " Not needed with --state.")] = None,
    board: BoardOption = None,
    track: TrackOption = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--seconds", "-t", min=0.001, max=1e7, help=f"Time for everything; {_DEFAULT_SECONDS:g} without --budget."
        ),
    ] = None,
    planner: Annotated[
        str, typer.Option("--planner", "-p", metavar="PLANNER", help="Default: the strongest one for the game.")
    ] = "",
    budget: Annotated[
        str | None,
        typer.Option(
            "--budget",
            "-b",
            metavar="BUDGET",
            help="Limits as for 'plan': of the one search of a planner that searches whole games, else of each turn.",
        ),
    ] = None,
    seed: SeedOption = 0,
    state: StateOption = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", dir_okay=False, help="Save the game as a replay.")
    ] = None,
    force: ForceOption = False,
    as_published: PublishedOption = False,
    as_coded: CodedOption = False,
    as_json: JsonOption = False,
) -> None:
    """Solve a single-player game: search for the best game from the start and tell the best so far meanwhile.

    Planners that search whole games (nrpa, nmcs, beam-search, sp-mcts) get the whole time for one search; others play
    turn by turn and divide it. Time counts the search alone, nothing that is compiled or loaded first.

    Ctrl-C ends the search and keeps the best. The replay of --out is for 'turnwise verify' and 'turnwise report'.
    """
    from turnwise.arena.champions import champion
    from turnwise.arena.solver import Solver
    from turnwise.core.budget import parse_budget

    limits = None if budget is None else parse_budget(budget)
    if limits is None and seconds is None:
        seconds = _DEFAULT_SECONDS
    if out is not None:
        check_target(out, force)
    try:
        with compile_progress():
            start = _start(game, board, track, state, seed)
            text = planner or champion(start.game, seconds=seconds)
            if not planner and (as_published or as_coded):
                raise OptionError(
                    f"The default planner, {text!r}, has settings of our own and no published form. Name one that has "
                    f"with --planner, for example --planner {text.partition(':')[0]}."
                )
            mind = make_planner(text, as_published=as_published, as_coded=as_coded)
            solver = Solver(start, mind, limits, seconds=seconds, seed=seed)
            solver.warm_up()
    except KeyboardInterrupt:
        message("Interrupted", "before the search began; no game was found and nothing is written.", style="yellow")
        raise typer.Exit(INTERRUPTED) from None
    with _terminated_is_interrupted(), SolveDisplay(solver):
        solution = solver.run()
    if as_json:
        print_json_line(solution_facts(solution, budget, out))
    else:
        _show(solver, solution)
    if out is not None:  # behind the result: a disk that is full by now must not cost the game that was found
        write_whole(out, solution.replay.model_dump_json() + "\n", force=force)
        if not as_json:
            plain(f"Replay saved: {out}")
    if solution.stopped_by == "interrupt":
        where = "above" if out is None else f"above and in {out}"
        message("Interrupted", f"the search ended early; the best game that it found is {where}.", style="yellow")
        raise typer.Exit(INTERRUPTED)


def _start(game: str | None, board: str | None, track: str | None, where: str | None, seed: int) -> State:
    """The state to solve from.

    Raises:
        TurnwiseError: The game, the file or their combination is not as it should be.
    """
    from turnwise.cli.states import read_state
    from turnwise.core.registry import games

    if where is not None:
        if board is not None or track is not None:
            raise OptionError("--state already says which board or track it is; leave --board and --track away.")
        return read_state(where, game, seed)
    if game is None:
        raise OptionError(f"Which game? Name one ({', '.join(games())}) or give a state with --state FILE.")
    return make_puzzle(game, board, track).start(seed)


@contextmanager
def _terminated_is_interrupted() -> Iterator[None]:
    """Whoever ends the process politely gets the best so far as well."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def solution_facts(solution: Solution, budget: str | None, out: Path | None) -> dict[str, Any]:
    """All of a solution for programs; ``seconds`` is the search alone."""
    name, reached = solution.objective
    report = solution.report
    return {
        "game": solution.game.text,
        "planner": solution.planner,
        "seed": solution.seed,
        "budget": budget,
        name: int(reached) if name == "score" else reached,
        "seconds": solution.seconds,
        "stopped_by": solution.stopped_by,
        "games": solution.games,
        "value": solution.value,
        "iterations": report.iterations,
        "evaluations": report.evaluations,
        "forward_calls": report.forward_calls,
        "replay": None if out is None else str(out),
        "actions": list(solution.actions),
    }


def _show(solver: Solver, solution: Solution) -> None:
    """A solution for people: the last board, the result, its cost, the actions."""
    from turnwise.cli.planning import STOPPED

    name, reached = solution.objective
    report = solution.report
    plain(str(solution.line.end))
    plain(
        f"\n{solution.game.text}: {name} {figure(reached)} in {len(solution.actions)} actions "
        f"({solution.planner}, seed {solution.seed}).\n"
        f"{solution.seconds:.1f} s of search, {report.iterations:,} iterations, {report.evaluations:,} evaluations, "
        f"{report.forward_calls:,} forward calls; {STOPPED.get(solution.stopped_by, solution.stopped_by)}."
    )
    if not solver.plans_games:
        plain(f"Best of {solution.games} game{'' if solution.games == 1 else 's'} played turn by turn.")
    plain("\n" + "; ".join(solution.actions))


def figure(value: float) -> str:
    """A score or a time for people."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}"
