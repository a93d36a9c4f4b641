"""NTBEA, the N-Tuple Bandit Evolutionary Algorithm.

::

    x = random point
    repeat:  y = fitness(x);  add (x, y) to the model
             x = argmax of  mean(x') + k * scale * exploration(x')  over different mutants x' of x
    return the evaluated point with the largest mean estimate

The exploration term is multiplied by the standard deviation or the range of the fitnesses seen so far, so that one k
suits every fitness. With a batch of b points per step, these are the b best mutants, and the best of them is the next
x.

``reading = "as-coded"`` searches as the program of the paper on portfolios does, with its faults: pairs are all ordered
pairs of dimensions, also of one dimension with itself; the exploration of seen values counts their own visits instead
of all; and a mutant redraws one random dimension, and each one with probability 0.1, also to the value that it has.
That program uses ``exploration = 2`` and ``scale = "none"`` with fitnesses from 0 to 60, and ``neighbours = 10``.

Sources: Kunanusont, Gaina, Liu, Perez-Liebana & Lucas, "The N-Tuple Bandit Evolutionary Algorithm for Automatic Game
Improvement", CEC 2017; Lucas, Liu & Perez-Liebana, "The N-Tuple Bandit Evolutionary Algorithm for Game Agent
Optimisation", CEC 2018; Perez-Liebana et al., "Portfolio Search and Optimization for General Strategy Game-Playing",
CEC 2021, with its program.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from turnwise.tuning.optimiser import ModelSettings, Optimiser
from turnwise.tuning.space import Point, Space

_REDRAWN = 0.1  # probability with which the public program draws a dimension again
_TRIES = 20  # mutants drawn for every neighbour wanted; small spaces have fewer neighbours


class NtbeaSettings(ModelSettings):
    """Settings of NTBEA."""

    exploration: float = Field(1.0, ge=0, le=1e9, description="k: weight of exploration, in units of the scale")
    neighbours: int = Field(50, ge=1, le=10_000, description="different mutants among which the next point is chosen")
    changes: float = Field(
        2.0, ge=0, le=64, description="p: each dimension but the forced one changes with probability p / d"
    )
    scale: Literal["range", "spread", "none"] = Field(
        "spread", description="unit of exploration: range or standard deviation of the fitnesses so far, or 1"
    )
    reading: Literal["as-published", "as-coded"] = Field(
        "as-published", description="the publication's algorithm, or that of a public program with its faults"
    )


class Ntbea(Optimiser):
    """A run of NTBEA."""

    def __init__(self, space: Space, seed: int, settings: NtbeaSettings) -> None:
        self._as_coded = settings.reading == "as-coded"
        super().__init__(space, seed, settings, as_coded=self._as_coded)
        self._settings = settings
        self._current: Point | None = None

    def ask(self, count: int) -> list[Point]:
        """The best mutants of the current point; at first, random points."""
        if self._current is None:
            chosen = list(dict.fromkeys(self.space.sample(self.random) for _ in range(count)))
        else:
            chosen = sorted(self.neighbours(self._current), key=self.value, reverse=True)[:count]
        self._current = chosen[0]
        return chosen

    def neighbours(self, point: Point) -> list[Point]:
        """Different mutants of a point; fewer than the setting if the space has no more within reach."""
        found: dict[Point, None] = {}
        for _ in range(_TRIES * self._settings.neighbours):
            if self._as_coded:
                mutant = self.space.redrawn(point, self.random, _REDRAWN)
            else:
                mutant = self.space.mutant(point, self.random, self._settings.changes)
            found[mutant] = None
            if len(found) == self._settings.neighbours:
                break
        return list(found)

    def value(self, point: Point) -> float:
        """Upper confidence bound of a point."""
        mean, exploration = self.model.mean_and_exploration(point)
        return mean + self._settings.exploration * self._scale() * exploration

    def _scale(self) -> float:
        """Unit of the exploration term; 1 while all fitnesses are equal, since then only its order matters."""
        model = self.model
        scales = {"range": model.high - model.low, "spread": model.all.deviation, "none": 1.0}
        return scales[self._settings.scale] or 1.0
