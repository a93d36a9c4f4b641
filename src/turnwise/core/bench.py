"""What ``bench`` measures of a game; a game that has its own programme declares it in its folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from turnwise.core.budget import Budget


@dataclass(frozen=True, slots=True)
class MeasuredSearch:
    """A measurement of a planner.

    Attributes:
        planner: Name and parameters.
        count: The counter of its search report that is measured: "iterations", "evaluations", "forward_calls".
        budget: Budget of each search; None: the time per figure, state and round.
        usual: Approximate CPU seconds of a search with that budget, to predict how long all measurements take.
    """

    planner: str
    count: str
    budget: Budget | None = None
    usual: float = 0.0


@dataclass(frozen=True, slots=True)
class MeasuredLine:
    """A measurement of the forward model: lines of random legal actions, each from a copy of the same state.

    Attributes:
        turn: The lines begin at the first state of random play whose turn number is this or higher.
        actions: Length of a line; one that ends the game is shorter.
    """

    turn: int
    actions: int


@dataclass(frozen=True, slots=True)
class Programme:
    """The measurements of a game.

    Attributes:
        playouts: Figure -> rollout policy that plays games to their end.
        from_samples: Whether playouts start from the sample states, in rotation, instead of from the game's start.
        basics: Basic operations, measured in the sample states: "copy", "step" (a copy and one legal action played in
            it), "legal", "legal-pruned", "evaluate".
        searches: Figure -> planner.
        steps: Figure -> scenarios that are played in rotation by uniform moves from the list of legal moves at their
            start. This measures the rules alone, for games in which every move is always legal.
        lines: Figure -> lines of random actions; it counts actions, with the legal list of each.
        starts: Name of the figure for making first states, where these are generated; empty: not measured.
    """

    playouts: Mapping[str, str] = field(default_factory=lambda: {"playout": "uniform"})
    from_samples: bool = False
    basics: tuple[str, ...] = ("copy", "legal", "legal-pruned", "evaluate")
    searches: Mapping[str, MeasuredSearch] = field(default_factory=dict)
    steps: Mapping[str, Callable[[], Sequence[str]]] = field(default_factory=dict)
    lines: Mapping[str, MeasuredLine] = field(default_factory=dict)
    starts: str = ""

    @property
    def figures(self) -> int:
        """Number of figures."""
        return len(self.names)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the figures in the order in which they are measured."""
        starts = (self.starts,) if self.starts else ()
        return (*self.playouts, *self.steps, *self.lines, *starts, *self.basics, *self.searches)
