"""Numbers over a game, for the curves of the page: the game's evaluation from one point of view, and its metrics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from turnwise.core.errors import TurnwiseError
from turnwise.core.evaluation import ROLLOUTS
from turnwise.core.state import State


def trajectories(states: Sequence[State]) -> dict[str, Any]:
    """Evaluation and metrics of every state.

    Args:
        states: All states of a game in order, at least one.

    Returns:
        ``evaluation``: its name, empty if the game has only rollouts; ``values``: a list for each line, with one number
        per state: the first player's alone in games of one or two players, so that both are seen from one point of
        view, else one line for each seat; ``metrics``: (name, a list for each seat) for each metric. Numbers that JSON
        cannot represent are None.
    """
    game = states[0].game
    seats = range(game.players)
    viewers = seats if game.players > 2 else range(1)
    name = "" if game.default_evaluation == ROLLOUTS else game.default_evaluation
    values = [[_value(state, states[0], seat) for state in states] for seat in viewers] if name else []
    known = [[state.metrics(seat) for state in states] for seat in seats] if game.metrics else []
    metrics: list[list[Any]] = [
        [metric, [[_finite(numbers.get(metric)) for numbers in known[seat]] for seat in seats]]
        for metric in game.metrics
    ]
    return {"evaluation": name, "values": values, "metrics": metrics}


def _value(state: State, first: State, seat: int) -> float | None:
    """The evaluation, None where a user's function fails: the game can be watched without it.

    Some evaluations rate what has changed since the root of a search; here that is the first state.
    """
    try:
        return _finite(state.evaluate(seat, root=first))
    except TurnwiseError:
        return None


def _finite(value: float | None) -> float | None:
    """Six digits are enough for a curve."""
    return float(f"{value:.6g}") if value is not None and math.isfinite(value) else None
