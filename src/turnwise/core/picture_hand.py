"""A hand of cards below the board of a picture, in rows that fit the picture's width."""

from __future__ import annotations

from dataclasses import dataclass

from turnwise.core.svg_text import INK, fitted, full_hint, hinted, text_element

_WIDTH, _HEIGHT, _GAP = 58, 40, 6
_OWNER = 110  # room for the owner's name, before the cards
_LEAST = 8  # cards of a full row in a narrow picture, which they widen


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand of cards.

    Attributes:
        owner: Whose it is.
        cards: Texts of the open cards.
        hidden: Number of further cards.
        colour: Colour of frames and backs.
    """

    owner: str
    cards: tuple[str, ...]
    hidden: int
    colour: str

    def _row_length(self, room: float) -> int:
        """Number of cards of a full row."""
        return max(_LEAST, int((room - _OWNER + _GAP) // (_WIDTH + _GAP)))

    def width(self, room: float) -> float:
        """Width in pixels, at most the room unless that is small."""
        longest = min(len(self.cards) + self.hidden, self._row_length(room))
        return _OWNER + longest * (_WIDTH + _GAP) - _GAP

    def height(self, room: float) -> float:
        """Height in pixels."""
        rows = max(1, -(-(len(self.cards) + self.hidden) // self._row_length(room)))
        return rows * (_HEIGHT + _GAP) - _GAP

    def svg(self, room: float) -> str:
        """The drawing, from the origin to the right and down."""
        owner, size = fitted(self.owner, (14, 12), _OWNER - 6)
        name = text_element(0, _HEIGHT / 2 + 5, owner, size, INK, anchor="start")
        drawn = [hinted(name, full_hint(self.owner, owner))]
        length = self._row_length(room)
        for number, text in enumerate([*self.cards, *[""] * self.hidden]):
            row, place = divmod(number, length)
            x, y = _OWNER + place * (_WIDTH + _GAP), row * (_HEIGHT + _GAP)
            drawn.append(self._card(x, y, text, is_open=number < len(self.cards)))
        return "".join(drawn)

    def _card(self, x: float, y: float, text: str, *, is_open: bool) -> str:
        shown, size = fitted(text, (14, 11), _WIDTH - 8, bold=True)
        frame = (
            f'<rect x="{x}" y="{y + 1}" width="{_WIDTH}" height="{_HEIGHT}" rx="5" '
            f'fill="{"#ffffff" if is_open else self.colour}" stroke="{self.colour}" stroke-width="2"/>'
        )
        label = text_element(x + _WIDTH / 2, y + _HEIGHT / 2 + 6, shown, size, INK, bold=True)
        return hinted(frame + label, full_hint(text, shown))
