"""A formula over eight words gives what whole numbers give, one at a time."""

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.jit.lanes import LANES, bit_counts, over_lanes, where_equal
from turnwise.jit.record import Ints, Word

_MASK = (1 << 64) - 1


def _formula(words, eight):
    first, second = words
    mixed = ((eight ^ first) * 0x9E3779B97F4A7C15 + second) & (eight | second)
    mixed = (mixed >> (eight & 31)) ^ (mixed << 3)
    chosen = where_equal(eight & 3, 2, mixed - 1, bit_counts(mixed))
    return chosen, eight & 4


_applied = over_lanes(_formula)


@kernel
def _run(first: Word, second: Word, source: Ints, out: Ints) -> Word:
    return _applied((first, second), source, 2, out)


def _wanted(first, second, value):
    mixed = ((value ^ first) * 0x9E3779B97F4A7C15 + second) & _MASK & (value | second)
    mixed = ((mixed >> (value & 31)) ^ (mixed << 3)) & _MASK
    return (mixed - 1) & _MASK if value & 3 == 2 else mixed.bit_count()


def test_a_formula_is_applied_to_eight_values():
    rng = np.random.default_rng(4)
    for _ in range(20):
        first, second = (int(word) for word in rng.integers(0, _MASK, 2, np.uint64, endpoint=True))
        source = rng.integers(0, 1 << 62, LANES + 4)
        out = np.full(LANES + 4, -7)
        faults = _run(np.uint64(first), np.uint64(second), Ints.of(source), Ints.of(out))
        values = [int(value) for value in source[2 : 2 + LANES]]
        assert out[2:-2].view(np.uint64).tolist() == [_wanted(first, second, value) for value in values]
        assert out[:2].tolist() == out[-2:].tolist() == [-7, -7]
        assert int(faults) == sum(1 << i for i, value in enumerate(values) if value & 4)
