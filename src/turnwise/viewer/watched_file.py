"""A results file that is read again whenever it, or what a writer keeps next to it, has changed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from turnwise.arena.results_file import results_files


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

    def facts(self) -> dict[str, Any]:
        """The data, the same object as long as nothing has changed.

        Raises:
            DamagedFileError: The file is damaged or not there.
        """
        with self._lock:
            there = [path.stat() for path in results_files(self._path) if path.exists()]
            stamp = [(status.st_size, status.st_mtime_ns) for status in there]
            if stamp != self._stamp:
                self._facts, self._stamp = self._read(self._path), stamp
            return self._facts
