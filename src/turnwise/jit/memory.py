"""Memory access by address, inside kernels: addresses, records and values there, copies of words, bits of a word.

As in :mod:`turnwise.jit.kernel`, every function has a compiled form and one in ordinary Python.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol, TypeVar

import numpy as np
from llvmlite import ir
from numpy.typing import NDArray

from turnwise.jit import record_types
from turnwise.jit.cache import COMPILED
from turnwise.jit.kernel import i64, inlined, intrinsic, kernel, u64, void
from turnwise.jit.record import Address, Pointer, Record, Word, Words, at_address

T = TypeVar("T", bound=Record | Pointer)
P = TypeVar("P", bound=Pointer)


class Offset(Protocol):
    """The type of :func:`offset`: moves a pointer by ``count`` values, to a row of a table for example."""

    def __call__(self, pointer: P, count: int) -> P:
        """Return a pointer of the same class, ``count`` values further on."""


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

    def at(layout: type[T]) -> Callable[[Address], T]:
        """Make a function ``address -> record`` or ``address -> pointer`` for kernels."""
        return record_types.maker(layout)

    @intrinsic
    def address_of_record(typing_context: Any, record: Any) -> Any:
        """Address of a record."""

        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            return builder.ptrtoint(given[0], ir.IntType(64))

        return u64(record), generate

    @intrinsic
    def _copy_eight(typing_context: Any, target: Any, source: Any, first: Any) -> Any:
        """Copy the eight words from index ``first`` on as one vector."""

        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            vector = ir.VectorType(ir.IntType(64), 8).as_pointer()
            target, source = (
                builder.bitcast(builder.gep(builder.inttoptr(address, ir.IntType(64).as_pointer()), [given[2]]), vector)
                for address in given[:2]
            )
            builder.store(builder.load(source, align=8), target, align=8)
            return context.get_dummy_value()

        return void(u64, u64, i64), generate

    @intrinsic
    def prefetch_word(typing_context: Any, address: Any, index: Any) -> Any:
        """Prefetch the word at ``address + 8 * index`` into the CPU cache; changes nothing."""

        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            byte_pointer, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
            word = builder.inttoptr(given[0], ir.IntType(64).as_pointer())
            place = builder.bitcast(builder.gep(word, [given[1]]), byte_pointer)
            function_type = ir.FunctionType(ir.VoidType(), [byte_pointer, flag, flag, flag])
            prefetch = builder.module.declare_intrinsic("llvm.prefetch", [byte_pointer], function_type)
            builder.call(prefetch, [place, flag(0), flag(3), flag(1)])  # for reading, keep close, data
            return context.get_dummy_value()

        return void(u64, i64), generate

    @intrinsic
    def _trailing_zeros(typing_context: Any, word: Any) -> Any:
        """Index of the lowest set bit; undefined for 0."""

        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            return builder.cttz(given[0], ir.Constant(ir.IntType(1), 1))

        return i64(u64), generate

    @intrinsic
    def _bit_count(typing_context: Any, word: Any) -> Any:
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

    def at(layout: type[T]) -> Callable[[Address], T]:
        """Make a function ``address -> record`` or ``address -> pointer`` for kernels."""
        return partial(at_address, layout)

    def _further(pointer: P, count: int) -> P:
        return pointer.further(count)

    offset = _further

    def address_of_values(pointer: Pointer) -> Address:
        """The address that a pointer holds, for functions that take addresses."""
        return Address(pointer.address)

    def _copy_eight(target: int, source: int, first: int) -> None:
        """Copy the eight words from index ``first`` on."""
        ctypes.memmove(int(target) + 8 * int(first), int(source) + 8 * int(first), 64)

    def prefetch_word(address: int, index: int) -> None:
        """Prefetch the word at ``address + 8 * index`` into the CPU cache; changes nothing."""

    def _trailing_zeros(word: int) -> int:
        """Index of the lowest set bit; undefined for 0."""
        return (int(word) & -int(word)).bit_length() - 1

    def _bit_count(word: int) -> int:
        """Number of set bits."""
        return int(word).bit_count()


address_of: Callable[[np.ndarray[Any, Any]], Address] = _array_address
trailing_zeros: Callable[[Word], int] = _trailing_zeros
bit_count: Callable[[Word], int] = _bit_count
words_at = at(Words)


@inlined
def copy_words(target: Address, source: Address, words: int) -> None:
    """Copy ``words`` 8-byte words between addresses; the ranges must not overlap.

    Rows are short: calling the C library's function takes longer than copying eight words at a time. The last eight
    are copied from the end, so that no single words are left.
    """
    if words < 8:
        ours, theirs = words_at(target), words_at(source)
        for i in range(words):
            ours[i] = theirs[i]
        return
    for first in range(0, words - 8, 8):
        _copy_eight(target, source, first)
    _copy_eight(target, source, words - 8)


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
    ours, theirs = words_at(first), words_at(second)
    for i in range(words):  # noqa: SIM110 - a loop compiles, a generator does not
        if ours[i] != theirs[i]:
            return False
    return True
