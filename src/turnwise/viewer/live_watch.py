"""Games that another process plays at the moment, next to the file that it will write or writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from turnwise.arena.live_games import LiveFile, folder_of, live_games, open_live


class LiveWatch:
    """The games of a search whose result is not there yet (``turnwise solve --out``).

    Attributes:
        path: The file of the result.
    """

    def __init__(self, path: Path) -> None:
        """Look at nothing yet.

        Args:
            path: The file of the result.
        """
        self.path = path

    @staticmethod
    def fits(path: Path) -> bool:
        """Whether games are played for a file that is not there yet."""
        return not path.exists() and folder_of(path).is_dir()

    def facts(self) -> dict[str, Any]:
        """The games as data for the page."""
        return {
            "kind": "search",
            "name": self.path.name,
            "has_ended": self.path.exists(),
            "playing": self.playing(),
        }

    def playing(self) -> list[dict[str, Any]]:
        """The games that are being played."""
        return [
            {"number": header.number, "players": header.replay.players, "began": header.began}
            for header in live_games(folder_of(self.path))
        ]

    def live(self, number: int) -> LiveFile:
        """A game that is being played.

        Raises:
            DamagedFileError: It is not being played any more.
        """
        return open_live(folder_of(self.path), number)
