"""Grid search: every point once, in a random order, then every point again."""

from __future__ import annotations

from turnwise.core.errors import OptionError
from turnwise.tuning.optimiser import ModelSettings, Optimiser
from turnwise.tuning.space import Point, Space, below

MOST_POINTS = 100_000


class GridSearch(Optimiser):
    """A run of grid search.

    Raises:
        OptionError: The space has too many points.
    """

    def __init__(self, space: Space, seed: int, settings: ModelSettings) -> None:
        super().__init__(space, seed, settings)
        if space.size > MOST_POINTS:
            raise OptionError(
                f"algorithm = 'grid' lists all points, and this space has {space.size}; expected at most "
                f"{MOST_POINTS}. Choose another algorithm, or fewer values."
            )
        self._left: list[Point] = []

    def ask(self, count: int) -> list[Point]:
        """The next points."""
        return [self._next() for _ in range(count)]

    def _next(self) -> Point:
        if not self._left:
            self._left = list(self.space.points())
        place = below(self.random, len(self._left))
        self._left[place], self._left[-1] = self._left[-1], self._left[place]
        return self._left.pop()

    def own_choice(self, points: list[Point]) -> Point:
        """The best mean of its own evaluations."""
        return self.best_by_mean(points)
