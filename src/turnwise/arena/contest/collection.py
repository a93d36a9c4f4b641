"""Garbage collection and clocks."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """Switch garbage collection off while a clock runs: a full collection can stop all threads past a deadline.

    None is made before either, since somebody else may be answering already (``cli.first_answers``).
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
