"""``match`` and ``tournament``: games between planners."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from turnwise.cli.options import (
    BudgetOption,
    ForceOption,
    GameArgument,
    JsonOption,
    SeedOption,
    WorkersOption,
    add,
)
from turnwise.cli.output import check_target, message, plain, print_json, show, table, write_whole
from turnwise.cli.progress import bar, compile_progress
from turnwise.core.errors import OptionError, TurnwiseError

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

    from turnwise.arena.records import GameRecord
    from turnwise.arena.run import Progress
    from turnwise.core.game import Game
    from turnwise.core.replay import Step
    from turnwise.core.state import State


_SMALL_FILE = """[bold]A small file[/bold]
games = "hero-academy"
players = \\["mcts", "greedy-turn", "random"]
budget = "time=30ms"
games_per_pair = 20"""


def register(app: typer.Typer) -> None:
    """Add the commands."""
    add(
        app,
        match,
        "turnwise match hero-academy online-evolution mcts --budget time=100ms",
        "turnwise match hero-academy greedy-turn random -b iterations=1000 --games 10 --json",
        "turnwise match hero-academy greedy-action heuristic -b forward=1000 --save game.json",
    )
    add(
        app,
        tournament,
        "turnwise tournament league.toml --workers 2",
        "turnwise tournament league.toml --store results.sqlite",
        note=_SMALL_FILE,
    )


def match(
    game: GameArgument,
    players: Annotated[
        list[str],
        typer.Argument(
            metavar="PLANNER...", help="One planner per seat, the beginning player first.", show_default=False
        ),
    ],
    budget: BudgetOption = "time=1s",
    games: Annotated[
        int, typer.Option("--games", "-g", min=1, max=100_000, help="Games; seats rotate from game to game.")
    ] = 1,
    seed: SeedOption = 0,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help="Save the replay; of several games FILE-1, FILE-2, ..."),
    ] = None,
    force: ForceOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show the results only, not every action.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Let planners play against each other here and now; for many games see "tournament".

    Games come in groups with the same start in which seats rotate. Ctrl-C ends the match; finished games are shown.
    """
    from turnwise.arena.match import default_names
    from turnwise.arena.play import warm
    from turnwise.core.budget import parse_budget
    from turnwise.core.registry import make, planner

    parse_budget(budget)
    minds = [planner(text) for text in players]
    with compile_progress():
        scenario = make(game)
        if len(minds) != scenario.players:
            raise OptionError(
                f"{scenario.text} has {scenario.players} seats; got {len(minds)} planners ({', '.join(players)})."
            )
        targets = [_numbered(save, number, games) for number in range(games)] if save is not None else []
        for target in targets:
            check_target(target, force)
        for mind in minds:
            warm(scenario.text, mind.text)
    names = default_names(minds)
    records: list[GameRecord] = []
    try:
        for number in range(games):
            watch = None if quiet or as_json else _watcher(scenario, names, number)
            record = _one_game(scenario, [mind.text for mind in minds], names, budget, seed, number, watch)
            records.append(record)
            if targets:
                write_whole(targets[number], record.replay.model_dump_json() + "\n", force=force)
            if not as_json:
                plain(f"Game {number + 1}: {ending_text(record)}, {record.turns} turns, {record.seconds:.1f} s.")
    finally:
        if as_json:
            print_json(_match_facts(scenario, names, budget, seed, records))
        elif games > 1 and records:
            _show_scores(names, records)


