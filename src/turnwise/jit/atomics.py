"""Numbers that threads share inside kernels: atomic reading, writing and adding, and waiting for other threads."""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Callable
from typing import Any

from llvmlite import ir

from turnwise.jit.cache import COMPILED
from turnwise.jit.kernel import c_function_type, caller, i64, intrinsic, kernel, u64
from turnwise.jit.record import Address, Word

_yield_type = c_function_type(i64)
_call_yield = caller(i64)
_nap_type = c_function_type(i64, i64)
_call_nap = caller(i64, i64)

if COMPILED:

    def _place(builder: Any, address: Any) -> Any:
        return builder.inttoptr(address, ir.IntType(64).as_pointer())

    @intrinsic
    def _load(typing_context: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            return builder.load_atomic(_place(builder, given[0]), "acquire", 8)

        return i64(u64), generate

    @intrinsic
    def _store(typing_context: Any, address: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            builder.store_atomic(given[1], _place(builder, given[0]), "release", 8)
            return given[1]

        return i64(u64, i64), generate

    @intrinsic
    def _add(typing_context: Any, address: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            return builder.atomic_rmw("add", _place(builder, given[0]), given[1], "acq_rel")

        return i64(u64, i64), generate

else:

    def _load(address: int) -> int:
        return int(ctypes.c_int64.from_address(int(address)).value)

    def _store(address: int, value: int) -> int:
        ctypes.c_int64.from_address(int(address)).value = int(value)
        return value

    def _add(address: int, value: int) -> int:
        before: int = _load(address)
        _store(address, before + value)
        return before


load_atomic: Callable[[Address], int] = _load
"""The int64 at an address; whatever its writer had written before it is seen, too."""
store_atomic: Callable[[Address, int], int] = _store
"""Write an int64 to an address, after all that this thread has written before; returns it."""
add_atomic: Callable[[Address, int], int] = _add
"""Add to the int64 at an address; returns what was there before. Uncompiled, this is no single step."""


def _portable_yield() -> int:
    time.sleep(0)
    return 0


def _portable_nap(microseconds: int) -> int:
    time.sleep(microseconds / 1e6)
    return 0


def _pointer(name: str, kind: Any, portable: Callable[..., int]) -> tuple[int, Any]:
    """Address of a function of the C library, or of one that does the same, and what keeps it alive."""
    if os.name == "posix":
        try:
            library = ctypes.CDLL(None)
            return ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0, library
        except (OSError, AttributeError):
            pass
    callback = kind(portable)
    return ctypes.cast(callback, ctypes.c_void_p).value or 0, callback


YIELD, _yield_keeper = _pointer("sched_yield", _yield_type, _portable_yield)
NAP, _nap_keeper = _pointer("usleep", _nap_type, _portable_nap)


@kernel
def let_others_run(function: Word) -> None:
    """Give up this core for a moment, if another thread wants it; ``function`` is the address ``YIELD``."""
    _call_yield(function, ())


@kernel
def nap(function: Word, microseconds: int) -> None:
    """Sleep for a moment, after which the system gives this thread a core soon; ``function`` is the address ``NAP``."""
    _call_nap(function, (microseconds,))
