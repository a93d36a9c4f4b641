"""JSON forms of plain Python states without any work by the user: dataclasses, tuples, enums, numbers, text."""

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
    """A value as dictionaries, lists, numbers and text; equal values give equal results.

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
    raise GameFunctionError(f"{type(value).__name__} has no JSON form by itself; give your game to_json and from_json.")


class Reader:
    """Reads what ``to_plain`` wrote back into objects of a type."""

    def __init__(self, function: Any, where: str) -> None:
        """Prepare for the type that a function says it returns.

        Args:
            function: A function with a return annotation.
            where: Name of the game, for messages.

        Raises:
            GameFunctionError: No annotation, or none that can be read.
        """
        try:
            self._returned: Any = get_type_hints(function)["return"]
            self._type: TypeAdapter[Any] = TypeAdapter(self._returned)
        except Exception as error:  # a missing or unknown name, or a type that pydantic cannot read
            raise GameFunctionError(
                f"{where}: states cannot be read from JSON, since first_state says not what it returns in a form that "
                f"can be used ({type(error).__name__}: {error}). Annotate it, 'def first_state(self, random: Chance) "
                "-> MyState', or write to_json and from_json."
            ) from error

    def read(self, data: Any) -> Any:
        """The object of a plain form.

        Raises:
            NotationError: Missing, unknown or impossible fields.
        """
        text = json.dumps(data)
        try:
            value = self._type.validate_json(text, strict=True)
        except ValidationError as error:
            raise NotationError(f"Not a state of this game: {problems(error, self._returned)[0]}.") from None
        if to_plain(value) != json.loads(text):
            raise NotationError("Not a state of this game: it has fields that the game does not know.")
        return value
