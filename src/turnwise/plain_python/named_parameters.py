"""Named parameters of evaluations and scripts in plain Python: keyword-only arguments with numbers as defaults."""

from __future__ import annotations

import ctypes
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from turnwise.core import arguments
from turnwise.core.errors import OptionError, shown


def named_parameters(function: Callable[..., Any], given: int, form: str) -> dict[str, float]:
    """The named parameters of a function with their defaults.

    Args:
        function: The user's function.
        given: Number of arguments that turnwise passes by position.
        form: What the function must look like, for messages: "An evaluation must be a function (state, player) -> ...".

    Raises:
        OptionError: The function is not callable, takes other arguments, or has too many parameters or defaults that
            are not numbers.
    """
    if not callable(function):
        raise OptionError(f"{form}; got {shown(function)}.")
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some functions written in C do not say
        return {}
    name = getattr(function, "__name__", type(function).__name__)
    try:
        signature.bind(*range(given))
    except TypeError as error:
        raise OptionError(f"{form}; got {name}{signature}: {error}.") from None
    options = [one for one in signature.parameters.values() if one.kind is inspect.Parameter.KEYWORD_ONLY]
    if len(options) > arguments.MOST_PARAMETERS:
        raise OptionError(f"{form}; {name} has {len(options)} keyword-only arguments, at most 64 can be parameters.")
    return {one.name: arguments.number(one.default, f"{name}: the default of {one.name!r}") for one in options}


def changed_values(defaults: Mapping[str, float], at: int) -> dict[str, float]:
    """The parameters whose values differ from the defaults.

    Args:
        defaults: Name -> default.
        at: Address of float64[...], their values in the same order.
    """
    values = (ctypes.c_double * len(defaults)).from_address(at)
    return {name: value for (name, default), value in zip(defaults.items(), values, strict=True) if value != default}
