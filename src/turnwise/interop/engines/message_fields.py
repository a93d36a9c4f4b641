"""Types of the fields of messages: numbers that files and compiled code can keep, texts that terminals can show."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from turnwise.core.errors import brief

_LARGEST = 1 << 62
_LARGEST_COUNT = 1 << 48  # the sum over all decisions of a game still has 64 bits
_LONGEST_REASON = 300


def _printable(text: str) -> str:
    """A text without control characters, which could write anywhere on a terminal.

    Raises:
        ValueError: It has one.
    """
    if not text.isprintable():
        raise ValueError(f"expected one line without control characters; got {brief(text)}")
    return text


def _all_printable(texts: tuple[str, ...]) -> tuple[str, ...]:
    if not "".join(texts).isprintable():  # one call for all, since states have many
        for text in texts:
            _printable(text)
    return texts


def _cleaned(text: str) -> str:
    return "".join(one if one.isprintable() else " " for one in text[:_LONGEST_REASON])


def _cleaned_lines(text: str) -> str:
    return "".join(one if one.isprintable() or one == "\n" else " " for one in text)


Whole = Annotated[int, Field(ge=-_LARGEST, le=_LARGEST)]
"""A whole number."""
Count = Annotated[int, Field(ge=0, le=_LARGEST_COUNT)]
"""How often something was done."""
Number = Whole | float
"""Any number."""
Printable = Annotated[str, AfterValidator(_printable)]
"""One line without control characters."""
PrintableTexts = Annotated[
    tuple[Annotated[str, Field(min_length=1, max_length=1000)], ...], AfterValidator(_all_printable)
]
"""Such lines, none empty."""
Reason = Annotated[str, AfterValidator(_cleaned)]
"""Why something is refused: the beginning, with spaces for control characters."""
Lines = Annotated[str, AfterValidator(_cleaned_lines)]
"""Lines of text, with spaces for control characters."""
