"""Playing one job of a tournament: text in, text out, so that any worker can do it."""

from __future__ import annotations

import json
from functools import cache, lru_cache
from pathlib import Path

from turnwise.arena.live_games import LOST, LiveGame
from turnwise.arena.match import play_game
from turnwise.arena.records import GameRecord
from turnwise.arena.tournament.schedule import GameJob, import_modules
from turnwise.core.budget import Budget
from turnwise.core.errors import CapacityError, OptionError, TurnwiseError, UnknownNameError
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.registry import make, planner

_WARM = Budget(iterations=2)


class WorkerFaultError(TurnwiseError):
    """A worker could not play a game, through no fault of a player."""


@lru_cache(maxsize=64)
def _game(text: str) -> Game:
    """Make a scenario, once per process."""
    return make(text)


@cache
def warm(scenario: str, player: str) -> str:
    """Let a planner plan one turn from the start, so that nothing is compiled while a game's clock runs.

    A planner that fails here will fail in its games as well, where the failure is counted.

    Returns:
        See :func:`refusal`.
    """
    return refusal(scenario, player, _WARM)


def refusal(scenario: str, player: str, budget: Budget) -> str:
    """The message with which a planner refuses to play a scenario at all; empty: it plays.

    Parameters that do not fit the scenario are refused before a search begins. Other errors depend on the state: they
    are faults in games, and forfeit these.
    """
    try:
        planner(player).plan(_game(scenario).start(), budget)
    except (OptionError, UnknownNameError, CapacityError) as error:
        return str(error)
    except (Exception, SystemExit):
        return ""
    return ""


def check_plays(name: str, player: str, scenario: Game, budget: Budget) -> None:
    """Let a planner plan a turn of a scenario, which compiles it; no game is worth starting if it refuses.

    Args:
        name: Its name in the games.
        player: The planner.
        scenario: The scenario.
        budget: Its limits in the games.

    Raises:
        OptionError: The planner refuses every decision of the scenario.
    """
    refused = warm(scenario.full_spec, player)
    if refused:  # perhaps the budget of the probe only
        refused = refusal(scenario.full_spec, player, budget)
    if refused:
        who = player if name == player else f"{name!r} ({player})"
        raise OptionError(
            f"Player {who} cannot play {scenario.spec}: {refused} No game has been played now; correct the player, or "
            "choose another."
        )


def play_job(text: str, live: str = "") -> str:
    """Play a game.

    Args:
        text: A :class:`GameJob` as JSON.
        live: Folder in which others follow the game (:mod:`turnwise.arena.live_games`); empty: nobody can.

    Returns:
        JSON: ``{"record": ...}``, or ``{"error": "..."}`` if the game could not be played.
    """
    try:
        record = _play(GameJob.model_validate_json(text), live)
    except Exception as error:
        reason = str(error) if isinstance(error, TurnwiseError) else f"{type(error).__name__}: {error}"
        return json.dumps({"error": reason})
    return f'{{"record": {record.model_dump_json()}}}'


def _play(job: GameJob, live: str) -> GameRecord:
    import_modules(job.imports)
    game = _game(job.scenario_to_make)
    if game.rules_version != job.rules:
        raise WorkerFaultError(
            f"{job.scenario} must be played under rules version {job.rules}, but this worker has version "
            f"{game.rules_version}; install the same version of turnwise on all workers."
        )
    for player in dict.fromkeys(job.players):
        warm(job.scenario_to_make, player)
    start, ending = start_of(job, game), LOST
    observer = LiveGame(Path(live), job.number, start, job.names) if live else None
    try:
        record = play_game(
            game,
            job.players,
            job.budgets,
            seed=job.start_seed,
            start=start,
            seeds=job.seeds,
            names=job.names,
            rules=job.match_rules,
            observer=observer,
        )
        ending = f"{record.ending} ({record.detail})" if record.detail else str(record.ending)
    finally:
        if observer is not None:
            observer.end(ending)
    update = {"key": job.key, "group": job.group, "number": job.number}
    if not job.keep_replay:
        update["replay"] = record.replay.model_copy(update={"steps": ()})
    return record.model_copy(update=update)


def start_of(job: GameJob, game: Game) -> State:
    """The first state of a game; the job's seed is that of its chance."""
    return game.from_dict(json.loads(job.start), job.start_seed) if job.start else game.start(job.start_seed)
