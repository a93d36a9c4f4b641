"""Scores of matches, and confidence intervals of scores and means.

A *score* is the share of the points: a win counts 1, a draw 1/2, a loss 0, so ``score = (wins + draws / 2)
/ games``. It lies in [0, 1]; 0.5 is an even match of two players.

Two intervals for a score are offered:

- `wilson_interval` treats the points as successes in ``games`` coin flips. A draw spreads the points less than
  half a win and half a loss would: the variance of one game is ``p (1 - p) - draws / (4 games)``. The interval
  is therefore exact in form without draws and too wide, never too narrow, with them. It can also be computed
  for publications that report only a rate.
- `score_interval` uses that smaller variance. Without draws the two are the same.

Both assume independent games. Games of one group (same start, all seatings) are not independent; for them
use `bootstrap_mean` over the group means, or the paired tests of `turnwise.statistics.tests`.
All intervals assume that the number of games was fixed in advance: they do not hold for a match that was stopped
because of its own result.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from turnwise.statistics import arguments

__all__ = [
    "Interval",
    "Tally",
    "bootstrap_mean",
    "mean_of_means",
    "normal_quantile",
    "score_interval",
    "wilson_interval",
]

_FINEST = 1e-16
"""Absolute tolerance of a bound of a score interval; the relative one is scipy's smallest."""

_RESAMPLED_VALUES_AT_ONCE = 1 << 21


@dataclass(frozen=True, slots=True)
class Tally:
    """Numbers of games that one player won, drew and lost against another.

    Attributes:
        wins: Games won.
        draws: Games drawn, each worth half a point.
        losses: Games lost.

    Raises:
        ValueError: If a count is negative or no number.
    """

    wins: int
    draws: int
    losses: int

    def __post_init__(self) -> None:
        for count in (self.wins, self.draws, self.losses):
            if type(count) is not int:  # the usual type, which is recognised more quickly
                arguments.real(count, "a count of games")
        if min(self.wins, self.draws, self.losses) < 0:
            raise ValueError(f"wins, draws and losses are counts of games, 0 or more; got {self}")

    @classmethod
    def of(cls, points: Iterable[float]) -> "Tally":
        """Counts single games given as points: 1 won, 0.5 drawn, 0 lost.

        Raises:
            ValueError: If a game has other points.
        """
        counts = {1.0: 0, 0.5: 0, 0.0: 0}
        for value in points:
            if value not in counts:
                raise ValueError(f"a game is worth 1 (won), 0.5 (drawn) or 0 (lost) points; got {value!r}")
            counts[value] += 1
        return cls(counts[1.0], counts[0.5], counts[0.0])

    @property
    def games(self) -> int:
        """Number of games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Wins plus half the draws."""
        return self.wins + self.draws / 2

    @property
    def score(self) -> float:
        """Points per game, in [0, 1]; NaN without games."""
        return self.points / self.games if self.games else math.nan

    @property
    def variance(self) -> float:
        """Observed variance of one game's points: ``p (1 - p) - draw rate / 4``; NaN without games."""
        if not self.games:
            return math.nan
        return max(0.0, self.score * (1 - self.score) - self.draws / (4 * self.games))

    def reversed(self) -> "Tally":
        """Returns the same games from the other player's side."""
        return Tally(self.losses, self.draws, self.wins)

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)


@dataclass(frozen=True, slots=True)
class Interval:
    """A point estimate and its confidence interval, in the unit of what was estimated.

    Attributes:
        estimate: The point estimate; always within the bounds.
        low: Lower bound.
        high: Upper bound.
        confidence: Nominal coverage, for example 0.95.
        method: Name of the formula.
    """

    estimate: float
    low: float
    high: float
    confidence: float
    method: str

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    @property
    def half_width(self) -> float:
        """Half the distance between the bounds."""
        return (self.high - self.low) / 2


