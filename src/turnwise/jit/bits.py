"""Lists and unions over the set bits of words, eight at a time in vector instructions, and single ones by number.

Loops over single bits end after a number of steps that no processor can predict, and each wrong prediction costs as
much as a dozen instructions. The functions here have no branch that depends on a bit: they treat eight bits or words
as one vector, which LLVM translates to what the processor has (512, 256 or 128 bits at a time). As in
:mod:`turnwise.jit.kernel`, each has a compiled form and one in ordinary Python.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils

from turnwise.jit.cache import COMPILED
from turnwise.jit.kernel import i64, inlined, integer, intrinsic, u64, void
from turnwise.jit.memory import bit_count, trailing_zeros
from turnwise.jit.record import Ints, Word, Words

OVERHANG = 7  # values that ``list_bits`` may write after the last one of its list
# For every byte the places of its set bits, in ascending order, as the bytes of a word; the rest is 0.
_PLACES = np.array(
    [
        sum(place << (8 * i) for i, place in enumerate(place for place in range(8) if byte >> place & 1))
        for byte in range(256)
    ],
    np.uint64,
)
_BYTE = np.uint64(0xFF)
_ONES = np.uint64(0x0101010101010101)
_TOPS = np.uint64(0x8080808080808080)

if COMPILED:
    _LANE = ir.IntType(64)
    _VECTOR = ir.VectorType(_LANE, 8)

    def _in_all_lanes(builder: Any, value: Any) -> Any:
        one = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), value, ir.IntType(32)(0))
        return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), 8), [0] * 8))

    @intrinsic
    def _write_eight(
        typing_context: Any, out: Any, n: Any, places: Any, base: Any, first: Any, marked: Any, more: Any
    ) -> Any:
        """Write eight codes at ``out[n]``; see :func:`list_bits`."""

        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            out, n, places, base, first, marked, more = given
            places = builder.bitcast(places, ir.VectorType(ir.IntType(8), 8))
            there = builder.add(builder.zext(places, _VECTOR), _in_all_lanes(builder, first))
            codes = builder.add(there, _in_all_lanes(builder, base))
            for i in range(2):
                word, addend = builder.extract_value(marked, i), builder.extract_value(more, i)
                is_marked = builder.trunc(
                    builder.lshr(_in_all_lanes(builder, word), there), ir.VectorType(ir.IntType(1), 8)
                )
                none = ir.Constant(_VECTOR, [0] * 8)
                codes = builder.add(codes, builder.select(is_marked, _in_all_lanes(builder, addend), none))
            start = builder.gep(builder.bitcast(out, _LANE.as_pointer()), [n])
            builder.store(codes, builder.bitcast(start, _VECTOR.as_pointer()), align=8)
            return context.get_dummy_value()

        return void(out, i64, u64, i64, i64, marked, more), generate

    @intrinsic
    def _union_where(typing_context: Any, keys: Any, values: Any, first: Any, word: Any) -> Any:
        """Union of ``values[first + i]`` for the ``i`` in 0..7 whose ``keys[first + i]`` meets ``word``."""

        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            def eight(pointer: Any) -> Any:
                start = builder.gep(builder.bitcast(pointer, _LANE.as_pointer()), [given[2]])
                return builder.load(builder.bitcast(start, _VECTOR.as_pointer()), align=8)

            none = ir.Constant(_VECTOR, [0] * 8)
            meets = builder.icmp_unsigned("!=", builder.and_(eight(given[0]), _in_all_lanes(builder, given[3])), none)
            chosen = builder.select(meets, eight(given[1]), none)
            kind = ir.FunctionType(_LANE, [_VECTOR])
            union = cgutils.get_or_insert_function(builder.module, kind, "llvm.vector.reduce.or.v8i64")
            return builder.call(union, [chosen])

        return u64(keys, values, i64, u64), generate

else:

    def _write_eight(
        out: Ints, n: int, places: Word, base: int, first: int, marked: tuple[Word, Word], more: tuple[int, int]
    ) -> None:
        """Write eight codes at ``out[n]``; see :func:`list_bits`."""
        for i in range(8):
            there = first + (int(places) >> (8 * i) & 0xFF)
            out[n + i] = base + there + sum(m for word, m in zip(marked, more, strict=True) if int(word) >> there & 1)

    def _union_where(keys: Words, values: Words, first: int, word: Word) -> Word:
        """Union of ``values[first + i]`` for the ``i`` in 0..7 whose ``keys[first + i]`` meets ``word``."""
        union = np.uint64(0)
        for i in range(first, first + 8):
            if keys[i] & word != 0:
                union |= values[i]
        return union


union_where: Callable[[Words, Words, int, Word], Word] = _union_where


@inlined
def list_bits(out: Ints, n: int, word: Word, base: int, marked: tuple[Word, Word], more: tuple[int, int]) -> int:
    """Append the places of a word's set bits to a list, in ascending order, as codes.

    Eight codes are written at a time, whatever the number of bits among eight places; the next ones are written over
    those that are too many.

    Args:
        out: int64[length], where up to ``OVERHANG`` values after the list are overwritten.
        n: Length of the list.
        word: The set.
        base: Added to every place.
        marked: Two sets; the places that are in one of them get the same of ``more`` added.
        more: What is added to those.

    Returns:
        The new length.
    """
    while word != 0:
        first = trailing_zeros(word)
        word >>= np.uint64(first)
        eight = word & _BYTE
        _write_eight(out, n, _PLACES[integer(eight)], base, first, marked, more)
        n += bit_count(eight)
        word = (word ^ eight) << np.uint64(first)
    return n


@inlined
def nth_bit(word: Word, n: int) -> int:
    """Place of the n-th set bit of a word, from 0; the word has more than n."""
    counts = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    counts = (counts & np.uint64(0x3333333333333333)) + ((counts >> np.uint64(2)) & np.uint64(0x3333333333333333))
    counts = (counts + (counts >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    up_to = counts * _ONES  # byte i: set bits in the bytes 0 to i
    before = 8 * bit_count((((np.uint64(n) * _ONES) | _TOPS) - up_to) & _TOPS)
    left = np.uint64(n) - (((up_to << np.uint64(8)) >> np.uint64(before)) & _BYTE)
    places = _PLACES[integer((word >> np.uint64(before)) & _BYTE)]
    return before + integer((places >> (np.uint64(8) * left)) & _BYTE)
