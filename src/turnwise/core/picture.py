"""Boards as SVG in a few lines: grids of squares or hexagons, tokens, arrows, cards.

A picture is one self-contained text without ids, styles, scripts, fonts or links, so a page can hold any number of
them; it looks the same in notebooks, reports and replays. The players' colours are Okabe and Ito's, which colour-blind
readers can tell apart.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Literal, Self

from turnwise.core import arguments
from turnwise.core.errors import OptionError, shown
from turnwise.core.picture_hand import Hand
from turnwise.core.svg_text import FONT, INK, fitted, full_hint, hinted, text_element, text_width

PLAYERS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d1f", "#5a5a5a")
"""Colour of each player; further ones begin again."""
FILLS = {
    "plain": "#efece3",
    "dark": "#ddd8c9",
    "grass": "#d3e6bd",
    "forest": "#a9cf95",
    "water": "#bfdcf0",
    "deep": "#93bfe0",
    "rock": "#c3beb4",
    "sand": "#f3e3b3",
    "gold": "#f6d364",
    "unseen": "#8b8984",
}
"""Names of common fills."""
_MOST_CELLS = 100
_CELL, _MARGIN, _LINE, _BELOW = 56, 14, 22, 10
_SOFT, _PAPER, _MARK = "#6b6860", "#fbfaf6", "#6a1b9a"
_ROOM = {"square": 50, "hex": 34}  # width of a cell where its text is, in pixels
_TOKEN = 34  # width within a token
_REACH = 18  # from the middle of a cell to the ends of arrows, beyond a token
_HEX_STEP = 0.87  # of a cell, from one row of hexagons to the next

Shape = Literal["square", "hex"]


class Picture:
    """A picture of a board; every method that draws returns the picture, so calls can be chained.

    Places are ``(column, row)`` from the upper left corner, counted from 0. Text is shown as it is, never as markup.
    The title and the lines widen the picture; any other text that is too long for its place is drawn smaller, and if
    that is not enough, it ends in "…" and has a hint with the whole of it.
    """

    def __init__(
        self, columns: int, rows: int, *, shape: Shape = "square", title: str = "", fill: str = "plain"
    ) -> None:
        """Begin with an empty board.

        Args:
            columns: Number of columns, from 1 to 100.
            rows: Number of rows.
            shape: "square", or "hex": hexagons with a point at the top, odd rows half a cell to the right.
            title: A line above the board, and the text alternative of the picture.
            fill: Fill of all cells: a name of ``FILLS`` or a colour such as "#d3e6bd".

        Raises:
            OptionError: A number is out of range, or there is no such shape or fill.
        """
        self.columns = arguments.whole_number(columns, "columns", 1, _MOST_CELLS)
        self.rows = arguments.whole_number(rows, "rows", 1, _MOST_CELLS)
        self._shape = arguments.choice(shape, "shape", ("square", "hex"))
        self._title = arguments.text(title, "The title")
        self._cells: dict[tuple[int, int], str] = {}
        self._marks: list[str] = []
        self._lines: list[str] = []
        self._hands: list[Hand] = []
        for row in range(self.rows):
            for column in range(self.columns):
                self.cell(column, row, fill)

    def cell(self, column: int, row: int, fill: str = "plain", text: str = "", hint: str = "") -> Self:
        """Fill a cell, with a small text in its corner and a hint that is shown where the pointer rests.

        Raises:
            OptionError: There is no such cell or fill.
        """
        x, y = self._middle(column, row)
        colour = _fill(fill)
        if self._shape == "hex":
            corners = [
                (x + _CELL / 1.76 * math.sin(k * math.pi / 3), y - _CELL / 1.76 * math.cos(k * math.pi / 3))
                for k in range(6)
            ]
            path = "L".join(f"{a:.1f} {b:.1f}" for a, b in corners)
            drawn = f'<path d="M{path}z" fill="{colour}" stroke="{_PAPER}" stroke-width="2"/>'
        else:
            half = _CELL / 2 - 1
            drawn = (
                f'<rect x="{x - half:.1f}" y="{y - half:.1f}" width="{2 * half:.0f}" height="{2 * half:.0f}" rx="4" '
                f'fill="{colour}"/>'
            )
        short, size = fitted(arguments.text(text, "A cell's text"), (11, 9), _ROOM[self._shape])
        drawn += text_element(x, y + _CELL / 2 - 7, short, size, _SOFT)
        self._cells[column, row] = hinted(drawn, full_hint(text, short, arguments.text(hint, "A hint")))
        return self

    def token(
        self,
        column: int,
        row: int,
        text: str = "",
        *,
        player: int | None = None,
        health: float | None = None,
        faded: bool = False,
        hint: str = "",
    ) -> Self:
        """Put a round token on a cell.

        Args:
            column: The cell's column.
            row: Its row.
            text: One to three letters; of a longer text as much as fits.
            player: Whose it is, which gives its colour; None: nobody's.
            health: A bar below it, from 0.0 to 1.0; None: no bar.
            faded: Whether it is drawn pale: it has acted, or is out of sight.
            hint: Shown where the pointer rests.

        Raises:
            OptionError: There is no such cell, or a number is out of range.
        """
        x, y = self._middle(column, row)
        colour = _SOFT if player is None else PLAYERS[arguments.whole_number(player, "player", 0) % len(PLAYERS)]
        sizes = (16, 12, 10) if len(arguments.text(text, "A token's text")) < 3 else (12, 10)
        short, size = fitted(text, sizes, _TOKEN, bold=True)
        drawn = (
            f'<circle cx="{x:.1f}" cy="{y - 2:.1f}" r="18" fill="{colour}" stroke="{_PAPER}" stroke-width="2"/>'
            + text_element(x, y + size / 3 - 2, short, size, "#ffffff", bold=True)
        )
        if health is not None:
            share = arguments.number(health, "health", 0.0)
            if share > 1:
                raise OptionError(f"health must be between 0.0 and 1.0; got {share:g}.")
            for width, bar in ((34.0, _PAPER), (34 * share, INK)):
                drawn += f'<rect x="{x - 17:.1f}" y="{y + 18:.1f}" width="{width:.1f}" height="5" rx="2" fill="{bar}"/>'
        whole = full_hint(text, short, arguments.text(hint, "A hint"))
        self._marks.append(hinted(f'<g opacity="{0.45 if faded else 1}">{drawn}</g>', whole))
        return self

    def ring(self, column: int, row: int) -> Self:
        """Mark a cell, for example where the last action took place.

        Raises:
            OptionError: There is no such cell.
        """
        x, y = self._middle(column, row)
        radius = _CELL / 2 - 3
        self._marks.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="none" stroke="{_MARK}" stroke-width="3"/>'
        )
        return self

    def arrow(self, start: tuple[int, int], end: tuple[int, int]) -> Self:
        """Draw an arrow from one cell to another.

        Raises:
            OptionError: There is no such cell, not a pair of numbers, or both are the same.
        """
        (x, y), (to_x, to_y) = (
            self._middle(*arguments.pair(place, "A place", "column and row")) for place in (start, end)
        )
        length = math.hypot(to_x - x, to_y - y)
        if length == 0:
            raise OptionError(f"an arrow needs two cells; got {start} twice.")
        dx, dy = (to_x - x) / length, (to_y - y) / length
        first = x + _REACH * dx, y + _REACH * dy
        tip = to_x - _REACH * dx, to_y - _REACH * dy
        last = tip[0] - 9 * dx, tip[1] - 9 * dy
        wings = [(tip[0] - 11 * dx + side * 6 * dy, tip[1] - 11 * dy - side * 6 * dx) for side in (1, -1)]
        head = "L".join(f"{a:.1f} {b:.1f}" for a, b in (tip, *wings))
        self._marks.append(
            f'<path d="M{first[0]:.1f} {first[1]:.1f}L{last[0]:.1f} {last[1]:.1f}" stroke="{_MARK}" '
            f'stroke-width="4" stroke-linecap="round"/><path d="M{head}z" fill="{_MARK}"/>'
        )
        return self

    def line(self, text: str) -> Self:
        """Write a line below the board."""
        self._lines.append(arguments.text(text, "A line"))
        return self

    def cards(self, owner: str, texts: Sequence[str], *, hidden: int = 0, player: int | None = None) -> Self:
        """Lay out a hand of cards below the board, in rows as wide as the picture (but of eight cards at least).

        Args:
            owner: Whose hand it is, before the cards.
            texts: The open cards.
            hidden: Number of further cards, shown from behind.
            player: The player, whose colour frames the cards.

        Raises:
            OptionError: A text is no text, or a number is out of range.
        """
        given = [arguments.text(text, "A card") for text in arguments.sequence(texts, "The cards", "texts")]
        covered = arguments.whole_number(hidden, "hidden", 0, 1000)
        colour = _SOFT if player is None else PLAYERS[arguments.whole_number(player, "player", 0) % len(PLAYERS)]
        self._hands.append(Hand(arguments.text(owner, "An owner"), tuple(given), covered, colour))
        return self

    def svg(self) -> str:
        """The picture."""
        top = _MARGIN + (_LINE + 6 if self._title else 0)
        board = f"{''.join(self._cells.values())}{''.join(self._marks)}"
        parts = [f'<g transform="translate({_MARGIN} {top})">{board}</g>']
        if self._title:
            parts.append(text_element(_MARGIN, _MARGIN + 14, self._title, 18, INK, bold=True, anchor="start"))
        below, room = top + self._board_height() + 8, self._room()
        for hand in self._hands:
            parts.append(f'<g transform="translate({_MARGIN} {below:.1f})">{hand.svg(room)}</g>')
            below += hand.height(room) + _BELOW
        for line in self._lines:
            below += _LINE
            parts.append(text_element(_MARGIN, below - 6, line, 14, INK, anchor="start"))
        width = max([room, *(hand.width(room) for hand in self._hands)]) + 2 * _MARGIN
        height = below + _MARGIN
        words = escape(". ".join(filter(None, (self._title, *self._lines))) or "board")
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
            f'height="{height:.0f}" role="img" aria-label="{words}" font-family="{FONT}">'
            f'<rect width="100%" height="100%" rx="8" fill="{_PAPER}"/>{"".join(parts)}</svg>'
        )

    def _room(self) -> float:
        """Width of the board and of the texts around it."""
        is_shifted = self._shape == "hex" and self.rows > 1
        board = (self.columns + 0.5 * is_shifted) * _CELL
        lines = (text_width(line, 14) for line in self._lines)
        return max([board, text_width(self._title, 18, bold=True), *lines])

    def _board_height(self) -> float:
        rows = (self.rows - 1) * _HEX_STEP + 1.14 if self._shape == "hex" else self.rows
        return rows * _CELL

    def __str__(self) -> str:
        return self.svg()

    def _repr_svg_(self) -> str:
        return self.svg()

    def _middle(self, column: int, row: int) -> tuple[float, float]:
        """Middle of a cell on the board."""
        arguments.whole_number(column, "column", 0, self.columns - 1)
        arguments.whole_number(row, "row", 0, self.rows - 1)
        if self._shape == "hex":
            return (column + 0.5 + 0.5 * (row % 2)) * _CELL, (row * _HEX_STEP + 0.57) * _CELL
        return (column + 0.5) * _CELL, (row + 0.5) * _CELL


def _fill(name: object) -> str:
    text = arguments.text(name, "A fill")
    if text in FILLS:
        return FILLS[text]
    if len(text) == 7 and text[0] == "#" and all(letter in "0123456789abcdefABCDEF" for letter in text[1:]):
        return text
    names = ", ".join(FILLS)
    raise OptionError(f"There is no fill {shown(text)}; expected one of {names}, or a colour such as #d3e6bd.")
