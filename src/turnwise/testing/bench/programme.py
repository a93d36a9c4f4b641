"""What ``bench`` measures of which game: its own programme, or the usual one."""

from __future__ import annotations

from turnwise.core.bench import Programme, Search
from turnwise.core.game import Game

ROUNDS = 5  # after one that is not counted
BASIC_SHARE = 0.1  # of the time per figure, state and round, for the basic operations

USUAL = Programme(
    searches={
        "greedy-turn": Search("greedy-turn", "evaluations"),
        "mcts": Search("mcts:preset=as-coded", "iterations"),
        "online-evolution": Search("online-evolution", "iterations"),
    }
)


def programme_of(game: Game) -> Programme:
    """What is measured of a game."""
    return game.bench() or USUAL


def expected_seconds(programme: Programme, states: int, seconds: float) -> float:
    """About how many CPU seconds all figures take, without what is compiled first.

    Args:
        programme: What is measured.
        states: How many sample states there are.
        seconds: Time per figure, state and round.
    """
    in_turn = (len(programme.playouts) + len(programme.steps)) * seconds
    basic = len(programme.basics) * states * BASIC_SHARE * seconds
    searched = states * sum(seconds if one.budget is None else one.usual for one in programme.searches.values())
    return (1 + ROUNDS) * (in_turn + basic + searched)
