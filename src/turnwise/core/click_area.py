"""Parts of a picture that a person can point at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class ClickArea(NamedTuple):
    """A rectangle of a state's SVG.

    Attributes:
        x: Left edge, in the units of the picture's ``viewBox``.
        y: Upper edge.
        width: Width.
        height: Height.
        label: What is there, for people who cannot see the picture.
        owner: The player whose unit or city is there, from 0; -1: nobody's. Pages begin where a person's own ones are.
    """

    x: float
    y: float
    width: float
    height: float
    label: str
    owner: int = -1

    def holding(self, what: str, owner: int) -> ClickArea:
        """The same area with something in it, which the label names after the place."""
        return self._replace(label=f"{self.label}: {what}", owner=owner)


def grid(left: float, top: float, cell: float, columns: int, rows: int) -> Iterator[tuple[int, int, ClickArea]]:
    """The cells of a board: column, row and area, labelled ``column,row``."""
    for row in range(rows):
        for column in range(columns):
            area = ClickArea(left + column * cell, top + row * cell, cell, cell, f"{column},{row}")
            yield column, row, area
