"""The copies that the original gives its agents (rules 15), made from recorded states of the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from turnwise.core import calls
from turnwise.games.tribes.recorded.agents import with_copies
from turnwise.games.tribes.state_dict import recorded_form

if TYPE_CHECKING:
    from turnwise.games.tribes.game import Tribes


def copy_of(game: Tribes, native: Mapping[str, Any], viewer: int | None) -> dict[str, Any]:
    """The copy of a state as the engine records it.

    Args:
        game: A scenario of the game.
        native: The recorded state of the game.
        viewer: The player who gets the copy; None: a copy with everything.
    """
    if viewer is None:
        plain = {**native, "cities": [{**city, "worth": 0} for city in native["cities"]]}
        return recorded_form(plain)
    as_coded = with_copies(game)
    row, out = as_coded.state_row(native), np.zeros(as_coded.state_words, np.uint64)
    calls.call(as_coded, "view", row, viewer, out.ctypes.data)
    return recorded_form(as_coded.state_dict(out))
