"""``check``: the conformance kit on a game or planner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from turnwise.cli.ui.kit import run_kit
from turnwise.cli.ui.options import JsonOption, SeedOption, add
from turnwise.core.errors import OptionError, UnknownNameError

if TYPE_CHECKING:
    from turnwise.testing.checks.failures import Begun, Checked


def register(app: typer.Typer) -> None:
    """Add the command."""
    add(
        app,
        check,
        "turnwise check hero-academy:map=a-tiny,deck=tiny",
        "turnwise --import my_game check my-game",
        "turnwise --import my_planner check my-planner --game samegame",
    )


def check(
    name: Annotated[
        str,
        typer.Argument(
            metavar="GAME|PLANNER", help="Game or planner, with options if needed; a planner needs --game, too."
        ),
    ],
    game: Annotated[
        str | None, typer.Option("--game", metavar="GAME", help="Game on which a planner is checked.")
    ] = None,
    seed: SeedOption = 0,
    states: Annotated[
        int | None,
        typer.Option(
            "--states", min=1, max=100_000, help="Number of states of each check; default: 60 (game), 2 (planner)."
        ),
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(
            "--without",
            metavar="CHECK",
            help="Check of a game to leave out, where it does not fit; may be given several times.",
        ),
    ] = None,
    budgets: Annotated[
        list[str] | None,
        typer.Option(
            "--budget",
            "-b",
            metavar="BUDGET",
            help="A budget for checks of a planner, may be given several times; default: small ones of every kind.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Check that a game or planner keeps the contract.

    The checks are those of check_game and check_planner in turnwise.testing. A game's checks are named by what they
    look at, a planner's by the budget or setting with which it plans. Those that concern what a game does not have
    pass; settings that a planner cannot have in the game are skipped, with the reason. Exit code: 0 if no check failed,
    1 if any did.
    """
    from turnwise.registry import GAMES, PLANNERS, split_text

    kind = split_text(name)[0]
    is_game, is_planner = kind in GAMES.names(), kind in PLANNERS.names()
    if not is_game and not is_planner:
        raise _unknown(kind)
    if is_game and (game or budgets):
        raise OptionError(f"{kind} is a game; --game and --budget are for checks of a planner. Leave them out.")
    if is_planner and without:
        raise OptionError(f"{kind} is a planner; --without leaves out checks of a game. Leave it out.")
    if is_planner and not game:
        raise OptionError(
            f"{kind} is a planner; expected also the game on which it is checked: --game GAME. 'turnwise games' lists "
            "the games."
        )

    def run(begun: Begun) -> Checked:
        if is_game:
            return _checked_game(name, seed, states or 60, without or (), begun)
        return _checked_planner(name, game or "", seed, states or 2, budgets, begun)

    run_kit(name if is_game else f"{name} on {game}", run, as_json=as_json)


def _checked_game(text: str, seed: int, states: int, without: list[str] | tuple[str, ...], begun: Begun) -> Checked:
    from turnwise.registry import make
    from turnwise.testing.checks.game import checked_game

    return checked_game(make(text), seed, states, list(without), begun)


def _checked_planner(text: str, game: str, seed: int, states: int, budgets: list[str] | None, begun: Begun) -> Checked:
    from turnwise.registry import make, planner
    from turnwise.testing.checks.planner import checked_planner

    return checked_planner(planner(text), make(game), seed, states, budgets, begun=begun)


def _unknown(name: str) -> UnknownNameError:
    from turnwise.core.errors import unknown_name
    from turnwise.registry import GAMES, PLANNERS

    error = unknown_name("game or planner", name, [*GAMES.names(), *PLANNERS.names()])
    return UnknownNameError(
        f"{error} For one of your own, name the module that registers it: turnwise --import MODULE check {name}"
    )
