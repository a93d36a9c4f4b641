"""``engine`` and ``engine-check``: turnwise as an engine for other programs, and checks of other engines."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from turnwise.cli.ui.kit import run_kit
from turnwise.cli.ui.options import GameArgument, JsonOption, PlayerOption, SeedOption, add
from turnwise.core.errors import OptionError


def register(app: typer.Typer) -> None:
    """Add the commands."""
    add(
        app,
        engine,
        "turnwise engine hero-academy --planner turn-maximin",
        "turnwise engine samegame --planner sp-mcts",
    )
    add(
        app,
        engine_check,
        'turnwise engine-check "./samegame" --game samegame',
        'turnwise engine-check "node attacker.js" --game hero-academy:map=a-tiny,deck=tiny',
        'turnwise engine-check "./breakthrough" --as-game',
    )


def engine(game: GameArgument, planner: PlayerOption = None) -> None:
    """Be an engine for other programs: JSON messages over pipes.

    Reads messages from standard input, one JSON object a line, and answers on standard output, until quit or the end of
    the input. The documentation describes the messages (docs/reference/engines.md).
    """
    from turnwise import __version__
    from turnwise.arena.recommended import recommended_player
    from turnwise.interop.engines.loop import serve
    from turnwise.registry import make
    from turnwise.registry import planner as make_planner

    scenario = make(game)
    # A thread may still read when Ctrl-C or a closed output ends the program. Python aborts a program in which such a
    # thread holds the lock of sys.stdin; this reader belongs to the thread alone, and is never closed.
    lines = open(sys.stdin.fileno(), "rb", closefd=False)  # noqa: SIM115
    serve(scenario, make_planner(planner or recommended_player(scenario)), lines, sys.stdout.buffer, __version__)


def engine_check(
    command: Annotated[str, typer.Argument(metavar="COMMAND", help="Command line of the engine, in quotes.")],
    game: Annotated[str | None, typer.Option("--game", metavar="GAME", help="Game that it is asked to play.")] = None,
    as_game: Annotated[bool, typer.Option("--as-game", help="The program is a game itself, as process-game.")] = False,
    seed: SeedOption = 0,
    startup: Annotated[
        float, typer.Option("--startup", min=0.1, max=3600, help="Seconds that it may take to begin, and to answer.")
    ] = 60.0,
    as_json: JsonOption = False,
) -> None:
    """Check that an engine of yours keeps the protocol.

    It is asked for turns from positions of random games, under budgets of every kind; with --as-game, for states and
    actions, and all that 'turnwise check' asks of a game. Exit code: 0 if all checks passed, 1 if any failed.
    """
    if (game is None) != as_game:
        raise OptionError("Expected either --game GAME, which the engine is asked to play, or --as-game for a game.")
    if game is None:
        from turnwise.interop.engines.game_checks import checked_game_program

        run_kit(command, lambda begun: checked_game_program(command, seed, startup, begun), as_json=as_json)
        return
    from turnwise.interop.engines.checks import checked_engine
    from turnwise.registry import make

    scenario = make(game)
    run_kit(
        f"{command} on {game}",
        lambda begun: checked_engine(command, scenario, seed, startup, begun),
        as_json=as_json,
    )
