"""Files of other people as text: of limited size, in UTF-8, with one clear message for whatever is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from turnwise.core.errors import DamagedFileError


def read_text(path: Path, largest: int, what: str) -> str:
    """The content of a file.

    Args:
        path: The file.
        largest: Most bytes that it may have; no more than that is read.
        what: What is expected, for messages ("a board").

    Raises:
        DamagedFileError: It cannot be read, is too large or is not UTF-8 text.
    """
    try:
        with path.open("rb") as file:
            return text_of(file, str(path), largest, what)
    except OSError as error:
        raise DamagedFileError(f"{path}: cannot be read ({error.strerror or error}); expected {what}.") from None


def text_of(file: BinaryIO, name: str, largest: int, what: str) -> str:
    """The rest of an open file as text.

    Args:
        file: Where to read from; the caller's to close.
        name: Its name for messages.
        largest: Most bytes that it may have.
        what: What is expected, for messages.

    Raises:
        DamagedFileError: It cannot be read, is too large or is not UTF-8 text.
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
        raise DamagedFileError(
            f"{name}: not UTF-8 text; expected {what}. Is it compressed, or another kind of file?"
        ) from None
