"""What pages may ask for, so that none reads the server's files, and no mistake exhausts the machine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from turnwise.core.budget import Budget, parse_budget
from turnwise.core.errors import OptionError, counted
from turnwise.interop.engines.game import ProcessGame
from turnwise.registry import ENGINE_GAME, GAMES

MOST_ROOMS = 200
MOST_STREAMS = 100
"""Pages that follow a game at the same time."""

MOST_WAITING = 16
"""Analyses that wait for a free core; games wait as long as they must, each with one search."""

LARGEST_BODY = 8_000_000
"""Bytes of a request: a long replay has some megabytes."""

LONGEST_PATH = 200
"""Characters of an address without its query: names and numbers are short, and Python reads no endless ones."""

LONGEST_SECONDS = 300.0
LARGEST_COUNT = 20_000_000
MOST_STEPS = 20_000


def checked_budget(text: str) -> Budget:
    """A budget that a page asks for.

    Raises:
        OptionError: It is no budget, lets a planner search nothing, or is too large for a server.
    """
    budget = parse_budget(text)
    if budget.is_empty:
        raise OptionError(f"With {budget.zeros} a planner cannot search at all; give it more, for example time=1s.")
    if budget.seconds is not None and budget.seconds > LONGEST_SECONDS:
        raise OptionError(f"A budget here has at most {LONGEST_SECONDS:g} seconds; got {text}.")
    counts = [budget.iterations, budget.evaluations, budget.forward_calls]
    if any(count is not None and count > LARGEST_COUNT for count in counts):
        raise OptionError(f"A budget here has at most {counted(LARGEST_COUNT, 'step', ',')}; got {text}.")
    return budget


def refuse_outside(game: str, options: Mapping[str, Any]) -> None:
    """Refuse options that name files of the server, whose contents may be given in place, or start programs.

    Args:
        game: Name of a game, from a page.
        options: Its options, from a page.

    Raises:
        OptionError: A value may be the name of a file, or the game is another program.
    """
    if game == ENGINE_GAME or ("command" in options and issubclass(GAMES.get(game), ProcessGame)):
        raise OptionError(
            "A page cannot start programs on the server. Begin it with a module that registers a game of your own, a "
            "class derived from ProcessGame with its command (--import)."
        )
    for name, value in options.items():
        text = value if isinstance(value, str) else ""
        is_content = text.lstrip()[:1] in ("{", "[")
        is_path = any(mark in text for mark in "/\\~") or Path(text).suffix or (text and Path(text).exists())
        if is_path and not is_content:
            raise OptionError(
                f"The option {name!r} of a game on a server cannot name a file. Give the content in its place as JSON, "
                "or begin the server with a module that registers your own scenario (--import)."
            )
