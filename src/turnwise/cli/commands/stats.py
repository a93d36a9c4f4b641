"""``stats``: the size of a game, measured in self-play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from turnwise.cli.ui.game_files import short_text
from turnwise.cli.ui.options import BUDGET_HELP, GameArgument, JsonOption, SeedOption, add
from turnwise.cli.ui.output import plain, print_json, show, table
from turnwise.cli.ui.progress import bar, compile_progress
from turnwise.core.errors import counted

if TYPE_CHECKING:
    from turnwise.complexity.figures import Branching, Group

_MOST_CLASSES = 12  # rows of a table by turn


def register(app: typer.Typer) -> None:
    """Add the command."""
    add(
        app,
        stats,
        "turnwise stats hero-academy",
        "turnwise stats hero-academy --games 20 --planner mcts --budget iterations=1000",
        "turnwise stats hero-academy:map=a-tiny --positions 0 --json",
        "turnwise stats tribes --games 20 --positions 100",
    )


def stats(
    game: GameArgument,
    planner: Annotated[
        list[str] | None,
        typer.Option(
            "--planner",
            "-p",
            metavar="PLANNER",
            help="The planner in every seat; given several times: all combinations of these planners play. Default: "
            "the game's own (online-evolution where it names none).",
        ),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            "--budget",
            "-b",
            metavar="BUDGET",
            help=f"{BUDGET_HELP} Default: the game's own (iterations=30 where it names none).",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            "-g",
            min=1,
            max=100_000,
            help="Number of games; of several planners, of every combination (default: 10, of several planners 2).",
        ),
    ] = None,
    positions: Annotated[
        int,
        typer.Option(
            "--positions",
            min=0,
            max=10_000,
            help="Number of turns whose outcomes are counted, spread over the games.",
        ),
    ] = 8,
    most: Annotated[
        int | None,
        typer.Option(
            "--max-states",
            min=1,
            max=1_000_000_000,
            help="Largest number of distinct states kept while counting; default: 200,000, or 128 MB of them.",
        ),
    ] = None,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Measure how large a game is: branching, lengths, outcomes.

    Published figures are shown next to the measured ones if they exist for the same options.
    """
    from turnwise.complexity.branching import measure_branching
    from turnwise.registry import make

    meter = bar()
    with compile_progress(), meter:
        scenario = make(game)
        planners = tuple(planner or scenario.measured_players)  # a single one has every seat
        games = games or (10 if len(planners) == 1 else 2)
        task = meter.add_task("", total=None)
        found = measure_branching(
            scenario,
            planners if len(planners) > 1 else planners * scenario.players,
            budget or scenario.measured_budget,
            games=games,
            seed=seed,
            positions=positions,
            most_states=most,
            progress=lambda what, done, total: meter.update(task, description=what, completed=done, total=total),
        )
    if as_json:
        print_json(found.to_dict())
        return
    who = f"{counted(len(found.games), 'game')} of {', '.join(planners)}"
    _show(found, f"{short_text(scenario)}, {who}, {found.budget}, seed {seed}")


def _show(found: Branching, title: str) -> None:
    """Print the tables."""
    shown = ("measured", "published") if found.paper else ("measured",)
    columns = ("decisions", "legal actions", "after pruning")
    for heading, groups in (("turn", found.by_turn()), ("place in the turn", found.by_action())):
        listing = table(heading, *columns, numbers=(heading, *columns))
        for numbers, decisions, listed, pruned in _classes(groups):
            listing.add_row(numbers, str(decisions), f"{listed:.1f}", f"{pruned:.1f}")
        show(listing)
    listing = table("", *shown, title=title)  # after the long tables, so that it stays in sight
    for row in found.rows():
        listing.add_row(*row[: 1 + len(shown)])
    show(listing)
    if found.paper_note:
        plain(found.paper_note)


def _classes(groups: list[Group]) -> Iterator[tuple[str, int, float, float]]:
    """Rows of a table: numbers, decisions and means; if there are many groups, neighbours are merged."""
    size = -(-len(groups) // _MOST_CLASSES)
    for begin in range(0, len(groups), max(1, size)):
        own = groups[begin : begin + size]
        decisions = sum(group.decisions for group in own)
        listed = sum(group.decisions * group.listed for group in own) / decisions
        pruned = sum(group.decisions * group.pruned for group in own) / decisions
        numbers = str(own[0].number) if len(own) == 1 else f"{own[0].number} to {own[-1].number}"
        yield numbers, decisions, listed, pruned
