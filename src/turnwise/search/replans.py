"""How many plans a turn needs: what a session expects, from the turns that it has played."""

from __future__ import annotations

from dataclasses import dataclass

from turnwise.core.budget import Budget
from turnwise.core.scenario import Scenario

_REVEALING = 0.5  # probability of another plan before the first turn: where a turn is expected to reveal something,
_STOCHASTIC = 0.1  # and in other games of chance
_PRIOR_TURNS = 1.0  # number of turns that this prior counts as
_DECAY = 0.95  # weight of a turn in comparison with the next one: games change as they go on


@dataclass(frozen=True, slots=True)
class Replans:
    """A running estimate of the number of plans in a turn.

    After the k-th plan of a turn another one follows with a probability that is estimated for each k from the turns so
    far, of which older ones count less, and from a prior. That gives the expected number of plans from the k-th on,
    which is how many parts the rest of the turn's budget is divided into.

    Attributes:
        prior: Probability of another plan before anything is known: 0.5 in games that reveal something in mid-turn,
            0.1 in other games of chance, 0 in all others.
        turns: Weight of the turns with at least k + 1 plans, for k from 0.
    """

    prior: float
    turns: tuple[float, ...] = ()

    @classmethod
    def of(cls, game: Scenario) -> Replans:
        """What is expected in a game before its first turn."""
        return cls(_REVEALING if game.reveals_in_turn else _STOCHASTIC if game.is_stochastic else 0.0)

    def after_turn(self, plans: int) -> Replans:
        """The estimate after one more turn.

        Args:
            plans: Number of plans in that turn.
        """
        count = max(len(self.turns), plans)
        old = [*self.turns, *([0.0] * (count - len(self.turns)))]
        return Replans(self.prior, tuple(_DECAY * old[k] + (k < plans) for k in range(count)))

    def expected(self, made: int) -> float:
        """Expected number of plans from the next one of a turn on, which is included; at least 1.

        Args:
            made: Number of plans made in this turn so far.
        """
        number = 1.0 / (1.0 - self.prior)  # beyond all turns so far only the prior is known
        for k in range(len(self.turns) - 1, made - 1, -1):
            further = self.turns[k + 1] if k + 1 < len(self.turns) else 0.0
            follows = (_PRIOR_TURNS * self.prior + further) / (_PRIOR_TURNS + self.turns[k])
            number = 1.0 + follows * number
        return number

    def part(self, left: Budget, made: int) -> Budget:
        """The next plan's part of what is left of a turn's budget: never zero while something is left.

        Args:
            left: What is left.
            made: Number of plans made in this turn so far.
        """
        parts = self.expected(made)
        if parts <= 1.0:
            return left
        part = left.scaled(1.0 / parts)
        counts = (part.forward_calls, part.evaluations, part.iterations)
        limits = (left.forward_calls, left.evaluations, left.iterations)
        forward, evaluations, iterations = (
            None if count is None or limit is None else max(count, min(1, limit))
            for count, limit in zip(counts, limits, strict=True)
        )
        return Budget(part.seconds, forward, evaluations, iterations, part.scope, part.clock)
