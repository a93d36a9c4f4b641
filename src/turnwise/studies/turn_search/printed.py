"""What is published: tables and figures of the paper, and of the thesis on which it is based.

The thesis: N. Justesen, *Artificial Intelligence for Hero Academy*, IT University of Copenhagen, 2015.
"""

from __future__ import annotations

from collections.abc import Mapping

from turnwise.studies.oe_2016.claims import TABLE_2 as TABLE_2016

Pair = tuple[str, str]

PAPER = "Justesen, Mahlmann, Risi & Togelius 2018"
THESIS = "Justesen 2015, thesis"
GAMES = 100
"""Games of each pair, and of each point of a figure."""
NE, BB, OE = "mcts-non-exploring", "mcts-bridge-burning", "online-evolution"

TABLE_II: Mapping[Pair, float] = {pair: score for pair, score in TABLE_2016.items() if "random" not in pair} | {
    ("greedy-action", NE): 0.02,
    ("greedy-action", BB): 0.07,
    ("greedy-turn", NE): 0.23,
    ("greedy-turn", BB): 0.265,
    ("mcts", NE): 0.0,
    ("mcts", BB): 0.045,
    (NE, "greedy-action"): 0.98,
    (NE, "greedy-turn"): 0.77,
    (NE, "mcts"): 1.0,
    (NE, BB): 0.80,
    (NE, OE): 0.58,
    (BB, "greedy-action"): 0.93,
    (BB, "greedy-turn"): 0.735,
    (BB, "mcts"): 0.955,
    (BB, NE): 0.20,
    (BB, OE): 0.48,
    (OE, NE): 0.42,
    (OE, BB): 0.52,
}
"""Table II: score of the row against the column, five action points, 6 s. It repeats the table of 2016, with one
misprint (greedy action against online evolution: 2.0); that cell is the one of 2016 here."""

ACTION_POINTS = (1, 3, 5, 10, 15, 20, 25)
SWEEP: Mapping[str, tuple[float, ...]] = {
    "mcts": (0.38, 0.575, 0.985, 1.0, 1.0, 1.0, 1.0),
    NE: (0.285, 0.27, 0.51, 0.78, 0.78, 0.65, 0.58),
    BB: (0.385, 0.54, 0.39, 0.59, 0.59, 0.56, 0.58),
}
"""Figure 5: score of online evolution against each, by action points, 2 s; read off the figure to half a point."""

ISLANDS: Mapping[str, float] = {"1s": 0.61, "2s": 0.63}
"""Thesis: score of four islands on four cores against one population, by time per turn."""

TIMES = (47, 94, 188, 375, 750, 1500, 3000)
"""Milliseconds per turn of the thesis' Figure 5.7."""
AGAINST_GREEDY_TURN: Mapping[str, tuple[float, ...]] = {
    NE: (0.639, 0.669, 0.769, 0.808, 0.788, 0.824, 0.838),
    "online-evolution in islands": (0.030, 0.753, 0.788, 0.893, 0.848, 0.913, 0.953),
}
"""Figure 5.7 of the thesis: score against greedy turn with 3 s, by time per turn; read off the figure."""
