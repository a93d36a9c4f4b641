"""How much a test does: less if nothing is compiled, since the same search then takes a hundred times as long.

A test that is of no use with less is marked ``compiled_only`` with the reason (see ``tests/conftest.py``).
"""

from typing import TypeVar

from turnwise.jit.cache import COMPILED

T = TypeVar("T")


def effort(compiled: T, uncompiled: T) -> T:
    """The first value in compiled runs, the second with ``TURNWISE_COMPILE=0``."""
    return compiled if COMPILED else uncompiled
