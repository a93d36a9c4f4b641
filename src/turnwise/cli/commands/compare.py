"""``compare``: which of two planners is stronger, with as few games as a sequential test needs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from turnwise.cli.ui.argument_order import check_order
from turnwise.cli.ui.failed_games import end_with_errors, error_facts
from turnwise.cli.ui.options import (
    BudgetOption,
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
from turnwise.cli.ui.output import plain, print_json
from turnwise.cli.ui.pages import check_page, page_maker
from turnwise.cli.ui.results_page import report_command, results_page
from turnwise.cli.ui.tournament_runs import note_pairs, own_results, play_games
from turnwise.core.errors import counted

if TYPE_CHECKING:
    from turnwise.arena.tournament.comparison import ComparisonVerdict
    from turnwise.arena.tournament.specification import TournamentSpec


def register(app: typer.Typer) -> None:
    """Add the command."""
    add(
        app,
        compare,
        "turnwise compare mcts greedy-turn hero-academy --budget time=30ms",
        "turnwise compare mcts mcts:exploration=1.4 hero-academy -b iterations=2000 --difference 20 --workers 2",
        "turnwise compare mcts mcts hero-academy -b time=50ms --second-budget time=100ms",
    )


def compare(
    context: typer.Context,
    first: Annotated[str, typer.Argument(metavar="A", help="A planner.", show_default=False)],
    second: Annotated[str, typer.Argument(metavar="B", help="Another planner.", show_default=False)],
    game: GameArgument,
    budget: BudgetOption = "time=100ms",
    second_budget: Annotated[
        str, typer.Option("--second-budget", metavar="BUDGET", help="Limits of a turn of B, if not the same.")
    ] = "",
    difference: Annotated[
        float,
        typer.Option(
            "--difference",
            "-d",
            min=1,
            max=400,
            help="Elo points; the test decides between A being that much stronger and B being that much stronger. "
            "Smaller differences need more games: 30 points are 54 % of the points.",
        ),
    ] = 30.0,
    games: Annotated[int, typer.Option("--games", "-g", min=2, max=1_000_000, help="Largest number of games.")] = 1000,
    seed: SeedOption = 0,
    workers: WorkersOption = 1,
    out: OwnResultsOption = None,
    html: PageOption = None,
    force: ForceOption = False,
    retry_damaged: RetryDamagedOption = False,
    as_json: JsonOption = False,
) -> None:
    """Find out which of two planners is stronger.

    Games are played in pairs, the same start from both seats, until a sequential test (SPRT, both error rates 5 %)
    decides. All games are kept in a results file: after Ctrl-C the same command continues, a larger --games goes on
    where the test had not decided, and --html or 'turnwise report' makes a page of it. If an error in a planner's code
    ends a game, there is no verdict: the errors are shown, and the exit code is 1.
    """
    from turnwise.arena.results_file import results_files
    from turnwise.arena.tournament.comparison import comparison_spec, verdict_of
    from turnwise.arena.tournament.failed_games import remedy

    check_order(context, game, (first, second))
    spec = comparison_spec(game, (first, second), (budget, second_budget or budget), difference, games, seed)
    target = own_results("compare", spec, list(spec.players.values()), out)
    maker = "" if html is None else page_maker("compare", target, html)
    if html is not None:
        check_page(html, maker, force, results_files(target))
    note_pairs(games, spec.games_per_pair)
    summary = play_games(spec, target, workers=workers, imports=context.obj or (), retry_damaged=retry_damaged)
    verdict = verdict_of(spec, target)
    if html is not None:
        results_page(target, html, maker=maker, is_quiet=True)
    if as_json:
        print_json(_facts(verdict, spec, target, summary.played))
        end_with_errors(verdict.failed)
        return
    plain(verdict.words())
    if verdict.failed:
        plain(remedy(verdict.failed, target))
    elif not verdict.is_decided:
        plain(_advice(verdict, games))
    plain(f"{counted(summary.played, 'game')} played now; all in {target}.")
    if html is not None:
        plain(f"Page: {html}")
    else:
        plain(f"For a page on them: {report_command(target, context.obj or ())}")
    end_with_errors(verdict.failed)


def _advice(verdict: ComparisonVerdict, games: int) -> str:
    expected = verdict.games_to_decide
    if expected is None:
        return "The score is even: no number of games would decide. Give a larger --difference, or stop here."
    return (
        f"At this score about {counted(expected, 'game', ',')} would decide; continue with --games "
        f"{max(2 * games, -(-expected // 100) * 100)}."
    )


def _facts(verdict: ComparisonVerdict, spec: TournamentSpec, target: Path, played: int) -> dict[str, Any]:
    return {
        "results": str(target),
        "game": spec.games[0],
        "players": dict(spec.players),
        "stronger": verdict.stronger,
        "decided": verdict.is_decided,
        "games": verdict.tally.games,
        "played": played,
        "wins": verdict.tally.wins,
        "draws": verdict.tally.draws,
        "losses": verdict.tally.losses,
        "score": verdict.score.estimate,
        "low": verdict.score.low,
        "high": verdict.score.high,
        "elo": verdict.elo,
        "llr": verdict.llr,
        "games_to_decide": verdict.games_to_decide,
        "errors": error_facts(verdict.failed),
    }
