"""The compile cache on disk: its folder, whether it is usable, and notices of compilation.

Each function's folder is named by a hash over everything that its code can depend on (:mod:`turnwise.jit.closure`).
A function without a source file (``exec``, a notebook) is compiled in every process, and so is everything if the
cache folder is not writable.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np

from turnwise.jit.cache_root import cache_root
from turnwise.jit.closure import closure_hash
from turnwise.jit.kept_code import CodeCache, NoCache, discard

COMPILED = os.environ.get("TURNWISE_COMPILE", "1") != "0"
BOUNDSCHECK = os.environ.get("TURNWISE_BOUNDSCHECK", "0") == "1"

_VERSIONS = (
    sys.version,
    np.__version__,
    numba.__version__,
    llvmlite.__version__,
    f"boundscheck={BOUNDSCHECK}",
)


def cache_trouble() -> str:
    """Why the cache is unusable, with the remedy; empty if it is usable."""
    root = cache_root()
    reason = _refusal(root / "kernels")
    if not reason:
        return ""
    return (
        f"Compiled code cannot be cached in {root} ({reason}), so every process compiles again. Set TURNWISE_CACHE to "
        "a writable folder."
    )


@functools.cache
def _refusal(folder: Path) -> str:
    """Why a folder cannot be created or written to; empty if it can."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        return (error.strerror or type(error).__name__).lower()
    return ""


@functools.cache
def _remove_obstacles(folder: Path) -> None:
    """Remove files that are in the place of a function's folder, or of its source file's folder in it."""
    with contextlib.suppress(OSError):
        for place in (folder, *folder.glob("*")):
            if place.is_file():
                discard(place)


def cache_folder(function: Callable[..., Any]) -> Path | None:
    """Folder of a function's compiled code, created if missing; None if the code cannot be cached."""
    if not os.path.isfile(function.__code__.co_filename):
        return None
    key = closure_hash(function.__module__, *_VERSIONS)
    if key is None or _refusal(cache_root() / "kernels"):
        return None
    folder = cache_root() / "kernels" / key
    _remove_obstacles(folder)
    return None if _refusal(folder) else folder


def is_cached(function: Callable[..., Any]) -> bool:
    """Whether the cache holds what Python needs to call a function, for the same sources and versions."""
    cache = code_cache(getattr(function, "py_func", function))
    return isinstance(cache, CodeCache) and cache.is_whole()


def code_cache(function: Callable[..., Any], kind: type[CodeCache] = CodeCache) -> CodeCache | NoCache:
    """The cache in which numba looks for a function's code of one kind."""
    folder = cache_folder(function)
    return NoCache() if folder is None else kind(function, folder)


# ---------------------------------------------------------------------------------------------------- notices

Notice = Callable[[str], None]
_listeners: list[Notice] = []
_announced: set[Callable[..., Any]] = set()
_said: set[str] = set()  # groups of functions
_local = threading.local()  # group: what is being compiled in this thread
_warned = threading.Event()


@contextmanager
def compile_notices(listener: Notice) -> Iterator[None]:
    """Send the names of functions that are about to be compiled to a listener instead of standard error.

    The listener must also report an unusable cache (:func:`cache_trouble`).
    """
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


@contextmanager
def compiled_together(label: str) -> Iterator[None]:
    """Report the functions that are compiled in a block by one notice on standard error; listeners hear of each."""
    before = getattr(_local, "group", "")
    _local.group = label
    try:
        yield
    finally:
        _local.group = before


def announce(function: Callable[..., Any], label: str, group: str = "") -> None:
    """Report that a function is about to be compiled, unless its machine code is already in the cache.

    Args:
        function: The function.
        label: What it is.
        group: What it belongs to: of all functions of a group, one notice appears on standard error; empty: it belongs
            to that of :func:`compiled_together`, if there is one.
    """
    if not COMPILED or function in _announced:
        return
    _announced.add(function)  # a look into the cache folder for every plan would cost more than a small search
    if is_cached(function):
        return
    for listener in _listeners:
        listener(label)
    if not _listeners:
        group = getattr(_local, "group", "") or group
        if group not in _said:
            _say_on_stderr(function, group or label)
        if group:
            _said.add(group)


def _say_on_stderr(function: Callable[..., Any], label: str) -> None:
    trouble = cache_trouble()
    if trouble and not _warned.is_set():
        _warned.set()
        print(f"turnwise: {trouble}", file=sys.stderr, flush=True)
    kept = cache_folder(getattr(function, "py_func", function)) is not None
    why = "first use on this machine; cached for later" if kept else "for this process only"
    print(f"turnwise: compiling {label} ({why})", file=sys.stderr, flush=True)
