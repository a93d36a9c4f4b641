"""``play``: play against a planner in the terminal."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from turnwise.cli.ui.options import (
    BudgetOption,
    CodedOption,
    ForceOption,
    GameArgument,
    PlannerOption,
    PublishedOption,
    SeedOption,
    StateOption,
    add,
    make_planner,
)
from turnwise.cli.ui.output import check_target, plain, show_board, write_whole
from turnwise.cli.ui.progress import compile_progress
from turnwise.core.errors import OptionError, counted

if TYPE_CHECKING:
    from turnwise.arena.records import GameRecord
    from turnwise.core.state import State
    from turnwise.replay import Replay, ReplayStep


def register(app: typer.Typer) -> None:
    """Add the command."""
    add(
        app,
        play,
        "turnwise play hero-academy --planner mcts --budget time=2s",
        "turnwise play hero-academy:map=a-tiny,deck=tiny -p greedy-turn --seat 2 --out game.json",
    )


def play(
    game: GameArgument,
    planner: PlannerOption = "online-evolution",
    budget: BudgetOption = "time=1s",
    seed: SeedOption = 0,
    seat: Annotated[int, typer.Option("--seat", min=1, help="Your seat; the player in seat 1 moves first.")] = 1,
    state: StateOption = None,
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
    'undo' takes back an action of the turn, 'hint' asks the planner, 'quit' leaves and saves a replay of the game so
    far (so does Ctrl-C).
    """
    from turnwise.arena.match import play_game
    from turnwise.cli.commands.plan import warm_up
    from turnwise.cli.ui.person import Person, PersonLeftError, planner_hint
    from turnwise.cli.ui.states import first_state, state_files
    from turnwise.core.budget import parse_budget
    from turnwise.registry import make

    limits = parse_budget(budget)
    mind = make_planner(planner, as_published=as_published, as_coded=as_coded)
    check_target(out or _free_name(make(game).name), force, state_files(state))
    with compile_progress():
        scenario = make(game)
        if seat > scenario.players:
            raise OptionError(f"--seat {seat}: {scenario.spec} has only {counted(scenario.players, 'seat')}.")
        start = first_state(game, state, seed)
        scenario = start.game
        warm_up(mind, start.view(start.to_move))
    person = Person(planner_hint(mind, limits))
    players = [person if place == seat - 1 else mind for place in range(scenario.players)]
    watched = _Watched(
        start, [person.spec if p is person else getattr(mind, "spec", planner) for p in players], seat - 1
    )
    try:
        record = play_game(scenario, players, limits, seed=seed, start=start, names=watched.players, observer=watched)
    except (PersonLeftError, KeyboardInterrupt) as leaving:
        watched.go_on(person.unfinished)
        if watched.steps:
            _save(watched.replay(), out, force)
        else:
            plain("No action was played, so no replay is saved.")
        if isinstance(leaving, KeyboardInterrupt):
            raise
        return
    _tell_end(record, watched)
    _save(record.replay, out, force)


class _Watched:
    """Follows a game: shows the moves of the others, and keeps the steps so that an unfinished game can be saved."""

    def __init__(self, start: State, players: list[str], person: int) -> None:
        self.start = self.now = start
        self.players = [f"{name} #{seat + 1}" if players.count(name) > 1 else name for seat, name in enumerate(players)]
        self.person = person
        self.steps: list[ReplayStep] = []

    def __call__(self, state: State, step: ReplayStep) -> None:
        """Called after every action."""
        self.now = state
        self.steps.append(step)
        if step.player != self.person:
            if step.note is not None and step.note.plan:
                value = "" if step.note.value is None else f", value {step.note.value:.6g}"
                plain(f"{self.players[step.player]} ({step.note.seconds:.2f} s{value}):")
            plain(f"  {step.action}")

    def go_on(self, codes: list[int]) -> None:
        """Add the entered actions of an unfinished turn, as long as they are legal under the game's own chance."""
        from turnwise.replay import ReplayStep

        for code in codes:
            if not self.now.is_legal(code):
                break
            after = self.now.play(code)
            self.steps.append(ReplayStep(action=self.now.text(code), player=self.person, outcomes=after.outcomes))
            self.now = after

    def replay(self) -> Replay:
        """The game so far."""
        from turnwise.replay import Replay

        game = self.start.game
        return Replay(
            game=game.name,
            rules=game.rules_version,
            options=game.options.model_dump(mode="json", exclude_defaults=True),
            start=self.start.to_dict(),
            players=tuple(self.players),
            steps=tuple(self.steps),
        )


def _tell_end(record: GameRecord, watched: _Watched) -> None:
    show_board(watched.now)
    ranks = [seat.rank for seat in record.seats]
    if ranks.count(1) == len(ranks) > 1:
        result = "A draw"
    else:
        result = "You won" if ranks[watched.person] == 1 else "You lost"
    why = f"{record.ending.value}: {record.detail}" if record.detail else record.ending.value
    plain(f"{result} ({why}).")


def _free_name(game: str) -> Path:
    """The first free file name for a replay in this folder."""
    names = (Path(f"{game}-{number}.replay.json") for number in count(1))
    return next(name for name in names if not name.exists())


def _save(replay: Replay, path: Path | None, force: bool) -> None:
    """Write the replay to a path, or by default under the first free name."""
    target = path or _free_name(replay.game)
    write_whole(target, replay.model_dump_json() + "\n", force=force)
    plain(f"Replay saved: {target}")
