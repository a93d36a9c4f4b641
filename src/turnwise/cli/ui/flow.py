"""Text for people, wrapped once to the width of the terminal, however it was wrapped where it was written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import wrap

_FORM = re.compile(r" +\S.*?  +(?=\S)")  # "  move 0,0>2,1     to a square": what is explained, then the explanation


def flowing(text: str, width: int) -> str:
    """Lines joined to paragraphs and wrapped.

    An empty line ends a paragraph. A line that begins with two spaces is one of its own; what does not fit goes on
    below its beginning, or below the second of two columns.

    Args:
        text: Lines of any length.
        width: Columns.
    """
    return "\n".join(line for part in _parts(text) for line in _wrapped(part, width))


def _parts(text: str) -> Iterator[str]:
    """Paragraphs on one line each, lines of their own, and empty lines."""
    paragraph: list[str] = []
    for line in text.splitlines():
        if line.strip() and not line.startswith("  "):
            paragraph.append(line.strip())
            continue
        if paragraph:
            yield " ".join(paragraph)
            paragraph = []
        yield line.rstrip()
    if paragraph:
        yield " ".join(paragraph)


def _wrapped(part: str, width: int) -> list[str]:
    form = _FORM.match(part)
    hanging = len(part) - len(part.lstrip())
    if form is not None and 2 * form.end() <= width:
        hanging = form.end()
    return wrap(part, width, subsequent_indent=" " * hanging, break_on_hyphens=False) or [""]
