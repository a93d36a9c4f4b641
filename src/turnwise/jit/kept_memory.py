"""Large arrays in memory that an earlier search has used: its pages need not be requested and cleared again.

The first access to a page of new memory is answered by the operating system, which clears the page. On a virtual
machine that takes some microseconds, and longer where several threads do it at the same time: for trees that grow by
millions of bytes in a fraction of a second, a tenth of the search and more. Memory of arrays that nobody uses any more
is therefore kept for the next ones. Meanwhile the system may take its pages back (``MADV_FREE``).
"""

from __future__ import annotations

import contextlib
import ctypes
import mmap
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from turnwise.jit.lazy_arrays import SMALL

KEPT_BYTES = 1 << 24  # of each block, from its beginning; its other pages are given back
LARGEST_BLOCK = 1 << 29  # bytes of addresses; larger ones are not kept
MOST_BLOCKS = 16  # kept at a time: the arrays of three trees
_CAN_KEEP = all(hasattr(mmap, name) for name in ("MAP_PRIVATE", "MADV_FREE", "MADV_DONTNEED", "MADV_HUGEPAGE"))

_spare: list[mmap.mmap] = []  # oldest first


class _Block:
    """The owner of an array's memory, which becomes spare when no array refers to it any more."""

    def __init__(self, memory: mmap.mmap, size: int) -> None:
        self._memory = memory
        address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        self.__array_interface__ = {"version": 3, "shape": (size,), "typestr": "|u1", "data": (address, False)}

    def __del__(self) -> None:
        # Modules are gone where the process ends; other threads may empty the list.
        with contextlib.suppress(TypeError, AttributeError, IndexError):
            _advise(self._memory, mmap.MADV_FREE, 0, KEPT_BYTES)
            is_kept = len(self._memory) <= LARGEST_BLOCK
            if is_kept and _advise(self._memory, mmap.MADV_DONTNEED, KEPT_BYTES, len(self._memory)):
                _spare.append(self._memory)
            while len(_spare) > MOST_BLOCKS:
                _spare.pop(0)


def kept_array(count: int, dtype: DTypeLike, *, zeros: bool = False) -> NDArray[Any]:
    """Make an array in one dimension for a table that is larger than a short search needs.

    As with :func:`turnwise.jit.lazy_arrays.lazy_zeros`, pages that are not touched take no memory.

    Args:
        count: Number of elements.
        dtype: Their type.
        zeros: Whether they are zero; otherwise they have any values.

    Raises:
        MemoryError: The system does not have the memory.
    """
    kind = np.dtype(dtype)
    size = kind.itemsize * count
    if size <= SMALL or not _CAN_KEEP:
        return np.zeros(count, kind)
    memory = _take_spare(size)
    used = memory is not None
    if memory is None:
        memory = _new_memory(size)
        _advise(memory, mmap.MADV_HUGEPAGE, SMALL, KEPT_BYTES)  # a small search clears small pages only
    # With huge pages, the first few entries of a hash table would cause nearly the whole of it to be cleared.
    _advise(memory, mmap.MADV_NOHUGEPAGE if zeros else mmap.MADV_HUGEPAGE, KEPT_BYTES, len(memory))
    octets = np.asarray(_Block(memory, size))
    if zeros and used:
        octets[:KEPT_BYTES] = 0
    array: NDArray[Any] = octets.view(kind)
    return array


def _new_memory(size: int) -> mmap.mmap:
    """Memory from the system, which gets back what is spare if it has no more."""
    while True:
        try:
            return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        except (OSError, OverflowError):
            if not _spare:
                raise MemoryError(f"a table of {size:,} bytes") from None
            _spare.clear()


def _advise(memory: mmap.mmap, advice: int, begin: int, end: int) -> bool:
    """Give the system advice on a part of memory, as far as there is such a part; whether it was accepted."""
    end = min(end, len(memory))
    try:
        if begin < end:
            memory.madvise(advice, begin, end - begin)
    except OSError:  # a system without huge pages, or an old one
        return False
    return True


def _take_spare(size: int) -> mmap.mmap | None:
    """The smallest spare memory of at least so many bytes, taken from the list; None: there is none.

    Other threads may take and give memory at any time, so the list is changed in single steps only.
    """
    large_enough = [memory for memory in list(_spare) if len(memory) >= size]
    for memory in sorted(large_enough, key=len):
        with contextlib.suppress(ValueError):  # another thread was faster
            _spare.remove(memory)
            return memory
    return None
