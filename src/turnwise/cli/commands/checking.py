"""``verify`` and ``perft``: checks of the rules."""

from __future__ import annotations

import glob
from collections.abc import Iterable
from typing import Annotated

import typer

from turnwise.cli.ui.options import GameArgument, JsonOption, SeedOption, StateOption, add
from turnwise.cli.ui.output import plain, print_json, show, table
from turnwise.cli.ui.progress import ProgressMeter, compile_progress


def register(app: typer.Typer) -> None:
    """Add the commands."""
    add(
        app,
        verify,
        "turnwise verify recorded/*.jsonl.gz",
        "turnwise verify recorded/ my-game.replay.json",
        "turnwise verify recorded/ --json",
    )
    add(
        app,
        perft,
        "turnwise perft hero-academy --depth 3",
        "turnwise perft hero-academy:map=a-tiny --depth 4 --json",
        "turnwise perft hero-academy --state positions.jsonl:2 --depth 2",
    )


def verify(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Files, folders or patterns with recorded play.", show_default=False),
    ],
    as_json: JsonOption = False,
) -> None:
    """Replay recorded play and compare it with the rules.

    Every state, legal list, score, draw and evaluation is compared. The kind of each file is detected: recorded
    play of reference engines, or replays and states saved by turnwise; plain or gzipped. The first mismatch is
    shown with both states side by side; the last line counts all of them, as in '3 files, 120 steps, 0 mismatches'
    (programs should read --json). Exit code: 0 without a mismatch, 1 with a mismatch, 2 if a file cannot be read to
    its end.
    """
    from turnwise.testing.recorded.verification import verify_files

    with compile_progress(), ProgressMeter("", "Checked", "file") as meter:
        report = verify_files(_expanded(files), lambda name, done, total: meter.show(done, total, shown=name[-40:]))
    if as_json:
        print_json(report.to_dict())
    else:
        for line in report.summary_lines():
            plain(line)
    raise typer.Exit(report.exit_code)


def _expanded(patterns: Iterable[str]) -> list[str]:
    """Expand patterns that the shell has not expanded; everything else stays unchanged."""
    found: list[str] = []
    for pattern in patterns:
        found.extend(sorted(glob.glob(pattern, recursive=True)) or [pattern])
    return list(dict.fromkeys(found))


def perft(
    game: GameArgument,
    depth: Annotated[int, typer.Option("--depth", "-d", min=1, max=50, help="Number of actions.")] = 3,
    state: StateOption = None,
    seed: SeedOption = 0,
    most: Annotated[
        int,
        typer.Option(
            "--max-states", min=1, max=1_000_000_000, help="Largest number of distinct states kept per depth."
        ),
    ] = 1_000_000,
    chance: Annotated[
        int | None,
        typer.Option("--chance-seed", help="Seed of chance in every state; without it, every chance draw gives 0."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Count action sequences and distinct states by depth.

    The counts serve to compare the rules with another implementation.
    """
    from turnwise.cli.ui.states import first_state
    from turnwise.testing.perft import perft as count_states

    with compile_progress():
        begin = first_state(game, state, seed)
        rows = count_states(begin, depth, most, chance)
    if as_json:
        counted = [{"depth": i, "sequences": n, "states": d} for i, (n, d) in enumerate(rows, start=1)]
        print_json({"game": begin.game.spec, "rules": begin.game.rules_version, "perft": counted})
        return
    columns = ("depth", "sequences", "distinct states")
    listing = table(*columns, title=f"{begin.game.spec}, rules version {begin.game.rules_version}", numbers=columns)
    for number, (sequences, distinct) in enumerate(rows, start=1):
        listing.add_row(str(number), f"{sequences:,}", f"{distinct:,}")
    show(listing)
    drawn = "Every chance draw gives 0" if chance is None else f"Chance follows from seed {chance} and the state"
    plain(f"{drawn}; lines end where the game is over.")
