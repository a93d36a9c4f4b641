"""A results file that is read again when it, or what a writer keeps next to it, has changed.

A large file that grows with every game would keep a core busy that the games need, so what takes long to read is read
less often.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from turnwise.arena.results_file import results_files

_QUICK = 0.5  # seconds of reading that do not matter
_REST = 5.0  # after a longer one: how many times as long the data stay as they are


class WatchedFile:
    """Data for pages that follow from a file."""

    def __init__(self, path: Path, read: Callable[[Path], dict[str, Any]]) -> None:
        """Read nothing yet.

        Args:
            path: The file.
            read: Makes the data.
        """
        self._path, self._read = path, read
        self._lock = threading.Lock()
        self._stamp: list[tuple[int, int]] | None = None
        self._facts: dict[str, Any] = {}
        self._next = 0.0  # time of the monotonic clock before which the file is not read

    def facts(self) -> dict[str, Any]:
        """The data, the same object as long as nothing has changed, or the last reading took long.

        Raises:
            DamagedFileError: The file is damaged or not there.
        """
        with self._lock:
            there = [path.stat() for path in results_files(self._path) if path.exists()]
            stamp = [(status.st_size, status.st_mtime_ns) for status in there]
            began = time.monotonic()
            if stamp != self._stamp and began >= self._next:
                self._facts, self._stamp = self._read(self._path), stamp
                ended = time.monotonic()
                self._next = ended + _REST * (ended - began) if ended - began > _QUICK else ended
            return self._facts
