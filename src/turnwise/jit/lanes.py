"""Formulas over eight words at a time, written once with Python's operators.

A formula runs while a kernel is compiled; its operators emit vector instructions, which LLVM translates to what the
processor has (512, 256 or 128 bits at a time). Uncompiled, the same formula gets NumPy arrays of eight words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils

from turnwise.jit.cache import COMPILED
from turnwise.jit.kernel import i64, intrinsic, u64
from turnwise.jit.record import Ints, Word

LANES = 8
_WORD, _HALF, _BYTE = ir.IntType(64), ir.IntType(32), ir.IntType(8)
_VECTOR = ir.VectorType(_WORD, LANES)
_FIRST_LANE = ir.Constant(ir.VectorType(_HALF, LANES), [0] * LANES)


class Lanes:
    """Eight words in a kernel that is being compiled.

    Attributes:
        builder: Emits the instructions.
        value: The vector.
    """

    def __init__(self, builder: Any, value: Any) -> None:
        self.builder = builder
        self.value = value

    def operand(self, other: Lanes | int) -> Any:
        """The vector of another value; a number stands for itself in all lanes."""
        return other.value if isinstance(other, Lanes) else ir.Constant(_VECTOR, [int(other)] * LANES)

    def _by(self, operation: Callable[[Any, Any], Any], other: Lanes | int) -> Lanes:
        return Lanes(self.builder, operation(self.value, self.operand(other)))

    def __and__(self, other: Lanes | int) -> Lanes:
        return self._by(self.builder.and_, other)

    def __or__(self, other: Lanes | int) -> Lanes:
        return self._by(self.builder.or_, other)

    def __xor__(self, other: Lanes | int) -> Lanes:
        return self._by(self.builder.xor, other)

    def __add__(self, other: Lanes | int) -> Lanes:
        return self._by(self.builder.add, other)

    def __sub__(self, other: Lanes | int) -> Lanes:
        return self._by(self.builder.sub, other)

    def __mul__(self, other: Lanes | int) -> Lanes:
        return self._by(self.builder.mul, other)

    def __lshift__(self, other: Lanes | int) -> Lanes:
        return self._by(self.builder.shl, other)

    def __rshift__(self, other: Lanes | int) -> Lanes:
        return self._by(self.builder.lshr, other)


def where_equal(one: Any, number: int, then: Any, otherwise: Any) -> Any:
    """In each lane ``then`` if the first vector equals a number, else ``otherwise``."""
    if not isinstance(one, Lanes):
        return np.where(one == np.uint64(number), then, otherwise)
    is_equal = one.builder.icmp_unsigned("==", one.value, one.operand(number))
    return Lanes(one.builder, one.builder.select(is_equal, one.operand(then), one.operand(otherwise)))


def bit_counts(words: Any) -> Any:
    """Number of set bits in each lane."""
    if not isinstance(words, Lanes):
        return np.bitwise_count(words).astype(np.uint64)
    kind = ir.FunctionType(_VECTOR, [_VECTOR])
    count = cgutils.get_or_insert_function(words.builder.module, kind, f"llvm.ctpop.v{LANES}i64")
    return Lanes(words.builder, words.builder.call(count, [words.value]))


# ``formula(words, eight) -> (results, faults)``: words that are the same in all lanes, and eight values
Formula = Callable[[Sequence[Any], Any], tuple[Any, Any]]


def over_lanes(formula: Formula) -> Callable[[tuple[Word, ...], Ints, int, Ints], Word]:
    """Make a function ``(words, source, first, out) -> word`` for kernels from a formula.

    It reads eight values from ``source[first]`` on, writes their results to ``out[first]`` and the next places, and
    returns a word in which bit i says that the fault of lane i is not 0.
    """
    if not COMPILED:

        def apply(words: tuple[Word, ...], source: Ints, first: int, out: Ints) -> Word:
            eight = np.array([source[first + i] for i in range(LANES)], np.int64).view(np.uint64)
            results, faults = formula(words, eight)
            for i, result in enumerate(results.view(np.int64)):
                out[first + i] = int(result)
            return np.uint64(sum(int(fault != 0) << i for i, fault in enumerate(faults)))

        return apply

    @intrinsic
    def apply_compiled(typing_context: Any, words: Any, source: Any, first: Any, out: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            def repeated(word: Any) -> Lanes:
                one = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), word, _HALF(0))
                return Lanes(builder, builder.shuffle_vector(one, one, _FIRST_LANE))

            def place(pointer: Any) -> Any:
                start = builder.gep(builder.bitcast(pointer, _WORD.as_pointer()), [given[2]])
                return builder.bitcast(start, _VECTOR.as_pointer())

            same = [repeated(word) for word in cgutils.unpack_tuple(builder, given[0])]
            results, faults = formula(same, Lanes(builder, builder.load(place(given[1]), align=8)))
            builder.store(results.value, place(given[3]), align=8)
            are_faults = builder.icmp_unsigned("!=", faults.value, ir.Constant(_VECTOR, [0] * LANES))
            return builder.zext(builder.bitcast(are_faults, _BYTE), _WORD)

        return u64(words, source, i64, out), generate

    function: Callable[[tuple[Word, ...], Ints, int, Ints], Word] = apply_compiled
    return function
