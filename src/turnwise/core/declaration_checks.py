"""Checks of what a game declares, before anything relies on it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from turnwise.core import arguments
from turnwise.core.declaration import Declaration
from turnwise.core.errors import GameFunctionError, OptionError, shown

_MOST_WORDS = 1 << 24  # of a state: 128 MB, more than any search could copy
_SIZES: dict[str, tuple[str, int, int | None]] = {
    "players": ("the number of players", 1, None),
    "state_words": ("the width of a state", 1, _MOST_WORDS),
    "max_actions": ("the length of the longest legal list", 1, None),
    "max_turn": ("the largest number of actions in one turn", 1, None),
    "max_actors": ("the length of the longest list of actors", 0, None),
    "indices": ("the number of places of actions", 0, None),
    "scratch_words": ("the memory of a rollout policy", 0, None),
    "script_words": ("the memory of a script", 0, None),
}
_ANSWERS = ("is_stochastic", "reveals_in_turn", "shares_goal", "less_is_better")
_NAMES = ("seats", "policies", "metrics", "action_groups")


def check_declaration(game: Declaration) -> None:
    """Refuse attributes that no game can have.

    Raises:
        GameFunctionError: A size is not a whole number, an answer neither True nor False, a list of names not one, or
            the shape of features or the bounds of values are impossible.
    """
    for name, (what, low, high) in _SIZES.items():
        what = f"{game.name}: {name}, {what},"
        hint = f"Set the attribute {name} in the game's class or its __init__."
        arguments.whole_number(getattr(game, name, None), what, low, high, hint=hint, error=GameFunctionError)
    for name in _ANSWERS:
        if not isinstance(getattr(game, name), bool | np.bool_):
            raise _wrong(game, name, "True or False")
    for name in _NAMES:
        names = getattr(game, name)
        if not _is_list(names) or not all(isinstance(one, str) and one for one in names):
            raise _wrong(game, name, "a tuple of names, as in ('one', 'other')")
    if game.seats and len(game.seats) != game.players:
        raise _wrong(game, "seats", f"one name for each of {game.players} players, or an empty tuple")
    if not isinstance(game.feature_shape, tuple) or not all(_is_length(size) for size in game.feature_shape):
        raise _wrong(game, "feature_shape", "a tuple of whole numbers from 1, as in (4, 8, 8), or an empty one")
    if game.is_plain_python and not _are_bounds(getattr(game, "bounds", None)):
        raise _wrong(game, "bounds", "two finite numbers, the smaller one first, as in (-1.0, 1.0)")


def _wrong(game: Declaration, name: str, expected: str) -> GameFunctionError:
    return GameFunctionError(
        f"{game.name}: {name} must be {expected}; got {shown(getattr(game, name, None))}. Set the attribute {name} in "
        "the game's class or its __init__."
    )


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _is_length(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and int(value) >= 1


def _are_bounds(value: object) -> bool:
    if not isinstance(value, Sequence) or len(value) != 2:
        return False
    try:
        low, high = (arguments.number(bound, "A bound") for bound in value)
    except OptionError:
        return False
    return math.isfinite(high - low) and low < high
