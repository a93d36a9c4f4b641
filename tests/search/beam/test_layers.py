"""Layers of a beam: which states are kept."""

import numpy as np
import pytest

from turnwise.jit.record import Floats, Ints
from turnwise.search.beam.layers import select_best


@pytest.mark.parametrize("wanted", [1, 7, 50, 99])
def test_selection_keeps_the_best(wanted):
    rng = np.random.default_rng(wanted)
    values = rng.integers(0, 40, 100).astype(float)  # with many equal ones
    order = rng.permutation(100)
    select_best(Ints.of(order), Floats.of(values), len(order), wanted)
    assert sorted(order) == list(range(100))
    assert sorted(values[order[:wanted]]) == sorted(values)[-wanted:]
