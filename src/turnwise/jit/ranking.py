"""The place of a value in a descending order, from comparisons of eight values at a time in vector instructions.

A sort that moves values past each other has a branch for each step, and no processor predicts those. Counting the
values that come before has none that depends on a value. As in :mod:`turnwise.jit.kernel`, the function has a compiled
form and one in ordinary Python.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir

from turnwise.jit.cache import COMPILED
from turnwise.jit.kernel import f64, i64, inlined, integer, intrinsic, u64
from turnwise.jit.memory import bit_count
from turnwise.jit.record import Floats, Word

LANES = 8
_ONE = np.uint64(1)

if COMPILED:
    _FLOAT, _BYTE, _WORD = ir.DoubleType(), ir.IntType(8), ir.IntType(64)
    _FLOATS = ir.VectorType(_FLOAT, LANES)

    def _comparison(sign: str) -> Callable[..., Any]:
        """Make a function ``(values, first, value) -> word``: bit i says whether ``values[first + i] SIGN value``."""

        @intrinsic
        def compared(typing_context: Any, values: Any, first: Any, value: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
                start = builder.gep(builder.bitcast(given[0], _FLOAT.as_pointer()), [given[1]])
                eight = builder.load(builder.bitcast(start, _FLOATS.as_pointer()), align=8)
                one = builder.insert_element(ir.Constant(_FLOATS, ir.Undefined), given[2], ir.IntType(32)(0))
                same = builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES))
                bits = builder.bitcast(builder.fcmp_ordered(sign, eight, same), _BYTE)
                return builder.zext(bits, _WORD)

            return u64(values, i64, f64), generate

        function: Callable[..., Any] = compared
        return function

else:

    def _comparison(sign: str) -> Callable[..., Any]:
        """Make a function ``(values, first, value) -> word``: bit i says whether ``values[first + i] SIGN value``."""

        def compared(values: Floats, first: int, value: float) -> Word:
            found = 0
            for i in range(LANES):
                other = values[first + i]
                found |= int(other > value or (sign == ">=" and other == value)) << i
            return np.uint64(found)

        return compared


_larger: Callable[[Floats, int, float], Word] = _comparison(">")
_not_smaller: Callable[[Floats, int, float], Word] = _comparison(">=")


@inlined
def rank(values: Floats, n: int, index: int) -> int:
    """How many of ``n`` values come before one of them in descending order; equal ones keep their order.

    Args:
        values: float64[n, rounded up to a multiple of ``LANES``], no NaN; those from n on are -infinity.
        n: Number of values.
        index: Which value.
    """
    value = values[index]
    own = index & ~(LANES - 1)
    before = 0
    for first in range(0, own, LANES):
        before += bit_count(_not_smaller(values, first, value))
    earlier = (_ONE << np.uint64(index - own)) - _ONE
    before += bit_count(_larger(values, own, value) | (_not_smaller(values, own, value) & earlier))
    for first in range(own + LANES, n, LANES):
        before += bit_count(_larger(values, first, value))
    return integer(before)
