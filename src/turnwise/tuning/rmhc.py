"""RMHC, random-mutation hill climbing: the simplest search that uses what it has seen.

::

    x = random point;  f = mean of r evaluations of x
    repeat:  x' = mutant of x;  f' = mean of r evaluations of x'
             if f' >= f:  x, f = x', f'
    return x

The fitness of the point that it stands on is not measured again, as in the publication: with noise a lucky point is
kept for long. A larger r (``resampling``) is its remedy, at the price of fewer points.

Source: Lucas, Liu, Bravi, Gaina, Woodward, Volz & Perez-Liebana, "Efficient Evolutionary Methods for Game Agent
Optimisation: Model-Based is Best", 2019, where it is compared with NTBEA.
"""

from __future__ import annotations

from pydantic import Field

from turnwise.tuning.model import Sums
from turnwise.tuning.optimiser import ModelSettings, Optimiser
from turnwise.tuning.space import Point, Space


class RmhcSettings(ModelSettings):
    """Settings of random-mutation hill climbing."""

    resampling: int = Field(1, ge=1, le=10_000, description="r: evaluations of a point before it is compared")
    changes: float = Field(
        0.0, ge=0, le=64, description="p: each dimension but the forced one changes with probability p / d"
    )


class Rmhc(Optimiser):
    """A run of random-mutation hill climbing."""

    def __init__(self, space: Space, seed: int, settings: RmhcSettings) -> None:
        super().__init__(space, seed, settings)
        self._settings = settings
        self._current: Point | None = None
        self._height = 0.0  # mean fitness of the current point
        self._tried: Point | None = None  # the mutant that is being evaluated
        self._heard = Sums()  # its fitnesses so far

    def ask(self, count: int) -> list[Point]:
        """The point that is being evaluated, as often as it still needs."""
        if self._tried is None:
            if self._current is None:
                self._tried = self.space.sample(self.random)
            else:
                self._tried = self.space.mutant(self._current, self.random, self._settings.changes)
        return [self._tried] * min(count, self._settings.resampling - self._heard.number)

    def tell(self, point: Point, fitness: float) -> None:
        """Hear a fitness; the mutant becomes the current point if its mean is at least as good."""
        super().tell(point, fitness)
        self._heard.add(fitness)
        if self._heard.number < self._settings.resampling:
            return
        if self._current is None or self._heard.mean >= self._height:
            self._current, self._height = point, self._heard.mean
        self._tried, self._heard = None, Sums()

    def own_choice(self, points: list[Point]) -> Point:
        """The point that it stands on."""
        return self._current if self._current in points else super().own_choice(points)
