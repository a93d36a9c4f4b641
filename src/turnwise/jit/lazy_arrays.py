"""Large arrays of zeros that take memory, and time to clear it, only when they are touched."""

from __future__ import annotations

import contextlib
import mmap
from math import prod
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

SMALL = 1 << 18  # bytes; up to this size NumPy's arrays are as good


def lazy_zeros(shape: int | tuple[int, ...], dtype: DTypeLike = np.float64, *, scattered: bool = False) -> NDArray[Any]:
    """Make an array of zeros for a table that is larger than a short search needs.

    NumPy leaves the clearing to the C library. If an array of that size (up to 32 MB) has been freed before, the
    library clears the new one immediately: every search of a process except the first would begin by clearing all its
    tables. This function gets its memory from the operating system, page by page.

    Args:
        shape: As for ``numpy.zeros``.
        dtype: Type of the elements.
        scattered: Whether entries are spread over the array, as in a hash table, instead of filling it from the
            beginning. Such an array requests small pages: with huge pages, the first few entries would cause nearly the
            whole table to be cleared.

    Raises:
        MemoryError: The system does not have the memory.
    """
    kind = np.dtype(dtype)
    size = kind.itemsize * (shape if isinstance(shape, int) else prod(shape))
    if size <= SMALL or not hasattr(mmap, "MAP_PRIVATE"):
        return np.zeros(shape, kind)
    try:
        memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except (OSError, OverflowError):
        raise MemoryError(f"a table of {size:,} bytes") from None
    advice = getattr(mmap, "MADV_NOHUGEPAGE" if scattered else "MADV_HUGEPAGE", None)
    if advice is not None:
        with contextlib.suppress(OSError):  # a system without huge pages
            memory.madvise(advice, 0 if scattered else SMALL)  # a small search clears small pages only
    return np.frombuffer(memory, kind).reshape(shape)
