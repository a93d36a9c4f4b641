"""Setup rows that are a record's own memory."""

import numpy as np

from turnwise.core.setup_row import row_of_record
from turnwise.jit.record import Ints, Record, array_address


class Tables(Record):
    count: int
    values: Ints
    last: int


def test_the_row_is_the_memory_of_the_record_and_read_only():
    record = Tables(values=3)
    record.count, record.last = 3, 7
    row = row_of_record(record)
    assert (row.dtype, row.shape, row.flags.writeable) == (np.dtype(np.uint64), (3,), False)
    assert array_address(row) == record.address
    assert row.tolist() == [3, record.values.address, 7]
    record.last = 8
    assert row[2] == 8
