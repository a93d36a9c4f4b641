"""Intervals of fitnesses, and means by value of a parameter or of a pair: the figures of reports.

Games of one start from several seatings are counted as independent games, which makes intervals of scores rather too
wide than too narrow. Intervals of points that a search has chosen because of the same evaluations are too optimistic;
those of the choice among several runs are nearly free of that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from turnwise.statistics.intervals import Interval, Tally, bootstrap_mean, score_interval
from turnwise.tuning.plan import Trial
from turnwise.tuning.space import INACTIVE, Point, Space

_POINTS = {0.0, 0.5, 1.0}
NO_SPREAD = "no spread known"
"""Method of an interval of a single sample that is no score: it has no width, and is not worth showing."""

Groups = Mapping[int, Sequence[int]]
"""Dimension -> for each index of it the number of its group."""


@dataclass(frozen=True, slots=True)
class TrialResult:
    """A finished evaluation.

    Attributes:
        trial: What was evaluated.
        samples: Fitness of every game, or of the one call of a function; empty: the point was refused.
        refusal: Why it was refused.
        forfeits: Of every game that was forfeited, which one it was, by whom and why.
    """

    trial: Trial
    samples: tuple[float, ...]
    refusal: str = ""
    forfeits: tuple[str, ...] = ()

    @property
    def fitness(self) -> float | None:
        """Mean of the samples; None if the point was refused."""
        return sum(self.samples) / len(self.samples) if self.samples else None


@dataclass(frozen=True, slots=True)
class Marginal:
    """Fitness of all evaluations with one value of a dimension, or with one pair of values of two.

    Attributes:
        indices: The value's index (or its group's number), or two of them.
        evaluations: Number of evaluations.
        interval: Mean of their samples with its interval.
    """

    indices: tuple[int, ...]
    evaluations: int
    interval: Interval


def interval_of(samples: Sequence[float], confidence: float = 0.95) -> Interval:
    """Mean of samples with an interval: that of scores if all are 0, 1/2 or 1, otherwise a bootstrap interval.

    A single sample that is no score gives an interval without width.

    Args:
        samples: At least one.
        confidence: Nominal coverage.
    """
    if _POINTS.issuperset(samples):
        return score_interval(Tally.of(samples), confidence)
    if len(samples) > 1:
        return bootstrap_mean(samples, seed=0, confidence=confidence, resamples=2000)
    return Interval(samples[0], samples[0], samples[0], confidence, NO_SPREAD)


def samples_by_point(evaluations: Iterable[TrialResult]) -> dict[Point, list[float]]:
    """All samples of every evaluated point; a refused point has none."""
    found: dict[Point, list[float]] = {}
    for evaluation in evaluations:
        found.setdefault(evaluation.trial.point, []).extend(evaluation.samples)
    return found


def fair_samples(evaluations: Iterable[TrialResult], point: Point) -> tuple[list[float], bool]:
    """The samples by which a point should be judged.

    Returns:
        Its samples in the choice if there are any, otherwise all; and whether they are those of the choice.
    """
    mine = [evaluation for evaluation in evaluations if evaluation.trial.point == point]
    chosen = [sample for each in mine if each.trial.phase == "choice" for sample in each.samples]
    return (chosen, True) if chosen else ([sample for each in mine for sample in each.samples], False)


def marginals(
    space: Space, evaluations: Iterable[TrialResult], *places: int, groups: Groups | None = None
) -> list[Marginal]:
    """Mean fitness by value of a dimension, or by values of two; combinations that were never evaluated are missing.

    Args:
        space: The space.
        evaluations: The evaluations.
        *places: One dimension, or two.
        groups: Dimension -> for each of its indices the group that stands for it; without it, every index for itself.
    """
    return [
        Marginal(key, number, interval_of(samples))
        for key, (number, samples) in sorted(samples_by_value(evaluations, *places, groups=groups).items())
    ]


def samples_by_value(
    evaluations: Iterable[TrialResult], *places: int, groups: Groups | None = None
) -> dict[tuple[int, ...], tuple[int, list[float]]]:
    """Values of dimensions -> number of evaluations with them, and their samples; arguments as in :func:`marginals`."""
    group = {place: None if groups is None else groups.get(place) for place in places}
    samples: dict[tuple[int, ...], list[float]] = defaultdict(list)
    counts: dict[tuple[int, ...], int] = defaultdict(int)
    for evaluation in evaluations:
        indices = [evaluation.trial.point[place] for place in places]
        if not evaluation.samples or INACTIVE in indices:
            continue
        pairs = zip(places, indices, strict=True)
        key = tuple(index if (found := group[place]) is None else found[index] for place, index in pairs)
        samples[key].extend(evaluation.samples)
        counts[key] += 1
    return {key: (counts[key], found) for key, found in samples.items()}
