"""Arguments of the Python interface, checked before they reach compiled code.

Compiled functions take addresses and 64-bit integers and check nothing. What a caller passes is therefore checked
here, once, on its way in.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from operator import index
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, TypeVar

from turnwise.core.errors import IllegalActionError, OptionError, TurnwiseError, brief, shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Kind = TypeVar("Kind")
_NUMBERS = (float, int)  # the usual types, which are recognised more quickly
MOST_PARAMETERS = 64
"""Largest number of float64 parameters of an evaluation or a rollout policy."""


def whole_number(
    value: object,
    what: str,
    low: int | None = None,
    high: int | None = None,
    *,
    hint: str = "",
    error: type[TurnwiseError] = OptionError,
) -> int:
    """Check a whole number, Python's or NumPy's but neither a bool nor a float, and return it as an int.

    Args:
        value: The value from the caller.
        what: Name of the value, which begins the message: "A seed".
        low: Smallest value; None: any.
        high: Largest value; None: any.
        hint: Likely cause and remedy, for the message.
        error: Class of the error.

    Raises:
        TurnwiseError: The value has another type or is out of range; an error of the class ``error``.
    """
    try:
        number = None if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except TypeError:
        number = None
    if number is None or (low is not None and number < low) or (high is not None and number > high):
        bounds = f" from {low}" if low is not None else ""
        bounds += f" to {high}" if high is not None else ""
        raise error(f"{what} must be a whole number{bounds}; got {shown(value)}.{hint and ' ' + hint}")
    return number


def number(value: object, what: str, low: float = -math.inf, error: type[TurnwiseError] = OptionError) -> float:
    """Check a finite number, whole or not, and return it as a float.

    Args:
        value: The value from the caller.
        what: Name of the value, which begins the message.
        low: Smallest value.
        error: Class of the error.

    Raises:
        TurnwiseError: The value has another type, is not finite, or is too small; an error of the class ``error``.
    """
    try:
        is_number = type(value) in _NUMBERS or (isinstance(value, Real) and not isinstance(value, bool))
        real = float(value) if is_number else math.nan  # type: ignore[arg-type]
    except OverflowError:
        real = math.nan
    if not math.isfinite(real) or real < low:
        bound = "" if low == -math.inf else f" of at least {low:g}"
        raise error(f"{what} must be a finite number{bound}; got {shown(value)}.")
    return real


def flag(value: object, what: str) -> bool:
    """Check that a value is True or False.

    Args:
        value: What the caller passed.
        what: What it is, for the message: "inspect".

    Raises:
        OptionError: It is something else.
    """
    if not isinstance(value, bool):
        raise OptionError(f"{what} must be True or False; got {shown(value)}.")
    return value


def text(value: object, what: str) -> str:
    """Check a string.

    Raises:
        OptionError: The value is not a string.
    """
    return instance(value, str, what, "a string")


def path(value: object, what: str) -> Path:
    """Check the path of a file.

    Raises:
        OptionError: The value is neither a string nor a path, is empty, or has a null character, which no path can
            have.
    """
    if not isinstance(value, str | PurePath) or not str(value) or "\0" in str(value):
        raise OptionError(f"{what} must be the path of a file, as a string or a path; got {shown(value)}.")
    return Path(value)


def choice(value: object, what: str, options: Sequence[str]) -> str:
    """Check that a value is one of some strings.

    Raises:
        OptionError: It is not.
    """
    if not isinstance(value, str) or value not in options:
        raise OptionError(f"{what} must be one of {', '.join(map(repr, options))}; got {shown(value)}.")
    return value


def instance(value: object, kind: type[Kind], what: str, expected: str) -> Kind:
    """Check that a value is an instance of a class.

    Args:
        value: The value from the caller.
        kind: The class.
        what: Name of the value, which begins the message: "The budget".
        expected: Description of the expected value, with an example of how to make one.

    Raises:
        OptionError: The value has another class.
    """
    if not isinstance(value, kind):
        raise OptionError(f"{what} must be {expected}; got {shown(value)}.")
    return value


def seed(value: object) -> int:
    """Check a seed: any whole number.

    Raises:
        OptionError: The value is not a whole number.
    """
    return whole_number(value, "A seed", hint="Use for example seed=1; negative and large numbers are allowed, too.")


def action_code(value: object) -> int:
    """Check an action code: any 64-bit whole number, whether it is an action or not.

    Raises:
        IllegalActionError: The value is not a whole number, or does not fit 64 bits.
    """
    if type(value) is int and -(2**63) <= value < 2**63:
        return value
    try:
        code = None if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except TypeError:
        code = None
    if code is None:
        raise IllegalActionError(
            f"An action must be its text or its code, a whole number; got {shown(value)}. Take one from "
            "state.legal_actions() or state.legal_codes()."
        )
    if not -(2**63) <= code < 2**63:
        raise IllegalActionError(f"Action code {brief(value)} is not legal: codes are 64-bit whole numbers.")
    return code


def action_codes(values: object, what: str) -> tuple[int, ...]:
    """Check a sequence of action codes, for example those of a plan.

    Raises:
        IllegalActionError: The value is not a list or tuple of codes.
    """
    if isinstance(values, str | bytes) or not isinstance(values, Sequence):
        raise IllegalActionError(f"{what} must be a list or tuple of action codes; got {shown(values)}.")
    return tuple(action_code(value) for value in values)


def parameters(values: object, what: str) -> NDArray[np.float64]:
    """Check parameters of an evaluation or a rollout policy, and convert them to the form for compiled code.

    Returns:
        float64[MOST_PARAMETERS], filled up with zeros, which a function reads if it expects more parameters.

    Raises:
        OptionError: The value is not a list or tuple of finite numbers, or has too many entries.
    """
    import numpy as np

    if isinstance(values, str | bytes) or not isinstance(values, Sequence) or len(values) > MOST_PARAMETERS:
        raise OptionError(
            f"{what}: parameters must be a list or tuple of at most {MOST_PARAMETERS} numbers; got {shown(values)}."
        )
    found = np.zeros(MOST_PARAMETERS)
    found[: len(values)] = [number(value, f"{what}: a parameter") for value in values]
    return found


def items(values: Any, kind: type[Kind], what: str, expected: str) -> list[Kind]:
    """Check a collection of instances of a class; an iterator is used up.

    Args:
        values: The value from the caller.
        kind: The class of its items.
        what: Name of the value, which begins the message: "The positions".
        expected: Description of the items.

    Raises:
        OptionError: The value cannot be iterated over, or an item has another class.
    """
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise OptionError(f"{what} must be a list of {expected}; got {shown(values)}.")
    found = list(values)
    for number, one in enumerate(found):
        if not isinstance(one, kind) or (kind is int and isinstance(one, bool)):
            raise OptionError(f"{what} must be a list of {expected}; got {shown(one)} at place {number}.")
    return found


def pair(values: Any, what: str, expected: str) -> tuple[Any, Any]:
    """Check a list or tuple of two.

    Raises:
        OptionError: The value is not a list or tuple, or has another length.
    """
    found = sequence(values, what, expected)
    if len(found) != 2:
        raise OptionError(f"{what} must be a list or tuple of {expected}; got {shown(values)}.")
    return found[0], found[1]


def sequence(values: Any, what: str, expected: str) -> list[Any]:
    """Check a list or tuple, and return it as a list.

    Raises:
        OptionError: The value is not a list or tuple.
    """
    if isinstance(values, str | bytes) or not isinstance(values, Sequence):
        raise OptionError(f"{what} must be a list or tuple of {expected}; got {shown(values)}.")
    return list(values)
