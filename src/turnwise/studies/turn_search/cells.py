"""The cells of the part "factors": one factor of Hero Academy at a time, and combinations of them.

All were chosen before any of their games was played. In the combinations every map is there four times, every number of
action points twice, and open and hidden hands, determined and random draws six times each.
"""

from __future__ import annotations

from typing import NamedTuple

from turnwise.studies.turn_search.printed import OE

RIVALS = (OE, "greedy-turn")


class Cell(NamedTuple):
    """Options of Hero Academy.

    Attributes:
        map: Map with its deck.
        hands: "open" or "hidden".
        draws: "determined" or "random".
        points: Action points per turn.
    """

    map: str = "a"
    hands: str = "hidden"
    draws: str = "determined"
    points: int = 5

    @property
    def text(self) -> str:
        """What differs from the defaults, or all options."""
        changed = [f"{self._fields[i]} {self[i]}" for i in range(len(self)) if self[i] != DEFAULT[i]]
        if len(changed) <= 1:
            return changed[0] if changed else "defaults"
        return f"{self.map}, {self.hands}, {self.draws}, {self.points} points"


DEFAULT = Cell()
ONE_FACTOR = (
    DEFAULT,
    Cell(map="a-small"),
    Cell(map="a-tiny"),
    Cell(hands="open"),
    Cell(draws="random"),
    *(Cell(points=points) for points in (1, 3, 10, 15, 25)),
)
CROSSED = (
    Cell("a", "open", "random", 1),
    Cell("a", "hidden", "random", 3),
    Cell("a", "open", "random", 10),
    Cell("a", "hidden", "random", 25),
    Cell("a-small", "hidden", "determined", 1),
    Cell("a-small", "open", "random", 5),
    Cell("a-small", "open", "determined", 15),
    Cell("a-small", "hidden", "determined", 10),
    Cell("a-tiny", "open", "determined", 3),
    Cell("a-tiny", "hidden", "random", 5),
    Cell("a-tiny", "hidden", "determined", 15),
    Cell("a-tiny", "open", "determined", 25),
)
CELLS = (*ONE_FACTOR, *CROSSED)
