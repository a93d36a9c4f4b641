"""What ``bench`` measures in SameGame."""

from __future__ import annotations

from turnwise.core.bench import MeasuredSearch, Programme
from turnwise.core.budget import Budget

SCHADD = "sp-mcts:preset=schadd,exploration=0.1,deviation=1.28e-6"

PROGRAMME = Programme(
    {"playout": "uniform", "playout-tabu": "tabu-colour"},
    True,
    ("copy", "legal", "evaluate"),
    {
        # the exploiting setting that Schadd et al. published, C = 0.1, D = 32; the best peer is theirs
        "sp-mcts": MeasuredSearch(SCHADD, "iterations", Budget(iterations=100_000), 2.0),
        "sp-mcts-thesis": MeasuredSearch("sp-mcts:preset=samegame", "iterations", Budget(iterations=100_000), 2.3),
        "nrpa": MeasuredSearch("nrpa:levels=4,iterations=10", "iterations"),
    },
)
