"""Time budgets for whole decisions: the time that is needed after the search is measured and reserved.

A search ends at its deadline, or when it next reads the clock. Then its memory is released, the line is completed to a
legal turn, and texts are written. How long that takes depends on planner, game and machine, so the last decisions
determine how much time to reserve in the next one.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from turnwise.core.budget import Budget

_REMEMBERED = 9  # decisions
_PASSED_OVER = 1  # the longest of these: a delay by other processes says nothing about the next decision
_FIRST_GUESS = 0.002  # seconds
_LARGEST_SHARE = 0.25  # of the budget


class Tail:
    """How long decisions of one kind take after their search's deadline."""

    def __init__(self) -> None:
        self._last: list[float] = []  # seconds

    @property
    def seconds(self) -> float:
        """What the next decision is expected to need; most of the last ones needed less."""
        if not self._last:
            return _FIRST_GUESS
        ranked = sorted(self._last, reverse=True)
        return ranked[min(_PASSED_OVER, len(ranked) // 3)]

    def shortened(self, budget: Budget) -> Budget:
        """A decision's budget as a budget for its search; unchanged if time is not limited."""
        if budget.seconds is None:
            return budget
        return replace(budget, seconds=budget.seconds - min(self.seconds, _LARGEST_SHARE * budget.seconds))

    def note(self, seconds: float) -> None:
        """Record how long a decision took after its search's deadline."""
        self._last = [*self._last[1 - _REMEMBERED :], seconds]  # threads may share this: one assignment


@cache
def tail_of(planner: type, game: type) -> Tail:
    """The tail of a class of planners in a class of games, one in this process."""
    return Tail()
