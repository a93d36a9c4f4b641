"""SWcGA, the sliding-window compact genetic algorithm: a distribution over each dimension instead of a population.

::

    p_i = uniform over the values of dimension i;  window = []
    repeat:  x = a point drawn from p;  y = fitness(x)
             for (x', y') in window:  the better of x and x' wins; where they differ in dimension i,
                 move 1 / K of p_i from the loser's value to the winner's
             add (x, y) to the window, which keeps the last W points
    return the most probable point

It returns the most probable one of the points that it has evaluated, so that its fitness is known. The publication uses
bits; here a dimension has any number of values.

Source: Lucas, Liu & Perez-Liebana, "Efficient Noisy Optimisation with the Multi-Sample and Sliding Window Compact
Genetic Algorithms", SSCI 2017. Which W and K the comparison with NTBEA (CEC 2018) used is not known here; the defaults
were best on landscapes drawn at random (:func:`.drawn_landscape`).
"""

from __future__ import annotations

from collections import deque
from math import log

from pydantic import Field

from turnwise.tuning.optimiser import ModelSettings, Optimiser
from turnwise.tuning.space import INACTIVE, Point, Space

_LEAST = 1e-9  # stands for a probability of 0 in logarithms


class SwcgaSettings(ModelSettings):
    """Settings of the sliding-window compact genetic algorithm."""

    window: int = Field(5, ge=1, le=10_000, description="W: last points with which a new one is compared")
    strength: float = Field(100.0, ge=1, le=1e9, description="K: a comparison moves 1 / K of the probability")


class Swcga(Optimiser):
    """A run of the sliding-window compact genetic algorithm."""

    def __init__(self, space: Space, seed: int, settings: SwcgaSettings) -> None:
        super().__init__(space, seed, settings)
        self._share = 1.0 / settings.strength
        self._window: deque[tuple[Point, float]] = deque(maxlen=settings.window)
        self._chances = [[1.0 / dimension.size] * dimension.size for dimension in space.dimensions]

    def ask(self, count: int) -> list[Point]:
        """Points drawn from the distribution."""
        return [self._drawn() for _ in range(count)]

    def _drawn(self) -> Point:
        found: list[int] = []
        for dimension, chances in zip(self.space.dimensions, self._chances, strict=True):
            found.append(self._value(chances) if dimension.is_active(found) else INACTIVE)
        return self.space.with_items(found, self.random)

    def _value(self, chances: list[float]) -> int:
        left = self.random.random() * sum(chances)
        for value, chance in enumerate(chances):
            left -= chance
            if left < 0:
                return value
        return max(range(len(chances)), key=chances.__getitem__)  # rounding left nothing

    def tell(self, point: Point, fitness: float) -> None:
        """Compare a point with those in the window."""
        super().tell(point, fitness)
        for other, value in self._window:
            if fitness > value:
                self._move(other, point)
            elif fitness < value:
                self._move(point, other)
        self._window.append((point, fitness))

    def _move(self, loser: Point, winner: Point) -> None:
        """Move probability from the values of one point to those of another."""
        for chances, lost, won in zip(self._chances, loser, winner, strict=True):
            if lost != won and INACTIVE not in (lost, won):
                moved = min(self._share, chances[lost])
                chances[lost] -= moved
                chances[won] += moved

    def own_choice(self, points: list[Point]) -> Point:
        """The most probable of the evaluated points; dimensions that are inactive in a point do not count."""

        def chance(point: Point) -> float:
            active = [(chances, value) for chances, value in zip(self._chances, point, strict=True) if value >= 0]
            return sum(log(max(_LEAST, chances[value])) for chances, value in active) / len(active)

        return max(points, key=chance)
