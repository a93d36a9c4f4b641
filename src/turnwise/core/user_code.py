"""Where code of the user failed."""

from __future__ import annotations

import traceback
from contextlib import suppress
from pathlib import Path

from turnwise.jit.closure import is_library

_TURNWISE = Path(__file__).resolve().parents[1]
_LONGEST_LINE = 120


def failing_line(error: BaseException, *, named: bool = False) -> str:
    """Where a user's code failed: file, line and its text in parentheses; empty if none of it was running.

    Args:
        error: What was raised.
        named: Only the file's name without its folder, for texts that must be the same on every machine.
    """
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        return _place(error.filename, error.lineno, error.text or "", named)
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_of_user(frame.filename)]
    return _place(own[-1].filename, own[-1].lineno or 0, own[-1].line or "", named) if own else ""


def failed_below(error: BaseException) -> bool:
    """Whether the error was raised by turnwise, which the user's code had called, and not by the user's own line."""
    files = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
    of_both = [file for file in files if _is_of_user(file) or _is_of_turnwise(file)]
    return any(map(_is_of_user, of_both)) and not _is_of_user(of_both[-1])


def _is_of_turnwise(file: str) -> bool:
    return _resolved(file).is_relative_to(_TURNWISE)


def _is_of_user(file: str) -> bool:
    return not file.startswith("<") and not _is_of_turnwise(file) and not is_library(_resolved(file))


def _resolved(file: str) -> Path:
    """The path without links; relative names, as that of code from a text, stay if the current folder is gone."""
    with suppress(OSError):
        return Path(file).resolve()
    return Path(file)


def _place(file: str, line: int, text: str, named: bool) -> str:
    shown = Path(file).name if named else _from_here(Path(file))
    return f" ({shown}, line {line}: {text.strip()[:_LONGEST_LINE]})"


def _from_here(path: Path) -> Path:
    """The path as seen from the current folder, if the file is below it and the folder still exists."""
    with suppress(OSError, ValueError):
        return path.relative_to(Path.cwd())
    return path
