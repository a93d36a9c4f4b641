"""Options and parameters of a pydantic model as rows: name, type, range, default, description."""

from __future__ import annotations

from typing import Any, Literal, get_origin

from pydantic import BaseModel, ByteSize
from pydantic.fields import FieldInfo

from turnwise.core.fields import bound, choices, members
from turnwise.core.scenario_file import AS_LABELS, ScenarioFile

_BOUNDS = (("ge", "≥ {}"), ("gt", "> {}"), ("le", "≤ {}"), ("lt", "< {}"), ("multiple_of", "multiple of {}"))
_LENGTHS = (("min_length", "at least {} entries"), ("max_length", "at most {} entries"))


def describe(model: type[BaseModel]) -> list[dict[str, Any]]:
    """The settings of a model.

    Args:
        model: Options of a game or parameters of a planner.

    Returns:
        One row per field: ``name`` (as typed on the command line), ``type``, ``range`` (text, empty if there is no
        bound), ``choices`` (empty if any value of the type is allowed), ``default``, ``description``.
    """
    defaults = _defaults(model)
    return [
        {
            "name": name.replace("_", "-"),
            "type": _type_name(field.annotation),
            "range": _range(field),
            "choices": choices(field.annotation),
            "default": defaults.get(name),
            "description": field.description or "",
        }
        for name, field in model.model_fields.items()
    ]


def _defaults(model: type[BaseModel]) -> dict[str, Any]:
    optional = {name for name, field in model.model_fields.items() if not field.is_required()}
    blank = model.model_construct()
    return blank.model_dump(mode="json", include=optional, context=AS_LABELS)


def _type_name(annotation: Any) -> str:
    names = {bool: "true/false", int: "whole number", float: "number", str: "text", tuple: "list", ByteSize: "bytes"}
    found = []
    for member in members(annotation):
        if get_origin(member) is Literal:
            found.append("choice")
        elif isinstance(member, type) and issubclass(member, ScenarioFile):
            found.append(" or ".join((*member.names(), "a file")))
        else:
            found.append(names.get(get_origin(member) or member, getattr(member, "__name__", str(member))))
    return " or ".join(dict.fromkeys(found))


def _range(field: FieldInfo) -> str:
    found = []
    for name, form in (*_BOUNDS, *_LENGTHS):
        value = bound(field.metadata, name)
        if value is not None:
            found.append(form.format(f"{value:g}" if isinstance(value, float) else value))
    return ", ".join(found)


def row_cells(row: dict[str, Any]) -> tuple[str, str, str, str]:
    """Name, values, default and description of a row, for a table."""
    values = " | ".join(str(choice) for choice in row["choices"]) or row["type"]
    if row["range"]:
        values += f", {row['range']}"
    return row["name"], values, shown_value(row["default"]), row["description"]


def shown_value(value: Any) -> str:
    """A value as typed on the command line; empty for None and the empty string."""
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
