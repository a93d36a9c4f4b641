"""The contract between a game and the contest loop: how to read a referee's lines and how to answer.

A protocol is part of its game and converts between lines and states; :mod:`turnwise.arena.contest.loop` knows planners
and the clock. If a referee does not wait until the program has loaded, the game also has a driver for the meantime.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from turnwise.core.errors import DamagedFileError

if TYPE_CHECKING:
    from turnwise.core.game import Game
    from turnwise.core.state import State

LONGEST_LINE = 10_000
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")


class Lines:
    """A referee's lines, one by one.

    Attributes:
        number: Number of lines read.
        on_first: Called once when the next line has arrived; a clock may start there.
    """

    def __init__(self, read: Callable[[int], str]) -> None:
        """Start before the first line.

        Args:
            read: ``read(n)`` returns the next line with its line end, at most n characters of it; "" at the end.
        """
        self._read = read
        self.number = 0
        self.on_first: Callable[[], None] | None = None

    def next(self, what: str) -> str:
        """The next line without its line end.

        Args:
            what: Description of the expected content, for messages.

        Raises:
            EOFError: There is no further line.
            DamagedFileError: The line is much too long.
        """
        line = self._read(LONGEST_LINE + 1)
        if self.on_first is not None:
            self.on_first()
            self.on_first = None
        if not line:
            raise EOFError
        self.number += 1
        if len(line) > LONGEST_LINE:
            raise DamagedFileError(f"{self.where}: more than {LONGEST_LINE} characters; expected {what}.")
        return line.rstrip("\r\n")

    def integers(self, count: int, what: str) -> list[int]:
        """The whole numbers of the next line.

        Args:
            count: Expected number of whole numbers.
            what: Description of the numbers, for messages.

        Raises:
            EOFError: There is no further line.
            DamagedFileError: The line does not hold that many whole numbers.
        """
        line = self.next(what)
        parts = line.split()
        if len(parts) != count or not all(_INTEGER.fullmatch(part) for part in parts):
            shown = line if len(line) <= 60 else line[:57] + "..."
            raise DamagedFileError(f"{self.where}: expected {what}, got {shown!r}.")
        return [int(part) for part in parts]

    @property
    def where(self) -> str:
        """The last line read, for messages."""
        return f"standard input, line {self.number}"


class ContestProtocol(ABC):
    """One conversation with a game's original referee.

    Attributes:
        first_seconds: Time that the referee grants for the first answer.
        later_seconds: Time for each later answer.
        most_turns: Largest number of answers in a game.
        rehearsal: A scenario like the expected ones, so that everything can be loaded before the first line.
    """

    first_seconds: ClassVar[float]
    later_seconds: ClassVar[float]
    most_turns: ClassVar[int]

    rehearsal: Game

    def opening_lines(self, game: Game) -> list[str]:
        """The lines that the referee writes once, before the first turn's lines; none unless a game overrides it."""
        return []

    @abstractmethod
    def turn_lines(self, state: State) -> list[str]:
        """The lines that the referee writes for a turn; :meth:`read` reads them."""

    @abstractmethod
    def read(self, lines: Lines, expected: State | None) -> State:
        """Read a turn's lines, before the first turn also the opening lines.

        Args:
            lines: The source of the lines.
            expected: The state that our last answer leads to by our rules; None before the first. If the lines
                describe the same state, this object is returned, since it holds what the lines leave out (the score
                so far).

        Raises:
            EOFError: There is no further line.
            TurnwiseError: The lines are not what the protocol says.
        """

    def answer(self, state: State, action: int) -> str:
        """The line to answer with, without its line end."""
        return state.text(action)


class Driver(ABC):
    """Answers in plain Python while the engine is loading; a game names its driver in ``settings.toml``.

    Its module must load within a few milliseconds: it imports neither numba nor NumPy.

    Attributes:
        first_seconds: Time from the first line of the first turn until the driver answers it.
        later_seconds: The same for later turns.
        take_over_seconds: If the engine is ready within this time of the first turn's first line, it answers that turn.
    """

    first_seconds: ClassVar[float]
    later_seconds: ClassVar[float]
    take_over_seconds: ClassVar[float]

    @abstractmethod
    def is_whole(self, lines: Sequence[str], is_first: bool) -> bool:
        """Whether these are all lines of a turn.

        Args:
            lines: At least one line, with line ends.
            is_first: Whether it is the first turn, which begins with the opening lines.
        """

    @abstractmethod
    def answer(self, lines: Sequence[str], is_first: bool) -> str | None:
        """The answer to a turn, without its line end; None if the lines do not follow the protocol."""
