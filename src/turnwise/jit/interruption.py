"""Ctrl-C during compilation: it takes effect between two functions and leaves nothing half finished.

LLVM cannot be stopped within a function, and it calls back into Python: an exception raised there is lost, with the
object that numba was about to receive. Therefore signals to the main thread wait while a function is compiled, and
are delivered at :func:`safe_point`, between one function and the next (after well below a second). A search thread
receives no signals; :func:`refuse_compilation` makes it leave at the same points.
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

_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
_LONGEST_WAIT_AT_EXIT = 10.0  # seconds; a function takes a tenth of that

_waiting: dict[int, Callable[..., Any]] = {}  # signals held back -> their handlers
_compiling: set[threading.Thread] = set()
_refused: WeakSet[threading.Thread] = WeakSet()  # threads that must not begin another compilation
_here = threading.local()  # search: the thread for whose search this thread works


@contextmanager
def signals_wait() -> Iterator[None]:
    """Hold back signals to the main thread until the end of the block or a safe point; no effect in other threads."""
    handlers = handlers_here()
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
        for number in reversed(handlers):  # once its handler is restored, Ctrl-C may end this function
            signal.signal(number, handlers[number])
        _deliver()


def handlers_here() -> dict[int, Callable[..., Any]]:
    """The signals that Python code handles, with their handlers; none outside the main thread or while signals wait."""
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
    """Context of every compilation; may be nested.

    Raises:
        KeyboardInterrupt: Ctrl-C came during the compilation.
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
    """Leave the compilation, if requested; called between the compilation of two functions.

    Raises:
        KeyboardInterrupt: Ctrl-C came in the meantime, or this thread's search was asked to leave.
    """
    me = threading.current_thread()
    if me is threading.main_thread():
        _deliver()
    elif me in _refused or getattr(_here, "search", me) in _refused:
        raise KeyboardInterrupt


def work_for(search: threading.Thread) -> None:
    """Make this thread part of a search: a refusal for the search's own thread applies to this thread, too."""
    _here.search = search


def refuse_compilation(search: threading.Thread) -> None:
    """Make a thread, and those that work for it, leave a compilation at the next safe point and begin no other."""
    _refused.add(search)


@atexit.register
def _leave() -> None:
    """Make other threads leave: a process that ends while one of them is inside LLVM may crash."""
    others = _compiling - {threading.current_thread()}
    _refused.update(others)
    end = time.monotonic() + _LONGEST_WAIT_AT_EXIT
    while others & _compiling and time.monotonic() < end:
        time.sleep(0.01)
