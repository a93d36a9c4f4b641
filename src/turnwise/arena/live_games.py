"""Games while they are played: small files next to the results, which others read as they grow.

Whoever plays a game appends its steps to a file of its own and locks this file, so that what a killed process has left
is not taken for a game that goes on. Nothing is synchronised, and no result depends on these files. Writing takes at
most a thousandth of the time of a game; steps wait where it would take more, and short games are not written at all.
When a game is over, its file is removed; whoever has it open reads it to its end.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from turnwise.core.errors import DamagedFileError
from turnwise.core.state import State
from turnwise.replay import Replay, ReplayStep

_UNSEEN = 0.5  # seconds after which a game is worth a file
_SHARE = 0.001  # largest share of a game's time that writing takes
_LARGEST = 8 * 1024 * 1024  # bytes of a file
_PART = 64 * 1024  # bytes that are read at a time in search of the header's end
_MOST_LISTED = 64
_LONG_PARTS = {"note": {"alternatives", "details"}}
_END = '{"ending"'
TOO_LONG = "it is too long to be followed further"
LOST = "its process was stopped"


class LiveHeader(BaseModel):
    """The first line of a file.

    Attributes:
        number: Number of the game.
        began: When it began, in seconds of the system's clock.
        replay: The game without its steps.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    number: int
    began: float
    replay: Replay


def folder_of(results: Path) -> Path:
    """The folder of the games that are being played for a results file."""
    real = Path(os.path.realpath(results))
    return real.with_name(real.name + ".live")


def clear(folder: Path) -> None:
    """Remove what ended or killed processes have left; only the process that may write the results calls this."""
    with suppress(OSError):
        for path in [*folder.glob("*.jsonl"), *folder.glob(".*.part")]:
            path.unlink(missing_ok=True)
        folder.rmdir()


class LiveGame:
    """Writes a game while it is played; an observer of :func:`turnwise.arena.match.play_game`.

    A full disk or a folder that cannot be written ends the writing, never the game.
    """

    def __init__(self, folder: Path, number: int, start: State, names: Sequence[str]) -> None:
        """Write nothing yet.

        Args:
            folder: See :func:`folder_of`.
            number: Number of the game.
            start: Its first state.
            names: Names by seat.
        """
        self._folder, self._number, self._start, self._names = folder, number, start, tuple(names)
        self._began, self._clock = time.time(), time.perf_counter()
        self._spent = 0.0
        self._waiting: list[ReplayStep] = []
        self._file: int | None = None
        self._left = _LARGEST
        self._is_off = False

    @property
    def _path(self) -> Path:
        return self._folder / f"{self._number}.jsonl"

    def __call__(self, state: State, step: ReplayStep) -> None:
        """Note a step, and write what waits if there is time for it."""
        if self._is_off:
            return
        self._waiting.append(step)
        now = time.perf_counter()
        passed = now - self._clock
        if passed >= _UNSEEN and self._spent <= _SHARE * passed:
            self._write()
            self._spent += time.perf_counter() - now

    def end(self, words: str) -> None:
        """Write the end and remove the file.

        Args:
            words: How the game ended.
        """
        if self._file is None:
            return
        if not self._is_off:
            self._write(json.dumps({"ending": words}) + "\n")
        with suppress(OSError):
            if os.path.samestat(os.stat(self._path), os.fstat(self._file)):  # the game may be played again elsewhere
                self._path.unlink()
        os.close(self._file)
        self._file = None

    def _write(self, end: str = "") -> None:
        lines = [step.model_dump_json(exclude=_LONG_PARTS, exclude_defaults=True) + "\n" for step in self._waiting]
        self._waiting.clear()
        content = ("".join(lines) + end).encode()
        if len(content) > self._left:
            content, self._is_off = (json.dumps({"ending": TOO_LONG}) + "\n").encode(), True
        try:
            if self._file is None:
                self._file = self._opened()
            self._left -= len(content)
            _write_all(self._file, content)
        except OSError:
            self._is_off = True

    def _opened(self) -> int:
        """A locked file with its header, which gets its name when both are there."""
        import fcntl

        game = self._start.game
        replay = Replay(
            game=game.name,
            rules=game.rules_version,
            options=game.options.model_dump(mode="json", exclude_defaults=True),
            start=self._start.to_dict(),
            players=self._names,
        )
        header = LiveHeader(number=self._number, began=self._began, replay=replay)
        self._folder.mkdir(exist_ok=True)
        part = self._folder / f".{self._number}.{os.getpid()}.part"
        file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _write_all(file, (header.model_dump_json() + "\n").encode())
            os.replace(part, self._path)
        except BaseException:
            os.close(file)
            raise
        return file