def _one_game(
    game: Game, texts: list[str], names: list[str], budget: str, seed: int, number: int, watch: Any
) -> GameRecord:
    """Game ``number`` of a match: every start is played from all seatings."""
    from turnwise.arena.match import play_game
    from turnwise.core.chance import derive_seed

    turn = number % game.players
    seats = [*range(turn, game.players), *range(turn)]
    start_seed = derive_seed(seed, "match", number // game.players) if number >= game.players else seed
    return play_game(
        game,
        [texts[seat] for seat in seats],
        budget,
        seed=start_seed,
        names=[names[seat] for seat in seats],
        observer=watch,
    )


def _numbered(path: Path, number: int, games: int) -> Path:
    return path if games == 1 else path.with_name(f"{path.stem}-{number + 1}{path.suffix}")


def _watcher(game: Game, names: list[str], number: int) -> Any:
    """Tells every turn on a line as it is played."""
    said: list[str] = []
    turn = number % game.players
    seated = [*names[turn:], *names[:turn]]
    now: list[int] = []

    def watch(state: State, step: Step) -> None:
        said.append(step.action)
        if state.turn != (now[-1] if now else None) or state.to_move != step.player:
            plain(f"{game.seats[step.player]} ({seated[step.player]}): {'; '.join(said)}")
            said.clear()
            now[:] = [state.turn]

    return watch


def ending_text(record: GameRecord) -> str:
    """How a game ended, in words."""
    winners = [seat.player for seat in record.seats if seat.rank == 1]
    detail = f" ({record.detail})" if record.detail else ""
    if not record.is_counted or len(winners) == len(record.seats) > 1:
        return f"{record.ending.value}{detail}"
    told = f"{' and '.join(winners)} won"
    return told + detail if record.ending.value == "won" else f"{told}: {record.ending.value}{detail}"


def _match_facts(game: Game, names: list[str], budget: str, seed: int, records: list[GameRecord]) -> dict[str, Any]:
    return {
        "game": game.text,
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
            }
            for record in records
        ],
    }


def _show_scores(names: list[str], records: list[GameRecord]) -> None:
    listing = table("player", "points", "games", "won", "drawn", "lost", numbers=("points", "games"))
    for name in names:
        seats = [seat for record in records for seat in record.seats if seat.player == name]
        won, drawn = sum(seat.score == 1 for seat in seats), sum(0 < seat.score < 1 for seat in seats)
        points = f"{sum(seat.score for seat in seats):g}"
        listing.add_row(name, points, str(len(seats)), str(won), str(drawn), str(len(seats) - won - drawn))
    show(listing)


def tournament(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The tournament.", show_default=False)],
    store: Annotated[
        Path | None,
        typer.Option("--store", metavar="FILE", help="Results file; default: FILE.sqlite beside the tournament."),
    ] = None,
    workers: WorkersOption = 1,
    scheduler: Annotated[
        str, typer.Option("--scheduler", metavar="ADDRESS", help="Play on the workers of a Dask scheduler instead.")
    ] = "",
    retry_abandoned: Annotated[
        bool, typer.Option("--retry-abandoned", help="Play games again that were given up after lost workers.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Play a tournament, or go on with one: games that are in the results file are not played again.

    Every finished game is written at once; after Ctrl-C, a crash or a power cut the same command goes on.
    """
    from turnwise.arena.run import run_tournament
    from turnwise.arena.tournament import read_spec

    spec = read_spec(file)
    target = store or file.with_suffix(".sqlite")
    if target == file:
        raise OptionError(f"{file}: the results cannot go into the tournament's own file; give --store FILE.")
    _check_results_file(target)
    meter = bar()
    with compile_progress(), meter:
        task = meter.add_task(spec.name, total=None)
        summary = run_tournament(
            spec,
            target,
            workers=workers,
            scheduler=scheduler,
            imports=context.obj or (),
            retry_abandoned=retry_abandoned,
            progress=lambda step: _advance(meter, task, step),
        )
    facts = {
        "results": str(summary.path),
        "games": summary.total,
        "played": summary.played,
        "abandoned": summary.abandoned,
        "lost_workers": summary.lost,
    }
    from turnwise.cli.results import show_standings, standings_facts

    if as_json:
        print_json(facts | standings_facts(summary.path))
        return
    show_standings(summary.path)
    done = f"{summary.played} games played now" if summary.played else "All games were there already"
    plain(f"{done}; {summary.total} games in {summary.path}")


def _check_results_file(path: Path) -> None:
    folder = path.absolute().parent
    if not folder.is_dir() or path.is_dir():
        what = "is a folder" if path.is_dir() else f"there is no folder {folder}"
        raise TurnwiseError(f"{path}: {what}; --store names the results file.")


def _advance(meter: Bar, task: TaskID, step: Progress) -> None:
    """Move the bar; where nobody sees it, say the score now and then."""
    if step.message:
        message("Note", step.message, style="yellow")
    meter.update(task, completed=step.done, total=step.total)
    tenth = max(1, step.total // 10)
    if meter.disable and step.record is not None and (step.done % tenth == 0 or step.done == step.total):
        message("Played", f"{step.done} of {step.total} games", style="green")
