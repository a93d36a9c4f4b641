"""Search effort, levels and numbers of games of one run."""

from __future__ import annotations

from dataclasses import dataclass

from turnwise.studies.base import Request
from turnwise.studies.tribes_2021.levels import LEVEL_SEEDS

CALLS = {"paper": 2000, "hour": 500, "quick": 200}
"""Forward-model calls for every action."""
LEVELS = {"paper": len(LEVEL_SEEDS), "hour": 10, "quick": 2}
GAMES = {"paper": 500, "hour": 20, "quick": 8}
"""Games per pair."""


@dataclass(frozen=True)
class TribesEffort:
    """The effort of a run.

    Attributes:
        name: "paper", "hour" or "quick".
        calls: Forward-model calls for every action.
        levels: Number of levels of the tables.
        games: Games per pair of Figures 5 to 8; other parts have at most as many.
    """

    name: str
    calls: int
    levels: int
    games: int

    @property
    def budget(self) -> str:
        """The budget of every action."""
        return f"forward={self.calls}/action"

    def of_turn(self, actions: float) -> str:
        """The budget of a turn, as a number of actions of which each has the budget of an action."""
        return f"forward={max(1, round(actions * self.calls))}"

    def on_levels(self, most: int) -> int:
        """Games of a pair on each level: even, so that tribes are swapped, and at most ``most`` on all levels.

        There are at least two.
        """
        return max(2, min(self.games, most) // self.levels // 2 * 2)

    def elsewhere(self, most: int, seatings: int = 2) -> int:
        """Games of a meeting on levels that differ from start to start: a multiple of the number of seatings."""
        return max(1, min(self.games, most) // seatings) * seatings


def effort_of(request: Request) -> TribesEffort:
    """The requested effort; every level is played equally often from both seats."""
    levels = LEVELS[request.effort]
    asked = request.games if request.games is not None else GAMES[request.effort]
    count = -(-asked // (2 * levels)) * 2 * levels
    if count != asked:
        request.say(f"{count} games per pair instead of {asked}: {levels} levels are played from both seats.")
    return TribesEffort(request.effort, CALLS[request.effort], levels, count)
