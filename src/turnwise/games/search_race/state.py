"""The state row, four words: integers between turns, and the time of the last hit once the race is won."""

from __future__ import annotations

from turnwise.jit.record import Int16, Int32, Record


class RaceState(Record):
    """A state."""

    x: Int32
    y: Int32
    vx: Int32
    vy: Int32
    cp: Int16  # checkpoints passed
    angle: Int16  # heading in whole degrees, 0..360 (both ends occur, rules K3)
    timer: Int16  # completed turns
    done: Int16
    col_time: float  # fraction of the last turn up to the finish; 0 otherwise


STATE_WORDS = RaceState.dtype.itemsize // 8
FEATURES = 8  # numbers that describe a race to a learnt policy
