"""Where turnwise keeps what it compiled and what it knows of source files."""

from __future__ import annotations

import os
from pathlib import Path


def cache_root() -> Path:
    """Folder of all compile caches (``TURNWISE_CACHE`` overrides the user's cache folder)."""
    override = os.environ.get("TURNWISE_CACHE")
    if override:
        return Path(override)
    import platformdirs

    return Path(platformdirs.user_cache_dir("turnwise"))
