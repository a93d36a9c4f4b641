"""Reading figures back from the JSON text that they were written as."""

from __future__ import annotations

from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from turnwise.core.errors import NotationError, brief

Kind = TypeVar("Kind")
_LARGEST = 16 * 1024 * 1024


def read_figures(kind: type[Kind], text: object, what: str) -> Kind:
    """An object of a dataclass from JSON text.

    Args:
        kind: The dataclass.
        text: What its ``to_json`` wrote.
        what: What it should be, for messages: "a profile".

    Raises:
        NotationError: The text is something else.
    """
    if not isinstance(text, str) or len(text) > _LARGEST:
        shown = f"{len(text):,} characters" if isinstance(text, str) else brief(text)
        raise NotationError(f"expected {what} as JSON text of at most {_LARGEST:,} characters; got {shown}.")
    try:
        return TypeAdapter(kind).validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise NotationError(f"not {what}: {place + ': ' if place else ''}{first['msg']}.") from None
