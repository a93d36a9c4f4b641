"""Running tournaments from commands, with progress; names of results files where the command is the specification."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwise.cli.ui.interruption import keeping, kept_in
from turnwise.cli.ui.output import message
from turnwise.cli.ui.progress import ProgressMeter, compile_progress
from turnwise.cli.ui.results_target import results_target
from turnwise.core.errors import OptionError

if TYPE_CHECKING:
    from turnwise.arena.tournament.run import RunSummary, TournamentProgress
    from turnwise.arena.tournament.specification import TournamentSpec

_LONGEST_NAME = 60


def own_results(kind: str, spec: TournamentSpec, planners: Sequence[str], out: Path | None) -> Path:
    """The results file: by default its name says what is played, so that the same command finds it again.

    Args:
        kind: How the name begins.
        spec: The tournament.
        planners: What the name says of its players.
        out: What was given with ``--out``.

    Raises:
        TurnwiseError: The results cannot be written there.
        OptionError: It is a specification, or the tournament has no game.
    """
    from turnwise.arena.tournament.schedule import make_schedule

    schedule = make_schedule(spec)
    next(schedule.jobs())
    words = re.sub(r"[^a-z0-9]+", "-", " ".join([*planners, *spec.games]).lower()).strip("-")
    name = f"{kind}-{words[:_LONGEST_NAME].strip('-')}-{schedule.identity_hash[:6]}"
    target = results_target(Path(f"{name}.toml"), out)
    if target.suffix == ".toml":
        raise OptionError(f"--out {target}: expected the name of a results file, for example {kind}.sqlite.")
    return target


def play_games(spec: TournamentSpec, target: Path, **settings: Any) -> RunSummary:
    """Play the games that are missing in the results file, with a progress bar.

    Args:
        spec: The tournament.
        target: The results file.
        **settings: Further arguments of :func:`turnwise.arena.tournament.run.run_tournament`.

    Raises:
        InterruptedRunError: Ctrl-C; finished games are kept.
    """
    from turnwise.arena.tournament.run import run_tournament

    with keeping(kept_in(target, _has_games)), compile_progress(), ProgressMeter(spec.name) as meter:
        return run_tournament(spec, target, progress=lambda step: _advance(meter, step), **settings)


def _has_games(results: Path) -> bool:
    from turnwise.arena.results.reading import open_results

    with open_results(results) as found:
        return len(found) > 0


def note_pairs(games: int, played: int) -> None:
    """Say on standard error that an odd number of games counts as the next even one, if it does."""
    if played != games:
        pairs = "games for two are played in pairs, the same start from both seats"
        message("Note", f"--games {games}: {pairs}, so it counts as {played}.", style="yellow")


def _advance(meter: ProgressMeter, step: TournamentProgress) -> None:
    """Move the bar, and show the run's messages."""
    if step.message:
        message("Note", step.message, style="yellow")
    meter.show(step.done, step.total)
