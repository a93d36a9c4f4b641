"""What all parts of a picture of Tribes share: colours, numbers and text as SVG markup, and the mark of a tribe."""

from __future__ import annotations

from html import escape

SOFT, GROUND, GOLD = "#5b564b", "#fbfaf6", "#f2c94c"
TRIBES = ("#0b5fa5", "#b94700", "#00785e", "#592453")
"""Colours of the tribes by number: darker ones of the hues that pages give the seats. Each tribe also has a shape."""
UNKNOWN = "#6b6b6b"
CELL = 48.0
"""Width of a tile in the board's own units; everything on a tile is drawn around its middle."""


def colour_of(tribe: int) -> str:
    """Colour of a tribe; grey for land of a city that cannot be seen."""
    return TRIBES[tribe] if tribe >= 0 else UNKNOWN


def number(value: float) -> str:
    """Shortest text of a coordinate, rounded to a tenth."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def text(
    x: float,
    y: float,
    content: str,
    size: float,
    ink: str = "",
    *,
    anchor: str = "",
    bold: bool = False,
    halo: bool = False,
) -> str:
    """A line of text; its baseline begins, or with the picture's anchor is centred, at a point."""
    extra = (f' fill="{ink}"' if ink else "") + (f' text-anchor="{anchor}"' if anchor else "")
    extra += ' font-weight="700"' if bold else ""
    extra += ' stroke="#fff" stroke-width="2.2" stroke-linejoin="round" paint-order="stroke"' if halo else ""
    return f'<text x="{number(x)}" y="{number(y)}" font-size="{size:g}"{extra}>{escape(content)}</text>'


def middle(row: int, column: int) -> tuple[float, float]:
    """Where the middle of a tile is on the board."""
    return (column + 0.5) * CELL, (row + 0.5) * CELL


def at(x: float, y: float, content: str, scale: float = 1.0) -> str:
    """Markup moved to a place."""
    size = "" if scale == 1 else f"scale({scale:g})"
    return f'<g transform="translate({number(x)} {number(y)}){size}">{content}</g>'


def titled(words: str, content: str) -> str:
    """The inside of a group with a tooltip."""
    return f"<title>{escape(words)}</title>{content}"


def shape(tribe: int, radius: float, style: str = "") -> str:
    """The shape of a tribe around the origin: disc, square, hexagon, diamond."""
    style = style or f'fill="{colour_of(tribe)}" stroke="#fff" stroke-width="1.6"'
    if tribe % 4 == 0:
        return f'<circle r="{number(radius)}" {style}/>'
    if tribe % 4 == 1:
        a = number(radius * 0.9)
        wide = number(radius * 1.8)
        return f'<rect x="-{a}" y="-{a}" width="{wide}" height="{wide}" rx="{number(radius / 5)}" {style}/>'
    hexagon = ((-1.08, 0), (-0.54, -0.95), (0.54, -0.95), (1.08, 0), (0.54, 0.95), (-0.54, 0.95))
    corners = hexagon if tribe % 4 == 2 else ((0, -1.22), (1.22, 0), (0, 1.22), (-1.22, 0))
    points = " ".join(f"{number(a * radius)},{number(b * radius)}" for a, b in corners)
    return f'<polygon points="{points}" {style}/>'


def star(radius: float, style: str = f'fill="{GOLD}" stroke="#7a5900" stroke-width=".8"') -> str:
    """A star with five points around the origin."""
    unit = (
        (0, -1), (0.24, -0.33), (0.95, -0.31), (0.38, 0.12), (0.59, 0.81), (0, 0.4), (-0.59, 0.81), (-0.38, 0.12),
        (-0.95, -0.31), (-0.24, -0.33),
    )  # fmt: skip
    points = " ".join(f"{number(a * radius)},{number(b * radius)}" for a, b in unit)
    return f'<polygon points="{points}" {style}/>'
