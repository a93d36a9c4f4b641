"""``play``: play against a planner in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from turnwise.cli.ui.options import (
    BudgetOption,
    CodedOption,
    ForceOption,
    GameArgument,
    PlayerOption,
    PublishedOption,
    SeedOption,
    StateOption,
    add,
    make_planner,
)
from turnwise.cli.ui.output import check_target, last_words, plain, show_board
from turnwise.cli.ui.progress import compile_progress
from turnwise.core.errors import OptionError, counted

if TYPE_CHECKING:
    from turnwise.cli.ui.watched_game import WatchedGame


def register(app: typer.Typer) -> None:
    """Add the command."""
    add(
        app,
        play,
        "turnwise play hero-academy --planner mcts --budget time=2s",
        "turnwise play hero-academy:map=a-tiny,deck=tiny -p greedy-turn --seat 2 --out game.json",
        "turnwise play hero-academy --resume hero-academy-1.replay.json",
    )


def play(
    context: typer.Context,
    game: GameArgument,
    planner: PlayerOption = None,
    budget: BudgetOption = "time=1s",
    seed: SeedOption = 0,
    seat: Annotated[
        int | None,
        typer.Option(
            "--seat", min=1, help="Your seat; the player in seat 1 moves first. Default: 1, or that of the saved game."
        ),
    ] = None,
    state: StateOption = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="FILE", help="Replay of a game that you left, to go on with it.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="File for the replay; default: the first free GAME-NUMBER.replay.json in this folder.",
        ),
    ] = None,
    force: ForceOption = False,
    as_published: PublishedOption = False,
    as_coded: CodedOption = False,
) -> None:
    """Play against a planner in the terminal.

    Type actions or their numbers; the beginning of an action, such as 'move 4,2', lists the actions that begin with it.
    'undo' takes back an action of the turn, 'hint' asks the planner, 'rules', 'legend' and 'info X' explain, and 'help'
    lists the commands. 'quit' leaves and saves a replay of the game so far (so do Ctrl-C, SIGTERM and a closed
    terminal); --resume goes on with it.
    """
    from turnwise.arena.match import play_game
    from turnwise.arena.recommended import recommended_player
    from turnwise.cli.commands.plan import warm_up
    from turnwise.cli.ui.endings import ending_words
    from turnwise.cli.ui.person import Person, PersonLeftError, planner_hint
    from turnwise.cli.ui.resumed_game import resumed_game
    from turnwise.cli.ui.signals import like_ctrl_c
    from turnwise.cli.ui.states import first_state, state_files
    from turnwise.cli.ui.watched_game import WatchedGame, free_name, save
    from turnwise.core.budget import parse_budget
    from turnwise.registry import make

    if resume is not None and state is not None:
        raise OptionError("--resume and --state both say where the game begins; give one of them.")
    limits = parse_budget(budget)
    planner = planner or recommended_player(make(game))
    mind = make_planner(planner, as_published=as_published, as_coded=as_coded)
    check_target(out or free_name(make(game).name), force, [*state_files(state), *([resume] if resume else [])])
    with compile_progress():
        earlier = resumed_game(resume, game, seed) if resume else None
        scenario = earlier.last.game if earlier else make(game)
        if seat is not None and seat > scenario.players:
            raise OptionError(f"--seat {seat}: {scenario.spec} has only {counted(scenario.players, 'seat')}.")
        start = earlier.last if earlier else first_state(game, state, seed)
        scenario = start.game
        warm_up(mind, start.view(start.to_move))
    person = Person(planner_hint(mind, limits))
    own = seat - 1 if seat is not None else earlier.seat or 0 if earlier else 0
    players = [person if place == own else mind for place in range(scenario.players)]
    watched = WatchedGame(
        start, [person.spec if p is person else getattr(mind, "spec", planner) for p in players], own, earlier
    )
    with like_ctrl_c() as end:
        try:
            record = play_game(
                scenario, players, limits, seed=seed, start=start, names=watched.players, observer=watched
            )
        except (PersonLeftError, Exception, KeyboardInterrupt, SystemExit) as leaving:  # Exception: of the game itself
            end.is_awaited = False
            watched.go_on(person.unfinished)
            options = ["--planner", planner, "--budget", budget]
            options += ["--seed", str(seed)] if seed else []
            options += ["--seat", str(seat)] if seat is not None else []
            options += ["--as-published"] if as_published else ["--as-coded"] if as_coded else []
            words = _saved_words(watched, out, force, options, context.obj or ())
            last_words(f"\n{words}" if person.is_asked else words)
            if end.number:
                raise SystemExit(128 + end.number) from None  # as the shell reports a signal
            if isinstance(leaving, PersonLeftError | OSError):  # OSError: no terminal any more
                return
            raise
        end.is_awaited = False
        whole = watched.whole(record.replay)
        saved = save(whole, out, force)
        try:
            show_board(watched.now)
            plain(ending_words(record, own))
        finally:
            plain(f"Replay saved: {saved}")


def _saved_words(
    watched: WatchedGame, out: Path | None, force: bool, options: Sequence[str], imports: Sequence[str]
) -> str:
    """Save a game that is left, and say how to go on with it."""
    from turnwise.cli.ui.resumed_game import resuming_command
    from turnwise.cli.ui.watched_game import save

    if not watched.steps:
        return "No action was played, so no replay is saved."
    saved = save(watched.replay(), out, force)
    again = resuming_command(saved, watched.now.game.name, options, imports)
    return f"Replay saved: {saved}\nTo go on: {again}"
