"""Large arrays: they take memory only where they are touched, and some use memory of an earlier search again.

NumPy leaves memory to the C library. If an array of such a size (256 kB to 32 MB) has been freed before, the library
clears the new one immediately: every search of a process except the first would begin by clearing all its tables.
Large arrays therefore come from the operating system, page by page.

The first access to a page of new memory is answered by the system, which clears the page. On a virtual machine that
takes some microseconds, and longer where several threads do it at the same time: for trees and tables that grow by
millions of bytes in a fraction of a second, a tenth of the search and more. Memory of arrays that nobody uses any more
is therefore kept for the next ones (:class:`Start` says for which). Meanwhile the system may take its pages back
(``MADV_FREE``).
"""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import signal
import threading
from enum import Enum
from math import prod
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

SMALL = 1 << 18  # bytes; up to this size NumPy's arrays are as good
KEPT_BYTES = 1 << 24  # of each block, from its beginning; its other pages are given back
LARGEST_BLOCK = 1 << 29  # bytes of addresses; larger ones are not kept
MOST_KEPT = 1 << 28  # bytes of all blocks together
_AGAIN = 0.01  # seconds after which a signal that would have been lost is sent again
_CAN_MAP = hasattr(mmap, "MAP_PRIVATE")
_CAN_KEEP = _CAN_MAP and all(hasattr(mmap, name) for name in ("MADV_FREE", "MADV_DONTNEED", "MADV_HUGEPAGE"))

_spare: list[mmap.mmap] = []  # oldest first


class Start(Enum):
    """What an array holds at the beginning, and where its memory comes from.

    Attributes:
        ZEROS: Zeros in new memory, which no later array gets: for arrays that are filled from the beginning, mostly in
            part.
        TABLE: Zeros, for a hash table, whose entries touch nearly all its pages; memory that was kept is cleared.
        ANYTHING: Any values, for arrays in which everything is written before it is read.
    """

    ZEROS = "zeros"
    TABLE = "table"
    ANYTHING = "anything"


class _Block:
    """The owner of an array's memory, which becomes spare when no array refers to it any more."""

    def __init__(self, memory: mmap.mmap, size: int) -> None:
        self._memory = memory
        address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        self.__array_interface__ = {"version": 3, "shape": (size,), "typestr": "|u1", "data": (address, False)}

    def __del__(self) -> None:
        try:
            self._give_back()
        except KeyboardInterrupt:  # an exception cannot leave this function, so Ctrl-C comes once more after it
            threading.Timer(_AGAIN, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT)).start()

    def _give_back(self) -> None:
        """Make the memory spare; for large blocks this takes milliseconds, in which a signal may come."""
        # Modules are gone where the process ends; other threads may empty the list.
        with contextlib.suppress(TypeError, AttributeError, IndexError):
            _advise(self._memory, "MADV_FREE", 0, KEPT_BYTES)
            is_kept = len(self._memory) <= LARGEST_BLOCK
            if is_kept and _advise(self._memory, "MADV_DONTNEED", KEPT_BYTES, len(self._memory)):
                _spare.append(self._memory)
            few = MOST_KEPT // KEPT_BYTES
            while len(_spare) > few and sum(min(len(memory), KEPT_BYTES) for memory in list(_spare)) > MOST_KEPT:
                _spare.pop(0)


def large_array(
    shape: int | tuple[int, ...],
    dtype: DTypeLike = np.float64,
    start: Start = Start.ZEROS,
    *,
    scattered: bool = False,
) -> NDArray[Any]:
    """Make an array for a table that is larger than a short search needs.

    Args:
        shape: As for ``numpy.zeros``.
        dtype: Type of the elements.
        start: What they are at the beginning.
        scattered: Whether entries are spread over the array, as in a hash table, instead of filling it from the
            beginning. Such an array requests small pages: with huge pages, the first few entries would cause nearly the
            whole table to be cleared.

    Raises:
        MemoryError: The system does not have the memory.
    """
    kind = np.dtype(dtype)
    size = kind.itemsize * (shape if isinstance(shape, int) else prod(shape))
    if size <= SMALL or not _CAN_MAP:
        return np.zeros(shape, kind)
    if start is Start.ZEROS or not _CAN_KEEP:
        memory = _new_memory(size)
        _advise_pages(memory, 0 if scattered else SMALL, scattered)  # a small search clears small pages only
        return np.frombuffer(memory, kind).reshape(shape)
    spare = _take_spare(size)
    memory = spare or _new_memory(size)
    if spare is None:
        _advise(memory, "MADV_HUGEPAGE", SMALL, KEPT_BYTES)
    _advise_pages(memory, KEPT_BYTES, scattered)
    octets = np.asarray(_Block(memory, size))
    if start is Start.TABLE and spare is not None:
        octets[:KEPT_BYTES] = 0
    return octets.view(kind).reshape(shape)


def _new_memory(size: int) -> mmap.mmap:
    """Memory from the system, which gets back what is spare if it has no more."""
    while True:
        try:
            return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        except (OSError, OverflowError):
            if not _spare:
                raise MemoryError(f"a table of {size:,} bytes") from None
            _spare.clear()


def _advise_pages(memory: mmap.mmap, begin: int, scattered: bool) -> None:
    """Ask for small pages in an array whose entries are scattered, and for huge ones in others."""
    _advise(memory, "MADV_NOHUGEPAGE" if scattered else "MADV_HUGEPAGE", begin, len(memory))


def _advise(memory: mmap.mmap, advice: str, begin: int, end: int) -> bool:
    """Give the system advice on a part of memory, as far as there is such a part; whether it was accepted."""
    end = min(end, len(memory))
    try:
        if begin < end:
            memory.madvise(getattr(mmap, advice), begin, end - begin)
    except (AttributeError, OSError):  # a system without huge pages, or an old one
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
