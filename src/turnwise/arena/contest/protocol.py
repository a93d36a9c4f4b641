"""The contest protocol of a game."""

from __future__ import annotations

from typing import Any

from turnwise.core.contest import ContestProtocol
from turnwise.core.errors import OptionError
from turnwise.registry import GAMES


def protocol_of(name: str, **options: Any) -> ContestProtocol:
    """A new conversation with the referee of a game's contest.

    Args:
        name: The game's name.
        **options: Scenario options other than the board or map, which the referee sends.

    Raises:
        UnknownNameError: No game of that name.
        OptionError: The game has no contest, or an option is unknown or impossible.
    """
    protocol = GAMES.get(name).contest(**options)
    if protocol is None:
        able = [known for known in GAMES.names() if GAMES.get(known).contest() is not None]
        raise OptionError(f"{name} has no contest protocol; games with one: {', '.join(able)}.")
    return protocol
