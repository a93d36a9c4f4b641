"""Notices to people on standard error, each once in a process."""

from __future__ import annotations

import multiprocessing
import sys

_given: set[str] = set()


def notice_once(text: str) -> None:
    """Print a notice on standard error, unless this process has; worker processes leave it to their parent."""
    if text in _given or multiprocessing.parent_process() is not None:
        return
    _given.add(text)
    print(f"turnwise: {text}", file=sys.stderr, flush=True)
