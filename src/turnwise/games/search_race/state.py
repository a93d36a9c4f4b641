"""The state row, four words: whole numbers between turns, and the time of the last hit once the race is won."""

from __future__ import annotations

import numpy as np

from turnwise.jit.kernel import record_at

STATE = np.dtype(
    [
        ("x", "i4"),
        ("y", "i4"),
        ("vx", "i4"),
        ("vy", "i4"),
        ("cp", "i2"),  # checkpoints passed
        ("angle", "i2"),  # heading in whole degrees, 0..360 (both ends occur, rules K3)
        ("timer", "i2"),  # completed turns
        ("done", "i2"),
        ("col_time", "f8"),  # part of the last turn that a finished race took; 0 otherwise
    ],
    align=True,
)
STATE_WORDS = STATE.itemsize // 8

state_at = record_at(STATE)
