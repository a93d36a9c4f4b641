"""Small arrays on cache lines of their own.

Searches of several threads write all the time to their counters, generators and states. If two of these were in one
cache line, each write would take the line away from the other core, and both threads would slow down several times.
"""

from __future__ import annotations

import ctypes
from math import prod
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

LINE = 128  # bytes: two lines, since processors fetch them in pairs


def zeros_apart(shape: int | tuple[int, ...], dtype: DTypeLike = np.float64) -> NDArray[Any]:
    """Make an array of zeros that shares no cache line with other memory.

    Args:
        shape: As for ``numpy.zeros``.
        dtype: Type of the elements.
    """
    kind = np.dtype(dtype)
    count = shape if isinstance(shape, int) else prod(shape)
    size = -(-count * kind.itemsize // LINE) * LINE
    raw = np.zeros(size + LINE, np.uint8)
    begin = -ctypes.addressof(ctypes.c_char.from_buffer(raw)) % LINE  # type: ignore[arg-type] # as array_address
    return raw[begin : begin + count * kind.itemsize].view(kind).reshape(shape)
