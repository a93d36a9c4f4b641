"""Figures 5 to 8 of the report, and the win rates of the two papers on the same agents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

Pair = tuple[str, str]
GAMES = 500
"""Games of every pair in Figures 5 to 8, and in the tables of the two papers."""
METRICS = ("score", "technologies", "cities", "production")


class Printed(NamedTuple):
    """One agent's games against another one, as printed.

    Attributes:
        wins: Games won of 500.
        score: Mean final score.
        technologies: Mean number of technologies at the end.
        cities: Mean number of cities.
        production: Mean production.
    """

    wins: int
    score: float
    technologies: float
    cities: float
    production: float

    @property
    def share(self) -> float:
        """Share of the games won."""
        return self.wins / GAMES


IMPROVED: Mapping[Pair, Printed] = {
    ("oep", "simple"): Printed(203, 8498.1, 20.64, 1.48, 12.9),
    ("oep", "rhea"): Printed(165, 9568.55, 21.4, 2.07, 17.25),
    ("oep", "osla"): Printed(244, 9909.2, 22.02, 2.19, 18.27),
    ("oep", "mcts"): Printed(301, 10714.42, 22.16, 2.74, 22.49),
    ("oep", "emcts"): Printed(305, 10964.83, 23.25, 2.53, 21.43),
    ("emcts", "simple"): Printed(180, 7913.35, 20.98, 1.41, 11.48),
    ("emcts", "rhea"): Printed(93, 9160.91, 21.8, 1.89, 15.41),
    ("emcts", "osla"): Printed(187, 9505.58, 22.23, 1.99, 16.67),
    ("emcts", "mcts"): Printed(218, 9630.06, 21.69, 2.29, 18.45),
    ("emcts", "oep"): Printed(195, 9503.9, 22.56, 1.94, 16.18),
    ("simple", "oep"): Printed(297, 7789.08, 17.87, 3.01, 21.14),
    ("rhea", "oep"): Printed(335, 12220.01, 23.8, 2.34, 19.25),
    ("osla", "oep"): Printed(256, 10005.86, 22.27, 2.16, 17.19),
    ("mcts", "oep"): Printed(199, 8949.84, 22.34, 1.49, 10.76),
    ("simple", "emcts"): Printed(320, 8150.63, 18.43, 3.08, 22.44),
    ("rhea", "emcts"): Printed(407, 13300.69, 23.81, 2.59, 22.14),
    ("osla", "emcts"): Printed(313, 10869.6, 22.84, 2.46, 20.31),
    ("mcts", "emcts"): Printed(282, 9672.83, 22.37, 1.89, 13.74),
}
"""Figures 5 and 6: (agent, rival) -> the agent's numbers."""

BEFORE: Mapping[Pair, Printed] = {
    ("oep", "simple"): Printed(195, 8123.82, 20.84, 1.5, 12.35),
    ("oep", "rhea"): Printed(198, 9913.83, 21.62, 2.26, 18.73),
    ("oep", "osla"): Printed(252, 9752.34, 22.19, 2.35, 18.75),
    ("oep", "mcts"): Printed(315, 10680.74, 22.42, 2.87, 22.69),
    ("oep", "emcts"): Printed(315, 10409.94, 22.84, 2.55, 20.29),
    ("simple", "oep"): Printed(305, 7794.46, 18.04, 2.097, 21.35),
    ("rhea", "oep"): Printed(302, 11925.07, 23.51, 2.11, 17.72),
    ("osla", "oep"): Printed(248, 9530.66, 21.481, 2.06, 16.23),
    ("mcts", "oep"): Printed(185, 9021.59, 22.84, 1.34, 10.05),
    ("emcts", "oep"): Printed(185, 9125.4, 22.09, 1.79, 15.15),
}
"""Figures 7 and 8. Printed are 2097 cities of ``simple`` and 214.81 technologies of ``osla``, in which a point is
missing or misplaced: more than a map's cities and more than the 24 technologies."""

TRIBES_2020: Mapping[Pair, float] = {
    ("rhea", "simple"): 0.586,
    ("rhea", "mcts"): 0.63,
    ("rhea", "mc"): 0.778,
    ("rhea", "osla"): 0.748,
}
"""Shares of games won in Table 1 of the framework's paper (2020)."""

TOTALS_2020: Mapping[str, float] = {"rhea": 0.7484, "simple": 0.658, "mcts": 0.6044, "mc": 0.5032}
"""Shares of all games won there; the other agents are ``osla`` and ``random``."""
AGENTS_2020 = (*TOTALS_2020, "osla", "random")

PRUNED_2020: Mapping[Pair, float] = {
    ("pruned-mcts", "simple"): 0.569,
    ("pruned-mcts", "mcts"): 0.633,
    ("pruned-mcts", "rhea"): 0.578,
    ("mcts", "simple"): 0.438,
    ("mcts", "rhea"): 0.37,
}
"""Shares of games won by MCTS with and without pruning (Hsu & Perez-Liebana 2020), of 5,000 games."""
PRUNED_GAMES = 5000

PORTFOLIO_2021: Mapping[Pair, float] = {
    ("portfolio-mcts", "mcts"): 0.656,
    ("portfolio-mcts", "rhea"): 0.564,
    ("unpruning-portfolio-mcts", "mcts"): 0.686,
    ("unpruning-portfolio-mcts", "rhea"): 0.678,
}
"""Shares of games won by portfolio MCTS without and with progressive unpruning (Perez-Liebana et al. 2021)."""
