"""What the searches of one decision have cost, added up."""

from __future__ import annotations

from turnwise.search.plan import SearchReport
from turnwise.search.problem import STOPPED_BY, Problem


class Costs:
    """The costs of searches, one after the other; a report for each of them would take longer than a small search."""

    def __init__(self) -> None:
        self._counters: list[list[int]] = []
        self._seconds = 0.0
        self._details: list[dict[str, float]] = []

    def add(self, problem: Problem, details: dict[str, float]) -> None:
        """Add a search that has just ended.

        Args:
            problem: The search.
            details: The planner's own figures.
        """
        self._counters.append(problem.counters)
        self._seconds += problem.seconds
        self._details.append(details)

    def report(self, stop: int) -> SearchReport:
        """The report of all searches together, at least one.

        Args:
            stop: Why the last one ended.
        """
        calls, _, for_others, evaluations, iterations = map(sum, zip(*self._counters, strict=True))
        means, count = means_of(self._details), len(self._details)
        return SearchReport(self._seconds, calls, evaluations, iterations, STOPPED_BY[stop], means, count, for_others)


def means_of(details: list[dict[str, float]]) -> dict[str, float]:
    """The mean of each figure over several searches, the first ones of which may not have it."""
    means: dict[str, float] = {}
    for count, one in enumerate(details):
        for name, value in one.items():
            before = means.get(name)
            means[name] = value if before is None else (before * count + value) / (count + 1)
    return means
