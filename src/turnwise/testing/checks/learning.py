"""Checks of functions for learnt policies: places of actions, features, layout of a row."""

from __future__ import annotations

import math

import numpy as np

from turnwise.core import calls
from turnwise.core.errors import GameFunctionError
from turnwise.core.state import State
from turnwise.testing.checks.failures import Broken
from turnwise.testing.checks.sample import StateSample, text_of

_GUARD = np.float32(-7.25e18)  # no game describes a state by this number
_GUARDS = 64


def places(sample: StateSample) -> None:
    """Every listed action has a place of its own within the declared number."""
    game = sample.game
    if bool(game.pointers["index"]) != (game.indices > 0):
        raise Broken("the game needs both: the function index, and the number of places in 'indices'")
    if not game.indices:
        return
    for state in sample.running:
        seen: dict[int, int] = {}
        for code in state.legal_codes().tolist():
            place = int(calls.call(game, "index", state.row, code))
            if not 0 <= place < game.indices:
                message = f"index is {place}; expected a number from 0 to {game.indices - 1}"
                raise Broken(message, state, text_of(state, code))
            if place in seen:
                message = f"index is {place}, as of the action {text_of(state, seen[place])!r} of the same list"
                raise Broken(message, state, text_of(state, code))
            seen[place] = code


def features(sample: StateSample) -> None:
    """Features are finite, completely written, the same on a second call, and follow from what the player knows."""
    game = sample.game
    if bool(game.pointers["features"]) != bool(game.feature_shape):
        raise Broken("the game needs both: the function features, and the shape of its result in 'feature_shape'")
    if not game.feature_shape:
        return
    for state in sample.states:
        for player in range(game.players):
            where = f"the features for player {player} (counted from 0)"
            first, again = (_features(state, player, where) for _ in range(2))
            if not np.array_equal(first, again):
                raise Broken(f"{where} differ on a second call", state)
            known = _features(state.view(player), player, where)
            if not np.array_equal(first, known):
                place = int(np.argmax(first != known))
                raise Broken(
                    f"{where} reveal what is hidden from it: number {place} of {len(first)} is {first[place]:g} in the "
                    f"state and {known[place]:g} in the player's view; compute features from what the player knows",
                    state,
                )


def _features(state: State, player: int, where: str) -> np.ndarray:
    """Features written into memory that is guarded on both sides."""
    shape = state.game.feature_shape
    count = math.prod(shape)
    memory = np.full(count + 2 * _GUARDS, _GUARD, np.float32)
    inner = memory[_GUARDS : _GUARDS + count]
    calls.call(state.game, "features", state.row, player, inner.ctypes.data)
    if (memory[:_GUARDS] != _GUARD).any() or (memory[_GUARDS + count :] != _GUARD).any():
        raise Broken(f"{where} are written outside their {count} numbers (feature_shape is {shape})", state)
    if (inner == _GUARD).any():
        raise Broken(f"{where} leave number {int(np.argmax(inner == _GUARD))} of {count} unwritten", state)
    if not np.isfinite(inner).all():
        raise Broken(f"{where} have a number {inner[~np.isfinite(inner)][0]}; expected finite numbers", state)
    return inner


def layout(sample: StateSample) -> None:
    """A layout, if the game has one, has names and the size of a row."""
    game = sample.game
    try:
        found = game.layout()
    except GameFunctionError:
        return
    if not isinstance(found, np.dtype) or not found.names or found.itemsize != 8 * game.state_words:
        raise Broken(f"layout() is {found}; expected a structured dtype of {8 * game.state_words} bytes, a row's size")
