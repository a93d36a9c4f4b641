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
from turnwise.cli.ui.output import check_target, last_words, plain, show_board, write_whole
from turnwise.cli.ui.progress import compile_progress
from turnwise.core.errors import OptionError, counted

if TYPE_CHECKING:
    from turnwise.cli.ui.resumed_game import ResumedGame
    from turnwise.core.state import State
    from turnwise.replay import Replay, ReplayStep


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
    planner: PlannerOption = "online-evolution",
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
    from turnwise.cli.commands.plan import warm_up
    from turnwise.cli.ui.endings import ending_words
    from turnwise.cli.ui.person import Person, PersonLeftError, planner_hint
    from turnwise.cli.ui.resumed_game import resumed_game, resuming_command
    from turnwise.cli.ui.signals import like_ctrl_c
    from turnwise.cli.ui.states import first_state, state_files
    from turnwise.core.budget import parse_budget
    from turnwise.registry import make

    if resume is not None and state is not None:
        raise OptionError("--resume and --state both say where the game begins; give one of them.")
    limits = parse_budget(budget)
    mind = make_planner(planner, as_published=as_published, as_coded=as_coded)
    check_target(out or _free_name(make(game).name), force, [*state_files(state), *([resume] if resume else [])])
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
    watched = _Watched(
        start, [person.spec if p is person else getattr(mind, "spec", planner) for p in players], own, earlier
    )
    with like_ctrl_c() as end:
        try:
            record = play_game(
                scenario, players, limits, seed=seed, start=start, names=watched.players, observer=watched
            )
        except (PersonLeftError, KeyboardInterrupt, OSError, SystemExit) as leaving:  # OSError: no terminal any more
            end.is_awaited = False
            watched.go_on(person.unfinished)
            below = "\n" if person.is_asked else ""
            if watched.steps:
                saved = _save(watched.replay(), out, force)
                options = ["--planner", planner, "--budget", budget]
                options += ["--seed", str(seed)] if seed else []
                options += ["--seat", str(seat)] if seat is not None else []
                options += ["--as-published"] if as_published else ["--as-coded"] if as_coded else []
                again = resuming_command(saved, scenario.name, options, context.obj or ())
                last_words(f"{below}Replay saved: {saved}\nTo go on: {again}")
            else:
                last_words(f"{below}No action was played, so no replay is saved.")
            if end.number:
                raise SystemExit(128 + end.number) from None  # as the shell reports a signal
            if isinstance(leaving, PersonLeftError | OSError):
                return
            raise
        end.is_awaited = False
        whole = watched.whole(record.replay)
        saved = _save(whole, out, force)
        show_board(watched.now)
        plain(ending_words(record, own))
        plain(f"Replay saved: {saved}")


class _Watched:
    """Follows a game: shows the moves of the others, and keeps the steps so that an unfinished game can be saved."""

    def __init__(self, start: State, players: list[str], person: int, earlier: ResumedGame | None = None) -> None:
        self.start = self.now = start
        self.earlier = earlier.replay if earlier else None
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

    def whole(self, part: Replay) -> Replay:
        """A replay from the resumed position on, with what was played before it."""
        if self.earlier is None:
            return part
        return part.model_copy(update={"start": self.earlier.start, "steps": (*self.earlier.steps, *part.steps)})

    def replay(self) -> Replay:
        """The game so far."""
        from turnwise.replay import Replay

        game = self.start.game
        part = Replay(
            game=game.name,
            rules=game.rules_version,
            options=game.options.model_dump(mode="json", exclude_defaults=True),
            start=self.start.to_dict(),
            players=tuple(self.players),
            steps=tuple(self.steps),
        )
        return self.whole(part)


def _free_name(game: str) -> Path:
    """The first free file name for a replay in this folder."""
    names = (Path(f"{game}-{number}.replay.json") for number in count(1))
    return next(name for name in names if not name.exists())


def _save(replay: Replay, path: Path | None, force: bool) -> Path:
    """Write the replay to a path, or by default under the first free name; returns the path."""
    target = path or _free_name(replay.game)
    write_whole(target, replay.model_dump_json() + "\n", force=force)
    return target
