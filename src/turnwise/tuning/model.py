"""The N-tuple model: what the points evaluated so far say about any point.

For every tuple of dimensions of the chosen lengths there is a table: values of these dimensions -> number, sum and sum
of squares of the fitnesses seen with them. With m tuples, N_t additions to a tuple t, and n_t(x) of them with the
values of x::

    mean(x)        = average of mean_t(x) over the tuples with n_t(x) > 0
    exploration(x) = average over all m tuples of sqrt(ln(1 + N_t) / (n_t(x) + epsilon))

Tuples with a dimension that is inactive in x are left out of both averages (all but the tuple of all dimensions): such
a point says nothing about the values of that dimension.

Source: Lucas, Liu & Perez-Liebana, "The N-Tuple Bandit Evolutionary Algorithm for Game Agent Optimisation", CEC 2018.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import comb, log, sqrt
from typing import Literal

from turnwise.core.errors import OptionError
from turnwise.tuning.space import INACTIVE, Point

TupleLength = int | Literal["all"]
MOST_TUPLES = 50_000


@dataclass(slots=True)
class Sums:
    """Number, sum and sum of squares of the fitnesses seen with one combination of values."""

    number: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, fitness: float) -> None:
        """Add a fitness."""
        self.number += 1
        self.total += fitness
        self.squares += fitness * fitness

    @property
    def mean(self) -> float:
        """Mean of the fitnesses; there must be one."""
        return self.total / self.number

    @property
    def deviation(self) -> float:
        """Standard deviation of the fitnesses (of the sample, not of a population); 0 for fewer than two."""
        if self.number < 2:
            return 0.0
        return sqrt(max(0.0, self.squares - self.total * self.total / self.number) / (self.number - 1))


class TupleModel:
    """Tables over tuples of dimensions.

    Args:
        dimensions: Number of dimensions of points.
        lengths: Lengths of tuples: 1, 2, ..., or "all" for the tuple of all dimensions.
        epsilon: Added to every number of visits; above 0. Near 0, exploration visits every unseen combination first,
            with the tuple of all dimensions every point.
        as_coded: As a public program has it (:mod:`turnwise.tuning.ntbea`): all ordered lists of dimensions, also with
            repetitions, instead of combinations; and n_t(x) instead of N_t for values that have been seen.

    Raises:
        OptionError: There are no tuples or too many.
    """

    def __init__(
        self, dimensions: int, lengths: Sequence[TupleLength], epsilon: float, *, as_coded: bool = False
    ) -> None:
        sizes = {dimensions if length == "all" else length for length in lengths}
        number = sum(dimensions**size if as_coded else comb(dimensions, size) for size in sizes)
        if not 1 <= number <= MOST_TUPLES:
            raise OptionError(
                f"tuples = {list(lengths)}: {dimensions} dimensions have {number} tuples of these lengths; "
                f'expected 1 to {MOST_TUPLES}. Choose lengths from 1 to {dimensions}, such as [1, 2, "all"].'
            )
        tuples: list[tuple[int, ...]] = []
        for size in sorted(sizes):
            places = range(dimensions)
            tuples += product(places, repeat=size) if as_coded else combinations(places, size)
        self._as_coded = as_coded
        self._tuples = tuple(tuples)
        self._tables: tuple[dict[Point, Sums], ...] = tuple({} for _ in tuples)
        self._added = [0] * len(tuples)
        self._logarithms = [0.0] * len(tuples)  # ln(1 + N_t)
        self._epsilon = epsilon
        self._points: dict[Point, Sums] = {}
        self.all = Sums()
        self.low = self.high = 0.0  # smallest and largest fitness; 0 before the first

    def add(self, point: Point, fitness: float) -> None:
        """Add the fitness of an evaluated point."""
        self.low = fitness if not self.all.number else min(self.low, fitness)
        self.high = fitness if not self.all.number else max(self.high, fitness)
        self.all.add(fitness)
        self._points.setdefault(point, Sums()).add(fitness)
        for which, key in self._keys(point):
            self._tables[which].setdefault(key, Sums()).add(fitness)
            self._added[which] += 1
            self._logarithms[which] = log(1 + self._added[which])

    def _keys(self, point: Point) -> list[tuple[int, Point]]:
        """(number of a tuple, the point's values in it) of the tuples that say something about a point."""
        found = []
        for which, places in enumerate(self._tuples):
            key = tuple(point[place] for place in places)
            if INACTIVE not in key or len(key) == len(point):
                found.append((which, key))
        return found

    def mean(self, point: Point) -> float:
        """Estimated fitness; the mean of everything where no tuple has been seen, 0 before the first addition."""
        return self.mean_and_exploration(point)[0]

    def exploration(self, point: Point) -> float:
        """How little is known about a point's combinations of values, before any scaling."""
        return self.mean_and_exploration(point)[1]

    def mean_and_exploration(self, point: Point) -> tuple[float, float]:
        """Both averages of a point, with one look at each table: this is the inner loop of a search."""
        mean = exploration = 0.0
        seen = 0
        keys = self._keys(point)
        for which, key in keys:
            sums = self._tables[which].get(key)
            number = 0
            if sums is not None:
                number = sums.number
                mean += sums.total / number
                seen += 1
            logarithm = log(1 + number) if self._as_coded and number else self._logarithms[which]
            exploration += sqrt(logarithm / (number + self._epsilon))
        mean = mean / seen if seen else self.all.mean if self.all.number else 0.0
        return mean, exploration / max(1, len(keys))

    def evaluated(self) -> dict[Point, Sums]:
        """Every evaluated point with its fitnesses, in the order of first evaluation."""
        return self._points
