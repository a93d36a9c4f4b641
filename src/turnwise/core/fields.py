"""Fields of pydantic models and dataclasses in plain words: what a field expects, and what is wrong with a value."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ValidationError

from turnwise.core.errors import OptionError, brief, close_names, counted

_UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")  # pydantic's errors about names
_LONGEST_INPUT = 60
_KINDS = {
    "a valid tuple": "a list",
    "a valid list": "a list",
    "a valid array": "a list",
    "a valid dictionary": "a table",
    "an object": "a table",
    "a valid integer": "a whole number",
    "a valid number": "a number",
    "a valid string": "a string",
    "a valid boolean": "true or false",
}
"""pydantic's words for types, and those of the user."""

_SINGLE = {bool: "true or false", int: "a whole number", float: "a number", str: "a string"}
_PLURAL = {bool: "true or false", int: "whole numbers", float: "numbers", str: "strings"}


class FieldPlace(NamedTuple):
    """The place of an error in a value.

    Attributes:
        text: The place in words: ``games, entry 2``; empty for the whole value.
        annotation: The type expected there, None if it is not known.
        bounds: The constraints of the annotation.
        description: Description of the field, empty if it has none.
    """

    text: str
    annotation: Any
    bounds: Sequence[Any] = ()
    description: str = ""


class Former(NamedTuple):
    """Names of fields and values that have been replaced.

    Attributes:
        names: Former name -> current name.
        values: Current name of a field -> former value -> current value.
    """

    names: Mapping[str, str]
    values: Mapping[str, Mapping[str, str]]


_NONE = Former({}, {})


def normaliser(read: Callable[[str], object]) -> Callable[[str], str]:
    """A validator of a text field that replaces a text by its normal form.

    Args:
        read: Reads a text into an object whose ``str`` is the normal form; raises OptionError on a fault.

    Returns:
        A function for pydantic; on a fault it raises ValueError, which pydantic reports.
    """

    def checked(text: str) -> str:
        try:
            return str(read(text))
        except OptionError as error:
            raise ValueError(str(error)) from None

    return checked


def members(annotation: Any) -> list[Any]:
    """The alternatives of a union without None, or the annotation itself; each without its constraints."""
    is_union = get_origin(annotation) in (Union, types.UnionType)
    found = [member for member in get_args(annotation) if member is not type(None)] if is_union else [annotation]
    return [get_args(member)[0] if get_origin(member) is Annotated else member for member in found]


def choices(annotation: Any) -> list[Any]:
    """The values of a Literal or enumeration; empty if any value of a type is allowed."""
    return [choice for member in members(annotation) if get_origin(member) is Literal for choice in get_args(member)]


def bound(bounds: Iterable[Any], name: str) -> Any:
    """The value of a constraint (ge, gt, le, lt, min_length, ...), None if there is none."""
    found = (getattr(constraint, name, None) for constraint in bounds)
    return next((value for value in found if value is not None), None)


def expected(annotation: Any, bounds: Sequence[Any] = ()) -> str:
    """Description of the expected value: "a whole number from 1 to 25"; empty if there is none in plain words."""
    phrase = [_one_expected(member, bounds) for member in members(annotation) if get_origin(member) is not Literal]
    named = ", ".join(str(choice) for choice in choices(annotation))
    phrase = ([f"one of {named}" if "," in named else repr(named)] if named else []) + phrase
    return " or ".join(dict.fromkeys(phrase)) if all(phrase) else ""


def _one_expected(annotation: Any, bounds: Sequence[Any]) -> str:
    origin = get_origin(annotation)
    if origin is None:
        names = list(getattr(annotation, "model_fields", ())) or list(getattr(annotation, "__dataclass_fields__", ()))
        if names:
            return f"an object with the fields {', '.join(names)}"
        return _SINGLE[annotation] + (_length(bounds) or _range(bounds)) if annotation in _SINGLE else ""
    parts = [part for part in get_args(annotation) if part is not Ellipsis]
    inner = _many(parts[-1]) if parts else ""
    if not isinstance(origin, type) or not issubclass(origin, Mapping | Sequence | Set):
        return ""
    if issubclass(origin, tuple) and inner and Ellipsis not in get_args(annotation) and len(set(parts)) == 1:
        return f"a list of {len(parts)} {inner}"
    fewest, most = bound(bounds, "min_length"), bound(bounds, "max_length")
    limits = [f"at least {_entries(fewest)}"] if fewest else []
    limits += [f"at most {_entries(most)}"] if most is not None else []
    more = f" with {' and '.join(limits)}" if limits else ""
    if not inner:  # of objects
        return (f"a table{more}" if issubclass(origin, Mapping) else f"a list{more}") if more else ""
    return f"a table of {inner} by name{more}" if issubclass(origin, Mapping) else f"a list of {inner}{more}"


