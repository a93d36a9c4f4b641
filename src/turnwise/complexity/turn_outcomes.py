"""The number of different turns in a position: action sequences, and distinct states at the end of the turn.

Distinct outcomes are counted exhaustively, layer by layer of actions, while a layer has at most a given number of
states. Beyond that they are extrapolated. If a turn were a choice of unordered actions out of n, a layer would grow by
the factor (n - k) / k at the k-th action; so the growth of a layer is estimated as the last measured growth times
k / (k + 1), step by step. Sequences are extrapolated with the last measured number of actions per state. On six midgame
positions of Hero Academy, one extrapolated action is within 5 % of the true count of outcomes and two are within 15 %,
mostly below it.
"""

from __future__ import annotations

from dataclasses import dataclass

from turnwise.core.errors import CapacityError
from turnwise.core.state import State
from turnwise.search.enumeration import Layers


@dataclass(frozen=True, slots=True)
class TurnOutcomes:
    """The turns of one position.

    Attributes:
        turn: Number of the turn.
        actions: Number of actions played in this turn, without a forced ``end``.
        sequences: Action sequences that form a whole turn.
        outcomes: Distinct states at the end of the turn.
        exact: Whether both numbers were counted; otherwise they are extrapolated.
        counted_actions: Depth of the exact count in actions.
    """

    turn: int
    actions: int
    sequences: float
    outcomes: float
    exact: bool
    counted_actions: int


def turn_outcomes(state: State, actions: int, *, pruned: bool, most_states: int = 200_000) -> TurnOutcomes:
    """Count the turns of a position.

    Args:
        state: A state at the start of a turn. There must be no chance in mid-turn; at its end one outcome is taken.
        actions: Number of actions of the turn, for extrapolation.
        pruned: Count only turns of actions that the game's pruner keeps.
        most_states: Size of the largest layer to enumerate.

    Returns:
        The counts; outcomes reached by different numbers of actions count as different.
    """
    distinct, sequences = [1], [1]
    outcomes = whole = 0
    try:
        layers = Layers(state.game, pruned=pruned, one_turn=True, most_states=most_states)
        for layer in layers.from_row(state.row):
            outcomes += layer.dead_ends
            whole += layer.dead_end_sequences
            distinct.append(layer.distinct)
            sequences.append(layer.sequences)
    except CapacityError:
        counted = len(distinct) - 1
        return TurnOutcomes(
            state.turn,
            actions,
            _extrapolate(sequences, actions, slowing=False),
            _extrapolate(distinct, actions, slowing=True),
            False,
            counted,
        )
    return TurnOutcomes(state.turn, actions, float(whole), float(outcomes), True, actions)


def _extrapolate(counts: list[int], actions: int, *, slowing: bool) -> float:
    """Extrapolate the layer sizes 1, n1, n2, ... to a number of actions."""
    total = float(counts[-1])
    if len(counts) < 2:
        return total
    growth = counts[-1] / counts[-2]
    for k in range(len(counts), actions + 1):
        growth *= (k - 1) / k if slowing else 1.0
        total *= growth
    return total
