"""What ``bench`` measures in the strategy engine."""

from __future__ import annotations

from turnwise.core.bench import MeasuredSearch, Programme

PROGRAMME = Programme(
    basics=("copy", "step", "legal", "evaluate"),
    searches={  # all in the state as the mover knows it
        "prhea": MeasuredSearch("prhea:worlds=1", "forward_calls"),
        "pgs": MeasuredSearch("pgs:worlds=1,start=random,responses=1000", "forward_calls"),
        "mcts": MeasuredSearch("mcts:worlds=1,scale=range", "forward_calls"),
    },
)
