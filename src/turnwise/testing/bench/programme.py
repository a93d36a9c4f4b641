"""The measurements of ``bench`` for a game: the game's own programme, or the default."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from turnwise.core.bench import MeasuredSearch, Programme
from turnwise.core.errors import unknown_name
from turnwise.core.game import Game
from turnwise.core.state import State

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
    in_turn = (programme.figures - len(programme.basics) - len(programme.searches)) * seconds
    basic = len(programme.basics) * states * BASIC_SHARE * seconds
    searched = states * sum(seconds if one.budget is None else one.usual for one in programme.searches.values())
    return (1 + ROUNDS) * (in_turn + basic + searched)


def chosen_figures(programme: Programme, names: Sequence[str], game: str) -> Programme:
    """The measurements of some figures.

    Args:
        programme: All measurements of the game.
        names: Names of figures; none: all.
        game: The game's name, for messages.

    Raises:
        UnknownNameError: There is no figure of that name.
    """
    if not names:
        return programme
    for name in names:
        if name not in programme.names:
            raise unknown_name("figure", name, programme.names, f"The bench of {game}")
    return replace(
        programme,
        playouts={name: what for name, what in programme.playouts.items() if name in names},
        steps={name: what for name, what in programme.steps.items() if name in names},
        lines={name: what for name, what in programme.lines.items() if name in names},
        starts=programme.starts if programme.starts in names else "",
        basics=tuple(name for name in programme.basics if name in names),
        searches={name: what for name, what in programme.searches.items() if name in names},
    )


def states_in_time(programme: Programme, states: Sequence[State], seconds: float, most: float) -> list[State]:
    """As many of the sample states, evenly spread, as all figures can be measured in within a time; at least one.

    Args:
        programme: The measurements.
        states: All sample states.
        seconds: Time per figure, state and round.
        most: CPU seconds of all figures together.
    """
    count = len(states)
    while count > 1 and expected_seconds(programme, count, seconds) > most:
        count -= 1
    return [states[i * len(states) // count] for i in range(count)]
