"""Checks of user-supplied functions before a search uses them."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from turnwise.core import arguments, calls
from turnwise.core.errors import GameFunctionError, shown
from turnwise.core.evaluation import Evaluation
from turnwise.core.scenario import Scenario
from turnwise.core.state import State
from turnwise.core.table import EVALUATION
from turnwise.jit.kernel import Entry
from turnwise.jit.record import Record


def check_evaluation(start: Callable[[int], State], name: str, evaluation: Evaluation, states: int) -> None:
    """Test an evaluation on randomly reached states.

    Args:
        start: Returns the game's first state for a seed.
        name: The evaluation's name, for messages.
        evaluation: The evaluation.
        states: Number of states.

    Raises:
        GameFunctionError: The function has another signature, the bounds are not finite and ordered, or a value is not
            finite or is outside them.
        OptionError: Bounds or parameters are not numbers.
    """
    _check_function(name, evaluation)
    state = start(0)
    game = state.game
    _check_owner(name, evaluation, game)
    arguments.parameters(evaluation.parameters, f"Evaluation {name!r}")
    what = f"Evaluation {name!r}: a bound"
    low, high = (arguments.number(bound, what, error=GameFunctionError) for bound in (evaluation.low, evaluation.high))
    if not low < high:
        raise GameFunctionError(f"Evaluation {name!r}: bounds must be finite with low < high; got {low}, {high}.")
    random = np.random.default_rng(0)
    for number in range(states):
        for player in range(game.players):
            value = calls.value(game, evaluation, state.row, state.row, player)
            if not math.isfinite(value) or not low <= value <= high:
                raise GameFunctionError(
                    f"Evaluation {name!r} gave {value} for player {player} (counted from 0) in a state of {game.spec}; "
                    f"expected a finite number from {low:g} to {high:g}. Correct the function or its bounds."
                )
        for _ in range(random.integers(1, 8)):
            if state.is_over:
                state = start(number)
            state = state.play(int(random.choice(state.legal_codes())))


def _check_owner(name: str, evaluation: Evaluation, game: Scenario) -> None:
    """Refuse evaluations that read the states of another game, before they do."""
    if evaluation.owner is not None and evaluation.owner is not game:
        raise GameFunctionError(
            f"Evaluation {name!r} was made by another game object and cannot read the states of this one. Make it with "
            "python_evaluation of the game object that you register it with."
        )
    if not isinstance(evaluation.function, Entry):
        return
    entries = [function for function in game.functions().values() if isinstance(function, Entry)]
    known = {kind for function in entries for kind in function.classes()[:2] if _is_record(kind)}
    read = [kind for kind in evaluation.function.classes()[:3] if _is_record(kind)]
    foreign = [kind.__name__ for kind in read if kind not in known]
    if foreign and (known or not entries):
        expected = ", ".join(sorted(kind.__name__ for kind in known)) or "none: it is a game in plain Python"
        raise GameFunctionError(
            f"Evaluation {name!r} reads records of {', '.join(dict.fromkeys(foreign))}; the records of {game.name!r} "
            f"are {expected}. It belongs to another game."
        )


def _is_record(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, Record)


def _check_function(name: str, evaluation: Evaluation) -> None:
    """Check the signature of a compiled function; that of a bare pointer cannot be checked."""
    function = evaluation.function
    if isinstance(function, Entry):
        if function.signature != EVALUATION:
            raise GameFunctionError(
                f"Evaluation {name!r}: the function has the signature {function.signature}; expected {EVALUATION}. "
                'Decorate it with @game_function("evaluation").'
            )
    elif isinstance(function, bool) or not isinstance(function, int) or not 0 < function < 2**64:
        raise GameFunctionError(
            f'Evaluation {name!r}: expected a function decorated with @game_function("evaluation") or the address of '
            f"a C function; got {shown(function)}. A game in plain Python makes one with game.python_evaluation."
        )
