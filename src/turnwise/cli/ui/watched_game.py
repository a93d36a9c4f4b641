"""A game that a person plays or watches in the terminal, from whose steps an unfinished game can be saved."""

from __future__ import annotations

from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from turnwise.cli.ui.output import plain, write_whole
from turnwise.core.errors import TurnwiseError

if TYPE_CHECKING:
    from turnwise.cli.ui.resumed_game import ResumedGame
    from turnwise.core.state import State
    from turnwise.replay import Replay, ReplayStep


class WatchedGame:
    """Follows a game: shows the moves of the others, and keeps the steps so that an unfinished game can be saved."""

    def __init__(self, start: State, players: list[str], person: int, earlier: ResumedGame | None = None) -> None:
        from turnwise.arena.game_in_progress import GameInProgress

        self._game = GameInProgress(start, earlier.replay if earlier else None)
        self.players = [f"{name} #{seat + 1}" if players.count(name) > 1 else name for seat, name in enumerate(players)]
        self.person = person

    @property
    def now(self) -> State:
        """The present state."""
        return self._game.now

    @property
    def steps(self) -> list[ReplayStep]:
        """What was played here."""
        return self._game.steps

    def __call__(self, state: State, step: ReplayStep) -> None:
        """Called after every action."""
        self._game.take(state, step)
        if step.player != self.person:
            if step.note is not None and step.note.plan:
                value = "" if step.note.value is None else f", value {step.note.value:.6g}"
                plain(f"{self.players[step.player]} ({step.note.seconds:.2f} s{value}):")
            plain(f"  {step.action}")

    def go_on(self, codes: list[int]) -> None:
        """Add the entered actions of an unfinished turn, as long as they are legal under the game's own chance.

        A game whose code fails on one of them keeps those before it.
        """
        with suppress(TurnwiseError):
            for code in codes:
                if not self.now.is_legal(code):
                    break
                self._game.play(code)

    def whole(self, part: Replay) -> Replay:
        """A replay from the resumed position on, with what was played before it."""
        return self._game.after_earlier(part)

    def replay(self) -> Replay:
        """The game so far."""
        return self._game.replay(self.players)


def free_name(game: str) -> Path:
    """The first free file name for a replay in this folder."""
    names = (Path(f"{game}-{number}.replay.json") for number in count(1))
    return next(name for name in names if not name.exists())


def save(replay: Replay, path: Path | None, force: bool) -> Path:
    """Write the replay to a path, or by default under the first free name; returns the path."""
    target = path or free_name(replay.game)
    write_whole(target, replay.model_dump_json() + "\n", force=force)
    return target
