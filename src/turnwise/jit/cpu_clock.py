"""The CPU time of the process as a clock for kernels, in place of the monotonic one.

Asking the system for it takes 0.3 to 3 µs, ten to a hundred times as long as the monotonic clock. While one thread
searches, the CPU time cannot grow faster than the monotonic clock does. The clock therefore adds the monotonic time
that has passed since it last asked, and asks again once that is a millisecond. If the process had to wait for its core
in the meantime, that is at once, so waiting does not count. Where several threads search, their times add up, and the
clock may be late by some milliseconds.
"""

from __future__ import annotations

import ctypes
import time
from functools import cache
from typing import Any

import numba
import numpy as np

from turnwise.jit import clock
from turnwise.jit.cache import COMPILED
from turnwise.jit.clock import CLOCK, monotonic_ns
from turnwise.jit.interruption import compilation
from turnwise.jit.kernel import c_function_type, caller, i64, u64
from turnwise.jit.memory import at
from turnwise.jit.record import Ints, Word

_ASK_EVERY = 1_000_000  # nanoseconds
_BILLION = 1_000_000_000
IS_NATIVE = isinstance(clock._clock_keeper, ctypes.CDLL)  # else the clock of kernels is Python's
_call_clock = caller(i64, i64, u64)
_ints_at: Any = at(Ints)
_kept: list[Any] = []  # what the clock's address needs


@cache
def cpu_clock() -> int:
    """Address of the clock, with clock_gettime's interface; it gives the CPU time, whatever clock is asked for.

    It is compiled in every process that uses it, since its code contains addresses.
    """
    if COMPILED and IS_NATIVE:
        last = np.zeros(2, np.int64)
        with compilation():
            compiled = numba.cfunc(i64(i64, u64))(_clock_between(CLOCK, last.ctypes.data))
        _kept.extend((last, compiled))
        return int(compiled.address)
    callback = c_function_type(i64, i64, u64)(_portable_clock)
    _kept.append(callback)
    return ctypes.cast(callback, ctypes.c_void_p).value or 0


def _portable_clock(_clock: int, timespec: int) -> int:
    pair = (ctypes.c_int64 * 2).from_address(timespec)
    pair[0], pair[1] = divmod(time.process_time_ns(), _BILLION)
    return 0


def _clock_between(address: int, last: int) -> Any:
    """The function that asks the system only now and then; it contains addresses.

    Args:
        address: Address of the system's clock_gettime.
        last: Address of int64[2]: monotonic and CPU time when the system was last asked.
    """
    cpu, system = int(time.CLOCK_PROCESS_CPUTIME_ID), Word(address)

    def clock_between(_clock: Any, timespec: Any) -> Any:
        out, known = _ints_at(timespec), _ints_at(np.uint64(last))
        now = monotonic_ns(system, out)
        if now - known[0] >= _ASK_EVERY:
            _call_clock(system, (cpu, out))
            known[0], known[1] = now, out[0] * _BILLION + out[1]
        total = known[1] + now - known[0]
        out[0], out[1] = total // _BILLION, total % _BILLION
        return 0

    return clock_between
