"""Memory by address, inside kernels: loads, stores and copies of 8-byte words, addresses, bits of a word.

As in :mod:`turnwise.jit.kernel` every function has a form that is compiled and one in ordinary Python.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import numpy as np
from llvmlite import ir
from numba.core import cgutils
from numpy.typing import NDArray

from turnwise.jit import record_types
from turnwise.jit.cache import COMPILED
from turnwise.jit.kernel import f64, i64, intrinsic, kernel, u64, void
from turnwise.jit.record import Address, Floats, Ints, Pointer, Record, Word, Words

R = TypeVar("R", bound=Record)
P = TypeVar("P", bound=Pointer)


class Offset(Protocol):
    """The type of :func:`offset`: a pointer of the same class, ``count`` values further on (a row of a table)."""

    def __call__(self, pointer: P, count: int) -> P:
        """Move a pointer on."""


def _memory_access(kind: Any, ctype: Any) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Load and store of one 8-byte value at ``address + 8 * index``."""
    if not COMPILED:

        def load_plain(address: int, index: int) -> Any:
            return ctype.from_address(int(address) + 8 * int(index)).value

        def store_plain(address: int, index: int, value: Any) -> None:
            ctype.from_address(int(address) + 8 * int(index)).value = value

        return load_plain, store_plain

    def pointer(context: Any, builder: Any, address: Any, index: Any) -> Any:
        base = builder.inttoptr(address, context.get_value_type(kind).as_pointer())
        return builder.gep(base, [index])

    @intrinsic
    def load(typing_context: Any, address: Any, index: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            return builder.load(pointer(context, builder, given[0], given[1]))

        return kind(u64, i64), generate

    @intrinsic
    def store(typing_context: Any, address: Any, index: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            builder.store(given[2], pointer(context, builder, given[0], given[1]))
            return context.get_dummy_value()

        return void(u64, i64, kind), generate

    return load, store


# The first argument is an address or a pointer.
load_int: Callable[[Any, int], int]
store_int: Callable[[Any, int, Any], None]
load_word: Callable[[Any, int], Word]
store_word: Callable[[Any, int, Any], None]
load_float: Callable[[Any, int], float]
store_float: Callable[[Any, int, Any], None]
load_int, store_int = _memory_access(i64, ctypes.c_int64)
load_word, store_word = _memory_access(u64, ctypes.c_uint64)
load_float, store_float = _memory_access(f64, ctypes.c_double)

# Pointers to the values of an array, inside kernels. The array must outlive the pointer: numba frees an array that
# a kernel has made after the last line that names it, so write ``ints_of(scratch)`` where it is used, not once before.
ints_of: Callable[[NDArray[np.int64]], Ints] = record_types.values_of if COMPILED else Ints.of
floats_of: Callable[[NDArray[np.float64]], Floats] = record_types.values_of if COMPILED else Floats.of
words_of: Callable[[NDArray[np.uint64]], Words] = record_types.values_of if COMPILED else Words.of

_address: Callable[[Any], Address] = np.uint64  # type: ignore[assignment]

if COMPILED:

    @intrinsic
    def _array_address(typing_context: Any, array: Any) -> Any:
        """Address of an array's first byte."""

        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            structure = context.make_array(signature.args[0])(context, builder, given[0])
            return builder.ptrtoint(structure.data, ir.IntType(64))

        return u64(array), generate

    offset: Offset = record_types.offset
    address_of_values = record_types.address_of_values

    def at(layout: type[R]) -> Callable[[Address], R]:
        """Make a function ``address -> record`` for kernels."""
        return record_types.record_maker(layout)

    @intrinsic
    def address_of_record(typing_context: Any, record: Any) -> Any:
        """Address of a record."""

        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            return builder.ptrtoint(given[0], ir.IntType(64))

        return u64(record), generate

    @intrinsic
    def copy_words(typing_context: Any, target: Any, source: Any, words: Any) -> Any:
        """Copy ``words`` 8-byte words between addresses; the ranges must not overlap."""

        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            byte_pointer = ir.IntType(8).as_pointer()
            size = builder.shl(given[2], ir.Constant(ir.IntType(64), 3))
            cgutils.raw_memcpy(
                builder,
                builder.inttoptr(given[0], byte_pointer),
                builder.inttoptr(given[1], byte_pointer),
                size,
                1,
                align=8,
            )
            return context.get_dummy_value()

        return void(u64, u64, i64), generate

    @intrinsic
    def prefetch_word(typing_context: Any, address: Any, index: Any) -> Any:
        """Ask for the word at ``address + 8 * index`` to be brought into the cache; changes nothing."""

        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            byte_pointer, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
            word = builder.inttoptr(given[0], ir.IntType(64).as_pointer())
            place = builder.bitcast(builder.gep(word, [given[1]]), byte_pointer)
            function_type = ir.FunctionType(ir.VoidType(), [byte_pointer, flag, flag, flag])
            prefetch = builder.module.declare_intrinsic("llvm.prefetch", [byte_pointer], function_type)
            builder.call(prefetch, [place, flag(1), flag(3), flag(1)])  # for writing, keep close, data
            return context.get_dummy_value()

        return void(u64, i64), generate

    @intrinsic
    def trailing_zeros(typing_context: Any, word: Any) -> Any:
        """Index of the lowest set bit; undefined for 0."""

        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            return builder.cttz(given[0], ir.Constant(ir.IntType(1), 1))

        return i64(u64), generate

    @intrinsic
    def bit_count(typing_context: Any, word: Any) -> Any:
        """Number of set bits."""

        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            return builder.ctpop(given[0])

        return i64(u64), generate

else:

    def _array_address(array: np.ndarray[Any, Any]) -> int:
        """Address of an array's first byte."""
        return int(array.ctypes.data)

    def address_of_record(record: Any) -> Address:
        """Address of a record."""
        return Address(record.address if isinstance(record, Record) else int(np.asarray(record).ctypes.data))

    def at(layout: type[R]) -> Callable[[Address], R]:
        """Make a function ``address -> record`` for kernels."""
        return layout.at_address

    def _further(pointer: P, count: int) -> P:
        return pointer.further(count)

    offset = _further

    def address_of_values(pointer: Pointer) -> Address:
        """The address that a pointer holds, for functions that take addresses."""
        return Address(pointer.address)

    def copy_words(target: int, source: int, words: int) -> None:
        """Copy ``words`` 8-byte words between addresses; the ranges must not overlap."""
        ctypes.memmove(int(target), int(source), 8 * int(words))

    def prefetch_word(address: int, index: int) -> None:
        """Ask for the word at ``address + 8 * index`` to be brought into the cache; changes nothing."""

    def trailing_zeros(word: int) -> int:
        """Index of the lowest set bit; undefined for 0."""
        return (int(word) & -int(word)).bit_length() - 1

    def bit_count(word: int) -> int:
        """Number of set bits."""
        return int(word).bit_count()


address_of: Callable[[np.ndarray[Any, Any]], Address] = _array_address


@kernel
def row_at(rows: NDArray[np.uint64] | NDArray[np.int64], index: int) -> Address:
    """Address of a row of a C-ordered 2-D array of 8-byte values."""
    return row_address(address_of(rows), index, rows.shape[1])


@kernel
def row_address(rows: Address, index: int, words: int) -> Address:
    """Address of a row of a table whose rows have ``words`` 8-byte values each."""
    return _address(rows + np.uint64(8 * index * words))


@kernel
def same_words(first: Address, second: Address, words: int) -> bool:
    """Whether two rows of 8-byte words are equal."""
    for i in range(words):  # noqa: SIM110 - a loop compiles, a generator does not
        if load_word(first, i) != load_word(second, i):
            return False
    return True
