"""Search effort and numbers of games of one run.

The unit is a duration, "what the paper's machine did in so many seconds a turn". It is counted: in the units that the
papers report where they report them, and in forward-model calls for everybody else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from turnwise.studies.base import Request
from turnwise.studies.oe_2016.experiment import MAXIMIN_CALLS, PAPER_WORK

PAPER_SECONDS = 6.0
WORK: Mapping[str, int] = PAPER_WORK | {
    "mcts-non-exploring": PAPER_WORK["mcts"],
    "mcts-bridge-burning": PAPER_WORK["mcts"],
}
"""Iterations in 6 s. The two variants of MCTS have as many simulations as MCTS; their own are not published."""
USUAL_POINTS = 5  # action points of the published work
OUR_TIME = 200.0
"""Milliseconds per turn of our own comparisons at equal time; counted, they are as long on the paper's machine."""
SHORT_TIME = 10.0
"""The same in games that are not the papers', whose games are longer."""
OUR_CALLS = 20_000
"""Forward-model calls per turn in games that are not the papers': 2,000 for each of ten actions."""
SHARES = {"paper": 1.0, "hour": 0.1, "quick": 0.02}
"""Shares of counted work."""
TIME_SHARES = {"paper": 1.0, "hour": 0.25, "quick": 0.025}
"""Shares of times per turn, in the parts that limit time."""
GAMES = {"paper": 100, "hour": 10, "quick": 2}
"""Games per pair of Table II."""


@dataclass(frozen=True)
class TurnEffort:
    """The effort of a run.

    Attributes:
        name: "paper", "hour", "quick", or a time.
        games: Games per pair of Table II.
        share: Share of the published work.
        time_share: Share of the times in parts that limit time.
        milliseconds: Wall time per turn that takes the place of the published 6 s; None: work is counted.
    """

    name: str
    games: int
    share: float = 1.0
    time_share: float = 1.0
    milliseconds: float | None = None

    @property
    def is_paper(self) -> bool:
        """Whether all claims are judged."""
        return self.name == "paper"

    @property
    def is_published_time(self) -> bool:
        """Whether the published planners have the published 6 s a turn, on the machine that plays."""
        return self.milliseconds == 1000 * PAPER_SECONDS

    def work(self, planner: str, seconds: float = PAPER_SECONDS, points: int = USUAL_POINTS, cores: int = 1) -> str:
        """The budget of a turn in the unit that is published for a planner, or in forward-model calls.

        Args:
            planner: Registry name of the planner.
            seconds: Published time per turn that the work corresponds to.
            points: Action points of a turn. A generation, and a simulation, plays whole turns: in the same time there
                are fewer of them.
            cores: Number of cores that work at the same time.
        """
        if planner not in WORK or self.milliseconds is not None:
            return self.calls(seconds)
        done = WORK[planner] * self.share * seconds / PAPER_SECONDS * USUAL_POINTS / points * cores
        return f"iterations={max(1, round(done))}"

    def calls(self, seconds: float, times: float = 1.0) -> str:
        """The budget of a turn in forward-model calls.

        Args:
            seconds: Published time per turn that the calls correspond to.
            times: A multiple of it.
        """
        if self.milliseconds is not None:
            return f"time={self.milliseconds * seconds / PAPER_SECONDS * times:.6g}ms"
        return f"forward={max(1, round(MAXIMIN_CALLS * self.share * seconds / PAPER_SECONDS * times))}"

    def forward(self, calls: int, times: float = 1.0) -> str:
        """The budget of a turn in games that are not the papers': a number of forward-model calls."""
        return f"forward={max(1, round(calls * self.share * times))}"

    def time(self, milliseconds: float, times: float = 1.0) -> str:
        """The budget of a turn as wall time."""
        return f"time={milliseconds * self.time_share * times:.6g}ms"

    def number(self, multiple: float) -> int:
        """An even number of games, at least two: a multiple of those of Table II."""
        return max(2, round(self.games * multiple / 2) * 2)


def effort_of(request: Request) -> TurnEffort:
    """The requested effort; the number of games is even, since every start is played from both seats."""
    count = request.games
    if count is None:
        count = GAMES[request.effort if request.time_ms is None else "quick"]
    if count % 2:
        count += 1
        request.say(f"{count} games per pair instead of {count - 1}: every start is played from both seats.")
    if request.time_ms is not None:
        return TurnEffort(f"{request.time_ms:g}ms", count, 0.0, request.time_ms / OUR_TIME, request.time_ms)
    return TurnEffort(request.effort, count, SHARES[request.effort], TIME_SHARES[request.effort])
