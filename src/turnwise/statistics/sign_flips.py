"""The distribution of a sum of differences if every sign is a coin flip: computed exactly or sampled."""

import math
from fractions import Fraction

import numpy as np

__all__ = ["sign_flip_tails"]

_EXACT_WORK = 400_000_000
_FINEST_LATTICE = 10_000


def sign_flip_tails(values: np.ndarray, seed: int, resamples: int) -> tuple[float, float, bool]:
    """Returns the probabilities of a sum at least and at most the observed one, and whether they are exact.

    For values on a lattice (whole multiples of one step) a convolution gives the exact distribution; its cost
    grows with the number of values times the sum of their sizes in steps. For other values, and for very large
    samples, the probabilities are estimated from random signs.

    Args:
        values: Finite differences, float64[n].
        seed: Seed of the random signs.
        resamples: Number of random sign vectors.
    """
    lattice = _lattice(values)
    if lattice is not None:
        return *_exact_tails(lattice), True
    return *_drawn_tails(values, seed, resamples), False


def _lattice(values: np.ndarray) -> np.ndarray | None:
    """Returns the differences as multiples of one step, int64[n]; None if there is no step, or too much work to do."""
    fractions = [Fraction(float(value)).limit_denominator(_FINEST_LATTICE) for value in np.unique(values)]
    step = math.lcm(*(fraction.denominator for fraction in fractions))
    if step > _FINEST_LATTICE:
        return None
    whole = np.rint(values * step)
    near = bool(np.all(np.abs(values * step - whole) < 1e-6))
    return whole.astype(np.int64) if near and values.size * np.abs(whole).sum() <= _EXACT_WORK else None


def _exact_tails(whole: np.ndarray) -> tuple[float, float]:
    """Returns the probabilities, over all signs, of a sum at least and at most the observed one.

    Args:
        whole: Differences as multiples of one step, int64[n].
    """
    sizes = np.abs(whole)
    reach = int(sizes.sum())
    chance = np.zeros(2 * reach + 1)
    chance[reach] = 1.0
    for size in sizes[sizes > 0]:
        moved = np.zeros_like(chance)
        moved[size:] += chance[:-size] / 2
        moved[:-size] += chance[size:] / 2
        chance = moved
    observed = reach + int(whole.sum())
    return min(1.0, float(chance[observed:].sum())), min(1.0, float(chance[: observed + 1].sum()))


def _drawn_tails(values: np.ndarray, seed: int, resamples: int) -> tuple[float, float]:
    """Estimates the probabilities of a sum at least and at most the observed one from random signs."""
    rng = np.random.default_rng(seed & 0xFFFFFFFFFFFFFFFF)  # NumPy takes no negative seeds
    observed = values.sum()
    slack = 1e-12 * np.abs(values).sum()
    above = below = 1
    for _ in range(resamples):
        total = np.where(rng.integers(0, 2, values.size) > 0, values, -values).sum()
        above += bool(total >= observed - slack)
        below += bool(total <= observed + slack)
    return above / (resamples + 1), below / (resamples + 1)
