"""What ``bench`` measures in Search Race."""

from __future__ import annotations

from collections.abc import Sequence

from turnwise.core.bench import MeasuredSearch, Programme
from turnwise.core.budget import Budget


def all_tracks() -> Sequence[str]:
    """Every track of the contest as a scenario's text."""
    from turnwise.games.search_race.scenario import tracks

    return [f"search-race:track={name}" for name in tracks()]


PROGRAMME = Programme(
    basics=("copy", "legal", "evaluate"),
    steps={"step": all_tracks},
    searches={  # the searches to which hybrids-2022 gives equal time, each with steps for 200 ms
        "rhea-steps": MeasuredSearch("rhea:preset=search-race", "forward_calls", Budget(forward_calls=3_000_000), 0.1),
        "sp-mcts-steps": MeasuredSearch(
            "sp-mcts:preset=search-race", "forward_calls", Budget(forward_calls=150_000), 0.1
        ),
        "sp-mcts-rollouts-steps": MeasuredSearch(
            "sp-mcts:preset=search-race,rollout-depth=10", "forward_calls", Budget(forward_calls=900_000), 0.1
        ),
    },
)
