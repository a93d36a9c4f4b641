"""A game of a tournament while it is played: it grows with the file in which its worker writes its steps."""

from __future__ import annotations

from turnwise.arena.game_in_progress import GameInProgress
from turnwise.arena.live_games import LiveFile
from turnwise.core.errors import TurnwiseError
from turnwise.viewer.viewed_game import ViewedGame, seats_for


class FollowedGame(ViewedGame):
    """A game that another process plays."""

    def __init__(self, name: str, file: LiveFile) -> None:
        """Begin with what the file holds already.

        Args:
            name: Its name in addresses.
            file: The open file, which belongs to this object from now on.

        Raises:
            TurnwiseError: The game cannot be replayed here.
        """
        course = GameInProgress.replayed(file.header.replay, 0)
        super().__init__(name, course, seats_for(course, file.header.replay.players))
        self._file = file
        self.look()

    @property
    def goes_on(self) -> bool:
        """See :attr:`ViewedGame.goes_on`."""
        return self._file.ending is None and not self.trouble

    def look(self) -> None:
        """See :meth:`ViewedGame.look`."""
        with self._lock:
            if not self.goes_on:
                return
            before = len(self._course.steps)
            try:
                for step in self._file.further():
                    self._course.take(self._course.now.play(step.action, step.outcomes), step)
            except (TurnwiseError, OSError) as error:  # OSError: the disk that the game is read from
                self.trouble = f"This game cannot be followed further: {error}"
            if len(self._course.steps) > before or not self.goes_on:
                self.version += 1
            if not self.goes_on:
                self._file.close()

    def close(self) -> None:
        """See :meth:`ViewedGame.close`."""
        with self._lock:
            if self.goes_on:
                self._file.close()
                self.trouble = "Too many other games are followed here. Open this one again on the tournament's page."
                self.version += 1

    def _result(self) -> str:
        """See :meth:`ViewedGame._result`; the arena may have ended the game before its rules did."""
        return super()._result() or self._file.ending or ""