def _entries(number: int) -> str:
    return f"{number} {'entry' if number == 1 else 'entries'}"


def _length(bounds: Sequence[Any]) -> str:
    fewest, most = bound(bounds, "min_length"), bound(bounds, "max_length")
    if most is None:
        return f" of at least {counted(fewest, 'letter')}" if fewest else ""
    return f" of {fewest} to {most} letters" if fewest else f" of at most {most} letters"


def _many(annotation: Any) -> str:
    if get_origin(annotation) is None:
        return _PLURAL.get(annotation, "")
    if get_origin(annotation) is Literal:
        return ", ".join(map(str, choices(annotation)))
    one = _one_expected(annotation, ())
    return one.replace("a list", "lists", 1).replace("a table", "tables", 1)


def _range(bounds: Sequence[Any]) -> str:
    def shown(value: Any) -> str:
        return f"{value:g}" if isinstance(value, float) else str(value)

    ge, gt, le, lt = (bound(bounds, name) for name in ("ge", "gt", "le", "lt"))
    if ge is not None and le is not None:
        return f" from {shown(ge)} to {shown(le)}"
    phrase = [
        f"{word} {shown(value)}"
        for word, value in (("from", ge), ("above", gt), ("up to", le), ("below", lt))
        if value is not None
    ]
    return (" " if phrase else "") + " and ".join(phrase)


def place_of(location: Sequence[Any], annotation: Any, dashes: bool = False) -> FieldPlace:
    """Find the place of a pydantic error in a type.

    Args:
        location: pydantic's ``loc``: names, indices and, in unions, tags of the alternative that was tried.
        annotation: The type that was validated, for example a model.
        dashes: Write names with dashes, as on the command line.
    """
    phrase: list[str] = []
    place = FieldPlace("", annotation)
    for part in location:
        step = _inner(place.annotation, part)
        if step is None:
            continue  # a tag of a union, or pydantic's "[key]"
        place = step
        name = str(part) if str(part).isprintable() else ascii(part)
        phrase.append(f"entry {part + 1}" if isinstance(part, int) else name.replace("_", "-") if dashes else name)
    return place._replace(text=", ".join(phrase))


def _inner(annotation: Any, part: Any) -> FieldPlace | None:
    """One field or entry of a type; None if the type has no such part."""
    for member in members(annotation):
        origin = get_origin(member) or member
        if not isinstance(origin, type):
            continue
        if issubclass(origin, BaseModel):
            if part in origin.model_fields:
                field = origin.model_fields[part]
                return FieldPlace("", field.annotation, field.metadata, field.description or "")
        elif dataclasses.is_dataclass(origin):
            hints = get_type_hints(origin)
            if part in hints:
                return FieldPlace("", hints[part])
        elif issubclass(origin, Mapping):
            if isinstance(part, str) and part != "[key]" and get_args(member):
                return FieldPlace("", get_args(member)[1])
        elif issubclass(origin, Sequence | Set) and isinstance(part, int) and get_args(member):
            parts = get_args(member)
            same = parts[-1] is Ellipsis or len(parts) == 1
            return FieldPlace("", parts[0] if same else parts[min(part, len(parts) - 1)])
    return None


def problems(
    error: ValidationError, annotation: Any, word: str = "field", dashes: bool = False, former: Former = _NONE
) -> list[str]:
    """The problems of a value, one line for each place: where it is, what came, what was expected.

    Args:
        error: The error from pydantic.
        annotation: The type that was validated.
        word: The word for a field ("option", "parameter").
        dashes: Write names with dashes, as on the command line.
        former: Names that fields and values had before.
    """
    return [line for _, line in located_problems(error, annotation, word, dashes, former)]


