"""Options of the command line that a game declares: the name of a known item, or a file with a user-defined one."""

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
        content: The scenario option that takes the content of a file.
        help: One line for the help text.
        is_name: Returns whether the game knows a name.
        read: Reads a file and returns the value for ``content``.
    """

    name: str
    content: str
    help: str
    is_name: Callable[[str], bool]
    read: Callable[[Path], Any]

    def options(self, value: str) -> dict[str, Any]:
        """The scenario options that correspond to a value of this option.

        Raises:
            DamagedFileError: The file cannot be read, or has other content.
        """
        return {self.content: self.read(Path(value))} if self.is_file(value) else {self.name: value}

    def is_file(self, value: str) -> bool:
        """Whether a value means a file: it is not a known name, and it exists or looks like a file name."""
        path = Path(value)
        return (
            bool(value.strip())
            and not self.is_name(value)
            and (path.exists() or bool(path.suffix) or path.name != value)
        )
