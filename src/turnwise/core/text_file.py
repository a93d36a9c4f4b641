"""Reading input files as text and JSON: of limited size, in UTF-8, with one clear message for every problem."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from turnwise.core.errors import DamagedFileError, TurnwiseError


def read_text(path: Path, largest: int, what: str) -> str:
    """The content of a file.

    Args:
        path: The file.
        largest: Largest size in bytes; no more than that is read.
        what: Description of the expected content, for messages ("a board").

    Raises:
        DamagedFileError: The file cannot be read, is too large or is not UTF-8 text.
    """
    try:
        with path.open("rb") as file:
            return text_of(file, str(path), largest, what)
    except ValueError:  # of the path
        raise DamagedFileError(f"{str(path)!r}: no file has such a name; expected {what}.") from None
    except OSError as error:
        raise DamagedFileError(f"{path}: cannot be read ({error.strerror or error}); expected {what}.") from None


def text_of(file: BinaryIO, name: str, largest: int, what: str) -> str:
    """The rest of an open file as text.

    Args:
        file: The file to read; the caller closes it.
        name: Name of the file, for messages.
        largest: Largest size in bytes.
        what: Description of the expected content, for messages.

    Raises:
        DamagedFileError: The file cannot be read, is too large or is not UTF-8 text.
    """
    try:
        content = file.read(largest + 1)
    except OSError as error:
        raise DamagedFileError(f"{name}: cannot be read ({error.strerror or error}); expected {what}.") from None
    if len(content) > largest:
        raise DamagedFileError(f"{name}: larger than {largest} bytes; expected {what}.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DamagedFileError(f"{name}: not UTF-8 text; expected {what}. {_likely_kind(content)}") from None


def _likely_kind(content: bytes) -> str:
    """What a file that is no text may be."""
    if content.startswith(b"SQLite format 3\0"):
        return "This is an SQLite file, such as the results of a tournament or a tuning."
    return "The file may be compressed, or of another kind."


def begins_like_json(path: Path) -> bool:
    """Whether a file is text that begins like a JSON object; False where it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(64).lstrip()[:1] == b"{"
    except OSError:
        return False


def read_toml(path: Path, largest: int, what: str, hint: str = "") -> dict[str, Any]:
    """The tables of a TOML file.

    Args:
        path: The file.
        largest: Largest size in bytes.
        what: Description of the expected content, for messages ("a tournament in TOML").
        hint: A likely cause with its remedy, for messages about files that are not TOML.

    Raises:
        DamagedFileError: The file cannot be read, is too large or is not TOML; the message names it.
    """
    import tomllib

    text = read_text(path, largest, what)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DamagedFileError(f"{path}: not valid TOML: {error}; expected {what}.{hint and ' ' + hint}") from None
    except (ValueError, RecursionError) as error:
        raise DamagedFileError(f"{path}: {json_trouble(error, text)}; expected {what}.") from None


@contextmanager
def errors_name(path: str | Path) -> Iterator[None]:
    """In this context, messages of errors begin with the name of the file whose content causes them.

    Args:
        path: The file.

    Raises:
        TurnwiseError: The error that the context raises, of the same class and with the same attributes; only its
            message changes, unless it begins with the name already.
    """
    try:
        yield
    except TurnwiseError as error:
        if not str(error).startswith(str(path)):
            error.args = (f"{path}: {error}",)  # a new error might need other arguments than its message
        raise


def json_of(text: str | bytes, line: int = 1) -> Any:
    """Read one JSON value.

    Args:
        text: The JSON text.
        line: Number of the text's first line in its file.

    Raises:
        ValueError: The text is not JSON; the message says where and why ("not valid JSON at line 3, column 2: ...").
    """
    try:
        text = text if isinstance(text, str) else text.decode("utf-8")
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(json_trouble(error, text, line)) from None


def json_trouble(error: ValueError | RecursionError, text: str | bytes, line: int = 1) -> str:
    """Explain why Python's JSON or TOML reader refused a text; see :func:`json_of`."""
    if isinstance(error, json.JSONDecodeError):
        return f"not valid JSON at line {line + error.lineno - 1}, column {error.colno}: {error.msg}"
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, UnicodeDecodeError) or isinstance(text, bytes | bytearray):
        return "not UTF-8 text"
    most = sys.get_int_max_str_digits()  # the only other reason: Python refuses to read longer whole numbers
    found = re.search(rf"\d{{{most + 1},}}", text) if most else None
    if found is None:
        return "a number cannot be read"
    above = text[: found.start()]
    place = f"line {line + above.count(chr(10))}, column {found.start() - above.rfind(chr(10))}"
    return f"a number of {len(found[0])} digits at {place}; at most {most} digits are allowed"
