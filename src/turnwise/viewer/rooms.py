"""All games on the server, kept in a folder so that a restart loses nothing."""

from __future__ import annotations

import re
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pydantic import ValidationError

from turnwise.arena.game_in_progress import GameInProgress
from turnwise.core.errors import DamagedFileError, OptionError, UnknownNameError
from turnwise.core.output_files import write_files
from turnwise.core.text_file import json_of, read_text
from turnwise.replay import LARGEST_REPLAY
from turnwise.viewer.limits import MOST_ROOMS
from turnwise.viewer.players import Players
from turnwise.viewer.room import GameRoom, SavedRoom
from turnwise.viewer.seats import Seat
from turnwise.viewer.thinking import Thinkers
from turnwise.viewer.viewed_game import ViewedGame

_MOST_SHOWN = 20
_NAME = re.compile(r"[A-Za-z0-9_-]{4,64}")


class Rooms:
    """The games of a server by name."""

    def __init__(self, folder: Path | None, players: Players, thinkers: Thinkers) -> None:
        """Open a folder of games.

        Args:
            folder: Where games are kept; None: they end with the server.
            players: The planners that seats may have.
            thinkers: Threads for searches.
        """
        self._folder, self._players, self._thinkers = folder, players, thinkers
        self._open: dict[str, GameRoom] = {}
        self._shown: dict[str, ViewedGame] = {}
        self._lock = threading.RLock()
        self._busy: dict[str, tuple[threading.Lock, int]] = {}  # games that are being read or deleted, and by how many

    def names(self) -> list[str]:
        """Names of all games, those in the folder included; those that changed last come first."""
        changed = {}
        for path in self._files():
            with suppress(FileNotFoundError):  # it has been deleted meanwhile
                changed[path.stem] = path.stat().st_mtime
        with self._lock:
            changed |= {name: room.changed for name, room in self._open.items()}
        return sorted(changed, key=lambda name: (-changed[name], name))

    def add(self, course: GameInProgress, seats: tuple[Seat, ...], seed: int, came_from: str = "") -> GameRoom:
        """A new game; its planner begins at once if it moves first.

        Raises:
            OptionError: There are too many games already, or it cannot be saved.
        """
        with self._lock:
            if len(self.names()) >= MOST_ROOMS:
                raise OptionError(
                    f"This server keeps at most {MOST_ROOMS} games. Delete some on the first page, or give 'turnwise "
                    "serve' another folder (--keep)."
                )
            name = secrets.token_urlsafe(9)
            room = GameRoom(
                name, course, seats, seed, self._players, self._thinkers, came_from=came_from, keep=self._keep
            )
            try:
                self._keep(room.saved())
            except OSError as error:
                raise OptionError(
                    f"The game cannot be saved on the server ({error.strerror or error}), so it does not begin. Free "
                    "some space, or give 'turnwise serve' another folder (--keep)."
                ) from None
            self._open[name] = room
        room.advance()
        return room

    def show(self, game: ViewedGame) -> ViewedGame:
        """Let pages look at a game that is played elsewhere; it is not kept."""
        with self._lock:
            earlier = self._shown.pop(game.name, None)
            if earlier is not None:
                earlier.close()
            self._shown[game.name] = game
            while len(self._shown) > _MOST_SHOWN:
                self._shown.pop(next(iter(self._shown))).close()
        return game

    def shown(self, name: str) -> ViewedGame | None:
        """A game that is played elsewhere; None: pages do not look at it."""
        with self._lock:
            return self._shown.get(name)

    def played(self, name: str) -> GameRoom:
        """A game that is played here; see :meth:`get`.

        Raises:
            OptionError: It is played elsewhere.
        """
        room = self.get(name)
        if not isinstance(room, GameRoom):
            raise OptionError(
                "This game is played elsewhere: no action of it can be played or can be taken back here. 'Branch off "
                "here' makes a copy that you play on."
            )
        return room

    def get(self, name: str) -> ViewedGame:
        """A game; one from before a restart is read from its file and goes on.

        Raises:
            UnknownNameError: There is no such game.
            DamagedFileError: Its file is damaged.
            TurnwiseError: It cannot be played here.
        """
        with self._lock:
            found = self._shown.get(name) or self._open.get(name)
        if found is not None:
            return found
        with self._alone_with(name):
            room = self._open.get(name)
            if room is None:
                room = self._read(name)
                with self._lock:
                    self._open[name] = room
                room.advance()
            return room

    def delete(self, name: str) -> None:
        """Forget a game and its file.

        Raises:
            UnknownNameError: There is no such game.
        """
        path = self._path(name)
        with self._alone_with(name):
            with self._lock:
                room = self._open.pop(name, None)
            if room is None and (path is None or not path.exists()):
                raise _unknown(name)
            if room is not None:
                room.close()
            if path is not None:
                path.unlink(missing_ok=True)

    def close(self) -> None:
        """Keep the games, but neither players nor open files; the server ends."""
        with self._lock:
            for room in self._open.values():
                room.release_players()
            for game in self._shown.values():
                game.close()

    @contextmanager
    def _alone_with(self, name: str) -> Iterator[None]:
        """Let no other thread read or delete the same game; a long game keeps nobody from the others.

        Args:
            name: Name of the game.
        """
        with self._lock:
            lock, users = self._busy.get(name, (threading.Lock(), 0))
            self._busy[name] = lock, users + 1
        try:
            with lock:
                yield
        finally:
            with self._lock:
                lock, users = self._busy.pop(name)
                if users > 1:
                    self._busy[name] = lock, users - 1

    def _read(self, name: str) -> GameRoom:
        path = self._path(name)
        if path is None or not path.exists():
            raise _unknown(name)
        try:
            saved = SavedRoom.model_validate(json_of(read_text(path, LARGEST_REPLAY, "a game of the viewer")))
        except (ValidationError, ValueError) as error:
            raise DamagedFileError(f"{path}: not a game of the viewer: {error}. Delete it.") from None
        course = GameInProgress.replayed(saved.replay, secrets.randbits(62))
        if len(saved.seats) != course.now.game.players:
            raise DamagedFileError(f"{path}: it has {len(saved.seats)} seats; delete it.")
        return GameRoom(
            name,
            course,
            saved.seats,
            saved.seed,
            self._players,
            self._thinkers,
            came_from=saved.came_from,
            keep=self._keep,
            began=saved.began,
            changed=path.stat().st_mtime,
            edition=saved.edition,
        )

    def _keep(self, saved: SavedRoom) -> None:
        path = self._path(saved.room)
        if path is not None:
            write_files({path: saved.model_dump_json().encode()})

    def _path(self, name: str) -> Path | None:
        """The file of a game; names come from addresses, so nothing else than letters reaches the file system.

        Raises:
            UnknownNameError: No game has such a name.
        """
        if not _NAME.fullmatch(name):
            raise _unknown(name)
        return None if self._folder is None else self._folder / f"{name}.json"

    def _files(self) -> list[Path]:
        return [] if self._folder is None else [p for p in self._folder.glob("*.json") if _NAME.fullmatch(p.stem)]


def _unknown(name: str) -> UnknownNameError:
    return UnknownNameError(f"There is no game {name[:64]!r} on this server. Its folder may be another one (--keep).")