def normal_quantile(confidence: float) -> float:
    """Returns the z for a two-sided interval: 1.96 for a confidence of 0.95.

    Raises:
        ValueError: If the confidence is not strictly between 0 and 1.
    """
    if not 0 < arguments.real(confidence, "a confidence") < 1:
        raise ValueError(f"a confidence lies strictly between 0 and 1, for example 0.95; got {confidence!r}")
    return NormalDist().inv_cdf(0.5 + confidence / 2)


def wilson_interval(points: float, games: int, confidence: float = 0.95) -> Interval:
    """Returns the Wilson score interval of ``points / games``.

    Draws count half a point each; the interval is then rather too wide (see the module's docstring).
    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22
    (1927).

    Args:
        points: Wins plus half the draws.
        games: Number of games, at least 1.
        confidence: Nominal coverage.

    Raises:
        ValueError: If there are no games, the points do not lie between 0 and ``games``, or an argument is no number.
    """
    z = normal_quantile(confidence)
    points, games = arguments.real(points, "points"), arguments.whole(games, "games")
    if games < 1 or not 0 <= points <= games:
        raise ValueError(f"expected at least one game and 0 <= points <= games; got {points:g} points, {games} games")
    rate, shrink = points / games, z * z / games
    centre = (rate + shrink / 2) / (1 + shrink)
    half = z * math.sqrt(rate * (1 - rate) / games + shrink / (4 * games)) / (1 + shrink)
    low = 0.0 if points == 0 else max(0.0, min(rate, centre - half))
    high = 1.0 if points == games else min(1.0, max(rate, centre + half))
    return Interval(rate, low, high, confidence, "Wilson")


def score_interval(tally: Tally, confidence: float = 0.95) -> Interval:
    """Returns the score interval with the variance of wins, draws and losses instead of that of coin flips.

    The bounds are the scores p with ``(score - p)^2 = z^2 v(p) / games``. Here ``v(p) = p (1 - p) - d /
    4``, and d is the most likely draw rate if the true score were p. This is Wilson's interval where no
    game was drawn, and it keeps a positive width where all were. Source: with ``2 p - 1`` as a difference
    of paired proportions it is the interval of T. Tango, "Equivalence test and confidence interval for the
    difference in proportions for the paired-sample design", Statistics in Medicine 17 (1998).

    Args:
        tally: The games; at least one.
        confidence: Nominal coverage.

    Raises:
        ValueError: If there are no games, or the value is no tally.
    """
    z = normal_quantile(confidence)
    if not isinstance(tally, Tally):
        raise ValueError(f"expected Tally(wins, draws, losses); got {arguments.shown(tally)}")
    if not tally.games:
        raise ValueError("expected at least one game; got an empty tally")
    from scipy import optimize

    score = tally.score

    def side(p: float) -> float:
        """1 outside the interval, -1 within: at a score without variance the difference itself touches zero."""
        return 1.0 if (score - p) ** 2 * tally.games > z * z * restricted_variance(tally, p) else -1.0

    low, high = (
        float(optimize.bisect(side, score, limit, xtol=_FINEST)) if side(limit) > 0 else limit for limit in (0.0, 1.0)
    )
    return Interval(score, low, high, confidence, "trinomial score")


def restricted_variance(tally: Tally, score: float) -> float:
    """Returns the variance of one game's points under an assumed true score and the most likely draw rate.

    Source: the log-likelihood ``wins log(p - d/2) + draws log d + losses log(1 - p - d/2)`` is maximal in the
    draw rate d at the smaller root of a quadratic.

    Args:
        tally: The games; at least one.
        score: The assumed true score p, in [0, 1].
    """
    a, b = 2 * score, 2 - 2 * score
    draw_rate = 0.0
    if tally.draws:
        middle = tally.wins * b + tally.losses * a + 2 * tally.draws
        constant = tally.draws * a * b
        root = math.sqrt(max(0.0, middle * middle - 4 * tally.games * constant))
        draw_rate = 2 * constant / (middle + root)
    return max(0.0, score * (1 - score) - draw_rate / 4)


