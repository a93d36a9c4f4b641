"""States as JSON text that names their game: reading back what ``State.to_json`` writes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from turnwise.core.errors import NotationError, OptionError, brief
from turnwise.core.text_file import json_of

if TYPE_CHECKING:
    from turnwise.core.game import Game

LARGEST_STATE = 64 * 1024 * 1024
"""Characters of a text."""
_ENVELOPE = frozenset(("game", "rules", "options", "state"))


def parsed_state(text: object) -> Mapping[str, Any]:
    """A saved state's JSON object.

    Raises:
        NotationError: The text is no JSON object, or is too large.
    """
    if not isinstance(text, str) or len(text) > LARGEST_STATE:
        shown = f"{len(text):,} characters" if isinstance(text, str) else brief(text)
        raise NotationError(f"expected the text that State.to_json gives, at most {LARGEST_STATE:,}; got {shown}.")
    try:
        data = json_of(text)
    except ValueError as error:
        raise NotationError(f"not a saved state: {error}; expected the text that State.to_json gives.") from None
    if not isinstance(data, dict):
        raise NotationError(f"not a saved state: {brief(data)}; expected a JSON object, as State.to_json gives it.")
    return data


def content_of(data: Mapping[str, Any], game: Game) -> Mapping[str, Any]:
    """The state within a JSON object that may name its game; a bare state is returned as it is.

    Raises:
        OptionError: It belongs to another game, other options or other rules.
        NotationError: The state in it is no object.
    """
    if "state" not in data or not data.keys() <= _ENVELOPE:
        return data
    name, options, rules, state = (data.get(key) for key in ("game", "options", "rules", "state"))
    if not isinstance(state, dict) or not isinstance(options, dict | None):
        raise NotationError(f"not a saved state: {brief(data)}; 'state' and 'options' must be objects.")
    if name not in (None, game.name) or (options is not None and type(game)(**options).spec != game.spec):
        raise OptionError(f"it is a state of {name} with the options {brief(options)}; expected one of {game.spec}.")
    if rules not in (None, game.rules_version):
        raise OptionError(
            f"it was saved under rules version {rules}; this version of turnwise plays {game.rules_version}."
        )
    return state
