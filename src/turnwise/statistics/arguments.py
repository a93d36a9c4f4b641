"""Arguments of the statistics, checked on their way in: a wrong type is a ValueError, like a wrong value.

Errors here are Python's own, since this room imports nothing of turnwise.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from numbers import Integral, Real

import numpy as np

_MOST_SHOWN = 80


def real(value: object, what: str) -> float:
    """Check a finite number.

    Raises:
        ValueError: It is none.
    """
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        raise ValueError(f"expected {what} to be a finite number; got {shown(value)}")
    return float(value)


def whole(value: object, what: str, least: int | None = None) -> int:
    """Check a whole number.

    Args:
        value: The value from the caller.
        what: Its name, for the message.
        least: The smallest allowed value; None: any.

    Raises:
        ValueError: It is none, or too small.
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or (least is not None and value < least):
        bound = "" if least is None else f" from {least}"
        raise ValueError(f"expected {what} to be a whole number{bound}; got {shown(value)}")
    return int(value)


def is_list(value: object) -> bool:
    """Whether a value is a list, a tuple, an array or another sequence, but neither a text nor a mapping."""
    return isinstance(value, Sequence | np.ndarray) and not isinstance(value, str | bytes | Mapping)


def shown(value: object) -> str:
    """A value and its type for a message, cut if it is long."""
    try:
        text = repr(value)
    except Exception:
        text = "a value without repr"
    text = text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 3] + "..."
    return text if value is None else f"{text} ({type(value).__name__})"
