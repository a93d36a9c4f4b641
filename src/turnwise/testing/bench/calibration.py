"""A fixed loop whose speed says how fast a machine is at the moment; figures are also given relative to it.

Machines of one kind differ by 40 % from day to day, and one machine differs from minute to minute when others share it.
The loop mixes what searches do: integer arithmetic, reads and writes at random places of a table that does not fit into
the first cache, and branches that cannot be predicted. It never changes: figures of different days are compared by it.
"""

from __future__ import annotations

import time

import numpy as np

from turnwise.core.chance import mix
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.record import Word, Words

TABLE_WORDS = 1 << 17  # 1 MiB
STEPS = 1_000_000
_STRIDE = np.uint64(0x9E3779B97F4A7C15)
_ONE = np.uint64(1)


@kernel
def walk(table: Words, mask: Word, steps: int, start: Word) -> Word:
    """Walk at random through a table and change it; returns the last word of the walk.

    Args:
        table: uint64[mask + 1], changed in place.
        mask: Number of words less one; the number is a power of two.
        steps: Number of steps.
        start: Where the walk starts.
    """
    x = start
    for _ in range(steps):
        x = mix(x + _STRIDE)
        place = integer(x & mask)
        found = table[place]
        if found & _ONE:
            x = x + found
        else:
            x = x ^ (found >> _ONE)
        table[place] = x
    return x


def calibration_rate() -> float:
    """Steps of the loop per CPU second of this thread, measured for about 20 ms."""
    table = np.arange(TABLE_WORDS, dtype=np.uint64)
    pointer, mask = Words.of(table), np.uint64(TABLE_WORDS - 1)
    walk(pointer, mask, 1, _ONE)
    begin = time.thread_time()
    walk(pointer, mask, STEPS, _ONE)
    return STEPS / (time.thread_time() - begin)
