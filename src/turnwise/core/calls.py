"""Calling table functions from Python, one at a time (searches do not use this module)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from turnwise.core import arguments as given
from turnwise.core import table
from turnwise.core.declaration import Row
from turnwise.core.errors import CapacityError, GameFunctionError
from turnwise.core.evaluation import Evaluation
from turnwise.core.scenario import Scenario
from turnwise.core.script import Script
from turnwise.jit.cache import BOUNDSCHECK, COMPILED
from turnwise.jit.kernel import _uncompiled_caller, c_function_type
from turnwise.jit.record import Address, array_address

GUARD = -0x5EED5EED5EED5EED
"""What guard words after a legal list hold; no game lists it as an action."""

_GUARDS = 1024  # guard words after a legal list when bounds are checked


@cache
def _prototype(name: str) -> Any:
    signature = table.FORMS[name]
    return c_function_type(signature.return_type, *signature.args)


@cache
def python_function(name: str, address: int) -> Callable[..., Any]:
    """A table function as a Python callable.

    Args:
        name: Its name in the table, or "evaluation", "evaluation_of_all" or "script".
        address: Its pointer.

    Raises:
        GameFunctionError: The game does not have this function.
    """
    if not address:
        raise GameFunctionError(f"This game has no function {name!r}.")
    if COMPILED:
        function: Callable[..., Any] = _prototype(name)(address)
        return function
    signature = table.FORMS[name]
    call = _uncompiled_caller(signature.return_type, signature.args)
    return lambda *arguments: call(address, arguments)


def call(game: Scenario, name: str, row: Row, *arguments: int) -> Any:
    """Call ``name(setup, row, *arguments)`` of a game's table."""
    return call_at(game, name, array_address(row), *arguments)


def call_at(game: Scenario, name: str, row: Address, *arguments: int) -> Any:
    """Call ``name(setup, row, *arguments)`` of a game's table.

    Args:
        game: The scenario.
        name: Name of the function.
        row: Address of uint64[state_words]; the caller keeps the row alive.
        *arguments: Further arguments of the function: numbers and addresses.

    Raises:
        GameFunctionError: The game does not have this function, or it is in plain Python and failed.
    """
    result = python_function(name, game.pointers[name])(game.setup_address, row, *arguments)
    game.raise_failure()
    return result


def legal_codes(game: Scenario, row: Address) -> NDArray[np.int64]:
    """The legal list of a state.

    With ``TURNWISE_BOUNDSCHECK=1`` there are guard words after the list, so that a game that writes beyond it is found.

    Args:
        game: The scenario.
        row: Address of uint64[state_words]; the caller keeps the row alive.

    Returns:
        int64[n], action codes in native order.

    Raises:
        CapacityError: The game wrote beyond its ``max_actions`` (only if bounds are checked).
        GameFunctionError: The game is in plain Python and failed.
    """
    room = _GUARDS if BOUNDSCHECK else 0
    out = np.full(game.max_actions + room, GUARD, np.int64)
    n = call_at(game, "legal_actions", row, array_address(out))
    if room and (n > game.max_actions or (out[game.max_actions :] != GUARD).any()):
        raise CapacityError(
            f"{game.spec} listed {n} legal actions and wrote beyond the capacity of a list, max_actions = "
            f"{game.max_actions}. Raise max_actions to a bound that the rules prove."
        )
    return out[:n]


def script_action(game: Scenario, name: str, row: Row, actor: int, rng: Row) -> int:
    """What a script of a game does in a state.

    Args:
        game: The scenario.
        name: Name of the script.
        row: uint64[state_words].
        actor: Number of an actor, or ``table.ALL``.
        rng: Rng row of the script's chance; advances.

    Returns:
        An action's code, or ``table.NOTHING``.

    Raises:
        UnknownNameError: There is no such script.
        GameFunctionError: The script is in plain Python and failed.
    """
    return script_code(game, game.script(name), row, actor, rng)


def script_code(
    game: Scenario, script: Script, row: Row, actor: int, rng: Row, scratch: NDArray[np.uint64] | None = None
) -> int:
    """What a script does in a state, whether the game has it or not; see :func:`script_action`.

    Args:
        game: The scenario.
        script: The script.
        row: uint64[state_words].
        actor: Number of an actor, or ``table.ALL``.
        rng: Rng row of the script's chance; advances.
        scratch: uint64[:func:`script_room`] or more, overwritten; None: made for the call.

    Raises:
        GameFunctionError: The script is in plain Python and failed.
    """
    parameters = _parameters(tuple(script.parameters))
    scratch = np.zeros(script_room(game), np.uint64) if scratch is None else scratch
    addresses = (array_address(parameters), array_address(rng), array_address(scratch))
    code = int(python_function("script", script.address)(game.setup_address, array_address(row), actor, *addresses))
    game.raise_failure()
    return code


def script_room(game: Scenario) -> int:
    """Size of a script's scratch memory in 8-byte words."""
    return max(game.script_words, game.max_actions)


@lru_cache(maxsize=64)
def _parameters(values: tuple[float, ...]) -> NDArray[np.float64]:
    return given.parameters(values, "An evaluation")


def value(game: Scenario, evaluation: Evaluation, root: Row, row: Row, player: int) -> float:
    """Value of a state for a player by an evaluation."""
    parameters = _parameters(tuple(evaluation.parameters))
    function = python_function("evaluation", evaluation.address)
    addresses = (game.setup_address, array_address(root), array_address(row), player, array_address(parameters))
    result = float(function(*addresses))
    game.raise_failure()
    return result


def values(game: Scenario, evaluation: Evaluation, root: Row, row: Row) -> list[float]:
    """Values of a state for all players by an evaluation, in one call where the evaluation can."""
    if not evaluation.address_for_all:
        return [value(game, evaluation, root, row, player) for player in range(game.players)]
    out, parameters = np.zeros(game.players), _parameters(tuple(evaluation.parameters))
    function = python_function("evaluation_of_all", evaluation.address_for_all)
    function(game.setup_address, *(array_address(each) for each in (root, row, out, parameters)))
    game.raise_failure()
    return [float(each) for each in out]
