"""In how many cases (boards, tracks) something holds: bounds that noise within single cases cannot move.

Counting the cases in which one agent's mean lies above another's, and resampling seeds around that count, adds the
noise of few seeds twice: a small true lead on every board would read as "on 70 % of the boards, certainly not on all".
So each case gets two one-sided p-values, against the statement and for it, and the number of cases gets two bounds: at
least as many as evidence *for* it shows, at most as many as evidence *against* it leaves.

Sources: lower bounds from partial conjunctions, Y. Benjamini and R. Heller, "Screening for partial conjunction
hypotheses", Biometrics 64 (2008); combined by R. A. Fisher's method, since cases are independent; single cases by B. L.
Welch's t (1947), which takes seeds' means as normal.
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
    """Scores by player, case and seed: what a study's score table has."""

    @property
    def cases(self) -> tuple[str, ...]:
        """Names of the boards or tracks."""
        ...

    @property
    def scores(self) -> Mapping[str, Sequence[Sequence[float]]]:
        """Player -> one sequence of scores (one per seed) for each case."""
        ...

    @property
    def more_is_better(self) -> bool:
        """Whether larger scores are better."""
        ...


CONFIDENCE = 0.95
_LARGEST = math.log(100.0)  # logarithm of a ratio that says no more than infinity


@dataclass(frozen=True, eq=False)
class Evidence:
    """What the scores say of a statement, case by case.

    Attributes:
        holds: bool[cases]: whether it is true of the means as measured.
        p_holds: float64[cases]: p-values against "it does not hold"; small: it holds.
        p_fails: float64[cases]: p-values against "it holds"; small: it does not.
    """

    holds: NDArray[np.bool_]
    p_holds: NDArray[np.float64]
    p_fails: NDArray[np.float64]


class Statement(ABC):
    """Something that holds or does not in a case."""

    @property
    @abstractmethod
    def players(self) -> tuple[str, ...]:
        """Whose scores it asks for."""

    @abstractmethod
    def evidence(self, table: CaseScores) -> Evidence:
        """What a table says of it."""


@dataclass(frozen=True)
class Better(Statement):
    """The mean of ``first`` is better than ``factor`` times that of ``second``."""

    first: str
    second: str
    factor: float = 1.0

    @property
    def players(self) -> tuple[str, ...]:
        """Both."""
        return (self.first, self.second)

    def evidence(self, table: CaseScores) -> Evidence:
        """Welch's test in each case."""
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
        """Those of all parts, each once."""
        return tuple(dict.fromkeys(name for part in self.parts for name in part.players))


class AllOf(_Joined):
    """All parts hold: shown by showing every part (largest p), refuted by refuting one (smallest p, Bonferroni)."""

    def evidence(self, table: CaseScores) -> Evidence:
        """See the class."""
        found = [part.evidence(table) for part in self.parts]
        return Evidence(
            reduce(np.logical_and, [one.holds for one in found]),
            reduce(np.maximum, [one.p_holds for one in found]),
            np.minimum(1.0, len(found) * reduce(np.minimum, [one.p_fails for one in found])),
        )


class AnyOf(_Joined):
    """One part at least holds: shown by showing one (smallest p, Bonferroni), refuted by refuting all (largest p)."""

    def evidence(self, table: CaseScores) -> Evidence:
        """See the class."""
        found = [part.evidence(table) for part in self.parts]
        return Evidence(
            reduce(np.logical_or, [one.holds for one in found]),
            np.minimum(1.0, len(found) * reduce(np.minimum, [one.p_holds for one in found])),
            reduce(np.maximum, [one.p_fails for one in found]),
        )


def share_of_cases(table: CaseScores, statement: Statement, level: float = 1 - CONFIDENCE) -> Interval:
    """In which share of the cases a statement holds; ``level`` is the error of both bounds together."""
    found = statement.evidence(table)
    cases = len(found.holds)
    low = at_least(found.p_holds, level / 2) / cases
    high = 1 - at_least(found.p_fails, level / 2) / cases
    estimate = float(found.holds.mean())
    # A mean can lie on a side that the joint evidence of all cases speaks against, so the estimate is kept within.
    return Interval(min(max(estimate, low), high), low, high, CONFIDENCE, "partial conjunction")


def share_of_pairs(table: CaseScores, statements: Sequence[Statement]) -> Interval:
    """The same over all pairs of a statement and a case.

    Statements about one case share scores, so each is bounded on its own, at a level divided by their number.
    """
    shares = [share_of_cases(table, one, (1 - CONFIDENCE) / len(statements)) for one in statements]
    estimate, low, high = np.mean([(share.estimate, share.low, share.high) for share in shares], axis=0).tolist()
    return Interval(estimate, low, high, CONFIDENCE, "partial conjunction, Bonferroni over statements")


def largest_ratio(table: CaseScores, first: str, second: str) -> Interval:
    """The largest ratio of two agents' means over the cases.

    The largest of noisy ratios is too large, so its bounds are those of intervals that hold in all cases at once:
    Welch's, of the difference of logarithms (delta method), Bonferroni over cases. A case where a mean is not positive
    has no ratio and is left out.
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
    """Lower bound for the number of cases whose null hypothesis is false, with confidence ``1 - level``.

    At least k are false if "at most k - 1 are" is rejected: the other ones, with the largest p-values, are not all
    chance.

    Args:
        p_values: float64[cases], independent.
        level: Of the error.
    """
    from scipy import stats

    rising = np.clip(np.sort(p_values), 1e-300, 1.0)
    for known in range(rising.size):
        if stats.combine_pvalues(rising[known:], method="fisher").pvalue > level:
            return known
    return int(rising.size)


def p_greater(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """One-sided p-value against "the mean of ``first`` is not above that of ``second``" (Welch).

    Args:
        first: Scores, float64[seeds].
        second: Scores, float64[seeds]; not paired with the others.
    """
    from scipy import stats

    if min(first.size, second.size) < 2:  # one seed has no spread, and shows nothing
        return 1.0
    if first.var() + second.var() == 0.0:  # planners without chance; equal scores show nothing
        return 0.0 if first[0] > second[0] else 1.0
    return float(stats.ttest_ind(first, second, equal_var=False, alternative="greater").pvalue)


def _log_ratio(first: NDArray[np.float64], second: NDArray[np.float64], level: float) -> tuple[float, float, float]:
    """Logarithm of the ratio of positive means with the bounds of its interval, which misses it with ``level``."""
    from scipy import stats

    middle = math.log(first.mean() / second.mean())
    if min(first.size, second.size) < 2:
        return middle, -math.inf, math.inf
    if first.var() + second.var() == 0.0:
        return middle, middle, middle
    # In units of its mean a score differs from 1 as its logarithm differs from the mean's (to first order).
    test = stats.ttest_ind(first / first.mean(), second / second.mean(), equal_var=False)
    reach = float(test.confidence_interval(1 - level).high)
    return middle, middle - reach, middle + reach
