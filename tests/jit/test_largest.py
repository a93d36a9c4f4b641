"""The vector form of a scan finds what a comparison of one value after the other finds."""

import numpy as np
import pytest

from turnwise.jit.kernel import kernel
from turnwise.jit.largest import place_of_largest
from turnwise.jit.record import Floats


@kernel
def _found(first: Floats, second: Floats, factor: float, begin: int, end: int) -> int:
    return place_of_largest(first, second, factor, begin, end)


@pytest.mark.parametrize("length", [1, 2, 7, 8, 9, 15, 16, 17, 40, 63])
def test_the_first_of_the_largest_sums_is_found(length):
    rng = np.random.default_rng(length)
    for trial in range(100):
        few = rng.integers(0, 3, (2, 80)) * 0.25 - 1.0  # many equal sums
        first, second = few if trial % 2 else rng.normal(size=(2, 80))
        factor, begin = (1.0, 2.0, 0.3)[trial % 3], trial % 9
        sums = first[begin : begin + length] + factor * second[begin : begin + length]
        found = _found(Floats.of(first), Floats.of(second), factor, begin, begin + length)
        assert found == begin + int(np.argmax(sums))
