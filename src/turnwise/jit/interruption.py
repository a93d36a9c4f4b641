"""Ctrl-C while machine code is made: it takes effect between two functions and leaves nothing half done.

LLVM cannot be stopped within a function, and calls back into Python: an exception that arrives there is lost, with the
object that numba was about to receive. In the main thread, signals therefore wait while a function is compiled, and
are delivered at :func:`safe_point`, which is where one function ends and the next begins (well below a second). A
thread that searches gets no signals; :func:`refuse_compilation` has it leave at the same places.
"""

from __future__ import annotations

import atexit
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakSet

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_LONGEST_WAIT_AT_EXIT = 10.0  # seconds; a function takes a tenth of it

_waiting: dict[int, Callable[..., Any]] = {}  # signals that came meanwhile -> who handles them
_compiling: set[threading.Thread] = set()
_refused: WeakSet[threading.Thread] = WeakSet()  # threads that begin no further compilation
_here = threading.local()  # search: the thread whose search this thread works for


@contextmanager
def signals_wait() -> Iterator[None]:
    """Hold back Ctrl-C in the main thread until the end or the next safe point inside; elsewhere nothing."""
    handlers = _handlers()
    if not handlers:
        yield
        return

    def hold(number: int, frame: Any) -> None:
        _waiting[number] = handlers[number]

    _waiting.clear()
    try:
        for number in handlers:
            signal.signal(number, hold)
        yield
    finally:
        for number in reversed(handlers):  # from Ctrl-C's on, Ctrl-C may end this function
            signal.signal(number, handlers[number])
        _deliver()


def _handlers() -> dict[int, Callable[..., Any]]:
    """What Python code handles now, in the main thread; nothing where signals already wait."""
    me = threading.current_thread()
    if me is not threading.main_thread() or me in _compiling:
        return {}
    found = {number: signal.getsignal(number) for number in _SIGNALS}
    return {number: handler for number, handler in found.items() if callable(handler)}


def _deliver() -> None:
    while _waiting:
        number, handler = _waiting.popitem()
        handler(number, None)


@contextmanager
def compilation() -> Iterator[None]:
    """Whatever compiles does it inside; may be nested.

    Raises:
        KeyboardInterrupt: Ctrl-C came meanwhile.
    """
    me = threading.current_thread()
    if me in _compiling:
        yield
        return
    with signals_wait():
        _compiling.add(me)
        try:
            yield
        finally:
            _compiling.discard(me)


def safe_point() -> None:
    """Between two functions that are compiled: leave if that is wanted.

    Raises:
        KeyboardInterrupt: Ctrl-C came meanwhile, or this thread's search was asked to leave.
    """
    me = threading.current_thread()
    if me is threading.main_thread():
        _deliver()
    elif me in _refused or getattr(_here, "search", me) in _refused:
        raise KeyboardInterrupt


def work_for(search: threading.Thread) -> None:
    """Count this thread as part of a search: what is refused to the search's own thread is refused to this one."""
    _here.search = search


def refuse_compilation(search: threading.Thread) -> None:
    """Have a thread, and those that work for it, leave a compilation at the next safe point, and begin none."""
    _refused.add(search)


@atexit.register
def _leave() -> None:
    """Have other threads leave: a process that ends while one of them is inside LLVM may crash."""
    others = _compiling - {threading.current_thread()}
    _refused.update(others)
    end = time.monotonic() + _LONGEST_WAIT_AT_EXIT
    while others & _compiling and time.monotonic() < end:
        time.sleep(0.01)
