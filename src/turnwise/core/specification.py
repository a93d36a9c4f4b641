"""Specifications of experiments: pydantic models made from Python or TOML files, with one message for all faults."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from turnwise.core import arguments
from turnwise.core.errors import OptionError
from turnwise.core.fields import problems
from turnwise.core.text_file import errors_name, read_toml

LARGEST_SPEC = 1 << 20
_HINT = 'Write texts in quotes: budget = "time=30ms"; or give another file.'

_ABOUT_NAMES = ("extra_forbidden", "missing")  # pydantic's errors that a list of all names helps with

Spec = TypeVar("Spec", bound=BaseModel)


def make_specification(model: type[Spec], fields: Mapping[str, Any], source: str) -> Spec:
    """Make a specification, with all problems in one error message.

    Args:
        model: Its class.
        fields: Its fields.
        source: Where they come from, for the message.

    Raises:
        OptionError: A field is missing, unknown or invalid.
    """
    try:
        return model(**fields)
    except ValidationError as error:
        lines = problems(error, model)
        stop = "" if lines[-1].endswith("?") else "."
        about_names = [problem for problem in error.errors() if problem["type"] in _ABOUT_NAMES]
        known = f" Fields: {', '.join(model.model_fields)}." if any(len(p["loc"]) == 1 for p in about_names) else ""
        raise OptionError(f"{source}: {'; '.join(lines)}{stop}{known}") from None


def read_specification(model: type[Spec], path: str | Path, what: str) -> Spec:
    """Read a specification from a TOML file.

    Args:
        model: Its class.
        path: The file.
        what: What the file should hold, for messages: "a tournament".

    Raises:
        DamagedFileError: The file cannot be read, is too large or is not TOML.
        OptionError: A field is missing, unknown or invalid.
    """
    path = arguments.path(path, f"The file of {what}")
    fields = read_toml(path, LARGEST_SPEC, f"{what} in TOML", _HINT)
    with errors_name(path):
        return make_specification(model, fields, str(path))
