"""A monotonic clock that kernels can read without the GIL."""

from __future__ import annotations

import ctypes
import sys
import time
from typing import Any

from turnwise.jit.kernel import c_function_type, caller, i64, kernel, u64
from turnwise.jit.record import Ints, Word

_clock_type = c_function_type(i64, i64, u64)
_call_clock = caller(i64, i64, u64)
_MONOTONIC = 1


def _portable_clock(_clock: int, timespec: int) -> int:
    seconds, nanoseconds = divmod(time.monotonic_ns(), 1_000_000_000)
    pair = (ctypes.c_int64 * 2).from_address(timespec)
    pair[0], pair[1] = seconds, nanoseconds
    return 0


def _clock_pointer() -> tuple[int, Any]:
    """Address of a monotonic clock with clock_gettime's interface, and the object that keeps it alive."""
    if sys.platform == "linux":
        try:
            library = ctypes.CDLL(None)
            return ctypes.cast(library.clock_gettime, ctypes.c_void_p).value or 0, library
        except (OSError, AttributeError):
            pass
    callback = _clock_type(_portable_clock)
    return ctypes.cast(callback, ctypes.c_void_p).value or 0, callback


CLOCK, _clock_keeper = _clock_pointer()


@kernel
def monotonic_ns(clock: Word, timespec: Ints) -> int:
    """Nanoseconds of the monotonic clock of ``time.monotonic_ns``.

    Args:
        clock: The address ``CLOCK``.
        timespec: int64[2], scratch.
    """
    _call_clock(clock, (_MONOTONIC, timespec))
    return timespec[0] * 1_000_000_000 + timespec[1]
