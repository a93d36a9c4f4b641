"""Checks of user-supplied functions before a search uses them."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from turnwise.core import arguments, calls
from turnwise.core.chance import generator
from turnwise.core.errors import GameFunctionError, NotationError
from turnwise.core.evaluation import Evaluation, check_bounds, check_bounds_of, joined_name
from turnwise.core.scenario import Scenario
from turnwise.core.script import NAME, Script
from turnwise.core.state import State
from turnwise.core.table import ALL, NOTHING
from turnwise.core.table_checks import check_function, check_rows
from turnwise.jit.kernel import Entry
from turnwise.jit.record import Record

_GUARD, _GUARD_WORDS = np.uint64(0x5EED5EED5EED5EED), 8


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
    check_function(f"Evaluation {name!r}", evaluation.function, "evaluation")
    if evaluation.for_all is not None:
        check_function(f"Evaluation {name!r}: for_all", evaluation.for_all, "evaluation_of_all")
    state = start(0)
    game = state.game
    _check_owner(f"Evaluation {name!r}", evaluation, game, "evaluation")
    arguments.parameters(evaluation.parameters, f"Evaluation {name!r}")
    check_bounds(name, evaluation.low, evaluation.high)
    versions = [(name, evaluation), *with_other_parameters(name, evaluation)]
    random = np.random.default_rng(0)
    for number in range(states):
        for text, version in versions:
            _check_values(text, version, state)
        state = _further(start, state, random, number)


def _check_values(name: str, evaluation: Evaluation, state: State) -> None:
    """Test an evaluation in one state, for all players."""
    low, high = float(evaluation.low), float(evaluation.high)
    for player in range(state.game.players):
        value = calls.value(state.game, evaluation, state.row, state.row, player)
        if not math.isfinite(value) or not low <= value <= high:
            raise GameFunctionError(
                f"Evaluation {name!r} gave {value} for player {player} (counted from 0) in a state of "
                f"{state.game.spec}; expected a finite number from {low:g} to {high:g}. Correct the function or its "
                "bounds; where these depend on parameters, give bounds_of."
            )


def with_other_parameters(name: str, evaluation: Evaluation) -> list[tuple[str, Evaluation]]:
    """The evaluation with large values of each named parameter, for which its bounds have to hold, too.

    Raises:
        GameFunctionError: Two parameters of one name, a name that is no word, more names than values, or wrong bounds.
    """
    check_bounds_of(name, evaluation.bounds_of)
    names = evaluation.parameter_names
    if len(set(names)) < len(names) or not all(isinstance(n, str) and NAME.fullmatch(n) for n in names):
        raise GameFunctionError(f"Evaluation {name!r}: expected different words as parameter_names; got {names!r}.")
    if len(names) > len(evaluation.parameters):
        raise GameFunctionError(
            f"Evaluation {name!r} has {len(names)} parameter_names but {len(evaluation.parameters)} parameters; give a "
            "value for each name."
        )
    changes = [
        {key: sign * 10.0 * (abs(evaluation.parameters[i]) + 1.0)} for i, key in enumerate(names) for sign in (1, -1)
    ]
    return [(joined_name(name, change), evaluation.with_parameters(name, change)) for change in changes]


def check_script(start: Callable[[int], State], name: str, script: Script, states: int) -> None:
    """Test a script on randomly reached states.

    Args:
        start: Returns the game's first state for a seed.
        name: The script's name, for messages.
        script: The script.
        states: Number of states.

    Raises:
        GameFunctionError: The function has another signature, or returns an action that is not legal or belongs to
            another actor.
        OptionError: Parameters are not numbers.
    """
    what = f"Script {name!r}"
    check_function(what, script.function, "script")
    state = start(0)
    _check_owner(what, script, state.game, "script")
    arguments.parameters(script.parameters, what)
    random = np.random.default_rng(0)
    for number in range(states):
        if not state.is_over:
            for actor in (None, *state.actors()):
                fault = script_fault(state, script, actor, number)
                if fault:
                    raise GameFunctionError(
                        f"{what}, asked in a state of {state.game.spec}, {fault}. Correct the function."
                    )
        state = _further(start, state, random, number)


def script_fault(state: State, script: Script, actor: int | None, seed: int) -> str:
    """What is wrong with the action of a script in a state, for a message; empty: nothing.

    Args:
        state: A state that is not over.
        script: The script.
        actor: The actor that it is asked for; None: any.
        seed: Seed of the script's chance.
    """
    game, number, codes = state.game, ALL if actor is None else actor, []
    asked = "for all actors" if actor is None else f"for actor {actor}"
    room = calls.script_room(game)
    for content in (0, 0xFFFFFFFFFFFFFFFF):  # a script must not rely on what its scratch memory holds
        scratch = np.full(room + _GUARD_WORDS, _GUARD, np.uint64)
        scratch[:room] = content
        codes.append(calls.script_code(game, script, state.row, number, generator(seed), scratch))
        if (scratch[room:] != _GUARD).any():
            return f"wrote beyond its {room} scratch words {asked}"
    code, again = codes
    if code != again:
        return (
            f"returned two different actions {asked} from the same seed ({_action(state, code)} and "
            f"{_action(state, again)}), perhaps because {_unsteady(game)}"
        )
    if code == NOTHING:
        return ""
    if not state.is_legal(code):
        return f"returned an illegal action {asked} ({_action(state, code)}); expected a legal one or {_nothing(game)}"
    owner = state.actor(code)
    if actor is not None and owner != actor:
        owned = "nobody" if owner is None else f"actor {owner}"
        return f"returned an action of {owned} {asked}; expected one of its own or {_nothing(game)}"
    return ""


def _action(state: State, code: int) -> str:
    """An action for a message."""
    if code == NOTHING:
        return "none"
    try:
        return repr(state.text(code))
    except NotationError:
        return f"code {code}"


def _nothing(game: Scenario) -> str:
    """What a script returns where it has no action."""
    return "None" if game.is_plain_python else "NOTHING"


def _unsteady(game: Scenario) -> str:
    """Why a script may return different actions."""
    if game.is_plain_python:
        return "its chance does not come from the argument random"
    return "it reads scratch memory that it has not written"


def _further(start: Callable[[int], State], state: State, random: np.random.Generator, seed: int) -> State:
    """The state after some random actions, in a new game if this one ends."""
    for _ in range(random.integers(1, 8)):
        if state.is_over:
            state = start(seed)
        state = state.play(int(random.choice(state.legal_codes())))
    return state


def _check_owner(what: str, item: Evaluation | Script, game: Scenario, kind: str) -> None:
    """Refuse functions that read the states of another game, before they do."""
    if item.owner is not None and item.owner is not game:
        raise GameFunctionError(
            f"{what} was made by another game object and cannot read the states of this one. Make it with "
            f"python_{kind} of the game object that you register it with."
        )
    if not isinstance(item.function, Entry):
        return
    entries = [function for function in game.functions().values() if isinstance(function, Entry)]
    known = {seen for function in entries for seen in function.classes()[:2] if _is_record(seen)}
    rows = 3 if kind == "evaluation" else 2
    read = [read for read in item.function.classes()[:rows] if _is_record(read)]
    foreign = [seen.__name__ for seen in read if seen not in known]
    if foreign and (known or not entries):
        expected = ", ".join(sorted(seen.__name__ for seen in known)) or "none: it is a game in plain Python"
        raise GameFunctionError(
            f"{what} reads records of {', '.join(dict.fromkeys(foreign))}; the records of {game.name!r} "
            f"are {expected}. It belongs to another game."
        )
    check_rows(what, item.function, kind, game)


def _is_record(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, Record)
