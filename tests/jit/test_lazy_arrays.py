"""Large tables: empty, of the right form, and not cleared ahead of their use."""

import resource

import numpy as np
import pytest

from turnwise.jit.lazy_arrays import lazy_zeros

KIND = np.dtype([("key", "u8"), ("value", "f8")])


@pytest.mark.parametrize("scattered", [False, True])
@pytest.mark.parametrize(("shape", "dtype"), [(10, np.uint64), (1 << 20, np.uint64), ((3, 1 << 16), KIND)])
def test_it_is_empty_and_can_be_written(shape, dtype, scattered):
    table = lazy_zeros(shape, dtype, scattered=scattered)
    same = np.zeros(shape, dtype)
    assert (table.shape, table.dtype, table.flags.c_contiguous) == (same.shape, same.dtype, True)
    assert table.tobytes() == same.tobytes()
    table[-1] = 7
    assert lazy_zeros(shape, dtype, scattered=scattered).tobytes() == same.tobytes()


def test_memory_is_taken_as_it_is_touched_whatever_was_freed_before():
    for _ in range(3):
        table = lazy_zeros(16 << 20, np.uint8, scattered=True)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        table[5] = 1
        assert resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before < 100  # 4096 pages in all
        del table


def test_too_much_is_a_memory_error():
    with pytest.raises(MemoryError, match="a table of"):
        lazy_zeros(1 << 60)
