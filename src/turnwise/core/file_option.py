"""Options of the command line that a game declares: a thing by name, or a file with one of the user's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class FileOption:
    """An option such as ``--board NAME|FILE``.

    Attributes:
        name: The option without its dashes; also the scenario option that takes a name.
        content: The scenario option that takes what is in a file.
        help: One line for the help text.
        is_name: Whether a text is a name that the game knows.
        read: What is in a file, for ``content``.
    """

    name: str
    content: str
    help: str
    is_name: Callable[[str], bool]
    read: Callable[[Path], Any]

    def options(self, value: str) -> dict[str, Any]:
        """The scenario options that a value of this option stands for.

        Raises:
            DamagedFileError: It is a file that cannot be read, or that holds something else.
        """
        return {self.content: self.read(Path(value))} if self.is_file(value) else {self.name: value}

    def is_file(self, value: str) -> bool:
        """Whether a value is meant to be a file: it is no known name, and exists or looks like a file's name."""
        path = Path(value)
        return not self.is_name(value) and (path.exists() or bool(path.suffix) or path.name != value)
