"""Machine code on disk: where it is kept, whether it can be, and notices of what has to be compiled.

Each function's folder is named by a hash over everything that its code can depend on (:mod:`turnwise.jit.closure`).
A function without a source file (``exec``, a notebook) is compiled in every process, and so is everything while the
folder of the cache cannot be written.
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


def cache_root() -> Path:
    """Folder of all compile caches (``TURNWISE_CACHE`` overrides the user's cache folder)."""
    override = os.environ.get("TURNWISE_CACHE")
    if override:
        return Path(override)
    import platformdirs

    return Path(platformdirs.user_cache_dir("turnwise"))


def cache_trouble() -> str:
    """Why nothing can be kept, as a sentence that says how to fix it; empty if all is well."""
    root = cache_root()
    reason = _refusal(root / "kernels")
    if not reason:
        return ""
    return (
        f"Compiled code cannot be kept in {root} ({reason}), so every process compiles again. Set TURNWISE_CACHE to a "
        "folder that can be written."
    )


@functools.cache
def _refusal(folder: Path) -> str:
    """Why a folder cannot be made or written to; empty if it can."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        return (error.strerror or type(error).__name__).lower()
    return ""


@functools.cache
def _remove_obstacles(folder: Path) -> None:
    """Remove files that lie where a function's folder, or the folder of its source file in it, should be."""
    with contextlib.suppress(OSError):
        for place in (folder, *folder.glob("*")):
            if place.is_file():
                discard(place)


def cache_folder(function: Callable[..., Any]) -> Path | None:
    """Folder in which a function's machine code is kept, made if need be; None if it cannot be kept."""
    if not os.path.isfile(function.__code__.co_filename):
        return None
    key = closure_hash(function.__module__, *_VERSIONS)
    if key is None or _refusal(cache_root() / "kernels"):
        return None
    folder = cache_root() / "kernels" / key
    _remove_obstacles(folder)
    return None if _refusal(folder) else folder


def is_cached(function: Callable[..., Any]) -> bool:
    """Whether a function has been compiled before on this machine with the same sources and versions."""
    cache = code_cache(getattr(function, "py_func", function))
    return isinstance(cache, CodeCache) and cache.is_whole()


def code_cache(function: Callable[..., Any]) -> CodeCache | NoCache:
    """Where numba looks for a function's machine code."""
    folder = cache_folder(function)
    return NoCache() if folder is None else CodeCache(function, folder)


# ---------------------------------------------------------------------------------------------------- notices

Notice = Callable[[str], None]
_listeners: list[Notice] = []
_announced: set[Callable[..., Any]] = set()
_warned = threading.Event()


@contextmanager
def compile_notices(listener: Notice) -> Iterator[None]:
    """Send the names of functions that are about to be compiled to a listener instead of standard error.

    The listener is the one to say so when nothing can be kept (:func:`cache_trouble`).
    """
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def announce(function: Callable[..., Any], label: str) -> None:
    """Say that a function is about to be compiled, unless its machine code is already in the cache."""
    if not COMPILED or function in _announced:
        return
    _announced.add(function)  # looking into the cache folder at every plan would cost more than a small search
    if is_cached(function):
        return
    for listener in _listeners:
        listener(label)
    if not _listeners:
        _say_on_stderr(function, label)


def _say_on_stderr(function: Callable[..., Any], label: str) -> None:
    trouble = cache_trouble()
    if trouble and not _warned.is_set():
        _warned.set()
        print(f"turnwise: {trouble}", file=sys.stderr, flush=True)
    kept = cache_folder(getattr(function, "py_func", function)) is not None
    why = "first use on this machine; kept for later" if kept else "for this process only"
    print(f"turnwise: compiling {label} ({why})", file=sys.stderr, flush=True)
