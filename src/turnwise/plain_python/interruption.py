"""Ctrl-C during a search in plain Python: the first one asks the search to end, the second one ends it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


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
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    found = {number: signal.getsignal(number) for number in _SIGNALS}
    handlers = {number: handler for number, handler in found.items() if callable(handler)}
    is_first = True

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal is_first
        try:
            handlers[signal.Signals(number)](number, frame)
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
