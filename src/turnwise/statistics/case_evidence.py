"""Bounds for the number of cases (boards, tracks) in which a statement holds, robust against noise in single cases.

Counting the cases in which one agent's mean lies above another's, and resampling seeds around that count, adds the
noise of few seeds twice: a small true lead on every board would appear as "on 70 % of the boards, certainly not on
all". So each case gets two one-sided p-values, one against the statement and one against its opposite, and the number
of cases gets two bounds: at least as many as the evidence *for* the statement shows, at most as many as the evidence
*against* it leaves.

Sources: lower bounds from partial conjunctions, Y. Benjamini and R. Heller, "Screening for partial conjunction
hypotheses", Biometrics 64 (2008); p-values combined by R. A. Fisher's method, since cases are independent; single cases
tested by B. L. Welch's t (1947), which assumes that means over seeds are normally distributed.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from turnwise.statistics.intervals import Interval


class CaseScores(Protocol):
    """Scores by player, case and seed; the score tables of studies have this form."""

    @property
    def cases(self) -> tuple[str, ...]:
        """Names of the boards or tracks."""
        ...

    @property
    def scores(self) -> Mapping[str, Sequence[Sequence[float]]]:
        """For each player one sequence of scores per case, with one score per seed."""
        ...

    @property
    def more_is_better(self) -> bool:
        """Whether larger scores are better."""
        ...


CONFIDENCE = 0.95
"""Confidence of the bounds, unless a level is given."""

_LARGEST = math.log(100.0)
"""Logarithm of the largest ratio that is a useful upper bound; a larger one becomes infinity."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """Evidence for and against a statement, case by case.

    Attributes:
        holds: Whether the statement is true of the measured means, bool[cases].
        p_holds: p-values against "it does not hold", float64[cases]; a small one shows that it holds.
        p_fails: p-values against "it holds", float64[cases]; a small one shows that it does not.
    """

    holds: NDArray[np.bool_]
    p_holds: NDArray[np.float64]
    p_fails: NDArray[np.float64]


class Statement(ABC):
    """Something that holds or does not in a case."""

    @property
    @abstractmethod
    def players(self) -> tuple[str, ...]:
        """Players whose scores the statement is about."""

    @abstractmethod
    def evidence(self, table: CaseScores) -> Evidence:
        """Returns the evidence that a table gives for and against the statement.

        Raises:
            KeyError: If the table has no scores of a player.
        """


@dataclass(frozen=True)
class Better(Statement):
    """The mean of ``first`` is better than ``factor`` times that of ``second``."""

    first: str
    second: str
    factor: float = 1.0

    @property
    def players(self) -> tuple[str, ...]:
        """Both players."""
        return (self.first, self.second)

    def evidence(self, table: CaseScores) -> Evidence:
        """Returns the evidence of Welch's test in each case."""
        sign = 1.0 if table.more_is_better else -1.0
        pairs = [
            (sign * np.asarray(first), sign * self.factor * np.asarray(second))
            for first, second in zip(table.scores[self.first], table.scores[self.second], strict=True)
        ]
        return Evidence(
            np.array([first.mean() > second.mean() for first, second in pairs]),
            np.array([p_greater(first, second) for first, second in pairs]),
            np.array([p_greater(second, first) for first, second in pairs]),
        )


class _Joined(Statement):
    """Several statements about the same case."""

    def __init__(self, *parts: Statement) -> None:
        self.parts = parts

    @property
    def players(self) -> tuple[str, ...]:
        """Players of all parts, each once."""
        return tuple(dict.fromkeys(name for part in self.parts for name in part.players))


class AllOf(_Joined):
    """All parts hold: shown by showing every part (largest p), refuted by refuting one (smallest p, Bonferroni)."""

    def evidence(self, table: CaseScores) -> Evidence:
        """Returns the evidence of all parts, combined as the class says."""
        found = [part.evidence(table) for part in self.parts]
        return Evidence(
            reduce(np.logical_and, [one.holds for one in found]),
            reduce(np.maximum, [one.p_holds for one in found]),
            np.minimum(1.0, len(found) * reduce(np.minimum, [one.p_fails for one in found])),
        )


class AnyOf(_Joined):
    """One part at least holds: shown by showing one (smallest p, Bonferroni), refuted by refuting all (largest p)."""

    def evidence(self, table: CaseScores) -> Evidence:
        """Returns the evidence of all parts, combined as the class says."""
        found = [part.evidence(table) for part in self.parts]
        return Evidence(
            reduce(np.logical_or, [one.holds for one in found]),
            np.minimum(1.0, len(found) * reduce(np.minimum, [one.p_holds for one in found])),
            reduce(np.maximum, [one.p_fails for one in found]),
        )


