"""Which of many pairs of players differ by more than chance, and how many more games the others need.

Every pair is tested by sign flips over its groups of games (:func:`turnwise.statistics.tests.permutation_test`); Holm's
correction covers all pairs together. The number of games that a pair still needs is that of a normal test with the mean
and spread seen so far, at the level that Holm's procedure asks of the next pair, and a power of 80 %.
"""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, pstdev
from typing import TypeVar

from turnwise.statistics.tests import holm, permutation_test

__all__ = ["PairEvidence", "pair_evidence"]

Key = TypeVar("Key", bound=Hashable)
_RESAMPLES = 10_000


@dataclass(frozen=True, slots=True)
class PairEvidence:
    """What the games of one pair show.

    Attributes:
        groups: Number of groups of games, each of one start.
        effect: Mean difference in favour of the first player.
        p_value: Of the pair alone, two-sided.
        adjusted: After Holm's correction for all pairs.
        more_groups: How many more groups will probably be enough; 0: the pair is decided; None: the difference seen
            so far is zero, so no number would be.
    """

    groups: int
    effect: float
    p_value: float
    adjusted: float
    more_groups: int | None


def pair_evidence(
    differences: Mapping[Key, Sequence[float]], *, level: float = 0.05, power: float = 0.8, seed: int = 0
) -> dict[Key, PairEvidence]:
    """Test all pairs together.

    Args:
        differences: Pair -> one difference per group, above zero if the first player was better.
        level: Probability of any false alarm among all pairs, strictly between 0 and 1.
        power: Probability with which ``more_groups`` is enough if the difference is the one seen so far.
        seed: Seed of the random sign flips, where the test is not exact.

    Raises:
        ValueError: If a pair has no differences, one is not finite, or level or power are not between 0 and 1.
    """
    if not (0 < level < 1 and 0 < power < 1):
        raise ValueError(f"expected a level and a power strictly between 0 and 1; got {level} and {power}")
    tested = [permutation_test(values, seed=seed, resamples=_RESAMPLES) for values in differences.values()]
    p_values = [test.p_value for test in tested]
    corrected = holm(p_values)
    open_pairs = sum(adjusted >= level for adjusted in corrected)
    found = {}
    for (pair, values), p_value, adjusted in zip(differences.items(), p_values, corrected, strict=True):
        more = 0 if adjusted < level else _more_groups(values, level / open_pairs, power)
        found[pair] = PairEvidence(len(values), fmean(values), p_value, adjusted, more)
    return found


def _more_groups(values: Sequence[float], level: float, power: float) -> int | None:
    """Further groups after which a pair with this mean and spread is probably significant."""
    effect, spread = fmean(values), pstdev(values)
    if effect == 0:
        return None
    normal, flipped = NormalDist(), math.hypot(spread, effect)  # the spread under random signs
    needed = ((normal.inv_cdf(1 - level / 2) * flipped + normal.inv_cdf(power) * spread) / effect) ** 2
    fewest = 1 + math.log2(1 / level)  # groups whose signs all agree have p = 2 / 2^groups
    return max(1, math.ceil(max(needed, fewest)) - len(values))
