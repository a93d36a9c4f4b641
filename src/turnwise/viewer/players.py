"""The planners that pages may choose: those of the library, and the engines that the server offers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from turnwise.core.errors import OptionError
from turnwise.interop.engines.player import ProcessPlanner
from turnwise.registry import ENGINE, PLANNERS, planner, split_text
from turnwise.search.planner import Planner

_FIRST = ("turn-maximin", "online-evolution", "mcts", "greedy-turn", "random")  # people often want to meet these


class Players:
    """What a page can seat or ask; it starts no other program of the server's machine than the offered engines."""

    def __init__(self, engines: Sequence[str] = ()) -> None:
        """Offer engines.

        Args:
            engines: Command line of each engine.

        Raises:
            OptionError: A command is empty.
        """
        self._engines = tuple(planner(f"{ENGINE}:{command}").spec for command in engines)

    def names(self) -> list[str]:
        """All names: the engines, then the planners."""
        names = PLANNERS.names()
        first = [name for name in _FIRST if name in names]
        return [*self._engines, *first, *(name for name in names if name not in first)]

    def planner(self, text: str) -> Planner[Any]:
        """A planner that a page asks for.

        Args:
            text: Its name with parameters.

        Raises:
            UnknownNameError: There is no such planner.
            OptionError: A parameter is unknown or invalid, or the planner would run a command that nobody has offered.
        """
        mind = planner(text)
        name, parameters = split_text(text)
        names_program = name == ENGINE or (isinstance(mind, ProcessPlanner) and "command" in parameters)
        if names_program and mind.spec not in self._engines:
            raise OptionError(
                "A page cannot start programs on the server but those that it offers. Begin it with 'turnwise serve "
                "--engine COMMAND', and choose the engine from the list of players."
            )
        return mind
