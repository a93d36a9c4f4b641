"""``match``: games between planners, without a results file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from turnwise.cli.ui.argument_order import check_order
from turnwise.cli.ui.failed_games import end_with_errors, error_facts
from turnwise.cli.ui.interruption import keeping
from turnwise.cli.ui.options import (
    BudgetOption,
    ForceOption,
    GameArgument,
    JsonOption,
    ReplayOption,
    SeedOption,
    add,
)
from turnwise.cli.ui.output import check_target, message, plain, print_json, show, table, write_whole
from turnwise.cli.ui.progress import compile_progress
from turnwise.core.errors import OptionError, counted

if TYPE_CHECKING:
    from pathlib import Path

    from turnwise.arena.records import GameRecord
    from turnwise.core.game import Game
    from turnwise.core.state import State
    from turnwise.replay import ReplayStep


def register(app: typer.Typer) -> None:
    """Add the command."""
    add(
        app,
        match,
        "turnwise match hero-academy online-evolution mcts --budget time=100ms",
        "turnwise match hero-academy greedy-turn random -b iterations=1000 --games 10 --json",
        "turnwise match hero-academy greedy-action heuristic -b forward=1000 --out game.json",
    )


def match(
    context: typer.Context,
    game: GameArgument,
    players: Annotated[
        list[str],
        typer.Argument(
            metavar="PLANNER...",
            help="One planner per seat; the first one moves first.",
            show_default=False,
        ),
    ],
    budget: BudgetOption = "time=1s",
    games: Annotated[
        int,
        typer.Option(
            "--games", "-g", min=1, max=100_000, help="Number of games; players change seats from game to game."
        ),
    ] = 1,
    seed: SeedOption = 0,
    out: ReplayOption = None,
    force: ForceOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show the results only, not every action.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Play games between planners and show them.

    For many games use 'turnwise tournament'. Games come in groups with the same start, from all seatings.
    Ctrl-C ends the match; finished games are shown. Replays of several games have the names NAME-1.json,
    NAME-2.json, ... for --out NAME.json. The exit code is 1 if an error in a planner's code ended a game.
    """
    from turnwise.arena.match import default_names
    from turnwise.arena.tournament.failed_games import failed_games
    from turnwise.arena.tournament.job import check_plays
    from turnwise.core.budget import parse_budget
    from turnwise.registry import make, planner
    from turnwise.report.words import result_words

    limits = parse_budget(budget)
    check_order(context, game, players)
    minds = [planner(text) for text in players]
    with compile_progress():
        scenario = make(game)
        if len(minds) != scenario.players:
            raise OptionError(
                f"{scenario.spec} has {counted(scenario.players, 'seat')}; got {counted(len(minds), 'planner')} "
                f"({', '.join(players)})."
                + (" 'turnwise tournament' compares planners game by game." if scenario.players == 1 else "")
            )
        targets = [_numbered(out, number, games) for number in range(games)] if out is not None else []
        for target in targets:
            check_target(target, force)
        for text in players:
            check_plays(text, text, scenario, limits)
    _note_unbalanced(scenario.players, games)
    names = default_names(minds, players)
    records: list[GameRecord] = []

    def kept() -> str:
        saved = "; their replays are saved" if targets and records else ""
        return f"{len(records)} of {counted(games, 'game')} ended{saved}"

    try:
        for number in range(games):
            with keeping(kept, goes_on=False):
                record = _one_game(scenario, players, names, budget, seed, number, shown=not (quiet or as_json))
            records.append(record)
            if targets:
                write_whole(targets[number], record.replay.model_dump_json() + "\n", force=force)
            if not as_json:
                length = f"{counted(record.turns, 'turn')}, {record.seconds:.1f} s"
                plain(f"Game {number + 1}: {result_words(record)}, {length}.")
    finally:
        if as_json:
            print_json(_match_facts(scenario, names, budget, seed, records))
        elif games > 1 and records:
            _show_points(names, records)
    end_with_errors(failed_games(records))


def _note_unbalanced(players: int, games: int) -> None:
    """Say on standard error that the last start of a match of several games is not played from all seatings."""
    from turnwise.arena.tournament.seating import seatings

    ways = len(seatings(players))
    missing = -games % ways
    if games > 1 and missing:
        message(
            "Note",
            f"{games} games of {players} players are not balanced: the last start is played from {games % ways} of "
            f"{ways} seatings. For all of them give --games {games + missing}.",
            style="yellow",
        )


def _one_game(
    game: Game, texts: list[str], names: list[str], budget: str, seed: int, number: int, *, shown: bool
) -> GameRecord:
    """Game ``number`` of a match: every start is played from all seatings."""
    from turnwise.arena.match import play_game
    from turnwise.arena.tournament.seating import seatings
    from turnwise.core.chance import derive_seed

    ways = seatings(game.players)
    seats = ways[number % len(ways)]
    start_seed = derive_seed(seed, "match", number // len(ways)) if number >= len(ways) else seed
    start = game.start(start_seed)
    seated = [names[seat] for seat in seats]
    return play_game(
        game,
        [texts[seat] for seat in seats],
        budget,
        seed=start_seed,
        start=start,
        names=seated,
        observer=_watcher(start, seated) if shown else None,
    )


def _numbered(path: Path, number: int, games: int) -> Path:
    return path if games == 1 else path.with_name(f"{path.stem}-{number + 1}{path.suffix}")


def _watcher(start: State, seated: list[str]) -> Any:
    """An observer that prints every turn on a line as it is played."""
    actions: list[str] = []
    now = [start.turn]  # number of the turn in progress

    def watch(state: State, step: ReplayStep) -> None:
        actions.append(step.action)
        if state.turn != now[0] or state.to_move != step.player:
            plain(f"{start.game.seat_name(step.player)} ({seated[step.player]}): {'; '.join(actions)}")
            actions.clear()
            now[:] = [state.turn]

    return watch


def _match_facts(game: Game, names: list[str], budget: str, seed: int, records: list[GameRecord]) -> dict[str, Any]:
    from turnwise.arena.solving.solution import reached
    from turnwise.arena.tournament.failed_games import failed_games

    return {
        "game": game.spec,
        "players": names,
        "budget": budget,
        "seed": seed,
        "scores": {
            name: sum(seat.score for record in records for seat in record.seats if seat.player == name)
            for name in names
        },
        "games": [
            {
                "seats": [seat.player for seat in record.seats],
                "ending": record.ending.value,
                "detail": record.detail,
                "turns": record.turns,
                "scores": [seat.score for seat in record.seats],
                "returns": [seat.result for seat in record.seats],
                "seconds": record.seconds,
                "start_seed": record.start_seed,
                **(dict([reached(record)]) if len(record.seats) == 1 else {}),
            }
            for record in records
        ],
        "errors": error_facts(failed_games(records)),
    }


def _show_points(names: list[str], records: list[GameRecord]) -> None:
    """Print the points of several players, or the mean result of a single player."""
    if len(names) == 1:
        from turnwise.report.scores import score_comparisons
        from turnwise.report.terminal import comparison_table

        for compared in score_comparisons(records):
            show(comparison_table(compared))
        return
    listing = table("player", "points", "games", "won", "drawn", "lost", numbers=("points", "games"))
    for name in names:
        seats = [seat for record in records for seat in record.seats if seat.player == name]
        won, drawn = sum(seat.score == 1 for seat in seats), sum(0 < seat.score < 1 for seat in seats)
        points = f"{sum(seat.score for seat in seats):g}"
        listing.add_row(name, points, str(len(seats)), str(won), str(drawn), str(len(seats) - won - drawn))
    show(listing)
