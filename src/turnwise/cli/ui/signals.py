"""Ends from outside (SIGTERM, a closed terminal) that a command treats like Ctrl-C."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_NAMES = ("SIGTERM", "SIGHUP")  # SIGHUP, the closed terminal, does not exist on every system


class EndSignal:
    """The signal that ended a command.

    Attributes:
        number: Its number; 0: none, or Ctrl-C.
        is_awaited: Whether the next signal interrupts. A closed terminal ends the input and sends a signal; whichever
            comes second must not interrupt the saving that the first one began.
    """

    number: int = 0
    is_awaited: bool = True


@contextmanager
def like_ctrl_c() -> Iterator[EndSignal]:
    """Let SIGTERM and SIGHUP raise ``KeyboardInterrupt`` within the block; the object says whether one of them came."""
    seen = EndSignal()

    def leave(number: int, frame: FrameType | None) -> None:
        seen.number = number
        if seen.is_awaited:
            seen.is_awaited = False
            raise KeyboardInterrupt

    numbers = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
    before = {number: signal.signal(number, leave) for number in numbers}
    try:
        yield seen
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
