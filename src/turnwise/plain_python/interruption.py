"""Ctrl-C during a search in plain Python: the first one asks the search to end, the second one ends it."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from turnwise.jit.interruption import handlers_here


@contextmanager
def ends_at_interrupt(end: Callable[[], None]) -> Iterator[None]:
    """Within the block, the first ``KeyboardInterrupt`` that a signal would raise calls a function instead.

    The search stays in the main thread, where debuggers and the user's own code expect it. In other threads, which
    Ctrl-C never interrupts, the block changes nothing.

    Args:
        end: Asks the search to end soon.

    Raises:
        KeyboardInterrupt: A second signal came within the block.
    """
    handlers = handlers_here()
    is_first = True

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal is_first
        try:
            handlers[number](number, frame)
        except KeyboardInterrupt:
            if not is_first:
                raise
            is_first = False
            end()

    try:
        for number in handlers:
            signal.signal(number, handle)
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
