"""Figures of a game's size from self-play, with the published figures that the game declares."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import fmean, median
from typing import Any

from turnwise.complexity.turn_outcomes import TurnOutcomes
from turnwise.statistics.intervals import Interval, bootstrap_mean


@dataclass(frozen=True, slots=True)
class Choice:
    """One decision of a game, without forced ends of turns.

    Attributes:
        turn: Place of the turn in the game, from 1; turns of all players count.
        action: Place of the action within its turn, from 1.
        listed: Number of legal actions.
        pruned: Number of those that the game's pruner keeps.
    """

    turn: int
    action: int
    listed: int
    pruned: int


@dataclass(frozen=True, slots=True)
class Group:
    """Decisions that belong together (the same turn, or the same place in a turn).

    Attributes:
        number: Turn number, or place in the turn.
        decisions: Number of decisions.
        listed: Mean number of legal actions.
        pruned: Mean number of those that the pruner keeps.
    """

    number: int
    decisions: int
    listed: float
    pruned: float


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game.

    Attributes:
        choices: The decisions of the game.
        turns: Number of turns of all players together.
        ending: How the game ended.
    """

    choices: tuple[Choice, ...]
    turns: int
    ending: str


@dataclass(frozen=True)
class Branching:
    """The measurements of a game.

    Attributes:
        game: The scenario's text.
        players: The players' texts: one per seat, or more, of which every combination played.
        budget: The budget's text.
        seed: Seed of the whole measurement.
        seats: Number of players.
        games: The games.
        outcomes: Turns of sampled positions, with all legal actions.
        pruned_outcomes: The same for the actions that the pruner keeps.
        paper: Published figures of this scenario by row; empty if there are none.
        paper_note: Note on the published figures, or why they are left out; empty if none were published.
    """

    game: str
    players: tuple[str, ...]
    budget: str
    seed: int
    seats: int
    games: tuple[PlayedGame, ...]
    outcomes: tuple[TurnOutcomes, ...] = ()
    pruned_outcomes: tuple[TurnOutcomes, ...] = ()
    paper: Mapping[str, str] = field(default_factory=dict)
    paper_note: str = ""

    @property
    def choices(self) -> list[Choice]:
        """All decisions of all games."""
        return [choice for game in self.games for choice in game.choices]

    def by_turn(self) -> list[Group]:
        """Mean branching factor by turn number."""
        return _grouped(self.choices, lambda choice: choice.turn)

    def by_action(self) -> list[Group]:
        """Mean branching factor by place of the action within its turn."""
        return _grouped(self.choices, lambda choice: choice.action)

    @property
    def turn_lengths(self) -> list[int]:
        """Actions per turn, forced ends not counted."""
        return [length for game in self.games for length in Counter(choice.turn for choice in game.choices).values()]

    def endings(self) -> dict[str, float]:
        """Share of the games by ending."""
        counted = Counter(game.ending for game in self.games)
        return {ending: count / len(self.games) for ending, count in sorted(counted.items())}

    def turn_branching(self) -> float:
        """Geometric mean over all turns of the product of the numbers of legal actions: action sequences of a turn."""
        return float(10 ** fmean(value for game in self.games for value in _turn_digits(game)))

    def turn_branching_interval(self) -> Interval | None:
        """The same, each game counted once, with an interval from resampled games; None: fewer than two games."""
        means = [fmean(_turn_digits(game)) for game in self.games if game.choices]
        return _power_of_ten(means, self.seed)

    def outcomes_interval(self) -> Interval | None:
        """Geometric mean of the distinct outcomes of the sampled turns, with an interval from resampled turns."""
        return _power_of_ten([math.log10(max(1.0, each.outcomes)) for each in self.outcomes], self.seed)

    def tree_digits(self) -> float:
        """Mean over the games of log10 of the product of all numbers of legal actions: the game tree's size."""
        return fmean(sum(math.log10(choice.listed) for choice in game.choices) for game in self.games)

    def to_dict(self) -> dict[str, Any]:
        """All figures for ``--json``."""
        return {
            "game": self.game,
            "players": list(self.players),
            "budget": self.budget,
            "seed": self.seed,
            "games": len(self.games),
            "branching": _mean_of(self.choices, "listed"),
            "branching_pruned": _mean_of(self.choices, "pruned"),
            "by_turn": [asdict(group) for group in self.by_turn()],
            "by_action": [asdict(group) for group in self.by_action()],
            "turn_length": _summary(self.turn_lengths),
            "game_length_turns": _summary([game.turns for game in self.games]),
            "game_length_actions": _summary([len(game.choices) for game in self.games]),
            "sequences_per_turn": self.turn_branching(),
            "sequences_per_turn_by_game": _bounds(self.turn_branching_interval()),
            "outcomes_per_turn": _bounds(self.outcomes_interval()),
            "game_tree_log10": self.tree_digits(),
            "endings": self.endings(),
            "turn_outcomes": [asdict(position) for position in self.outcomes],
            "turn_outcomes_pruned": [asdict(position) for position in self.pruned_outcomes],
            "paper": dict(self.paper),
            "paper_note": self.paper_note,
        }

    def rows(self) -> list[tuple[str, str, str]]:
        """The main figures as strings (quantity, measured, paper); the third is empty if the paper has no value."""
        turns = [game.turns for game in self.games]
        rounds = fmean(turns) / self.seats
        measured = [
            ("branching", "legal actions per decision (mean)", f"{_mean_of(self.choices, 'listed'):.1f}"),
            ("", "after pruning (mean)", f"{_mean_of(self.choices, 'pruned'):.1f}"),
            ("actions", "actions per turn (mean)", f"{fmean(self.turn_lengths):.2f}"),
            ("turn", "action sequences of a turn as played (geometric mean)", f"{self.turn_branching():.2e}"),
            ("turn", "the same, every game counted once (95 % interval)", _spread(self.turn_branching_interval())),
            ("outcomes", "distinct outcomes of a turn (geometric mean, 95 %)", _spread(self.outcomes_interval())),
            ("length", "rounds per game (mean; one turn of each player)", f"{rounds:.1f}"),
            ("", "turns per game (smallest, median, largest)", f"{min(turns)}, {median(turns):g}, {max(turns)}"),
            ("tree", "game tree (geometric mean)", f"10^{self.tree_digits():.0f}"),
        ]
        found = [(what, value, self.paper.get(key, "")) for key, what, value in measured if value]
        found += _outcome_rows("all legal actions", self.outcomes)
        found += _outcome_rows("pruned", self.pruned_outcomes)
        return found + [(f"games: {ending}", f"{share:.0%}", "") for ending, share in self.endings().items()]


