"""``profile``: where the time of a planner's searches goes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from turnwise.cli.ui.options import BudgetOption, GameArgument, JsonOption, PlannerOption, add, make_planner
from turnwise.cli.ui.output import message, plain, show, table
from turnwise.cli.ui.progress import compile_progress
from turnwise.core.errors import counted

if TYPE_CHECKING:
    from turnwise.testing.profiling.profile import SearchProfile

_SHORT = 0.5  # nanoseconds: below that a meter shows nothing
_MEANINGS = {
    "legal_actions": "list the legal actions",
    "is_legal": "test whether an action is legal",
    "apply": "play an action",
    "fingerprint": "recognise equal states",
    "evaluation": "rate a state",
    "evaluation_of_all": "rate a state for all players",
    "prune": "drop poor actions",
    "survives": "test whether an action is poor",
    "action_score": "rate an action",
    "policy": "choose an action of a rollout",
    "determinise": "draw what is hidden",
}


def register(app: typer.Typer) -> None:
    """Add the command."""
    add(
        app,
        profile,
        "turnwise profile hero-academy --planner online-evolution",
        "turnwise profile hero-academy -p mcts -b forward=20000 --states positions.jsonl",
        "turnwise --import my_game profile my-game -p greedy-turn -b forward=500",
    )


def profile(
    game: GameArgument,
    planner: PlannerOption = "online-evolution",
    budget: BudgetOption = "forward=5000",
    states: Annotated[
        Path | None,
        typer.Option(
            "--states",
            metavar="FILE",
            help="States to search in, one per line; default: the game's own sample, or states of a short game.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show where the time of a planner's searches goes.

    The searches run without and with meters in the game's functions. The table shows how often a search calls each
    function of the game, and what part of the time that takes; the rest is the planner's own code. For a game in plain
    Python a second table shows its methods.
    """
    from turnwise.cli.ui.samples import sample_states
    from turnwise.core.budget import parse_budget
    from turnwise.registry import make
    from turnwise.testing.profiling.profile import profile_search

    limits = parse_budget(budget)
    scenario = make(game)
    mind = make_planner(planner)
    with compile_progress():
        sample = sample_states(scenario, states)
        message("Measuring", f"{counted(len(sample), 'search')} with {limits}", style="green")
        found = profile_search(mind, sample, limits)
    if as_json:
        plain(found.to_json())
    else:
        show_profile(found)


def show_profile(profile: SearchProfile) -> None:
    """Print the tables."""
    columns = ("share", "calls", "time of a call")
    searches = f"{counted(profile.positions, 'search')} of {profile.planner} with {profile.budget}"
    listing = table("", *columns, "", title=f"{profile.game}: {searches}", numbers=columns)
    for row in profile.functions:
        listing.add_row(row.function, *_figures(row.share, row.calls, row.nanoseconds), _MEANINGS.get(row.function, ""))
    listing.add_row("own code", f"{profile.own_share:.1%}", "", "", "the planner, and functions too short to measure")
    show(listing)
    if profile.methods:
        methods = table(
            "method", *columns, title="The game's methods, each without those that it calls", numbers=columns
        )
        for method in profile.methods:
            methods.add_row(method.method, *_figures(method.share, method.calls, method.nanoseconds))
        show(methods)
    calls = f"{profile.forward_calls:,} forward calls, {profile.evaluations:,} evaluations"
    plain(f"{profile.seconds * 1e3:,.1f} ms in all: {calls}.")


def _figures(share: float, calls: int, nanoseconds: float) -> tuple[str, str, str]:
    if nanoseconds < _SHORT:
        time = "too short"
    elif nanoseconds < 1000:
        time = f"{nanoseconds:,.0f} ns"
    else:
        time = f"{nanoseconds / 1000:,.1f} µs"
    return f"{share:.1%}", f"{calls:,}", time