class PartError(ValueError):
    """The error of a validator of a whole model that finds fault with a part of it.

    Attributes:
        place: Names and indices that lead from the model to the part.
    """

    def __init__(self, message: str, *place: str | int) -> None:
        super().__init__(message)
        self.place = place


def located_problems(
    error: ValidationError, annotation: Any, word: str = "field", dashes: bool = False, former: Former = _NONE
) -> list[tuple[tuple[str | int, ...], str]]:
    """The problems of a value as :func:`problems` lists them, each after the names and indices of its place."""
    lines: dict[str, tuple[tuple[str | int, ...], str]] = {}
    for problem in error.errors():
        cause = problem.get("ctx", {}).get("error")
        if isinstance(cause, PartError):
            lines.setdefault(str(cause), ((*problem["loc"], *cause.place), str(cause)))
            continue
        place = place_of(problem["loc"], annotation, dashes)
        if problem["type"] in _UNKNOWN:
            name = str(problem["loc"][-1])
            owner = place_of(problem["loc"][:-1], annotation, dashes)
            line = _unknown(name, owner, word, dashes, former)
            lines.setdefault(f"{owner.text} {name}", (problem["loc"], line))
        else:
            renamed = former.values.get(str(problem["loc"][0]), {}) if problem["loc"] else {}
            lines.setdefault(place.text, (problem["loc"], _wrong(problem, place, renamed)))
    return list(lines.values())


def _unknown(name: str, owner: FieldPlace, word: str, dashes: bool, former: Former) -> str:
    """Message for a name that the model at a place does not have; the names of a nested model are listed."""
    models = [member for member in members(owner.annotation) if hasattr(member, "model_fields")]
    known = [other.replace("_", "-") if dashes else other for model in models for other in model.model_fields]
    current = "" if owner.text else former.names.get(name.replace("-", "_"), "")
    name, current = (each.replace("_", "-") if dashes else each for each in (name, current))
    if current:
        return f"the {word} {name!r} is now called {current!r}"
    close = close_names(name, known, 1)
    if close == [name]:
        return f"the {word} {name!r} is written {name.replace('-', '_')!r} in Python"
    phrase = f"there is no {word} {name!r}" + (f"; did you mean {close[0]!r}?" if close else "")
    if not owner.text:
        return phrase
    return f"{owner.text}: {phrase}" + ("" if close or not known else f", only {', '.join(known)}")


def _wrong(problem: Mapping[str, Any], place: FieldPlace, renamed: Mapping[str, str]) -> str:
    if problem["type"] == "missing":
        return f"{place.text!r} is missing" + (f" ({place.description})" if place.description else "")
    came = brief(problem["input"], _LONGEST_INPUT)
    if problem["type"] in ("value_error", "assertion_error"):  # the message of the model's own validator
        phrase = str(problem["ctx"]["error"]).removesuffix(".")
        if not place.text:
            return phrase
    else:
        plain = expected(place.annotation, place.bounds) if place.annotation is not None else ""
        message = str(problem["msg"]).removeprefix("Input should be ").partition(", unable to parse")[0]
        message = _KINDS.get(message, message)
        if problem["type"] == "finite_number":
            plain = plain.replace("a number", "a finite number", 1)
        phrase = f"expected {plain or message[:1].lower() + message[1:]}"
        if isinstance(problem["input"], str) and problem["input"] in renamed:
            phrase += f"; {came} is now called {renamed[problem['input']]!r}"
    return f"{place.text} = {came}: {phrase}" if place.text else f"{phrase}; got {came}"


def validation_message(
    what: str, model: type[BaseModel], error: ValidationError, word: str = "option", former: Former = _NONE
) -> str:
    """One message for invalid options or parameters: what came, and what was expected.

    A name that does not exist is answered with all that do.

    Args:
        what: What the settings belong to: "planner mcts".
        model: The model of the settings.
        error: The error from pydantic.
        word: The word for a field.
        former: Names that fields and values had before.
    """
    lines = problems(error, model, word, True, former)
    stop = "" if lines[-1].endswith("?") else "."
    message = f"{what}: {'; '.join(lines)}{stop}"
    if all(problem["type"] not in _UNKNOWN or len(problem["loc"]) > 1 for problem in error.errors()):
        return message
    known = ", ".join(name.replace("_", "-") for name in model.model_fields) or "none"
    return f"{message} {word.capitalize()}s: {known}."
