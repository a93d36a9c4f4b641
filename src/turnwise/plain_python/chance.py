"""The chance object that functions of plain Python games are given: its draws go through the rng row."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import TypeVar

from turnwise.core.chance import draw
from turnwise.core.errors import GameFunctionError

Item = TypeVar("Item")
_LARGEST = 2**32 - 1


class Chance:
    """Draws from the caller's rng row, so that seeds, recordings and replays hold for plain Python games too.

    Valid during the one call that it is handed to.

    Attributes:
        draws: How many outcomes have been drawn.
    """

    __slots__ = ("_rng", "draws")

    def __init__(self, rng: int) -> None:
        """Draw from a row.

        Args:
            rng: Address of the rng row, which the caller owns.
        """
        self._rng = rng
        self.draws = 0

    def draw(self, n: int) -> int:
        """A uniform number from 0 to n - 1.

        Raises:
            GameFunctionError: n is not from 1 to 2**32 - 1, or the object is used after its call.
        """
        if not 1 <= index(n) <= _LARGEST:
            raise GameFunctionError(f"draw(n) takes 1 to {_LARGEST}; got {n}.")
        if not self._rng:
            raise GameFunctionError("A Chance object was used after the call that it was made for; do not keep it.")
        self.draws += 1
        return int(draw(self._rng, int(n)))

    def choice(self, items: Sequence[Item]) -> Item:
        """One of the items, all equally likely.

        Raises:
            GameFunctionError: There are none.
        """
        if not items:
            raise GameFunctionError("choice() was given nothing to choose from.")
        return items[self.draw(len(items))]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """A new list in random order, all orders equally likely (Fisher-Yates)."""
        mixed = list(items)
        for i in range(len(mixed) - 1, 0, -1):
            j = self.draw(i + 1)
            mixed[i], mixed[j] = mixed[j], mixed[i]
        return mixed

    def close(self) -> None:
        """End of the call; later draws are refused."""
        self._rng = 0
