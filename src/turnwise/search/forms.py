"""Records that all searches of one kind in a game begin from: filled in once and then copied."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar, cast
from weakref import WeakKeyDictionary

from turnwise.core.game import Game

Form = TypeVar("Form")
_MOST_FORMS = 64  # of a game; names with values of parameters may be many
_forms: WeakKeyDictionary[Game, dict[Hashable, object]] = WeakKeyDictionary()


def form_of(game: Game, kind: Hashable, make: Callable[[], Form]) -> Form:
    """The form of a kind of searches in a game.

    Args:
        game: The scenario.
        kind: All that the form depends on besides the game, with something that no other form has.
        make: Makes the form. Nothing of it may belong to one search: no scratch memory, no counters.
    """
    forms = _forms.setdefault(game, {})
    if kind not in forms:
        made = make()
        if len(forms) >= _MOST_FORMS:
            forms.clear()
        forms[kind] = made
    return cast("Form", forms[kind])
