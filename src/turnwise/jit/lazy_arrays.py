"""Large arrays of zeros that take memory, and the time to clear it, only as they are touched."""

from __future__ import annotations

import contextlib
import mmap
from math import prod
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

_SMALL = 1 << 18  # bytes; below, NumPy's own are as good


def lazy_zeros(shape: int | tuple[int, ...], dtype: DTypeLike = np.float64, *, scattered: bool = False) -> NDArray[Any]:
    """An array of zeros for a table that is larger than a short search needs.

    NumPy leaves the clearing to the C library, which does it at once for up to 32 MB when it has freed so large an
    array before: every search but a process' first would begin by clearing all of its tables. This memory comes from
    the system, page by page.

    Args:
        shape: As for ``numpy.zeros``.
        dtype: Of the elements.
        scattered: Whether entries fall anywhere, as in a hash table, instead of from the beginning on. Such an array
            asks for small pages: with huge ones the first few entries would have nearly the whole table cleared.

    Raises:
        MemoryError: The system does not have the memory.
    """
    kind = np.dtype(dtype)
    size = kind.itemsize * (shape if isinstance(shape, int) else prod(shape))
    if size < _SMALL or not hasattr(mmap, "MAP_PRIVATE"):
        return np.zeros(shape, kind)
    try:
        memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except (OSError, OverflowError):
        raise MemoryError(f"a table of {size:,} bytes") from None
    advice = getattr(mmap, "MADV_NOHUGEPAGE" if scattered else "MADV_HUGEPAGE", None)
    if advice is not None:
        with contextlib.suppress(OSError):  # a system without huge pages
            memory.madvise(advice)
    return np.frombuffer(memory, kind).reshape(shape)
