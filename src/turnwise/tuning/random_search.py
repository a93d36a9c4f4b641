"""Random search: every point is drawn at random. It is the yardstick of all other algorithms."""

from __future__ import annotations

from turnwise.tuning.optimiser import Optimiser
from turnwise.tuning.space import Point


class RandomSearch(Optimiser):
    """A run of random search."""

    def ask(self, count: int) -> list[Point]:
        """Random points."""
        return [self.space.sample(self.random) for _ in range(count)]

    def own_choice(self, points: list[Point]) -> Point:
        """The best mean of its own evaluations."""
        return self.best_by_mean(points)
