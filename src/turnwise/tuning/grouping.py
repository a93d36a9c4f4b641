"""Values of a dimension together, where there are too many for a plot: neighbours of numbers, rare categories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from turnwise.core.errors import counted
from turnwise.report.words import DASH
from turnwise.tuning.estimates import TrialResult
from turnwise.tuning.space import INACTIVE, Space

MOST_GROUPS = 12  # rows of a plot; rows and columns of a table


@dataclass(frozen=True, slots=True)
class Grouping:
    """How the values of a dimension are shown.

    Attributes:
        of: Index of a value -> number of its group.
        labels: The groups in words.
    """

    of: tuple[int, ...]
    labels: tuple[str, ...]


def grouping(space: Space, place: int, evaluations: Iterable[TrialResult]) -> Grouping:
    """The groups of a dimension's values: each value is its own if there are at most ``MOST_GROUPS``.

    More numbers are put together with their neighbours. Of more categories, the ones evaluated most often stand for
    themselves, and all others are one group.

    Args:
        space: The space.
        place: The dimension.
        evaluations: By which categories are ranked.
    """
    size = space.dimensions[place].size
    if size <= MOST_GROUPS:
        return Grouping(tuple(range(size)), tuple(space.label(place, index) for index in range(size)))
    if space.dimensions[place].is_ordered:
        return _neighbours(space, place)
    numbers = Counter(each.trial.point[place] for each in evaluations)
    del numbers[INACTIVE]
    ranked = sorted(range(size), key=lambda index: -numbers[index])
    alone = sorted(ranked[: MOST_GROUPS - 1])
    others = counted(size - len(alone), "other")
    return Grouping(
        tuple(alone.index(index) if index in alone else len(alone) for index in range(size)),
        (*(space.label(place, index) for index in alone), others),
    )


def _neighbours(space: Space, place: int) -> Grouping:
    """Groups of equally many neighbouring values; the last may be smaller."""
    size = space.dimensions[place].size
    width = -(-size // MOST_GROUPS)
    labels = []
    for low in range(0, size, width):
        high = min(low + width, size) - 1
        first, last = space.label(place, low), space.label(place, high)
        labels.append(first if low == high else f"{first} {DASH} {last}")
    return Grouping(tuple(index // width for index in range(size)), tuple(labels))
