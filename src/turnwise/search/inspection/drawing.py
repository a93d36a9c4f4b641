"""Trees as nested boxes and populations as bars, in SVG without scripts, fonts or links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from turnwise.core.svg_text import FONT, INK, fitted, text_element, text_width

_COLUMN, _TREE_HEIGHT, _ROW, _HEADING, _MARGIN = 150, 360, 16, 22, 8
_WIDEST_BAR, _MOST_BARS, _MOST_LEVELS = 120, 40, 8
_LEAST_HEIGHT = 2  # pixels of a box that is drawn
_SIZE, _BAR_ROOM = 11, 770  # of the font, and for the text next to a bar, in pixels
_LOW, _HIGH, _UNRATED = (240, 246, 252), (107, 174, 214), "#e4e2dc"
_PAPER = "#ffffff"


@dataclass(frozen=True, slots=True)
class Box:
    """A node of a drawing: text, visits, value, and the boxes to its right."""

    text: str
    visits: int
    value: float | None
    children: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class Bar:
    """A line of a drawing: text and value."""

    text: str
    value: float | None


@dataclass(frozen=True, slots=True)
class _Scale:
    """The range of the values in one drawing."""

    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float | None]) -> _Scale:
        rated = [value for value in values if value is not None]
        return cls(min(rated, default=0.0), max(rated, default=0.0))

    def share(self, value: float) -> float:
        """Where a value lies in the range, from 0.0 to 1.0."""
        return (value - self.low) / (self.high - self.low) if self.high > self.low else 1.0

    def colour(self, value: float | None) -> str:
        if value is None:
            return _UNRATED
        mixed = (round(a + self.share(value) * (b - a)) for a, b in zip(_LOW, _HIGH, strict=True))
        return "#" + "".join(f"{one:02x}" for one in mixed)


def drawn(parts: Sequence[tuple[str, Box | Sequence[Bar]]]) -> str:
    """One SVG of several drawings, one below the other, each with its heading."""
    shapes: list[str] = []
    top, width = _MARGIN, 4 * _COLUMN
    for heading, content in parts:
        shapes.append(text_element(_MARGIN, top + 14, heading, _SIZE, INK, bold=True, anchor="start"))
        width = max(width, _MARGIN + int(text_width(heading, _SIZE, bold=True)))
        top += _HEADING
        if isinstance(content, Box):
            scale = _Scale.of([box.value for box in _all(content)])
            shapes += _tree(content, scale, 0, top, _TREE_HEIGHT)
            width = max(width, (1 + _levels(content)) * _COLUMN)
            top += _TREE_HEIGHT + _MARGIN
        else:
            shapes += _bars(content, top)
            width = max(width, 2 * _MARGIN + _WIDEST_BAR + _BAR_ROOM)
            top += min(len(content), _MOST_BARS + 1) * _ROW + _MARGIN
    width += 2 * _MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top}" width="{width}" role="img" '
        f'font-family="{FONT}" font-size="11"><rect width="{width}" height="{top}" fill="{_PAPER}"/>'
        f"{''.join(shapes)}</svg>"
    )


def _all(box: Box) -> Iterator[Box]:
    yield box
    for child in box.children:
        yield from _all(child)


def _levels(box: Box) -> int:
    """Levels below a box, as far as they are drawn."""
    deepest = max((1 + _levels(child) for child in box.children), default=0)
    return min(deepest, _MOST_LEVELS)


def _tree(box: Box, scale: _Scale, level: int, top: float, height: float) -> Iterator[str]:
    """A box, and what is to its right."""
    x = _MARGIN + level * _COLUMN
    value = "" if box.value is None else f", value {box.value:.4g}"
    hint = f"{box.text}: {box.visits} visits{value}"
    yield (
        f'<g><title>{escape(hint)}</title><rect x="{x}" y="{top:.1f}" width="{_COLUMN - 2}" '
        f'height="{max(1.0, height - 1):.1f}" fill="{scale.colour(box.value)}"/>'
    )
    if height >= _ROW - 4:
        yield _text(x + 4, top + height / 2 + 4, box.text, _COLUMN - 10)
    yield "</g>"
    total = max(box.visits, sum(child.visits for child in box.children), 1)
    for child in box.children if level < _MOST_LEVELS else ():
        part = height * child.visits / total
        if part >= _LEAST_HEIGHT:
            yield from _tree(child, scale, level + 1, top, part)
            top += part


def _bars(bars: Sequence[Bar], top: float) -> Iterator[str]:
    scale = _Scale.of([bar.value for bar in bars])
    for number, bar in enumerate(bars[:_MOST_BARS]):
        y = top + number * _ROW
        width = 2.0 if bar.value is None else 2.0 + (_WIDEST_BAR - 2) * scale.share(bar.value)
        value = "not assessed" if bar.value is None else f"{bar.value:.4g}"
        yield (
            f'<g><title>{escape(f"{value}: {bar.text}")}</title><rect x="{_MARGIN}" y="{y}" width="{width:.1f}" '
            f'height="{_ROW - 2}" fill="{scale.colour(bar.value)}"/>'
        )
        yield _text(_MARGIN + _WIDEST_BAR + 6, y + _ROW - 5, f"{value}  {bar.text}", _BAR_ROOM)
        yield "</g>"
    if len(bars) > _MOST_BARS:
        yield _text(_MARGIN, top + _MOST_BARS * _ROW + _ROW - 5, f"and {len(bars) - _MOST_BARS} more", _BAR_ROOM)


def _text(x: float, y: float, text: str, room: float) -> str:
    """A text, as much of it as there is room for."""
    shown, size = fitted(text, (_SIZE,), room)
    return text_element(x, y, shown, size, INK, anchor="start")
