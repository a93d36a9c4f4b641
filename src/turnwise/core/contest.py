"""What a game and the contest loop agree on: how to read a referee's lines and how to answer.

A protocol lives with its game and knows texts and states; :mod:`turnwise.arena.contest.loop` knows planners and the
clock.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
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