def _write_all(file: int, content: bytes) -> None:
    """Write everything; a disk that is nearly full takes a part at a time."""
    while content:
        content = content[os.write(file, content) :]


class LiveFile:
    """Reads a game while another process plays it.

    Attributes:
        header: What is known from the beginning.
        ending: How the game ended; None: it goes on.
    """

    def __init__(self, path: Path) -> None:
        """Open a file and read its header.

        Args:
            path: The file.

        Raises:
            DamagedFileError: It is not there any more, or is no such file.
        """
        self.ending: str | None = None
        self._left = 2 * _LARGEST  # bytes that may still be read: a header and steps; writers write no more
        self._rest = b""
        try:
            self._file = path.open("rb", buffering=0)
        except OSError:
            raise DamagedFileError("This game is not being played any more; its record is in the results.") from None
        try:
            first, _, self._rest = self._beginning().partition(b"\n")
            self.header = LiveHeader.model_validate_json(first)
        except (OSError, ValidationError):
            self._file.close()
            raise DamagedFileError(f"{path}: not a game that is being played.") from None

    def _beginning(self) -> bytes:
        """The header and what is read with it; a list of games needs no more of a file with many steps."""
        found = bytearray()
        while b"\n" not in found and len(found) < _LARGEST and (part := self._file.read(_PART)):
            found += part
        return bytes(found)

    @property
    def is_played(self) -> bool:
        """Whether a process still plays the game: it holds the lock."""
        import fcntl

        try:
            fcntl.flock(self._file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
        fcntl.flock(self._file, fcntl.LOCK_UN)
        return False

    def further(self) -> list[ReplayStep]:
        """The steps since the last call.

        Raises:
            DamagedFileError: A line is not a step, or the file is larger than any writer makes it.
            OSError: The file cannot be read.
        """
        is_played = self.is_played  # before reading: what is written until it ends is read below
        steps: list[ReplayStep] = []
        while self.ending is None:
            part = self._file.read(_LARGEST)
            self._left -= len(part)
            if self._left < 0:
                raise _damaged()
            *lines, self._rest = (self._rest + part).split(b"\n")
            if not lines:
                break
            for line in lines:
                self._take(line.decode("utf-8", "replace"), steps)
        if self.ending is None and not is_played:
            self.ending = LOST
        return steps

    def _take(self, line: str, steps: list[ReplayStep]) -> None:
        try:
            if line.startswith(_END):
                self.ending = str(_object(line)["ending"])
            else:
                steps.append(ReplayStep.model_validate_json(line))
        except (ValueError, KeyError):
            raise _damaged() from None

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _damaged() -> DamagedFileError:
    return DamagedFileError("The file of this game is damaged; its record will be in the results.")


def _object(line: str) -> dict[str, Any]:
    found = json.loads(line)
    return found if isinstance(found, dict) else {}


def live_games(folder: Path) -> list[LiveHeader]:
    """The games that are being played, in their order."""
    found = []
    for path in sorted(folder.glob("*.jsonl"))[:_MOST_LISTED]:
        with suppress(DamagedFileError):  # it has ended meanwhile
            file = LiveFile(path)
            if file.is_played:
                found.append(file.header)
            file.close()
    return sorted(found, key=lambda header: header.number)


def open_live(folder: Path, number: int) -> LiveFile:
    """A game that is being played.

    Raises:
        DamagedFileError: It is not being played any more.
    """
    return LiveFile(folder / f"{number}.jsonl")
