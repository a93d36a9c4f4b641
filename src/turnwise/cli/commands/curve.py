"""``curve``: how strength, or the result of a single-player game, grows with the budget."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from turnwise.cli.ui.argument_order import check_order
from turnwise.cli.ui.failed_games import end_with_errors, error_facts
from turnwise.cli.ui.options import (
    ForceOption,
    GameArgument,
    JsonOption,
    OwnResultsOption,
    PageOption,
    RetryDamagedOption,
    SeedOption,
    WorkersOption,
    add,
)
from turnwise.cli.ui.output import plain, print_json, show
from turnwise.cli.ui.pages import check_page, page_maker, write_page
from turnwise.cli.ui.tournament_runs import note_pairs, own_results, play_games
from turnwise.core.errors import counted

if TYPE_CHECKING:
    from turnwise.arena.records import GameRecord
    from turnwise.arena.tournament.curve import BudgetCurve
    from turnwise.report.model import Comparison

_DEFAULT_BUDGETS = ("time=10ms", "time=30ms", "time=100ms")


def register(app: typer.Typer) -> None:
    """Add the command."""
    add(
        app,
        curve,
        "turnwise curve hero-academy online-evolution -b time=10ms -b time=30ms -b time=100ms --html curve.html",
        "turnwise curve hero-academy mcts online-evolution -b iterations=100 -b iterations=1000 --against greedy-turn",
        "turnwise curve samegame:board=3 nrpa sp-mcts -b forward=1000 -b forward=10000 --games 10",
    )


def curve(
    context: typer.Context,
    game: GameArgument,
    planners: Annotated[
        list[str], typer.Argument(metavar="PLANNER", help="Planners, one line each.", show_default=False)
    ],
    budgets: Annotated[
        list[str] | None,
        typer.Option(
            "--budget",
            "-b",
            metavar="BUDGET",
            help="A budget, at least twice; all with the same limit (time, cpu, forward, evaluations or iterations). "
            f"Default: {', '.join(_DEFAULT_BUDGETS)}.",
        ),
    ] = None,
    against: Annotated[
        str,
        typer.Option(
            "--against", metavar="PLANNER", help="Opponent of all in games for two; default: the first planner."
        ),
    ] = "",
    against_budget: Annotated[
        str | None, typer.Option("--against-budget", metavar="BUDGET", help="Its budget; default: the middle one.")
    ] = None,
    games: Annotated[
        int, typer.Option("--games", "-g", min=1, max=1_000_000, help="Games of every planner with every budget.")
    ] = 40,
    seed: SeedOption = 0,
    workers: WorkersOption = 1,
    out: OwnResultsOption = None,
    html: PageOption = None,
    force: ForceOption = False,
    retry_damaged: RetryDamagedOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show how planners gain from larger budgets.

    In games for two, every planner with every budget meets the same opponent; the table shows its score. In
    single-player games it shows the mean result. All games are kept in a results file: after Ctrl-C the same command
    continues, and with more --games it plays only the missing ones. A point with a game that an error in a planner's
    code ended has no value: the errors are shown, and the exit code is 1.
    """
    from turnwise.arena.results.reading import open_results
    from turnwise.arena.results_file import results_files
    from turnwise.arena.tournament.curve import budget_curve
    from turnwise.arena.tournament.failed_games import failed_games, remedy
    from turnwise.report.curve import curve_comparison

    check_order(context, game, planners)
    planned = budget_curve(
        game,
        planners,
        budgets or _DEFAULT_BUDGETS,
        games=games,
        against=against,
        against_budget=against_budget,
        seed=seed,
    )
    target = own_results("curve", planned.tournament, planners, out)
    maker = "" if html is None else page_maker("curve", target, html)
    if html is not None:
        check_page(html, maker, force, results_files(target))
    note_pairs(games, planned.tournament.games_per_pair)
    summary = play_games(
        planned.tournament, target, workers=workers, imports=context.obj or (), retry_damaged=retry_damaged
    )
    with open_results(target) as results:  # with more games than planned, after a run with a larger --games
        records = list(results)
    comparison, failed = curve_comparison(planned, records), failed_games(records)
    if html is not None:
        _write_page(planned, records, comparison, html, maker)
    if as_json:
        print_json(_facts(planned, comparison, target, summary.played) | {"errors": error_facts(failed)})
        end_with_errors(failed)
        return
    from turnwise.report.terminal import comparison_table

    show(comparison_table(comparison))
    plain(comparison.note)
    if failed:
        plain(remedy(failed, target))
    plain(f"{counted(summary.played, 'game')} played now; all in {target}." + (f" Page: {html}" if html else ""))
    end_with_errors(failed)


def _write_page(
    planned: BudgetCurve, records: list[GameRecord], comparison: Comparison, html: Path, maker: str
) -> None:
    from dataclasses import replace

    from turnwise.report.builder import from_results
    from turnwise.report.facts import tournament_facts

    spec = planned.tournament
    data = from_results(
        spec.name,
        records,
        facts=tournament_facts(spec, list(spec.games)),
        players=list(spec.players),
        max_replays=10,
        seed=spec.seed,
    )
    write_page(replace(data, curve=comparison, maker=maker), html)


def _facts(planned: BudgetCurve, comparison: Comparison, target: Path, played: int) -> dict[str, Any]:
    from turnwise.report.curve import curve_points

    return {
        "results": str(target),
        "game": planned.tournament.games[0],
        "reference": planned.reference,
        "unit": comparison.unit,
        "axis": planned.axis,
        "played": played,
        "points": curve_points(comparison),
    }