def _turn_digits(game: PlayedGame) -> list[float]:
    """log10 of the product of the numbers of legal actions, for every turn of a game."""
    digits: dict[int, float] = {}
    for choice in game.choices:
        digits[choice.turn] = digits.get(choice.turn, 0.0) + math.log10(choice.listed)
    return list(digits.values())


def _power_of_ten(digits: Sequence[float], seed: int) -> Interval | None:
    """The interval of a mean of logarithms as numbers; None: fewer than two values."""
    if len(digits) < 2:
        return None
    found = bootstrap_mean(digits, seed=seed)
    return Interval(10**found.estimate, 10**found.low, 10**found.high, found.confidence, found.method)


def _spread(interval: Interval | None) -> str:
    """An estimate with its bounds, for a table; empty without one."""
    return "" if interval is None else f"{interval.estimate:.1e} ({interval.low:.1e} to {interval.high:.1e})"


def _bounds(interval: Interval | None) -> dict[str, float] | None:
    return None if interval is None else {"estimate": interval.estimate, "low": interval.low, "high": interval.high}


def _mean_of(choices: Sequence[Choice], name: str) -> float:
    return fmean(getattr(choice, name) for choice in choices)


def _summary(values: Sequence[int]) -> dict[str, float]:
    return {"mean": fmean(values), "min": min(values), "median": median(values), "max": max(values)}


def _grouped(choices: Sequence[Choice], key: Callable[[Choice], int]) -> list[Group]:
    numbers = sorted({key(choice) for choice in choices})
    found = []
    for number in numbers:
        own = [choice for choice in choices if key(choice) == number]
        found.append(Group(number, len(own), _mean_of(own, "listed"), _mean_of(own, "pruned")))
    return found


def _outcome_rows(what: str, positions: Sequence[TurnOutcomes]) -> list[tuple[str, str, str]]:
    """Medians over the sampled positions, and the number of positions that were counted exactly."""
    if not positions:
        return []
    exact = sum(position.exact for position in positions)
    how = f"{exact} of {len(positions)} positions counted, the others extrapolated"
    sequences = median(position.sequences for position in positions)
    outcomes = median(position.outcomes for position in positions)
    return [
        (f"sequences of a turn, {what} (median; {how})", f"{sequences:.2e}", ""),
        (f"distinct outcomes of a turn, {what} (median)", f"{outcomes:.2e}", ""),
    ]
