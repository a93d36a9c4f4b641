"""How much memory the machine has."""

from __future__ import annotations

import os
from functools import cache


@cache
def physical_memory() -> int:
    """Bytes of physical memory; 0: the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # Windows has no such function
        return 0
