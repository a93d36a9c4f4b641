"""java.util.Random in plain Python, from which the recorded agents draw (rules 1)."""

from __future__ import annotations

_MASK, _MULTIPLIER, _INCREMENT = (1 << 48) - 1, 0x5DEECE66D, 11


class JavaRandom:
    """A generator.

    Args:
        seed: Any whole number.
    """

    def __init__(self, seed: int) -> None:
        self._state = (seed ^ _MULTIPLIER) & _MASK

    def _next(self, bits: int) -> int:
        self._state = (self._state * _MULTIPLIER + _INCREMENT) & _MASK
        return self._state >> 48 - bits

    def below(self, n: int) -> int:
        """A whole number in 0..n-1, n from 1."""
        drawn = self._next(31)
        if n & (n - 1) == 0:
            return n * drawn >> 31
        while drawn - drawn % n + n - 1 >= 1 << 31:
            drawn = self._next(31)
        return drawn % n
