"""Texts in SVG pictures, shortened to the room that there is.

The font is the reader's, so widths are estimates: those of the wider of two common fonts (DejaVu Sans, Arial), by kind
of letter.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from html import escape

FONT = "system-ui,Segoe UI,Roboto,Helvetica,Arial,sans-serif"
"""The font of all pictures: what the reader's system shows menus in."""
INK = "#1f2328"
"""The colour of texts and lines."""

_EM = {
    **dict.fromkeys("iIjl.,:;'| ", 0.4),
    "!": 0.46,
    **dict.fromkeys("frt()[]-/\\", 0.5),
    **dict.fromkeys("abcdeghknopqsuvxyz0123456789{}", 0.72),
    **dict.fromkeys("HN", 0.84),
    **dict.fromkeys("DGOQ", 0.88),
    **dict.fromkeys("#&", 0.94),
    **dict.fromkeys("mwMW%", 1.11),
    **dict.fromkeys("@…—ÆŒæœ", 1.14),
}
"""Widths of letters in a bold font, as shares of its size."""
_KINDS = {"Sm": 0.94, "Sk": 0.94, "So": 1.06, "No": 1.1, "Mn": 0.0, "Me": 0.0, "Cf": 0.0}
"""Widths by Unicode's category: signs as "+" and "→", symbols as "♥", fractions; marks are drawn over a letter."""
_CAPITAL, _OTHER, _FULL = 0.82, 0.85, 1.1
_REGULAR = 0.9  # of the width in a bold font


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Estimate the width of a text in pixels, rather too large than too small."""
    return sum(map(_em, text)) * size * (1.0 if bold else _REGULAR)


def _em(letter: str) -> float:
    if letter in _EM:
        return _EM[letter]
    if "A" <= letter <= "Z":
        return _CAPITAL
    if unicodedata.east_asian_width(letter) in "WF":
        return _FULL
    return _KINDS.get(unicodedata.category(letter), _OTHER)


def fitted(text: str, sizes: Sequence[int], room: float, *, bold: bool = False) -> tuple[str, int]:
    """The text and the first of the sizes in which it fits, or as much of it as fits in the last one, with "…".

    Args:
        text: The text.
        sizes: Sizes of the font in pixels, from the one that is preferred to the smallest.
        room: Width in pixels.
        bold: Whether the font is bold.
    """
    for size in sizes:
        if text_width(text, size, bold=bold) <= room:
            return text, size
    size = sizes[-1]
    left = room - text_width("…", size, bold=bold)
    kept = 0
    for letter in text:
        left -= text_width(letter, size, bold=bold)
        if left < 0:
            break
        kept += 1
    return text[:kept].rstrip() + "…", size


def text_element(
    x: float, y: float, text: str, size: float, colour: str, *, bold: bool = False, anchor: str = "middle"
) -> str:
    """A ``<text>`` element; empty without text."""
    if not text:
        return ""
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}" text-anchor="{anchor}"{weight}>'
        f"{escape(text)}</text>"
    )


def hinted(drawn: str, hint: str) -> str:
    """A drawing with a hint that is shown where the pointer rests; without one, the drawing alone."""
    return f"<g><title>{escape(hint)}</title>{drawn}</g>" if hint else drawn


def full_hint(text: str, shown: str, hint: str = "") -> str:
    """A hint, which begins with the text if only a part of it is shown."""
    if shown == text or text in hint:
        return hint
    return f"{text}: {hint}" if hint else text
