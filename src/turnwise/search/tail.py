"""Time budgets that whole decisions keep to: what comes after the search is measured and kept back.

A search ends at its deadline, or at its next look at the clock. Then its memory is given back, the line is completed to
a legal turn, and texts are written. How long that takes depends on planner, game and machine, so the last decisions
say how much time to keep back in the next one.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from turnwise.core.budget import Budget

_REMEMBERED = 9  # decisions
_PASSED_OVER = 1  # the longest of these: a process that is interrupted by others says nothing of the next decision
_FIRST_GUESS = 0.002  # seconds
_LARGEST_SHARE = 0.25  # of the budget


class Tail:
    """How long decisions of one kind go on after their search's deadline."""

    def __init__(self) -> None:
        self._last: list[float] = []  # seconds

    @property
    def seconds(self) -> float:
        """What the next decision is expected to need: most of the last ones needed less."""
        if not self._last:
            return _FIRST_GUESS
        ranked = sorted(self._last, reverse=True)
        return ranked[min(_PASSED_OVER, len(ranked) // 3)]

    def shortened(self, budget: Budget) -> Budget:
        """A decision's budget as a budget for its search; the same where time is no limit."""
        if budget.seconds is None:
            return budget
        return replace(budget, seconds=budget.seconds - min(self.seconds, _LARGEST_SHARE * budget.seconds))

    def note(self, seconds: float) -> None:
        """Note how long a decision went on after its search's deadline."""
        self._last = [*self._last[1 - _REMEMBERED :], seconds]  # threads may share this: one assignment


@cache
def tail_of(planner: type, game: type) -> Tail:
    """The one of a kind of planner in a kind of game, in this process."""
    return Tail()
