"""The thesis' claims S1 to S6 and R1 to R3, each as a range in which an interval has to lie.

Words are translated to numbers here: "most" is more than half of the cases, "nearly all" and "all but one" at least
85 %, "some" 10 to 90 %, "close" within 10 %, "about 10 %" from 5 to 15 %, "far better" a quarter more.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from turnwise.report.model import Claim
from turnwise.statistics.case_evidence import (
    AllOf,
    AnyOf,
    Better,
    Statement,
    largest_ratio,
    share_of_cases,
    share_of_pairs,
)
from turnwise.statistics.intervals import Interval
from turnwise.statistics.verdict import Verdict, judge_range
from turnwise.studies.hybrids_2022.agents import ORDERS, SPLITS, VERSIONS, hybrid_name
from turnwise.studies.score_table import Means, ScoreTable

FEWEST_SEEDS = 3
MOST, NEARLY_ALL, SOME, ALL = (0.501, 1.0), (0.85, 1.0), (0.1, 0.9), (0.99, 1.0)


class Judge:
    """Collects the claims about one game.

    Args:
        table: Scores of the game.
        reading: Name of the judged reading in the report: the game, and how effort was counted.
        decided: Whether the effort is large enough to judge the claims.
    """

    def __init__(self, table: ScoreTable, reading: str, decided: bool) -> None:
        self.table = table
        self.reading = reading
        self.decided = decided
        self.claims: list[Claim] = []

    def share(self, text: str, bounds: tuple[float, float], statement: Statement) -> None:
        """Add a claim about the share of the cases in which a statement holds."""
        self._judge(text, bounds, lambda: share_of_cases(self.table, statement), statement.players, share=True)

    def pairs(self, text: str, bounds: tuple[float, float], statements: Sequence[Statement]) -> None:
        """Add a claim about the share of all pairs of a statement and a case."""
        players = tuple(dict.fromkeys(name for one in statements for name in one.players))
        self._judge(text, bounds, lambda: share_of_pairs(self.table, statements), players, share=True)

    def better(self, text: str, bounds: tuple[float, float], first: str, second: str) -> None:
        """Add a claim about the share of the cases in which one agent's mean is better than another's."""
        self.share(text, bounds, Better(first, second))

    def largest(self, text: str, bounds: tuple[float, float], first: str, second: str) -> None:
        """Add a claim about the largest ratio of two agents' means over the cases."""
        self._judge(text, bounds, lambda: largest_ratio(self.table, first, second), (first, second))

    def number(self, text: str, bounds: tuple[float, float], compute: Callable[[Means], Any], *players: str) -> None:
        """Add a claim about a number that is computed from means over the cases."""
        self._judge(text, bounds, lambda: self.table.number(compute, *players), players)

    def _judge(
        self,
        text: str,
        bounds: tuple[float, float],
        measure: Callable[[], Interval],
        players: tuple[str, ...],
        share: bool = False,
    ) -> None:
        if not self.table.played(*players):
            return
        judged = judge_range(measure(), *bounds, share=share)
        if not self.decided:
            judged = replace(judged, verdict=Verdict.NOT_JUDGED, why="too little effort to judge it")
        elif self.table.fewest(*players) < FEWEST_SEEDS:  # one seed has no spread, so anything would be decided
            judged = replace(judged, verdict=Verdict.UNDECIDED, why=f"fewer than {FEWEST_SEEDS} seeds")
        label, _, words = text.partition(" ")
        self.claims.append(Claim(words, judged.verdict, judged.reason, label, self.reading))


def samegame_claims(table: ScoreTable, reading: str, decided: bool) -> list[Claim]:
    """S1 to S6.

    Args:
        table: Scores of the boards.
        reading: See :class:`Judge`.
        decided: Whether the effort is large enough to judge the claims.
    """
    judge = Judge(table, reading, decided)
    rm, mr = (_versions(order, 500) for order in ORDERS)
    judge.better("S1 MCTS beats RHEA on most boards (500 ms each)", MOST, "MCTS 500", "RHEA 500")
    judge.better("S1 MCTS with 500 ms beats RHEA with 1000 ms on most boards", MOST, "MCTS 500", "RHEA 1000")
    for name, order in (("RHEA-MCTS", rm), ("MCTS-RHEA", mr)):
        judge.better(f"S2 {name}: version 2 is better than 1 on nearly all boards", NEARLY_ALL, order[1], order[0])
        judge.better(f"S2 {name}: version 3 is better than 2 on some boards", SOME, order[2], order[1])
        judge.better(f"S2 {name}: version 4 is better than 3 on all boards", ALL, order[3], order[2])
        text = f"S2 {name}: version 4 has up to nearly three times the score of version 3 (2 to 3.5)"
        judge.largest(text, (2.0, 3.5), order[3], order[2])
    for version in (1, 2, 3):
        text = f"S3 version {version}: RHEA-MCTS is better than MCTS-RHEA on most boards"
        judge.better(text, MOST, rm[version - 1], mr[version - 1])
    judge.number(
        "S3 version 4: both orders are close (mean ratio 0.9 to 1.1)", (0.9, 1.1), _ratio(rm[3], mr[3]), rm[3], mr[3]
    )
    judge.better("S3 version 4: MCTS-RHEA is ahead on some boards", SOME, mr[3], rm[3])
    for name, order in (("RHEA-MCTS", rm), ("MCTS-RHEA", mr)):
        text = f"S4 {name} version 4 with 500 ms is above MCTS 500 on some boards"
        judge.better(text, (0.1, 1.0), order[3], "MCTS 500")
        text = f"S4 {name} version 4 with 500 ms is close to MCTS 1000 on some boards (at least 90 %)"
        judge.share(text, (0.1, 1.0), Better(order[3], "MCTS 1000", 0.9))
    _long_searches(judge)
    return judge.claims