def bootstrap_mean(
    values: Sequence[float], *, seed: int, confidence: float = 0.95, resamples: int = 10_000
) -> Interval:
    """Returns a bias-corrected accelerated bootstrap interval of a mean, in the unit of the values.

    It suits skewed measurements of a search, such as unique outcomes per turn. The values must be independent;
    decisions of one game are not, so pass one mean per game. The same seed gives the same interval. A sample
    without spread gives an interval without width. Source: B. Efron, "Better bootstrap confidence intervals",
    JASA 82 (1987).

    Args:
        values: At least two finite numbers.
        seed: Seed of the resampling.
        confidence: Nominal coverage.
        resamples: Number of bootstrap samples.

    Raises:
        ValueError: If there are fewer than two values, one is not finite, or there are no resamples.
    """
    z = normal_quantile(confidence)
    arguments.whole(seed, "the seed")
    arguments.whole(resamples, "resamples")
    sample = np.asarray(values, dtype=np.float64)
    if sample.ndim != 1 or sample.size < 2 or not np.isfinite(sample).all() or resamples < 1:
        raise ValueError(f"expected two or more finite values and a resample; got {sample.size} values, {resamples}")
    mean = float(sample.mean())
    if not np.any(sample != sample[0]):
        return Interval(mean, mean, mean, confidence, "bootstrap BCa")
    spread = sample - mean
    spread /= np.abs(spread).max()
    means = np.sort(_resampled_means(sample, seed, resamples))
    below = (np.count_nonzero(means < mean) + np.count_nonzero(means <= mean)) / 2
    normal = NormalDist()
    bias = normal.inv_cdf(min(max(float(below), 0.5), resamples - 0.5) / resamples) if resamples > 1 else 0.0
    acceleration = float((spread**3).sum()) / (6 * float((spread**2).sum()) ** 1.5)

    def quantile(side: float) -> float:
        shifted = bias + side
        return float(np.quantile(means, normal.cdf(bias + shifted / max(0.1, 1 - acceleration * shifted))))

    return Interval(mean, min(mean, quantile(-z)), max(mean, quantile(z)), confidence, "bootstrap BCa")


def mean_of_means(
    cases: Sequence[Sequence[float]], *, seed: int, confidence: float = 0.95, resamples: int = 10_000
) -> Interval:
    """Returns a percentile bootstrap interval of the mean over fixed cases of the mean within each.

    It suits scores on a list of boards: the boards are fixed, the games on each are resampled. The spread of a case
    with a single value is unknown; with any such case the interval has no width.

    Args:
        cases: Finite values of each case; none is empty.
        seed: Seed of the resampling.
        confidence: Nominal coverage.
        resamples: Number of bootstrap samples.

    Raises:
        ValueError: If there is no case, or one is empty.
    """
    normal_quantile(confidence)
    arguments.whole(seed, "the seed")
    arguments.whole(resamples, "resamples", 1)
    if not cases or not all(cases):
        raise ValueError("expected at least one case, and a value in each")
    samples = [np.asarray(case, dtype=np.float64) for case in cases]
    mean = float(np.mean([sample.mean() for sample in samples]))
    if any(sample.size == 1 for sample in samples):
        return Interval(mean, mean, mean, confidence, "no spread known")
    means = np.mean([_resampled_means(case, seed + k, resamples) for k, case in enumerate(samples)], axis=0)
    low, high = np.quantile(means, [0.5 - confidence / 2, 0.5 + confidence / 2])
    return Interval(mean, min(mean, float(low)), max(mean, float(high)), confidence, "bootstrap")


def _resampled_means(sample: np.ndarray, seed: int, resamples: int) -> np.ndarray:
    """Returns the means of samples drawn with replacement, float64[resamples]; blocks bound the memory that it needs.

    Args:
        sample: Values, float64[values].
        seed: Seed of the resampling.
        resamples: Number of bootstrap samples.
    """
    rng = np.random.default_rng(seed & 0xFFFFFFFFFFFFFFFF)  # NumPy takes no negative seeds
    block = max(1, _RESAMPLED_VALUES_AT_ONCE // sample.size)
    means = [
        sample[rng.integers(0, sample.size, (min(block, resamples - done), sample.size))].mean(axis=1)
        for done in range(0, resamples, block)
    ]
    return np.concatenate(means)
