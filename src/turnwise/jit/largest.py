"""Where a weighted sum of two arrays is largest, eight places at a time in vector instructions.

A loop in Python's form compares one value after the other, and each comparison waits for the one before. As in
:mod:`turnwise.jit.kernel`, the function has a compiled form and one in ordinary Python.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils

from turnwise.jit.cache import COMPILED
from turnwise.jit.kernel import f64, i64, inlined, intrinsic
from turnwise.jit.record import Floats

_LANES = 8

if COMPILED:
    _INT, _FLOAT = ir.IntType(64), ir.DoubleType()
    _INTS, _FLOATS = ir.VectorType(_INT, _LANES), ir.VectorType(_FLOAT, _LANES)
    _NO_LANE = ir.Constant(_INTS, [(1 << 62)] * _LANES)

    def _in_all_lanes(builder: Any, value: Any, vector: Any) -> Any:
        one = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.IntType(32)(0))
        return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), _LANES), [0] * _LANES))

    def _reduced(builder: Any, vector: Any, keep_first: Callable[[Any, Any], Any]) -> Any:
        """One value from all lanes: ``keep_first(a, b)`` says where lane a is chosen rather than b."""
        for half in (4, 2, 1):
            order = [i ^ half for i in range(_LANES)]
            other = builder.shuffle_vector(vector, vector, ir.Constant(ir.VectorType(ir.IntType(32), _LANES), order))
            vector = builder.select(keep_first(vector, other), vector, other)
        return builder.extract_element(vector, ir.IntType(32)(0))

    @intrinsic
    def _largest_of_many(typing_context: Any, first: Any, second: Any, factor: Any, begin: Any, end: Any) -> Any:
        """See :func:`place_of_largest`; at least eight places."""

        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            first, second, factor, begin, end = given
            factors = _in_all_lanes(builder, factor, _FLOATS)
            steps = ir.Constant(_INTS, list(range(_LANES)))
            values = cgutils.alloca_once_value(builder, ir.Constant(_FLOATS, [float("-inf")] * _LANES))
            places = cgutils.alloca_once_value(builder, _in_all_lanes(builder, begin, _INTS))

            def eight(pointer: Any, place: Any) -> Any:
                start = builder.gep(builder.bitcast(pointer, _FLOAT.as_pointer()), [place])
                return builder.load(builder.bitcast(start, _FLOATS.as_pointer()), align=8)

            def look(place: Any) -> None:
                sums = builder.fadd(eight(first, place), builder.fmul(factors, eight(second, place)))
                here = builder.add(_in_all_lanes(builder, place, _INTS), steps)
                is_larger = builder.fcmp_ordered(">", sums, builder.load(values))
                builder.store(builder.select(is_larger, sums, builder.load(values)), values)
                builder.store(builder.select(is_larger, here, builder.load(places)), places)

            last = builder.sub(end, _INT(_LANES))
            with cgutils.for_range_slice(builder, begin, last, _INT(_LANES), _INT) as (place, _):
                look(place)
            look(last)  # some places twice, so that no single ones are left
            values, places = builder.load(values), builder.load(places)
            largest = _reduced(builder, values, lambda a, b: builder.fcmp_ordered(">", a, b))
            is_largest = builder.fcmp_ordered("==", values, _in_all_lanes(builder, largest, _FLOATS))
            places = builder.select(is_largest, places, _NO_LANE)
            return _reduced(builder, places, lambda a, b: builder.icmp_signed("<", a, b))

        return i64(first, second, f64, i64, i64), generate

else:

    def _largest_of_many(first: Floats, second: Floats, factor: float, begin: int, end: int) -> int:
        """See :func:`place_of_largest`."""
        return _largest_of_few(first, second, factor, begin, end)


@inlined
def _largest_of_few(first: Floats, second: Floats, factor: float, begin: int, end: int) -> int:
    """See :func:`place_of_largest`."""
    best, largest = begin, -np.inf
    for place in range(begin, end):
        value = first[place] + factor * second[place]
        if value > largest:
            best, largest = place, value
    return best


@inlined
def place_of_largest(first: Floats, second: Floats, factor: float, begin: int, end: int) -> int:
    """The place with the largest ``first[place] + factor * second[place]``, the first of equals.

    Args:
        first: float64[end]; neither these nor the second are NaN.
        second: float64[end].
        factor: Of the second values.
        begin: First place.
        end: The place after the last one.
    """
    if end - begin < _LANES:
        return _largest_of_few(first, second, factor, begin, end)
    place: int = _largest_of_many(first, second, factor, begin, end)
    return place