def _long_searches(judge: Judge) -> None:
    """S5 and S6: 1000 ms per turn."""
    rm, mr = (hybrid_name(order, 4, 1000) for order in ORDERS)
    judge.share(
        "S5 with 1000 ms at least one hybrid beats MCTS on 16 of 20 boards (0.65 to 0.95)",
        (0.65, 0.95),
        AnyOf(Better(rm, "MCTS 1000"), Better(mr, "MCTS 1000")),
    )
    judge.share(
        "S5 on one board RHEA alone is far better than MCTS and neither hybrid gets near it (0.04 to 0.11)",
        (0.04, 0.11),
        AllOf(Better("RHEA 1000", "MCTS 1000", 1.25), *(Better("RHEA 1000", hybrid, 1 / 0.9) for hybrid in (rm, mr))),
    )
    for order in ORDERS:
        names = [hybrid_name(order, 4, 1000, share) for share in SPLITS]
        judge.number(
            f"S6 {order.upper()}: more time for MCTS is usually better (rank correlation with the mean score 0.3 to 1)",
            (0.3, 1.0),
            _trend(names),
            *names,
        )
    rm, mr = (hybrid_name(order, 4, 1000, 0.2) for order in ORDERS)
    judge.better("S6 with RHEA 200 and MCTS 800 neither order is clearly better", (0.25, 0.75), rm, mr)


def race_claims(table: ScoreTable, reading: str, decided: bool) -> list[Claim]:
    """R1 to R3.

    Args:
        table: Times on the tracks.
        reading: See :class:`Judge`.
        decided: Whether the effort is large enough to judge the claims.
    """
    judge = Judge(table, reading, decided)
    for time in (100, 200):
        rhea, mcts = f"RHEA {time}", f"MCTS {time}"
        judge.better(f"R1 RHEA beats MCTS on all tracks but one ({time} ms)", NEARLY_ALL, rhea, mcts)
        judge.number(
            f"R1 by about 10 % (mean ratio of times 1.05 to 1.15, {time} ms)",
            (1.05, 1.15),
            _ratio(mcts, rhea),
            mcts,
            rhea,
        )
    rm, mr = (_versions(order, 200) for order in ORDERS)
    for name, order in (("RHEA-MCTS", rm), ("MCTS-RHEA", mr)):
        judge.number(
            f"R2 {name}: the four versions hardly differ (largest mean time at most 5 % above the smallest)",
            (1.0, 1.05),
            _spread(order),
            *order,
        )
        judge.number(
            f"R2 {name}: version 1 is far worse than the others (its mean time at least a quarter above the next)",
            (1.25, math.inf),
            _gap(order),
            *order,
        )
    shown = (*rm[1:], *mr[1:])  # figure 4.15, which the claim is about
    judge.share(
        "R3 with 200 ms all hybrids (versions 2 to 4) are worse than RHEA with 200 ms on all tracks but one",
        NEARLY_ALL,
        AllOf(*(Better("RHEA 200", name) for name in shown)),
    )
    judge.pairs(
        "R3 hybrids (versions 2 to 4) are often worse than RHEA with half their time (a third of all pairs or more)",
        (0.34, 1.0),
        [Better("RHEA 100", name) for name in shown],
    )
    return judge.claims


def _versions(order: str, milliseconds: int) -> list[str]:
    return [hybrid_name(order, version, milliseconds) for version in VERSIONS]


def _ratio(first: str, second: str) -> Callable[[Means], Any]:
    """Mean over the cases of the ratio of two agents' means."""
    return lambda means: (means[first] / means[second]).mean(axis=1)


def _spread(names: list[str]) -> Callable[[Means], Any]:
    """Largest mean over all cases among some agents in units of the smallest."""

    def spread(means: Means) -> Any:
        every = np.array([means[name].mean(axis=1) for name in names])
        return every.max(axis=0) / every.min(axis=0)

    return spread


def _gap(names: list[str]) -> Callable[[Means], Any]:
    """Mean over all cases of the first agent in units of the largest among the others."""

    def gap(means: Means) -> Any:
        first, *others = (means[name].mean(axis=1) for name in names)
        return first / np.max(others, axis=0)

    return gap


def _trend(names: list[str]) -> Callable[[Means], Any]:
    """Rank correlation of MCTS's share of the turn with the mean score; names are ordered by RHEA's share."""

    def trend(means: Means) -> Any:
        every = np.array([means[name].mean(axis=1) for name in names])
        middle = (len(names) - 1) / 2
        ranks = every.argsort(axis=0).argsort(axis=0) - middle
        shares = (np.arange(len(names))[::-1] - middle)[:, None]
        return (ranks * shares).sum(axis=0) / (shares**2).sum()

    return trend
