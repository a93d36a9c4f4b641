"""Two JSON values next to each other as text, with a mark on every line that differs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

from turnwise.core.conformance import Mismatch

_WIDTH = 56
_MOST_LINES = 200


def _lines(value: Any) -> list[str]:
    """A value as lines: one for each field, and for a list of lists or strings, one for each entry below it."""
    if isinstance(value, Mapping):
        found: list[str] = []
        for key, part in value.items():
            if isinstance(part, list) and any(isinstance(entry, list | str) for entry in part):
                found += [f"{key}:", *(f"  {json.dumps(entry)}" for entry in part)]
            else:
                found.append(f"{key}: {json.dumps(part)}")
        return found
    if isinstance(value, list) and any(isinstance(entry, list | str) for entry in value):
        return [json.dumps(entry) for entry in value]
    text = value if isinstance(value, str) else json.dumps(value)
    return [text[i : i + _WIDTH] for i in range(0, len(text), _WIDTH)] or [""]


def side_by_side(left: Any, right: Any, titles: tuple[str, str]) -> list[str]:
    """Two values in columns; equal lines are on the same row, different lines are marked with ``*``.

    Args:
        left: A JSON value.
        right: Another JSON value.
        titles: Heading of each column.
    """
    a, b = _lines(left), _lines(right)
    width = min(_WIDTH, max(map(len, [*a, titles[0]])))
    rows = [(" ", titles[0], titles[1]), (" ", "-" * width, "-" * min(_WIDTH, max(map(len, [*b, titles[1]]))))]
    for tag, a0, a1, b0, b1 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        mark = " " if tag == "equal" else "*"
        rows += [(mark, *pair) for pair in zip_longest(a[a0:a1], b[b0:b1], fillvalue="")]
    shown = [f"{mark} {first:<{width}} | {second}".rstrip() for mark, first, second in rows[:_MOST_LINES]]
    return shown + ([f"  ... {len(rows) - _MOST_LINES} more lines"] if len(rows) > _MOST_LINES else [])


def mismatch_lines(mismatch: Mismatch) -> list[str]:
    """A mismatch as text: its place, the values, and both states side by side."""
    action = f", action {mismatch.action!r}" if mismatch.action else ""
    lines = [f"First mismatch: {mismatch.kind} at {mismatch.where}{action}"]
    states = (mismatch.recorded_state, mismatch.own_state)
    if (mismatch.expected, mismatch.got) != states:
        lines += side_by_side(mismatch.expected, mismatch.got, ("expected (recorded)", "got (turnwise)"))
        lines.append("")
    if states != (None, None):
        recorded, own = ("(none)" if state is None else state for state in states)
        lines += side_by_side(recorded, own, ("state as recorded", "state of turnwise"))
    return lines
