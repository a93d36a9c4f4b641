"""Where a game and planners have changed places on the line: the same command in the right order."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

from turnwise.cli.ui.options import GLOBAL_OPTIONS
from turnwise.core.errors import UnknownNameError

_TYPED = "turnwise.typed"  # entry of the parser's context


def note_typed(context: Any, arguments: Sequence[str]) -> None:
    """Note what was typed after the program's name, for :func:`check_order`."""
    context.meta[_TYPED] = tuple(arguments)


def check_order(context: Any, game: str, planners: Sequence[str]) -> None:
    """Refuse a line with a planner in the game's place and the game in a planner's.

    Args:
        context: The parser's, with the command and what was typed.
        game: What is in the game's place.
        planners: What is in those of planners.

    Raises:
        UnknownNameError: They have changed places; the message has the corrected line.
    """
    from turnwise.registry import GAMES, PLANNERS

    games = [text for text in planners if _name(text) in GAMES.names() and _name(text) not in PLANNERS.names()]
    if _name(game) in GAMES.names() or _name(game) not in PLANNERS.names() or len(games) != 1:
        return
    command, others, options = _words(context)
    others.remove(games[0])
    is_first = next(each.name for each in context.command.params if each.param_type_name == "argument") == "game"
    right = [*games, *others] if is_first else [*others, *games]
    raise UnknownNameError(
        f"'turnwise {command}' takes the game {'first, then' if is_first else 'last, after'} the planners; there is no "
        f"game {game!r}, but a planner. Did you mean: {shlex.join(['turnwise', command, *right, *options])}"
    )


def _name(text: str) -> str:
    """The name without settings."""
    return text.partition(":")[0].strip()


def _words(context: Any) -> tuple[str, list[str], list[str]]:
    """What was typed: the command, its arguments, and all options with their values."""
    valued = set(GLOBAL_OPTIONS)
    for parameter in context.command.params:
        if parameter.param_type_name == "option" and not parameter.is_flag:
            valued.update(parameter.opts)
    arguments: list[str] = []
    options: list[str] = []
    words = iter(context.meta[_TYPED])
    for word in words:
        if not word.startswith("-"):
            arguments.append(word)
        elif word != "--":
            options += [word, *([next(words, "")] if word in valued else [])]
    return arguments[0], arguments[1:], options
