"""Automatic JSON forms of plain Python states: dataclasses, tuples, enums, numbers, strings."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from enum import Enum
from typing import Any, get_type_hints

from pydantic import TypeAdapter, ValidationError

from turnwise.core.errors import GameFunctionError, NotationError
from turnwise.core.fields import problems


def to_plain(value: Any) -> Any:
    """Convert a value to dictionaries, lists, numbers and strings; equal values give equal results.

    Raises:
        GameFunctionError: A part has a type without an obvious JSON form.
    """
    if value is None or (isinstance(value, bool | int | float | str) and not isinstance(value, Enum)):
        return value
    if isinstance(value, Enum):
        return to_plain(value.value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(to_plain(key)): to_plain(item) for key, item in sorted(value.items(), key=lambda kv: str(kv[0]))}
    if isinstance(value, tuple | list):
        return [to_plain(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted((to_plain(item) for item in value), key=json.dumps)
    raise GameFunctionError(
        f"{type(value).__name__} has no automatic JSON form; write to_json and from_json in your game."
    )


class Reader:
    """Converts the results of ``to_plain`` back into objects of a type."""

    def __init__(self, function: Any, where: str) -> None:
        """Prepare for the return type of a function.

        Args:
            function: A function with a return annotation.
            where: Name of the game, for messages.

        Raises:
            GameFunctionError: The annotation is missing or cannot be used.
        """
        try:
            self._returned: Any = get_type_hints(function)["return"]
            self._type: TypeAdapter[Any] = TypeAdapter(self._returned)
        except Exception as error:  # a missing or unknown name, or a type that pydantic cannot read
            raise GameFunctionError(
                f"{where}: states cannot be read from JSON, since the return annotation of first_state is missing or "
                f"unusable ({type(error).__name__}: {error}). Annotate it, 'def first_state(self, random: Chance) "
                "-> MyState', or write to_json and from_json."
            ) from error

    def read(self, data: Any) -> Any:
        """Make the object of a plain form.

        Raises:
            NotationError: Fields are missing, unknown or invalid.
        """
        text = json.dumps(data)
        try:
            value = self._type.validate_json(text, strict=True)
        except ValidationError as error:
            raise NotationError(f"Not a state of this game: {problems(error, self._returned)[0]}.") from None
        plain, given = to_plain(value), json.loads(text)
        if plain != given:
            both = isinstance(plain, dict) and isinstance(given, dict)
            names = ", ".join(repr(name) for name in given if name not in plain) if both else ""
            raise NotationError(f"Not a state of this game: it has unknown fields{names and ': ' + names}.")
        return value
