"""The measurements of ``bench`` for a game: the game's own programme, or the default."""

from __future__ import annotations

from turnwise.core.bench import MeasuredSearch, Programme
from turnwise.core.game import Game

ROUNDS = 5  # after one warm-up round
BASIC_SHARE = 0.1  # share of the time per figure, state and round for the basic operations

USUAL = Programme(
    searches={
        "greedy-turn": MeasuredSearch("greedy-turn", "evaluations"),
        "mcts": MeasuredSearch("mcts:preset=as-coded", "iterations"),
        "online-evolution": MeasuredSearch("online-evolution", "iterations"),
    }
)


def programme_of(game: Game) -> Programme:
    """The measurements for a game."""
    return game.bench() or USUAL


def expected_seconds(programme: Programme, states: int, seconds: float) -> float:
    """Estimate the CPU seconds of all figures, without compilation.

    Args:
        programme: The measurements.
        states: Number of sample states.
        seconds: Time per figure, state and round.
    """
    in_turn = (len(programme.playouts) + len(programme.steps)) * seconds
    basic = len(programme.basics) * states * BASIC_SHARE * seconds
    searched = states * sum(seconds if one.budget is None else one.usual for one in programme.searches.values())
    return (1 + ROUNDS) * (in_turn + basic + searched)
