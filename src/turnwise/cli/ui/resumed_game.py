"""Going on with a game that was left: its replay is read, checked, and played to its last position."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from turnwise.cli.ui.output import read_text
from turnwise.cli.ui.results_target import command_words
from turnwise.core.errors import OptionError

if TYPE_CHECKING:
    from turnwise.core.state import State
    from turnwise.replay import Replay

PERSON = "person"


@dataclass(frozen=True)
class ResumedGame:
    """A game in progress.

    Attributes:
        replay: The game so far.
        last: The position in which it was left, with a chance stream of its own.
        seat: The person's seat from 0; None if the replay does not name one.
    """

    replay: Replay
    last: State
    seat: int | None


def resumed_game(path: Path, game: str, seed: int) -> ResumedGame:
    """Read the replay of a game that was left.

    Args:
        path: The replay.
        game: Text of the scenario that was asked for; only its name, or the same options.
        seed: Seed of what chance decides from now on.

    Raises:
        DamagedFileError: The file cannot be read or is no replay.
        OptionError: It is of another game, or the game has ended.
        TurnwiseError: The replay cannot be played.
    """
    from turnwise.registry import make
    from turnwise.replay import LARGEST_REPLAY, read_replay

    replay = read_replay(read_text(path, LARGEST_REPLAY, "a replay that 'turnwise play' has saved"), str(path))
    scenario, given = replay.make_game(), make(game)
    if given.name != scenario.name or (":" in game and given.spec != scenario.spec):
        raise OptionError(
            f"{path}: expected a game of {given.spec}, got one of {scenario.spec}. Give the game's name without "
            "options, since the replay has them, or another file."
        )
    *_, last = replay.states()
    if last.is_over:
        raise OptionError(f"{path}: this game is over; 'turnwise report {path}' shows it. Give a game in progress.")
    seat = replay.players.index(PERSON) if PERSON in replay.players else None
    now = last.game.from_dict(last.to_dict(), seed + len(replay.steps))
    return ResumedGame(replay, now, seat)


def resuming_command(path: Path, game: str, options: Sequence[str], imports: Sequence[str] = ()) -> str:
    """The command that goes on with a saved game.

    Args:
        path: The saved game.
        game: Name of the game.
        options: The opponent, and all else that was given. Not the state, which the saved game has, and not the
            output file, which is the saved game: no command overwrites what it reads.
        imports: Modules that ``--import`` named.
    """
    from turnwise.search.presets import added

    words = ["play", game, "--resume", str(path), *options]
    return shlex.join([*command_words(imports, [str(file) for file in added()]), *words])
