"""The setup of games whose tables are one record with everything that its pointers point to."""

from __future__ import annotations

import ctypes

import numpy as np

from turnwise.core.declaration import Row
from turnwise.jit.record import Record


def row_of_record(record: Record) -> Row:
    """The words of a record as a row.

    Args:
        record: The tables; the caller keeps them alive as long as the row is used.

    Returns:
        uint64[words of the record], read-only; the record's own memory.
    """
    words = (ctypes.c_uint64 * (record.dtype.itemsize // 8)).from_address(record.address)
    row: Row = np.frombuffer(memoryview(words), np.uint64)
    row.flags.writeable = False
    return row
