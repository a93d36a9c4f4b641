"""Clocks around the methods that the author of a game in plain Python wrote."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from time import perf_counter_ns
from types import FunctionType
from typing import Any

from turnwise.core.game import Game


@dataclass
class MethodTime:
    """What a method has taken.

    Attributes:
        name: Its name.
        calls: Number of calls.
        own_nanoseconds: Time in the method itself, without other clocked methods that it called.
    """

    name: str
    calls: int = 0
    own_nanoseconds: int = 0


class ClockedMethods:
    """A copy of a plain Python game whose methods are timed.

    Attributes:
        game: The copy. Its searches must use one thread.
    """

    def __init__(self, game: Game) -> None:
        """Put clocks around the methods of a copy of a game."""
        self.game = copy.copy(game)
        self._inner: list[int] = []  # nanoseconds of clocked methods within each running one
        self._times: list[MethodTime] = []
        for name in own_methods(type(game)):
            vars(self.game)[name] = self._clocked(name, getattr(self.game, name))

    def times(self) -> list[MethodTime]:
        """The methods that were called since the last call of :meth:`clear`."""
        return [time for time in self._times if time.calls]

    def clear(self) -> None:
        """Set all clocks to zero."""
        for time in self._times:
            time.calls = time.own_nanoseconds = 0

    def _clocked(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        time = MethodTime(name)
        self._times.append(time)

        @wraps(method)  # the annotation of first_state says how states are read back
        def clocked(*arguments: Any, **more: Any) -> Any:
            self._inner.append(0)
            begun = perf_counter_ns()
            try:
                return method(*arguments, **more)
            finally:
                taken = perf_counter_ns() - begun
                time.calls += 1
                time.own_nanoseconds += taken - self._inner.pop()
                if self._inner:
                    self._inner[-1] += taken

        return clocked


def own_methods(kind: type[Game]) -> list[str]:
    """Names of the methods of a game's class that are not turnwise's own."""
    found: dict[str, None] = {}
    for base in kind.__mro__:
        if base.__module__.split(".")[0] in ("turnwise", "builtins"):
            continue
        found |= {
            name: None
            for name, value in vars(base).items()
            if isinstance(value, FunctionType) and not name.startswith("__")
        }
    return list(found)
