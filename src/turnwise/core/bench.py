"""What ``bench`` measures of a game; a game with a programme of its own has it in its folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from turnwise.core.budget import Budget


@dataclass(frozen=True, slots=True)
class Search:
    """A planner's figure.

    Attributes:
        planner: Name and parameters.
        count: What is counted, a counter of its search report: "iterations", "evaluations", "forward_calls".
        budget: What each search may spend; None: the time per figure, state and round.
        usual: About how many CPU seconds a search of that budget takes, to predict how long all will take.
    """

    planner: str
    count: str
    budget: Budget | None = None
    usual: float = 0.0


@dataclass(frozen=True, slots=True)
class Programme:
    """What is measured of a game.

    Attributes:
        playouts: Figure -> rollout policy that plays games to their end.
        from_samples: Whether playouts begin in the sample states in turn instead of at the game's start.
        basics: Basic operations in the sample states.
        searches: Figure -> planner.
        steps: Figure -> scenarios that are played in turn by uniform moves from the list at their start: the bare
            rules, for games whose moves are always legal.
    """

    playouts: Mapping[str, str] = field(default_factory=lambda: {"playout": "uniform"})
    from_samples: bool = False
    basics: tuple[str, ...] = ("copy", "legal", "legal-pruned", "evaluate")
    searches: Mapping[str, Search] = field(default_factory=dict)
    steps: Mapping[str, Callable[[], Sequence[str]]] = field(default_factory=dict)

    @property
    def figures(self) -> int:
        """How many figures there are."""
        return len(self.playouts) + len(self.basics) + len(self.searches) + len(self.steps)
