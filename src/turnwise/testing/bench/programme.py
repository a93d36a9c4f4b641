"""What ``bench`` measures of which game: a planner's figure is one line in :data:`PROGRAMMES`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from turnwise.core.budget import Budget
from turnwise.core.game import Game

ROUNDS = 5  # behind one that is not counted
BASIC_SHARE = 0.1  # of the time per figure, state and round, for the basic operations


@dataclass(frozen=True, slots=True)
class Search:
    """A planner's figure.

    Attributes:
        planner: Name and parameters.
        count: What is counted, a counter of its search report: "iterations", "evaluations", "forward_calls".
        budget: What each search may spend; None: the time per figure, state and round.
        usual: About how many CPU seconds a search of that budget takes, for telling how long all will take.
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

    def expected_seconds(self, states: int, seconds: float) -> float:
        """About how many CPU seconds all figures take, nothing counted that is compiled first.

        Args:
            states: How many sample states there are.
            seconds: Time per figure, state and round.
        """
        in_turn = (len(self.playouts) + len(self.steps)) * seconds
        basic = len(self.basics) * states * BASIC_SHARE * seconds
        searched = states * sum(seconds if one.budget is None else one.usual for one in self.searches.values())
        return (1 + ROUNDS) * (in_turn + basic + searched)


USUAL = Programme(
    searches={
        "greedy-turn": Search("greedy-turn", "evaluations"),
        "mcts": Search("mcts:preset=as-coded", "iterations"),
        "online-evolution": Search("online-evolution", "iterations"),
    }
)


def _all_tracks() -> Sequence[str]:
    from turnwise.games.search_race.scenario import tracks

    return [f"search-race:track={name}" for name in tracks()]


SCHADD = "sp-mcts:preset=schadd,exploration=0.1,deviation=1.28e-6"
PROGRAMMES: Mapping[str, Programme] = {
    "search-race": Programme(
        basics=("copy", "legal", "evaluate"),
        steps={"step": _all_tracks},
        searches={  # steps of the searches that hybrids-2022 gives equal time, each with 200 ms worth of them
            "rhea-steps": Search("rhea:preset=search-race", "forward_calls", Budget(forward_calls=3_000_000), 0.1),
            "sp-mcts-steps": Search("sp-mcts:preset=search-race", "forward_calls", Budget(forward_calls=150_000), 0.1),
            "sp-mcts-rollouts-steps": Search(
                "sp-mcts:preset=search-race,rollout-depth=10", "forward_calls", Budget(forward_calls=900_000), 0.1
            ),
        },
    ),
    "samegame": Programme(
        {"playout": "uniform", "playout-tabu": "tabu-colour"},
        True,
        ("copy", "legal", "evaluate"),
        {
            # the exploiting one of the settings that Schadd et al. published, C = 0.1, D = 32; the best peer is theirs
            "sp-mcts": Search(SCHADD, "iterations", Budget(iterations=100_000), 2.0),
            "sp-mcts-thesis": Search("sp-mcts:preset=samegame", "iterations", Budget(iterations=100_000), 2.3),
            "nrpa": Search("nrpa:levels=4,iterations=10", "iterations"),
        },
    ),
}


def programme_of(game: Game) -> Programme:
    """What is measured of a game."""
    return PROGRAMMES.get(game.name, USUAL)
