"""Where code of the user failed."""

from __future__ import annotations

import traceback
from pathlib import Path

import turnwise

_TURNWISE = Path(turnwise.__file__).parent


def failing_line(error: BaseException) -> str:
    """Where a user's code failed: file, line and its text in parentheses; empty if none of it was running."""
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        return _place(error.filename, error.lineno, error.text or "")
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if _is_of_user(frame.filename)]
    return _place(own[-1].filename, own[-1].lineno or 0, own[-1].line or "") if own else ""


def _is_of_user(file: str) -> bool:
    from turnwise.jit.closure import is_library

    return not file.startswith("<") and not Path(file).is_relative_to(_TURNWISE) and not is_library(Path(file))


def _place(file: str, line: int, text: str) -> str:
    path = Path(file)
    shown = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    return f" ({shown}, line {line}: {text.strip()})"
