"""Scores of single-player games by player, case and seed, and what can be said of them with intervals.

Cases (boards, tracks) are fixed, seeds are a sample: intervals of means and of numbers made from means come from
resampling the seeds of each player in each case. With few seeds such intervals are too narrow (by a tenth with five, by
a fifth with three), so a study says how many it had. For counts of cases see :mod:`turnwise.statistics.case_evidence`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from turnwise.core.chance import derive_seed
from turnwise.report.model import Comparison, Series
from turnwise.statistics.intervals import Interval

RESAMPLES = 2000
_CONFIDENCE = 0.95

Means = Mapping[str, NDArray[np.float64]]
"""Player -> float64[1 + RESAMPLES, cases]: the means over seeds as measured (row 0) and resampled."""


class Score(NamedTuple):
    """The result of one game.

    Attributes:
        number: Its place in the tournament's order.
        scenario: The scenario's text.
        player: Who played.
        result: The game's own return.
    """

    number: int
    scenario: str
    player: str
    result: float


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """All scores of a study on one game.

    Attributes:
        cases: Names of the boards or tracks.
        scores: Player -> one sequence of scores (one per seed) for each case; empty where none was played.
        more_is_better: Whether larger scores are better.
        seed: Seed of the resampling.
    """

    cases: tuple[str, ...]
    scores: Mapping[str, Sequence[Sequence[float]]]
    more_is_better: bool
    seed: int

    def means(self, player: str) -> NDArray[np.float64]:
        """Means over seeds, float64[1 + RESAMPLES, cases]; NaN in cases that were not played."""
        return _means(self, player)

    def played(self, *players: str) -> bool:
        """Whether all players have scores in every case."""
        return all(player in self.scores and all(self.scores[player]) for player in players)

    def fewest(self, *players: str) -> int:
        """The smallest number of scores that any of the players has in a case."""
        return min(len(scores) for player in players for scores in self.scores[player])

    def relative(self, player: str, baseline: str) -> Series:
        """A player's scores in percent of a baseline's, case by case and in the mean."""
        ratios = 100 * self.means(player) / self.means(baseline)
        known = ~np.isnan(ratios[0])
        values = tuple(interval(ratios[:, k]) if known[k] else None for k in range(len(self.cases)))
        return Series(player, values, interval(ratios[:, known].mean(axis=1)) if known.any() else None)

    def compare(
        self, title: str, players: Sequence[str], baseline: str, mark: str | None = None, note: str = ""
    ) -> Comparison:
        """Players in percent of a baseline, as a figure.

        Args:
            title: Its title.
            players: The series; those without scores are left out.
            baseline: 100 %.
            mark: Player that is drawn as a mark of reference.
            note: Words below the title.
        """
        there = [player for player in players if player in self.scores]
        return Comparison(
            title=title,
            note=note,
            unit=f"% of {baseline}",
            cases=self.cases,
            series=tuple(self.relative(player, baseline) for player in there),
            mark=self.relative(mark, baseline) if mark is not None and mark in self.scores else None,
            baseline=100.0,
            more_is_better=self.more_is_better,
        )

    def number(self, compute: Callable[[Means], NDArray[np.float64]], *players: str) -> Interval:
        """Any number per resample, computed from the players' means as they are."""
        return interval(compute({player: self.means(player) for player in players}))


@cache
def _means(table: ScoreTable, player: str) -> NDArray[np.float64]:
    chance = np.random.default_rng(derive_seed(table.seed, player))
    found = np.full((1 + RESAMPLES, len(table.cases)), np.nan)
    for case, scores in enumerate(table.scores[player]):
        values = np.asarray(scores, dtype=np.float64)
        if values.size:
            found[0, case] = values.mean()
            found[1:, case] = values[chance.integers(values.size, size=(RESAMPLES, values.size))].mean(axis=1)
    return found


def interval(values: NDArray[np.float64]) -> Interval:
    """Percentile interval; the first value is the estimate, the others are resamples."""
    tail = 100 * (1 - _CONFIDENCE) / 2
    low, high = np.percentile(values[1:], (tail, 100 - tail))
    estimate = float(values[0])
    return Interval(estimate, min(float(low), estimate), max(float(high), estimate), _CONFIDENCE, "bootstrap")
