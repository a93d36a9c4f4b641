"""Scores of single-player games by player, case and seed, and statistics on them with intervals.

Cases (boards, tracks) are fixed, seeds are a sample: intervals of means, and of numbers computed from means, come from
resampling the seeds of each player in each case. With few seeds such intervals are too narrow (by a tenth with five, by
a fifth with three), so a study reports its number of seeds. For counts of cases see
:mod:`turnwise.statistics.case_evidence`.
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
        number: Place in the tournament's order.
        scenario: The scenario's text.
        player: Name of the player.
        result: The game's return.
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
        scores: Player -> one sequence of scores (one per seed) for each case; empty if none was played.
        more_is_better: Whether larger scores are better.
        seed: Seed of the resampling.
    """

    cases: tuple[str, ...]
    scores: Mapping[str, Sequence[Sequence[float]]]
    more_is_better: bool
    seed: int

    def means(self, player: str) -> NDArray[np.float64]:
        """Means over seeds, float64[1 + RESAMPLES, cases]; NaN for cases that were not played."""
        return _means(self, player)

    def played(self, *players: str) -> bool:
        """Whether all players have scores in every case."""
        return all(player in self.scores and all(self.scores[player]) for player in players)

    def fewest(self, *players: str) -> int:
        """The smallest number of scores that a player has in a case."""
        return min(len(scores) for player in players for scores in self.scores[player])

    def relative(self, player: str, baseline: str) -> Series:
        """A player's scores in percent of a baseline's, for each case and on average."""
        ratios = 100 * self.means(player) / self.means(baseline)
        known = ~np.isnan(ratios[0])
        values = tuple(interval(ratios[:, k]) if known[k] else None for k in range(len(self.cases)))
        return Series(player, values, interval(ratios[:, known].mean(axis=1)) if known.any() else None)

    def compare(
        self, title: str, players: Sequence[str], baseline: str, mark: str | None = None, note: str = ""
    ) -> Comparison:
        """Compare players in percent of a baseline, as a figure.

        Args:
            title: Title of the figure.
            players: The series; those without scores are left out.
            baseline: The player whose scores are 100 %.
            mark: Player drawn as a reference mark.
            note: Text below the title.
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
        """Interval of any number computed from the players' means, for each resample."""
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
