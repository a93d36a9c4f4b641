"""Answers for Search Race in plain Python until the engine has been loaded; imports nothing heavy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from turnwise.core.contest import Driver

_LEAD = 3.0  # the car steers towards the target minus this many times its speed
_MOST_TURN, _MOST_THRUST = 18, 200
_FULL, _NONE = 20.0, 90.0  # thrust falls from full to none between these angles of error
_MOST_DIGITS = 6  # of the number of checkpoints


class SearchRaceDriver(Driver):
    """Drives to the next target."""

    first_seconds: ClassVar[float] = 0.85  # the contest allows 1000 ms, then 50 ms
    later_seconds: ClassVar[float] = 0.02
    take_over_seconds: ClassVar[float] = 0.6

    def __init__(self) -> None:
        """Begin; the first turn brings the targets."""
        self._targets: list[tuple[int, int]] = []

    def is_whole(self, lines: Sequence[str], is_first: bool) -> bool:
        """See :meth:`Driver.is_whole`."""
        if not is_first:
            return True
        head = lines[0].strip()
        is_count = head.isascii() and head.isdigit() and len(head) <= _MOST_DIGITS
        return not is_count or len(lines) >= int(head) + 2

    def answer(self, lines: Sequence[str], is_first: bool) -> str | None:
        """See :meth:`Driver.answer`."""
        try:
            if is_first:
                self._targets = [(int(x), int(y)) for x, y in (line.split() for line in lines[1:-1])]
            number, *car = (int(word) for word in lines[-1].split())
            return drive(self._targets[number % len(self._targets)], tuple(car))
        except (ValueError, IndexError, ZeroDivisionError):
            return None


def drive(target: tuple[int, int], car: tuple[int, ...]) -> str:
    """An answer: steer towards the target, corrected for the present speed.

    Args:
        target: Where to go.
        car: x, y, vx, vy and angle in degrees.
    """
    x, y, vx, vy, angle = car
    goal = math.degrees(math.atan2(target[1] - y - _LEAD * vy, target[0] - x - _LEAD * vx))
    off = (goal - angle + 180.0) % 360.0 - 180.0
    turn = max(-_MOST_TURN, min(_MOST_TURN, round(off)))
    share = min(1.0, max(0.0, (_NONE - abs(off - turn)) / (_NONE - _FULL)))
    return f"EXPERT {turn} {int(share * _MOST_THRUST)}"
