"""Noisy landscapes with a known optimum, on which algorithms can be compared honestly.

All have the same space of 288 points, five parameters with 4, 4, 3, 3 and 2 values (``a`` to ``e``, values from 0).
An evaluation of a point x is a coin flip: 1 with probability p(x), otherwise 0, as a game that is won or lost. With
``u_i = x_i / (n_i - 1)`` in [0, 1] and the parameters' targets ``t = (2, 1, 2, 0, 1)``, ``h_i`` is 1 if ``x_i = t_i``,
otherwise 0:

============= ========================================================================================================
``separable`` p = 0.2 + 0.6 * (sum of w_i * (1 - abs(x_i - t_i) / (n_i - 1))), w = (0.3, 0.25, 0.2, 0.15, 0.1): every
              parameter has its own effect, whatever the others are
``pairwise``  p = 0.2 + 0.15 * (h_a h_b + h_b h_c + h_c h_d + h_d h_e): only pairs of right values have an effect
``deceptive`` p = 0.8 where all h_i = 1, else p = 0.2 + 0.4 * (mean of abs(x_i - t_i) / max(t_i, n_i - 1 - t_i)): every
              single parameter leads away from the optimum, which is one point among 288
============= ========================================================================================================

The largest p is 0.8 in each of them, at the targets only. The quality of a recommended point x is ``p(x)``; its regret
is ``0.8 - p(x)``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise as pairwise_of
from random import Random
from typing import Any

from turnwise.tuning.space import Parameter, Point, Space

SIZES = (4, 4, 3, 3, 2)
TARGETS = (2, 1, 2, 0, 1)
BEST = 0.8
_WEIGHTS = (0.3, 0.25, 0.2, 0.15, 0.1)


def landscape_space() -> Space:
    """The space of all landscapes: 288 points."""
    return Space([Parameter(name, tuple(range(size)), True) for name, size in zip("abcde", SIZES, strict=True)])


def separable(point: Point) -> float:
    """Every parameter has its own effect."""
    effects = (
        weight * (1 - abs(x - target) / (size - 1))
        for x, target, size, weight in zip(point, TARGETS, SIZES, _WEIGHTS, strict=True)
    )
    return 0.2 + 0.6 * sum(effects)


def pairwise(point: Point) -> float:
    """Only pairs of right values have an effect."""
    right = [x == target for x, target in zip(point, TARGETS, strict=True)]
    return 0.2 + 0.15 * sum(one and other for one, other in pairwise_of(right))


def deceptive(point: Point) -> float:
    """Every single parameter leads away from the optimum."""
    if point == TARGETS:
        return BEST
    distances = (
        abs(x - target) / max(target, size - 1 - target) for x, target, size in zip(point, TARGETS, SIZES, strict=True)
    )
    return 0.2 + 0.4 * sum(distances) / len(SIZES)


LANDSCAPES: dict[str, Callable[[Point], float]] = {
    "separable": separable,
    "pairwise": pairwise,
    "deceptive": deceptive,
}
"""Name -> probability of a 1 at a point."""


@dataclass(frozen=True, slots=True)
class CoinFlips:
    """A landscape as a fitness: settings and a seed -> 1.0 or 0.0.

    Attributes:
        name: One of the names in ``LANDSCAPES``.
    """

    name: str

    def __call__(self, settings: dict[str, Any], seed: int) -> float:
        """Flip the point's coin; the same settings and seed give the same side."""
        point = tuple(int(settings[name]) for name in "abcde")
        return float(Random(f"{seed} {point}").random() < LANDSCAPES[self.name](point))
