"""Random search: every point is drawn at random. It is the yardstick of all other algorithms."""

from __future__ import annotations

from turnwise.tuning.optimiser import Optimiser
from turnwise.tuning.space import Point


class RandomSearch(Optimiser):
    """A run of random search."""

    def ask(self, count: int) -> list[Point]:
        """Random points."""
        return [self.space.sample(self.random) for _ in range(count)]
