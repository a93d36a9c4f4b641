"""Checks of user-supplied functions before they are let into a search."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from turnwise.core import calls
from turnwise.core.errors import GameFunctionError

if TYPE_CHECKING:
    from turnwise.core.game import Evaluation, Game


def check_evaluation(game: Game, name: str, evaluation: Evaluation, states: int) -> None:
    """Try an evaluation on randomly reached states.

    Args:
        game: The scenario.
        name: The evaluation's name, for messages.
        evaluation: What is tried.
        states: Number of states.

    Raises:
        GameFunctionError: Bounds that are not finite and ordered, or a value that is not finite or outside them.
    """
    if not (math.isfinite(evaluation.low) and math.isfinite(evaluation.high) and evaluation.low < evaluation.high):
        raise GameFunctionError(
            f"Evaluation {name!r}: bounds must be finite with low < high; got {evaluation.low}, {evaluation.high}."
        )
    random = np.random.default_rng(0)
    state = game.start(seed=0)
    for number in range(states):
        for player in range(game.players):
            value = calls.value(game, evaluation, state.row, state.row, player)
            if not math.isfinite(value) or not evaluation.low <= value <= evaluation.high:
                raise GameFunctionError(
                    f"Evaluation {name!r} gave {value} for player {player} (counted from 0) in a state of {game.text}; "
                    f"expected a finite number from {evaluation.low} to {evaluation.high}. Correct the function or its "
                    "bounds."
                )
        for _ in range(random.integers(1, 8)):
            if state.is_over:
                state = game.start(seed=number)
            state = state.play(int(random.choice(state.legal_codes())))
