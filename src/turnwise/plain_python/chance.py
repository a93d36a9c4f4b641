"""The chance object for functions of plain Python games, which draws from the rng row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from turnwise.core.arguments import whole_number
from turnwise.core.chance import draw, generator
from turnwise.core.errors import GameFunctionError, shown
from turnwise.jit.record import Address

Item = TypeVar("Item")
_LARGEST = 2**32 - 1


class Chance:
    """Draws from the caller's rng row, so that seeds, recordings and replays work for plain Python games, too.

    The object passed to a game function is valid during that call only. To test such a function directly, make an
    object with ``Chance(seed)``.

    Attributes:
        draws: Number of outcomes drawn.
    """

    __slots__ = ("_rng", "_row", "draws")

    def __init__(self, seed: int = 0) -> None:
        """Create an object with its own generator.

        Args:
            seed: Any whole number; equal seeds give equal draws.

        Raises:
            OptionError: The seed is not a whole number.
        """
        self._row: Any = generator(seed)
        self._rng = int(self._row.ctypes.data)
        self.draws = 0

    @classmethod
    def _of_row(cls, rng: int) -> Chance:
        """Draw from the caller's rng row, given by its address."""
        made = cls.__new__(cls)
        made._row, made._rng, made.draws = None, rng, 0
        return made

    def draw(self, n: int) -> int:
        """A uniform number from 0 to n - 1.

        Raises:
            GameFunctionError: n is not from 1 to 2**32 - 1, or the object is used after its call.
        """
        n = whole_number(n, "n of draw(n)", 1, _LARGEST, error=GameFunctionError)
        if not self._rng:
            raise GameFunctionError("A Chance object was used after the call that it was passed to; do not keep it.")
        self.draws += 1
        return int(draw(Address(self._rng), n))

    def choice(self, items: Sequence[Item]) -> Item:
        """One of the items, all equally likely.

        Raises:
            GameFunctionError: There are no items, or they are not a list or tuple.
        """
        _check_items("choice", items)
        if not items:
            raise GameFunctionError("choice() needs at least one item; got an empty list or tuple.")
        return items[self.draw(len(items))]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """A new list in random order, all orders equally likely (Fisher-Yates).

        Raises:
            GameFunctionError: The items are not a list or tuple.
        """
        _check_items("shuffled", items)
        mixed = list(items)
        for i in range(len(mixed) - 1, 0, -1):
            j = self.draw(i + 1)
            mixed[i], mixed[j] = mixed[j], mixed[i]
        return mixed

    def close(self) -> None:
        """Mark the end of the call; later draws are refused."""
        self._rng = 0


def _check_items(function: str, items: object) -> None:
    if not isinstance(items, Sequence):
        raise GameFunctionError(
            f"{function}() takes a list or tuple; got {shown(items)}. Convert a set to a sorted list first."
        )
