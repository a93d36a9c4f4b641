"""Options of engines: how an engine declares what can be set, and what values fit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from turnwise.core.errors import OptionError, brief, unknown_name
from turnwise.core.fields import bound, choices, members
from turnwise.interop.engines.message_fields import Number, Printable

Value = bool | int | float | str
_TYPES: Mapping[Any, str] = {bool: "switch", int: "whole", float: "number", str: "text"}
_WORDS = {"whole": "a whole number", "number": "a number", "switch": "true or false", "text": "a text"}


class EngineOption(BaseModel):
    """One option, as an engine declares it.

    Attributes:
        name: Its name.
        type: "whole", "number", "switch" (true or false), "text", or "choice" (one of ``choices``).
        default: Its value if nobody sets it.
        low: The smallest value of a number; None: no bound.
        high: The largest one.
        choices: The values of a choice.
        about: One line for people.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False, strict=True)

    name: Printable = Field(min_length=1, max_length=100)
    type: Literal["whole", "number", "switch", "text", "choice"]
    default: bool | Number | Printable | None = None
    low: Number | None = None
    high: Number | None = None
    choices: tuple[bool | Number | Printable, ...] = Field(default=(), max_length=10_000)
    about: Printable = Field(default="", max_length=2000)

    @model_validator(mode="after")
    def _default_fits(self) -> Self:
        """Refuse a default that the engine itself would not allow.

        Raises:
            ValueError: It is none of the values.
        """
        if self.default is not None and not self.allows(self.default):
            raise ValueError(f"the default of {self.name!r} is {self.default!r}; expected {self.expected}")
        return self

    @property
    def expected(self) -> str:
        """The values in words."""
        if self.type == "choice":
            return f"one of {', '.join(map(str, self.choices))}"
        low = "" if self.low is None else f" from {self.low:g}"
        high = "" if self.high is None else f" up to {self.high:g}"
        return f"{_WORDS[self.type]}{low}{high}"

    def allows(self, value: object) -> bool:
        """Whether a value fits."""
        if self.type == "choice":
            return any(type(value) is type(choice) and value == choice for choice in self.choices)
        if self.type in ("switch", "text"):
            return type(value) is (bool if self.type == "switch" else str)
        is_number = type(value) is int or (self.type == "number" and type(value) is float and math.isfinite(value))
        low = -math.inf if self.low is None else self.low
        high = math.inf if self.high is None else self.high
        return is_number and low <= value <= high  # type: ignore[operator]


def checked_options(given: Mapping[str, Any], declared: Sequence[EngineOption], who: str) -> dict[str, Any]:
    """Values for a program's options.

    Args:
        given: Name -> value.
        declared: What the program declares.
        who: Its name, for messages.

    Raises:
        UnknownNameError: It has no such option.
        OptionError: A value does not fit.
    """
    known = {option.name: option for option in declared}
    for name, value in given.items():
        if name not in known:
            raise unknown_name("option", name, known, who)
        if not known[name].allows(value):
            raise OptionError(f"{who}: the option {name!r} is {brief(value)}; expected {known[name].expected}.")
    return dict(given)


def options_of(model: type[BaseModel], values: BaseModel) -> list[dict[str, Any]]:
    """Declarations of the fields of turnwise's own parameters, those that one value describes.

    Args:
        model: The parameters' class.
        values: Parameters, which become the defaults.
    """
    plain = values.model_dump(mode="json")
    found = []
    for name, field in model.model_fields.items():
        allowed, kinds = choices(field.annotation), set(members(field.annotation))
        kind = _kind(kinds, has_choices=bool(allowed))
        if kind is None or (allowed and plain[name] not in allowed):
            continue
        option: dict[str, Any] = {"name": name.replace("_", "-"), "type": kind, "default": plain[name]}
        if kind == "choice":
            option["choices"] = allowed
        if kind in ("whole", "number"):
            option |= _range(field.metadata, is_whole=kind == "whole")
        found.append({key: value for key, value in option.items() if value is not None} | _about(field.description))
    return found


def _kind(kinds: set[Any], *, has_choices: bool) -> str | None:
    """The type of an option; None: it has no such values."""
    if has_choices:
        return "choice" if len(kinds) == 1 else None
    if len(kinds) > 1:
        return "number" if kinds == {int, float} else None
    return _TYPES.get(next(iter(kinds)))


def _range(bounds: Sequence[Any], *, is_whole: bool) -> dict[str, Any]:
    """Bounds that belong to the range; for numbers that are not whole, open ones are given as they are."""
    above, below = bound(bounds, "gt"), bound(bounds, "lt")
    step = 1 if is_whole else 0
    low = bound(bounds, "ge") if above is None else above + step
    high = bound(bounds, "le") if below is None else below - step
    return {"low": low, "high": high}


def _about(text: str | None) -> dict[str, str]:
    return {"about": text[:2000]} if text else {}
