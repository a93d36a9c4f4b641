"""``contest``: answer the original referee of a game on standard input and output."""

from __future__ import annotations

import select
import sys
import time
from collections.abc import Callable
from itertools import chain
from typing import Annotated

import typer

from turnwise.arena.contest.collection import no_collection
from turnwise.cli.first_answers import FirstAnswers, age_of_process
from turnwise.cli.ui.options import CodedOption, PublishedOption, SeedOption, add, make_planner
from turnwise.cli.ui.output import message
from turnwise.cli.ui.progress import compile_progress
from turnwise.core.errors import counted
from turnwise.core.text_file import errors_name

_LONGEST_WAIT = 600.0


def register(app: typer.Typer) -> None:
    """Add the command."""
    add(
        app,
        contest,
        "turnwise contest samegame",
        "turnwise contest search-race:moves=turns --planner rhea --margin 10",
    )


def contest(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME", help="Game with a contest protocol, with options if needed.", show_default=False
        ),
    ],
    planner: Annotated[
        str, typer.Option("--planner", "-p", metavar="PLANNER", help="Planner; default: the strongest for the game.")
    ] = "",
    seed: SeedOption = 0,
    margin: Annotated[
        float,
        typer.Option(
            "--margin", metavar="MS", min=0, max=1000, help="Milliseconds held in reserve of every time limit."
        ),
    ] = 15.0,
    as_published: PublishedOption = False,
    as_coded: CodedOption = False,
) -> None:
    """Answer the original referee of a contest.

    The referee's lines come from standard input; the answers go to standard output, within the time limits. Where
    the limit for the first answer is too short for loading, a simple driver answers until everything is loaded. The
    command ends with exit code 0 when the game is over or the input ends between two turns, and with exit code 2
    when the input ends within a turn or has an error; standard error says which.
    """
    with no_collection():  # including while the engine is loading: first answers would have to wait
        _answer(game, planner, seed, margin / 1000.0, as_published, as_coded)


def _answer(game: str, planner: str, seed: int, margin: float, as_published: bool, as_coded: bool) -> None:
    """Load the planner, answer until the end of the game, and report the times; margin in seconds."""
    first_answers = _first_answers(game)
    from turnwise.arena.contest.loop import play_contest, rehearse
    from turnwise.arena.contest.protocol import protocol_of
    from turnwise.arena.recommended import recommended_planner
    from turnwise.registry import split_text

    name, options = split_text(game)
    protocol = protocol_of(name, **options)
    chosen = planner or recommended_planner(name, contest=True)
    mind = make_planner(chosen, as_published=as_published, as_coded=as_coded)
    with compile_progress():
        overrun = rehearse(protocol, mind)
    waiting = 0.0 if first_answers else _waiting_since()  # before the referee can have read that everything is ready
    message("Contest", f"{mind.spec} is ready.", style="green")
    report = play_contest(
        protocol,
        mind,
        first_answers.readline if first_answers else sys.stdin.readline,
        _write,
        margin=margin,
        overrun=overrun,
        seed=seed,
        arrived=first_answers.arrived if first_answers else _arrivals(waiting),
        take_over=first_answers.take_over if first_answers else tuple,
    )
    by_driver = first_answers.seconds if first_answers else []
    first = by_driver[0] if by_driver else report.first_seconds
    slowest = max((report.slowest_seconds, *by_driver[1:]))
    late = "1 search was" if report.misses == 1 else f"{report.misses} searches were"
    end = "" if report.is_over else " The input ended before the game was over."
    driver = f", {len(by_driver)} of them by the driver while the engine was loading" if by_driver else ""
    message(
        "Contest",
        f"{counted(report.answers, 'answer')}{driver}; the first took {first:.3f} s, the slowest later one "
        f"{1000 * slowest:.1f} ms; {late} late.{end}",
        style="green",
    )


def _write(line: str) -> None:
    sys.stdout.write(line)
    sys.stdout.flush()


def _first_answers(game: str) -> FirstAnswers | None:
    """The reader that answers while the engine is loading, if the referee does not wait for that."""
    from turnwise.registry import game_settings, load

    settings = game_settings(game.partition(":")[0].strip())
    if not settings.driver:
        return None
    with errors_name(settings.source):
        driver = load(settings.driver, "driver")
    try:
        return FirstAnswers(driver(), sys.stdin.fileno(), _write)
    except (OSError, ValueError):  # not a real file: no referee measures the time
        return None


def _waiting_since() -> float:
    """Seconds for which input may have been waiting: 0 if there is no input yet, else the age of this process."""
    try:
        if not select.select([sys.stdin], [], [], 0)[0]:
            return 0.0
    except (OSError, ValueError):  # not a real file: no referee measures the time
        return 0.0
    return min(_LONGEST_WAIT, age_of_process())


def _arrivals(late: float) -> Callable[[], float]:
    """Arrival times of lines that are read on arrival; the first line may have been waiting."""
    times = chain([time.monotonic() - late] if late else [], iter(time.monotonic, None))
    return lambda: next(times)
