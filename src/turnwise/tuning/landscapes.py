"""Noisy landscapes with a known optimum, on which algorithms can be compared honestly.

All have the same space of 288 points, five parameters with n = 4, 4, 3, 3 and 2 values (``a`` to ``e``, values from 0).
An evaluation of a point x is a coin flip: 1 with probability p(x), otherwise 0, as a game that is won or lost. With the
targets ``t = (2, 1, 2, 0, 1)``, ``h_i`` is 1 if ``x_i = t_i``, otherwise 0:

============= ========================================================================================================
``separable`` p = 0.2 + 0.6 * (sum of w_i * (1 - abs(x_i - t_i) / (n_i - 1))), w = (0.3, 0.25, 0.2, 0.15, 0.1): every
              parameter has its own effect, whatever the others are
``pairwise``  p = 0.2 + 0.15 * (h_a h_b + h_b h_c + h_c h_d + h_d h_e): only pairs of right values have an effect
``deceptive`` p = 0.8 where all h_i = 1, else p = 0.2 + 0.4 * (mean of abs(x_i - t_i) / max(t_i, n_i - 1 - t_i)): every
              single parameter leads away from the optimum, which is one point among 288
============= ========================================================================================================

The largest p is 0.8 in each of them, at the targets only. The quality of a recommended point x is ``p(x)``; its regret
is ``0.8 - p(x)``.

These are the landscapes on which algorithms are compared. Whoever chooses defaults must not do so on them:
:func:`drawn_landscape` gives others of the same kinds, with random targets, weights and chains of pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise as pairs_of
from random import Random
from types import MappingProxyType
from typing import Any

from turnwise.core.chance import derive_seed
from turnwise.core.errors import unknown_name
from turnwise.tuning.space import Parameter, Point, Space, below

SIZES = (4, 4, 3, 3, 2)
TARGETS = (2, 1, 2, 0, 1)
BEST = 0.8
_WEIGHTS = (0.3, 0.25, 0.2, 0.15, 0.1)


@dataclass(frozen=True, slots=True)
class Landscape:
    """Point -> probability of a 1.

    Attributes:
        kind: Which formula: ``separable``, ``pairwise`` or ``deceptive``.
        targets: The best value of every parameter.
        weights: Of the parameters, where they have effects of their own.
        chain: Order of the parameters in which neighbours are pairs.
    """

    kind: str
    targets: Point = TARGETS
    weights: tuple[float, ...] = _WEIGHTS
    chain: tuple[int, ...] = (0, 1, 2, 3, 4)

    def __call__(self, point: Point) -> float:
        """The probability at a point."""
        return _FORMULAS[self.kind](self, point)


def _separable(of: Landscape, point: Point) -> float:
    """Every parameter has its own effect."""
    effects = (
        weight * (1 - abs(x - target) / (size - 1))
        for x, target, size, weight in zip(point, of.targets, SIZES, of.weights, strict=True)
    )
    return 0.2 + 0.6 * sum(effects)


def _pairwise(of: Landscape, point: Point) -> float:
    """Only pairs of right values have an effect."""
    right = [point[place] == of.targets[place] for place in of.chain]
    return 0.2 + 0.15 * sum(one and other for one, other in pairs_of(right))


def _deceptive(of: Landscape, point: Point) -> float:
    """Every single parameter leads away from the optimum."""
    if point == of.targets:
        return BEST
    distances = (
        abs(x - target) / max(target, size - 1 - target)
        for x, target, size in zip(point, of.targets, SIZES, strict=True)
    )
    return 0.2 + 0.4 * sum(distances) / len(SIZES)


_FORMULAS: dict[str, Callable[[Landscape, Point], float]] = {
    "separable": _separable,
    "pairwise": _pairwise,
    "deceptive": _deceptive,
}

LANDSCAPES: Mapping[str, Landscape] = MappingProxyType({kind: Landscape(kind) for kind in _FORMULAS})
"""Name -> probability of a 1 at a point."""


def landscape_space() -> Space:
    """The space of all landscapes: 288 points."""
    return Space([Parameter(name, tuple(range(size)), True) for name, size in zip("abcde", SIZES, strict=True)])


def drawn_landscape(kind: str, seed: int) -> Landscape:
    """A random landscape of a kind: other targets, weights in another order, another chain of pairs.

    Args:
        kind: One of the names in ``LANDSCAPES``.
        seed: Determines it.

    Raises:
        UnknownNameError: There is no such kind.
    """
    if not isinstance(kind, str) or kind not in LANDSCAPES:
        raise unknown_name("landscape", kind, LANDSCAPES)
    rng = Random(derive_seed(seed, "landscape", kind))
    targets = tuple(below(rng, size) for size in SIZES)
    by_chance = [sorted(range(len(SIZES)), key=lambda _: rng.random()) for _ in range(2)]
    return Landscape(kind, targets, tuple(_WEIGHTS[place] for place in by_chance[0]), tuple(by_chance[1]))


@dataclass(frozen=True, slots=True)
class CoinFlips:
    """A landscape as a fitness: settings and a seed -> 1.0 or 0.0.

    Attributes:
        landscape: One of the names in ``LANDSCAPES``, or a landscape.
    """

    landscape: str | Landscape

    def __call__(self, settings: dict[str, Any], seed: int) -> float:
        """Flip the point's coin; the same settings and seed give the same side.

        Raises:
            UnknownNameError: There is no such landscape.
        """
        point = tuple(int(settings[name]) for name in "abcde")
        if isinstance(self.landscape, str) and self.landscape not in LANDSCAPES:
            raise unknown_name("landscape", self.landscape, LANDSCAPES)
        probability = LANDSCAPES[self.landscape] if isinstance(self.landscape, str) else self.landscape
        return float(Random(f"{seed} {point}").random() < probability(point))
