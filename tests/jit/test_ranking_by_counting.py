"""Counting the values that come before gives the places of a stable sort."""

import numpy as np
import pytest

from turnwise.jit.kernel import kernel
from turnwise.jit.ranking import LANES, rank
from turnwise.jit.record import Floats


@kernel
def _ranked(values: Floats, n: int, index: int) -> int:
    return rank(values, n, index)


@pytest.mark.parametrize("length", [1, 2, 7, 8, 9, 15, 16, 17, 40])
def test_ranks_are_the_places_of_a_stable_descending_sort(length):
    rng = np.random.default_rng(length)
    for trial in range(40):
        values = rng.integers(-2, 2, length) * 30.0 if trial % 2 else rng.normal(size=length)  # many equal values
        if trial % 5 == 0:
            values[rng.integers(length)] = -np.inf
        padded = np.full(length + LANES, -np.inf)
        padded[:length] = values
        order = sorted(range(length), key=lambda i, values=values: -values[i])
        found = [_ranked(Floats.of(padded), length, i) for i in range(length)]
        assert found == [order.index(i) for i in range(length)]
