"""Sequential probability ratio test of a match: it ends as soon as the games are sufficient evidence.

The test compares two Elo differences: under H0 the first player is ``elo0`` points above the second, under H1
``elo1`` points. After any number of results the log-likelihood ratio is compared with Wald's bounds
``log(beta / (1 - alpha))`` and ``log((1 - beta) / alpha)``; alpha is the probability of accepting H1 although
H0 is true, beta that of the reverse.

Results are counted by points. The probabilities of the outcomes need not be known: under each hypothesis the
test uses the most likely distribution *with that mean score* (a generalised likelihood ratio).

- **Trinomial**: counts of (losses, draws, wins). For independent games.
- **Pentanomial**: counts of game pairs by points (0, 1/2, 1, 3/2, 2). For pairs with the same start and
  seats swapped, whose games are not independent. The better choice if games are played in pairs.
- Any other group size g works in the same way with ``2 g + 1`` counts.

Elo differences are on the logistic scale: the mean score per game is ``1 / (1 + 10^(-elo / 400))``. The error
rates hold approximately, for hypotheses that are not far apart. After a stopped test the score and its interval
are biased.

Sources: A. Wald, "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics 16 (1945);
M. Van den Bergh, "A practical introduction to the GSPRT" (note on engine testing), for the likelihood ratio
with a given mean.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from turnwise.statistics import arguments
from turnwise.statistics.intervals import Tally
from turnwise.statistics.ratings import elo_to_score

__all__ = ["Sprt", "SprtReport", "SprtState", "pentanomial_counts", "trinomial_counts"]

_FINEST = 1e-16
"""Absolute tolerance of a multiplier; the relative one is scipy's smallest."""

_TRACE = 1e-3
"""Added to outcomes that were not seen yet, so that they stay possible; far below one game."""


class SprtState(StrEnum):
    """What the games so far imply."""

    CONTINUE = "continue"
    ACCEPT_H0 = "accept H0"
    ACCEPT_H1 = "accept H1"


@dataclass(frozen=True, slots=True)
class SprtReport:
    """State of a sequential test.

    Attributes:
        state: Continue, or the accepted hypothesis.
        llr: Log-likelihood ratio of H1 over H0, natural logarithm.
        lower: H0 is accepted at or below this ratio.
        upper: H1 is accepted at or above this ratio.
        results: Number of games (trinomial) or groups (pentanomial) so far.
    """

    state: SprtState
    llr: float
    lower: float
    upper: float
    results: int

    @property
    def p_value(self) -> float:
        """How unlikely it is under H0 that the ratio ever becomes as large, whenever the games end (Ville 1939)."""
        return min(1.0, math.exp(-self.llr))


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test of ``elo0`` against ``elo1``.

    Attributes:
        elo0: Elo difference under H0.
        elo1: Elo difference under H1; above ``elo0``.
        alpha: Probability of accepting H1 if H0 is true.
        beta: Probability of accepting H0 if H1 is true.

    Raises:
        ValueError: If ``elo0 < elo1`` does not hold, a value is no finite number, or an error rate is not strictly
            between 0 and 0.5.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1", "alpha", "beta"):
            arguments.real(getattr(self, name), name)
        if not self.elo0 < self.elo1:
            raise ValueError(f"expected elo0 < elo1; got {self.elo0} and {self.elo1}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(f"error rates lie strictly between 0 and 0.5; got {self.alpha} and {self.beta}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Lower and upper bound of the log-likelihood ratio."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def judge(self, counts: Sequence[int]) -> SprtReport:
        """Judges the results so far.

        Args:
            counts: How often each number of points occurred, from none to all in steps of half a point: 3
                counts for single games (losses, draws, wins), 5 for game pairs.

        Raises:
            ValueError: If the number of counts is not odd and at least 3, or one is negative.
        """
        if not arguments.is_list(counts):
            raise ValueError(f"expected a list of 3 counts for games, 5 for pairs; got {arguments.shown(counts)}")
        for count in counts:
            arguments.whole(count, "a count")
        if len(counts) < 3 or len(counts) % 2 == 0 or min(counts) < 0:
            raise ValueError(f"expected 3 counts for games, 5 for pairs, all 0 or more; got {list(counts)}")
        lower, upper = self.bounds
        llr = _log_ratio(counts, elo_to_score(self.elo0), elo_to_score(self.elo1)) if sum(counts) else 0.0
        state = SprtState.CONTINUE
        if llr >= upper:
            state = SprtState.ACCEPT_H1
        elif llr <= lower:
            state = SprtState.ACCEPT_H0
        return SprtReport(state, llr, lower, upper, sum(counts))


def trinomial_counts(tally: Tally) -> tuple[int, int, int]:
    """Returns the counts of single games for `Sprt.judge`."""
    return tally.losses, tally.draws, tally.wins


def pentanomial_counts(pairs: Iterable[Sequence[float]]) -> tuple[int, int, int, int, int]:
    """Returns the counts of game pairs for `Sprt.judge`.

    Args:
        pairs: For each pair the first player's points in its two games (1, 0.5 or 0 each).

    Raises:
        ValueError: If a pair does not hold two games worth 0, 0.5 or 1 point.
    """
    counts = [0, 0, 0, 0, 0]
    for pair in pairs:
        if len(pair) != 2 or any(points not in (0.0, 0.5, 1.0) for points in pair):
            raise ValueError(f"expected two games worth 0, 0.5 or 1 point; got {list(pair)}")
        counts[round(2 * sum(pair))] += 1
    return counts[0], counts[1], counts[2], counts[3], counts[4]


def _log_ratio(counts: Sequence[int], score0: float, score1: float) -> float:
    """Returns the generalised log-likelihood ratio of ``score1`` over ``score0``, two mean scores per game."""
    seen = [count or _TRACE for count in counts]
    total = sum(seen)
    shares = [count / total for count in seen]
    tilt0, tilt1 = _tilt(shares, score0), _tilt(shares, score1)
    ratio = 0.0
    for index, count in enumerate(seen):
        value = index / (len(shares) - 1)
        ratio += count * (math.log1p(tilt0 * (value - score0)) - math.log1p(tilt1 * (value - score1)))
    return ratio


def _tilt(shares: Sequence[float], score: float) -> float:
    """Returns the multiplier t with which ``share / (1 + t (value - score))`` has mean ``score``.

    These are the most likely probabilities with that mean. None of them exceeds 1, so ``1 + t (value - score)`` is at
    least the share; at the lowest and the highest value this bounds t on both sides. The search begins at half the
    share, where rounding errors cannot change the sign of the sum, which decreases in t.
    """
    from scipy import optimize

    offsets = [index / (len(shares) - 1) - score for index in range(len(shares))]

    def weighted_sum(t: float) -> float:
        return sum(share * x / (1 + t * x) for share, x in zip(shares, offsets, strict=True))

    low, high = (shares[-1] / 2 - 1) / offsets[-1], (shares[0] / 2 - 1) / offsets[0]
    return float(optimize.brentq(weighted_sum, low, high, xtol=_FINEST))
