"""Tests of whether a difference between players is more than chance.

Games come in groups: one start, played once in every seat. Games of a group share the start, so the group,
not the game, is the unit of the paired tests. `group_differences` turns groups into one number each;
`sign_test`, `permutation_test`, `paired_t_test` and `wilcoxon_test` take such numbers, or any paired
differences, such as the results of two planners on the same starts. `score_test` and `two_score_test` need
only tallies and assume independent games. `holm` corrects a family of p-values.

All p-values are two-sided by default; ``greater`` tests whether the differences lie above zero.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal, TypeAlias

import numpy as np

from turnwise.statistics.intervals import Tally, restricted_variance
from turnwise.statistics.sign_flips import sign_flip_tails

__all__ = [
    "Alternative",
    "Significance",
    "group_differences",
    "holm",
    "paired_t_test",
    "permutation_test",
    "score_test",
    "sign_test",
    "two_score_test",
    "wilcoxon_test",
]

Alternative: TypeAlias = Literal["two-sided", "greater", "less"]


@dataclass(frozen=True, slots=True)
class Significance:
    """The outcome of one test.

    Attributes:
        method: Name of the test that was made, with any fallback.
        effect: Mean difference, in points per game (or the unit of the differences).
        statistic: The test statistic; NaN where the test has none.
        p_value: Probability, under no difference, of a result at least as extreme.
        used: Number of differences or games that the test used (it may leave out zeros or draws).
        alternative: ``two-sided``, ``greater`` or ``less``.
    """

    method: str
    effect: float
    statistic: float
    p_value: float
    used: int
    alternative: Alternative = "two-sided"

    def holds(self, level: float = 0.05) -> bool:
        """Returns whether the p-value lies below the level."""
        return self.p_value < level


def group_differences(groups: Iterable[Sequence[float]], expected: float = 0.5) -> tuple[float, ...]:
    """Returns for each group a player's mean points minus those of an even match.

    Args:
        groups: For each group the player's points in its games (1 won, 0.5 drawn, 0 lost).
        expected: Points per game of an even match: 0.5 for two players, 1/k for k.

    Raises:
        ValueError: If a group is empty.
    """
    differences = []
    for index, points in enumerate(groups):
        if not len(points):
            raise ValueError(f"a group holds the games of one start, at least one; group {index} is empty")
        differences.append(round(sum(points) / len(points) - expected, 12))
    return tuple(differences)


def sign_test(differences: Sequence[float], alternative: Alternative = "two-sided") -> Significance:
    """Tests by the exact binomial distribution whether differences above and below zero are equally likely.

    Zeros are left out.
    Source: W. J. Dixon and A. M. Mood, "The statistical sign test", JASA 41 (1946).

    Raises:
        ValueError: If there are no differences or one is not finite.
    """
    values = _checked(differences)
    positive, negative = int((values > 0).sum()), int((values < 0).sum())
    p_value = _binomial_p(positive, positive + negative, 0.5, alternative)
    return Significance("sign", float(values.mean()), positive, p_value, positive + negative, alternative)


def permutation_test(
    differences: Sequence[float],
    alternative: Alternative = "two-sided",
    *,
    seed: int = 0,
    resamples: int = 20_000,
) -> Significance:
    """Tests the mean difference against all ways of swapping the two players within pairs (sign flips).

    Differences of games lie on a lattice (multiples of a quarter for pairs with draws); for them the
    distribution is computed exactly. Otherwise signs are sampled, and ``p = (1 + as extreme) / (1 +
    resamples)``.
    Source: R. A. Fisher, "The Design of Experiments" (1935), section 21; the plus one after B. Phipson and
    G. K. Smyth, "Permutation p-values should never be zero" (2010).

    Args:
        differences: One per group.
        alternative: Side of the test.
        seed: Seed of the random signs, if they are needed.
        resamples: Number of random sign vectors, if they are needed.

    Raises:
        ValueError: If there are no differences, one is not finite, or there are no resamples.
    """
    values = _checked(differences)
    if resamples < 1:
        raise ValueError(f"expected at least one resample; got {resamples}")
    above, below, exact = sign_flip_tails(values, seed, resamples)
    method = f"sign-flip permutation, {'exact' if exact else 'random'}"
    tails = {"greater": above, "less": below, "two-sided": min(1.0, 2 * min(above, below))}
    return Significance(method, float(values.mean()), float(values.sum()), tails[alternative], values.size, alternative)


def paired_t_test(differences: Sequence[float], alternative: Alternative = "two-sided") -> Significance:
    """Tests by Student's t whether the mean difference is zero.

    If all differences are equal (for example, every pair won 2-0), t has no variance; the exact sign-flip test
    replaces it, and ``method`` names that test. Source: Student, "The probable error of a mean", Biometrika 6
    (1908).

    Raises:
        ValueError: If there are no differences or one is not finite.
    """
    values = _checked(differences)
    if not np.any(values != values[0]):
        flips = permutation_test(differences, alternative)
        return Significance(
            f"{flips.method} (no variance for t)",
            flips.effect,
            math.nan,
            flips.p_value,
            flips.used,
            alternative,
        )
    from scipy import stats

    result = stats.ttest_1samp(values, 0.0, alternative=alternative)
    return Significance(
        "paired t",
        float(values.mean()),
        float(result.statistic),
        float(result.pvalue),
        values.size,
        alternative,
    )


def wilcoxon_test(
    differences: Sequence[float],
    alternative: Alternative = "two-sided",
    *,
    zero_method: Literal["wilcox", "pratt", "zsplit"] = "wilcox",
) -> Significance:
    """Tests by Wilcoxon's signed ranks whether differences centre on zero.

    Publications on turn planning use this test. To repeat one that ranks single games, pass the points minus
    0.5 of every game. Ties get mean ranks; there is no continuity correction; scipy chooses the exact or the
    approximate distribution. Source: F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics
    Bulletin 1 (1945); computed by ``scipy.stats.wilcoxon``.

    Args:
        differences: One per pair (or game).
        alternative: Side of the test.
        zero_method: Treatment of zeros: ``wilcox`` leaves them out, ``pratt`` ranks them, ``zsplit`` halves
            them.

    Raises:
        ValueError: If there are no differences or one is not finite.
    """
    values = _checked(differences)
    used = int(values.size if zero_method == "zsplit" else np.count_nonzero(values))
    if not np.any(values):
        return Significance("Wilcoxon signed-rank (all zero)", 0.0, math.nan, 1.0, used, alternative)
    from scipy import stats

    result = stats.wilcoxon(values, zero_method=zero_method, alternative=alternative, correction=False)
    return Significance(
        "Wilcoxon signed-rank",
        float(values.mean()),
        float(result.statistic),
        float(result.pvalue),
        used,
        alternative,
    )


def score_test(tally: Tally, even: float = 0.5, alternative: Alternative = "two-sided") -> Significance:
    """Tests the score of independent games against a fixed score.

    Against 0.5, draws carry no information about the direction: the test leaves them out, and the rest is an
    exact binomial test (McNemar's exact test). Without draws it is an exact binomial test against any score.
    Otherwise it is the z-test that corresponds to `turnwise.statistics.intervals.score_interval`.

    Args:
        tally: The games; at least one.
        even: The score under no difference, strictly between 0 and 1.
        alternative: Side of the test.

    Raises:
        ValueError: If there are no games or ``even`` is not strictly between 0 and 1.
    """
    if not tally.games or not 0 < even < 1:
        raise ValueError(f"expected at least one game and a score strictly between 0 and 1; got {tally}, {even}")
    effect, decided = tally.score - even, tally.wins + tally.losses
    if even == 0.5 or not tally.draws:
        p_value = _binomial_p(tally.wins, decided, even, alternative)
        return Significance("exact binomial", effect, tally.wins, p_value, decided, alternative)
    z = _ratio(effect, math.sqrt(restricted_variance(tally, even) / tally.games))
    return Significance("trinomial score z", effect, z, _normal_p(z, alternative), tally.games, alternative)


def two_score_test(first: Tally, second: Tally, alternative: Alternative = "two-sided") -> Significance:
    """Tests whether two players score differently against a common opponent, if all games are independent.

    The z-test of two proportions, with the pooled variance of wins, draws and losses. If both players met the
    opponent on the same starts, a paired test is more powerful.

    Raises:
        ValueError: If a tally has no games.
    """
    if not first.games or not second.games:
        raise ValueError(f"expected at least one game on both sides; got {first} and {second}")
    effect = first.score - second.score
    error = math.sqrt((first + second).variance * (1 / first.games + 1 / second.games))
    z = _ratio(effect, error)
    games = first.games + second.games
    return Significance("two-score z", effect, z, _normal_p(z, alternative), games, alternative)


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Returns Holm's adjusted p-values in the given order.

    If they are compared with 0.05, the probability of any false alarm in the family is below 5 %.
    Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian J. of
    Statistics 6 (1979).

    Raises:
        ValueError: If a value is not within [0, 1].
    """
    if not all(0 <= p <= 1 for p in p_values):
        raise ValueError(f"p-values lie within [0, 1]; got {list(p_values)}")
    adjusted = [0.0] * len(p_values)
    running = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        running = max(running, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = running
    return tuple(adjusted)


def _checked(differences: Sequence[float]) -> np.ndarray:
    values = np.asarray(differences, dtype=np.float64)
    if values.ndim != 1 or not values.size or not np.isfinite(values).all():
        raise ValueError("expected a flat, non-empty sequence of finite differences")
    return values


def _ratio(effect: float, error: float) -> float:
    """Returns a z value; without error, zero for no effect and infinity for any."""
    if error > 0:
        return effect / error
    return math.copysign(math.inf, effect) if effect else 0.0


def _normal_p(z: float, alternative: Alternative) -> float:
    tail = NormalDist().cdf(-abs(z))
    if alternative == "two-sided":
        return min(1.0, 2 * tail)
    return tail if (z > 0) == (alternative == "greater") else 1 - tail


def _binomial_p(successes: int, trials: int, rate: float, alternative: Alternative) -> float:
    if not trials:
        return 1.0
    from scipy import stats

    return float(stats.binomtest(successes, trials, rate, alternative=alternative).pvalue)
