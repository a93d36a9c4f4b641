"""The contract between a game's reader of recorded play and the verifier: documents, comparisons, tallies.

A reader is part of its game and knows the file formats; :mod:`turnwise.testing.recorded.verification` opens files,
finds the game whose reader knows each, and counts. A reader only reports "this was recorded, this is what the rules
give".
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from turnwise.core.errors import DamagedFileError
from turnwise.core.text_file import json_of

if TYPE_CHECKING:
    from turnwise.core.game import Game

State = Mapping[str, Any]


@dataclass(frozen=True)
class Document:
    """A file's content: one JSON value, or one JSON value per line.

    Attributes:
        source: Name of the file, for messages.
        lines: The text's lines; a single JSON value is kept as one line.
        numbers: Line number of each of ``lines`` in the file, from 1.
        first: The first JSON value.
    """

    source: str
    lines: tuple[str, ...]
    numbers: tuple[int, ...]
    first: Any

    def records(self) -> Iterator[JSONRecord]:
        """All JSON values in order.

        Raises:
            DamagedFileError: A line is not JSON, or not a JSON object.
        """
        for text, number in zip(self.lines, self.numbers, strict=True):
            where = f"{self.source}, line {number}"
            yield JSONRecord(where, parse_json(text, where, number))


def parse_json(text: str, where: str, line: int = 1) -> Any:
    """Read one JSON value from a file of unknown origin.

    Args:
        text: The JSON text.
        where: File and line, for messages.
        line: Number of the text's first line in the file.

    Raises:
        DamagedFileError: The text is not JSON.
    """
    try:
        return json_of(text, line)
    except ValueError as error:
        raise DamagedFileError(
            f"{where}: expected JSON, got {text[:40]!r}... ({error}). The file is of another kind, damaged or cut "
            "off; check its name, or copy it again."
        ) from None


class JSONRecord:
    """One JSON object of a document, with a name for messages; fields are read by name and type."""

    __slots__ = ("data", "where")

    def __init__(self, where: str, data: Any) -> None:
        if not isinstance(data, dict):
            raise DamagedFileError(
                f"{where}: expected a JSON object, got {_short(data)}. Check that it is a file of this kind."
            )
        self.where = where
        self.data: dict[str, Any] = data

    def get(self, name: str, *kinds: type) -> Any:
        """Read a required field.

        Args:
            name: Name of the field.
            *kinds: Types that it may have (a bool is not an int here); none: any.

        Raises:
            DamagedFileError: The field is missing or has another type.
        """
        if name not in self.data:
            raise DamagedFileError(
                f"{self.where}: expected a field {name!r}, got only {', '.join(self.data) or 'nothing'}. "
                "The file is damaged or of another format; record it again."
            )
        found = self.data[name]
        if kinds and (not isinstance(found, kinds) or (isinstance(found, bool) and bool not in kinds)):
            wanted = " or ".join("null" if kind is type(None) else kind.__name__ for kind in kinds)
            raise DamagedFileError(
                f"{self.where}: expected {name!r} to be {wanted}, got {_short(found)}. The file is damaged; copy it "
                "again."
            )
        return found

    def part(self, name: str) -> JSONRecord:
        """Read a required field that is itself an object.

        Raises:
            DamagedFileError: The field is missing or is not an object.
        """
        return JSONRecord(f"{self.where}, {name}", self.get(name, dict))

    def __contains__(self, name: str) -> bool:
        return name in self.data


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A recorded field that differs from what the rules give.

    Attributes:
        kind: What was compared ("state", "legal", ...).
        where: File and line.
        expected: The recorded value.
        got: The value that the rules give.
        recorded_state: Canonical JSON form of the recorded state, if there is one.
        own_state: Canonical JSON form of the state that turnwise computed.
        action: The action in question, if there is one.
    """

    kind: str
    where: str
    expected: Any
    got: Any
    recorded_state: State | None = None
    own_state: State | None = None
    action: str = ""


@dataclass
class Mismatches:
    """Counts comparisons by kind and keeps the first mismatch.

    Attributes:
        compared: Kind -> number of compared fields.
        wrong: Kind -> number of fields that differed.
        steps: Number of recorded steps processed (actions, probes, deals, positions).
        first: The first mismatch.
        notes: What was left out and why.
        where: File and line in progress; set by the reader.
        states: Recorded and own state in progress, for the report of a mismatch; set by the reader.
        action: The action in progress; set by the reader.
    """

    compared: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    steps: int = 0
    first: Mismatch | None = None
    notes: list[str] = field(default_factory=list)
    where: str = ""
    states: tuple[State | None, State | None] = (None, None)
    action: str = ""

    def at(self, where: str, action: str = "") -> None:
        """Go on to another place in the recording; ``action`` is the one in question, if there is one."""
        self.where, self.action, self.states = where, action, (None, None)

    def step(self, where: str, action: str = "", state: State | None = None) -> None:
        """Go on to the next recorded step and count it.

        Args:
            where: Where it is recorded.
            action: The action in question, if there is one.
            state: The state before it, for the report of a mismatch; recorded and own state agree there.
        """
        self.at(where, action)
        self.states = (state, state)
        self.steps += 1

    def compare(self, kind: str, expected: Any, got: Any) -> bool:
        """Compare one recorded field exactly (true is not 1 here); returns whether it agrees."""
        agrees = expected == got and isinstance(expected, bool) == isinstance(got, bool)
        return self._count(kind, expected, got, bool(agrees))

    def compare_close(self, kind: str, expected: Any, got: float, tolerance: float) -> bool:
        """Compare one recorded number within an absolute tolerance; returns whether it agrees."""
        number = isinstance(expected, int | float) and not isinstance(expected, bool)
        return self._count(kind, expected, got, number and abs(expected - got) <= tolerance)

    def _count(self, kind: str, expected: Any, got: Any, agrees: bool) -> bool:
        self.compared[kind] += 1
        if not agrees:
            self.wrong[kind] += 1
            if self.first is None:
                self.first = Mismatch(kind, self.where, expected, got, *self.states, self.action)
        return agrees


class ConformanceReader(ABC):
    """Reads files of recorded play of one game; returned by :meth:`.Game.conformance`."""

    @abstractmethod
    def kind(self, document: Document) -> str:
        """Kind of a document ("trace", "perft", ...) if it has one of this game's formats, else an empty string."""

    @abstractmethod
    def verify(self, document: Document, tally: Mismatches) -> None:
        """Compare everything in a document of a known kind with what the rules give.

        Raises:
            DamagedFileError: The document cannot be read to its end.
        """

    def warm_up(self, game: Game) -> None:
        """Compile ahead of time what verification needs in addition to the game's own functions.

        Args:
            game: A scenario of this reader's game.
        """
