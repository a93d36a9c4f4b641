"""How many different turns there are in a position: action sequences, and distinct states at the end of the turn.

Distinct outcomes are counted exhaustively, layer by layer of actions, while a layer has no more states than agreed.
Beyond that they are extrapolated. Were a turn a choice of unordered actions out of n, a layer would grow by (n - k) / k
at its k-th action; so the growth of a layer is taken as the last measured growth times k / (k + 1), step by step.
Sequences are extrapolated with the last measured number of actions per state. Measured on six midgame
positions of Hero Academy, one extrapolated action is within 5 % of the true count of outcomes, two within 15 %, mostly
below it.
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
        actions: Actions that were played in this turn, a forced ``end`` not counted.
        sequences: Action sequences that make up a whole turn.
        outcomes: Distinct states at the end of the turn.
        exact: Whether both were counted; otherwise they are extrapolated.
        counted_actions: How many actions deep the count went.
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
        state: A state at the start of a turn. Chance must not decide in mid-turn; at its end one outcome is taken.
        actions: How many actions the turn has, for extrapolation.
        pruned: Count only turns of actions that the game's pruner keeps.
        most_states: Largest layer that is enumerated.

    Returns:
        The counts; outcomes that are reached by different numbers of actions count as different.
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
    """Continue the layer sizes 1, n1, n2, ... to a number of actions."""
    total = float(counts[-1])
    if len(counts) < 2:
        return total
    growth = counts[-1] / counts[-2]
    for k in range(len(counts), actions + 1):
        growth *= (k - 1) / k if slowing else 1.0
        total *= growth
    return total
