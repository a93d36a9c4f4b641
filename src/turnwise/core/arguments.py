"""Arguments of the Python interface, checked before they reach compiled code.

Compiled functions take addresses and 64-bit integers and check nothing. What a caller passes is therefore checked
here, once, on its way in.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Real
from operator import index
from typing import TYPE_CHECKING, Any, TypeVar

from turnwise.core.errors import IllegalActionError, OptionError, TurnwiseError, brief, shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Kind = TypeVar("Kind")
MOST_PARAMETERS = 64
"""Most float64 values that an evaluation or a rollout policy is given."""


def whole_number(
    value: object,
    what: str,
    low: int | None = None,
    high: int | None = None,
    *,
    hint: str = "",
    error: type[TurnwiseError] = OptionError,
) -> int:
    """A whole number as an int: Python's or NumPy's, but neither a bool nor a float.

    Args:
        value: What came.
        what: What it is, to begin the message with: "A seed".
        low: Smallest value; None: any.
        high: Largest value; None: any.
        hint: Likely cause and remedy, for the message.
        error: Class of the error.

    Raises:
        TurnwiseError: Another type, or out of range; of the class ``error``.
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
    """A finite number, whole or not, as a float.

    Args:
        value: What came.
        what: What it is, to begin the message with.
        low: Smallest value.
        error: Class of the error.

    Raises:
        TurnwiseError: Another type, not finite, or too small; of the class ``error``.
    """
    try:
        real = float(value) if isinstance(value, Real) and not isinstance(value, bool) else math.nan
    except OverflowError:
        real = math.nan
    if not math.isfinite(real) or real < low:
        bound = "" if low == -math.inf else f" from {low:g}"
        raise error(f"{what} must be a finite number{bound}; got {shown(value)}.")
    return real


def text(value: object, what: str) -> str:
    """A text.

    Raises:
        OptionError: Something else.
    """
    return instance(value, str, what, "a text")


def choice(value: object, what: str, options: Sequence[str]) -> str:
    """One of some texts.

    Raises:
        OptionError: Something else.
    """
    if not isinstance(value, str) or value not in options:
        raise OptionError(f"{what} must be one of {', '.join(map(repr, options))}; got {shown(value)}.")
    return value


def instance(value: object, kind: type[Kind], what: str, expected: str) -> Kind:
    """An object of a class.

    Args:
        value: What came.
        kind: The class.
        what: What it is, to begin the message with: "The budget".
        expected: What it must be, with an example of how it is made.

    Raises:
        OptionError: An object of another class.
    """
    if not isinstance(value, kind):
        raise OptionError(f"{what} must be {expected}; got {shown(value)}.")
    return value


def seed(value: object) -> int:
    """A seed: any whole number.

    Raises:
        OptionError: Something else.
    """
    return whole_number(value, "A seed", hint="Use for example seed=1; negative and large numbers are good, too.")


def action_code(value: object) -> int:
    """An action's code: any whole number of 64 bits, which need not be an action.

    Raises:
        IllegalActionError: Neither text nor a whole number, or one that no action can have.
    """
    if type(value) is int and -(2**63) <= value < 2**63:
        return value
    try:
        code = None if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except TypeError:
        code = None
    if code is None:
        raise IllegalActionError(
            f"An action is given as its text or as its code, a whole number; got {shown(value)}. Take one from "
            "state.legal_actions() or state.legal_codes()."
        )
    if not -(2**63) <= code < 2**63:
        raise IllegalActionError(f"Action code {brief(value)} is not legal: codes are whole numbers of 64 bits.")
    return code


def action_codes(values: object, what: str) -> tuple[int, ...]:
    """Codes of actions, for example those of a plan.

    Raises:
        IllegalActionError: Not a list or tuple of codes.
    """
    if isinstance(values, str | bytes) or not isinstance(values, Sequence):
        raise IllegalActionError(f"{what} must be a list or tuple of action codes; got {shown(values)}.")
    return tuple(action_code(value) for value in values)


def parameters(values: object, what: str) -> NDArray[np.float64]:
    """Parameters of an evaluation or a rollout policy as compiled code reads them.

    Returns:
        float64[MOST_PARAMETERS], zeros after the given ones: a function that reads more than it was given reads zeros.

    Raises:
        OptionError: Not a list or tuple of finite numbers, or too many.
    """
    import numpy as np

    if isinstance(values, str | bytes) or not isinstance(values, Sequence) or len(values) > MOST_PARAMETERS:
        raise OptionError(f"{what}: parameters are a tuple of at most {MOST_PARAMETERS} numbers; got {shown(values)}.")
    found = np.zeros(MOST_PARAMETERS)
    found[: len(values)] = [number(value, f"{what}: a parameter") for value in values]
    return found


def sequence(values: Any, what: str, expected: str) -> list[Any]:
    """A list or tuple as a list.

    Raises:
        OptionError: Something else.
    """
    if isinstance(values, str | bytes) or not isinstance(values, Sequence):
        raise OptionError(f"{what} must be a list or tuple of {expected}; got {shown(values)}.")
    return list(values)
