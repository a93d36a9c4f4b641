"""What ``bench`` measures in Tribes."""

from __future__ import annotations

from turnwise.core.bench import MeasuredLine, MeasuredSearch, Programme

ACTIONS = 20
"""Actions of a line, as many as the searches of the published experiments look ahead."""

PROGRAMME = Programme(
    lines={f"forward-{turn}": MeasuredLine(turn, ACTIONS) for turn in (0, 10, 20, 30)},
    starts="levels",
    basics=("copy", "step", "legal", "evaluate"),
    searches={
        "oep": MeasuredSearch("oep", "forward_calls"),
        "emcts": MeasuredSearch("emcts", "forward_calls"),
        "rhea": MeasuredSearch("rhea", "forward_calls"),
        "mcts": MeasuredSearch("mcts", "forward_calls"),
    },
)