def share_of_cases(table: CaseScores, statement: Statement, level: float = 1 - CONFIDENCE) -> Interval:
    """Returns the share of the cases in which a statement holds, with bounds.

    Args:
        table: The scores.
        statement: What may hold in a case.
        level: Error probability of both bounds together.
    """
    found = statement.evidence(table)
    cases = len(found.holds)
    low = at_least(found.p_holds, level / 2) / cases
    high = 1 - at_least(found.p_fails, level / 2) / cases
    estimate = float(found.holds.mean())
    # The joint evidence of all cases can contradict single means, so the estimate is clipped to the bounds.
    return Interval(min(max(estimate, low), high), low, high, CONFIDENCE, "partial conjunction")


def share_of_pairs(table: CaseScores, statements: Sequence[Statement]) -> Interval:
    """Returns the share of all pairs of a statement and a case in which the statement holds, with bounds.

    Statements about one case share scores, so each gets its own bounds, at a level divided by the number of statements.
    """
    shares = [share_of_cases(table, one, (1 - CONFIDENCE) / len(statements)) for one in statements]
    estimate, low, high = np.mean([(share.estimate, share.low, share.high) for share in shares], axis=0).tolist()
    return Interval(estimate, low, high, CONFIDENCE, "partial conjunction, Bonferroni over statements")


def largest_ratio(table: CaseScores, first: str, second: str) -> Interval:
    """Returns the largest ratio of two agents' means over the cases, with bounds.

    The largest of noisy ratios is biased upwards, so its bounds come from intervals that hold in all cases at once:
    Welch's intervals of the difference of logarithms (delta method), Bonferroni over cases. A case in which a mean is
    not positive has no ratio and is left out.
    """
    level = (1 - CONFIDENCE) / len(table.cases)
    pairs = [
        (np.asarray(one), np.asarray(other))
        for one, other in zip(table.scores[first], table.scores[second], strict=True)
    ]
    bounds = [_log_ratio(one, other, level) for one, other in pairs if min(one.mean(), other.mean()) > 0]
    if not bounds:
        return Interval(0.0, 0.0, math.inf, CONFIDENCE, "no ratio")
    estimate, low, high = (max(column) for column in zip(*bounds, strict=True))
    upper = math.exp(high) if high < _LARGEST else math.inf
    return Interval(math.exp(estimate), math.exp(low), upper, CONFIDENCE, "Welch, Bonferroni over cases")


def at_least(p_values: NDArray[np.float64], level: float) -> int:
    """Returns a lower bound for the number of cases whose null hypothesis is false, with confidence ``1 - level``.

    At least k are false if "at most k - 1 are" is rejected: the other p-values, which are the largest, are too small
    to be all due to chance.

    Args:
        p_values: Independent p-values, float64[cases].
        level: Error probability of the bound.
    """
    from scipy import stats

    rising = np.clip(np.sort(p_values), 1e-300, 1.0)
    for known in range(rising.size):
        if stats.combine_pvalues(rising[known:], method="fisher").pvalue > level:
            return known
    return int(rising.size)


def p_greater(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """Returns Welch's one-sided p-value against "the mean of ``first`` is not above that of ``second``".

    Args:
        first: Scores, float64[seeds].
        second: Scores, float64[seeds]; not paired with ``first``.
    """
    from scipy import stats

    if min(first.size, second.size) < 2:  # the spread of one seed is unknown
        return 1.0
    if first.var() + second.var() == 0.0:  # planners that do not use chance
        return 0.0 if first[0] > second[0] else 1.0
    return float(stats.ttest_ind(first, second, equal_var=False, alternative="greater").pvalue)


def _log_ratio(first: NDArray[np.float64], second: NDArray[np.float64], level: float) -> tuple[float, float, float]:
    """Returns the logarithm of the ratio of positive means and the bounds of its ``1 - level`` confidence interval.

    Args:
        first: Scores, float64[seeds].
        second: Scores, float64[seeds].
        level: Probability that the interval misses the ratio.
    """
    from scipy import stats

    middle = math.log(first.mean() / second.mean())
    if min(first.size, second.size) < 2:
        return middle, -math.inf, math.inf
    if first.var() + second.var() == 0.0:
        return middle, middle, middle
    # Divided by its mean, a score differs from 1 as its logarithm differs from that of the mean (to first order).
    test = stats.ttest_ind(first / first.mean(), second / second.mean(), equal_var=False)
    reach = float(test.confidence_interval(1 - level).high)
    return middle, middle - reach, middle + reach
