"""What a game and the contest loop agree on: how to read a referee's lines and how to answer.

A protocol lives with its game and knows texts and states; :mod:`turnwise.arena.contest.loop` knows planners and the
clock. Where a referee does not wait until the program has been loaded, the game also has a driver for the meantime.
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
        number: How many have been read.
        on_first: Called once when the next line has come; a clock may start there.
    """

    def __init__(self, read: Callable[[int], str]) -> None:
        """Begin.

        Args:
            read: Gives the next line with its end, at most so many characters of it; "" when there is no more.
        """
        self._read = read
        self.number = 0
        self.on_first: Callable[[], None] | None = None

    def next(self, what: str) -> str:
        """The next line without its end.

        Args:
            what: What is expected in it, for messages.

        Raises:
            EOFError: There is no further line.
            DamagedFileError: It is much too long.
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
            count: How many there must be.
            what: What they are, for messages.

        Raises:
            EOFError: There is no further line.
            DamagedFileError: The line is another one.
        """
        line = self.next(what)
        parts = line.split()
        if len(parts) != count or not all(_INTEGER.fullmatch(part) for part in parts):
            shown = line if len(line) <= 60 else line[:57] + "..."
            raise DamagedFileError(f"{self.where}: expected {what}, got {shown!r}.")
        return [int(part) for part in parts]

    @property
    def where(self) -> str:
        """The line that was read last, for messages."""
        return f"standard input, line {self.number}"


class ContestProtocol(ABC):
    """One conversation with a game's original referee.

    Attributes:
        first_seconds: Time that the referee grants for the first answer.
        later_seconds: Time for each later answer.
        most_turns: No game has more answers than this.
        rehearsal: A scenario like those to come, so that everything can be loaded before the first line.
    """

    first_seconds: ClassVar[float]
    later_seconds: ClassVar[float]
    most_turns: ClassVar[int]

    rehearsal: Game

    def opening_lines(self, game: Game) -> list[str]:
        """What the referee writes once, before the first turn's lines; nothing unless a game overrides it."""
        return []

    @abstractmethod
    def turn_lines(self, state: State) -> list[str]:
        """What the referee writes for a turn; :meth:`read` reads it."""

    @abstractmethod
    def read(self, lines: Lines, expected: State | None) -> State:
        """Read a turn's lines; before the first turn also what is sent once.

        Args:
            lines: Where they come from.
            expected: The state that our last answer leads to by our rules; None before the first. Where the lines
                tell the same, it is returned itself, since it knows what they do not tell (the score so far).

        Raises:
            EOFError: There is no further line.
            TurnwiseError: The lines are not what the protocol says.
        """

    def answer(self, state: State, action: int) -> str:
        """The line to answer with, without its end."""
        return state.text(action)


class Driver(ABC):
    """Answers in plain Python while the engine is being loaded; a game names its driver in ``settings.toml``.

    Its module must load within a few milliseconds: it imports neither numba nor NumPy.

    Attributes:
        first_seconds: Time from the first line of the first turn until the driver answers it.
        later_seconds: The same for later turns.
        take_over_seconds: The engine answers a first turn itself if it is ready before the turn is so old.
    """

    first_seconds: ClassVar[float]
    later_seconds: ClassVar[float]
    take_over_seconds: ClassVar[float]

    @abstractmethod
    def is_whole(self, lines: Sequence[str], is_first: bool) -> bool:
        """Whether these are all lines of a turn.

        Args:
            lines: At least one, with their ends.
            is_first: Whether it is the first turn, which begins with what is written once.
        """

    @abstractmethod
    def answer(self, lines: Sequence[str], is_first: bool) -> str | None:
        """The answer to a turn, without its end; None where the lines are not what the protocol says."""
