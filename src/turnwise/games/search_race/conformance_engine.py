"""The referee's view of a race, for comparing recorded play: one position at a time, and levels of a tree."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from turnwise.core import calls
from turnwise.core.chance import generator
from turnwise.core.errors import DamagedFileError, NotationError, OptionError
from turnwise.core.kernel import address_of, kernel
from turnwise.games.search_race import SearchRace, notation
from turnwise.games.search_race.physics import NO_HIT, drive
from turnwise.games.search_race.scenario import Point
from turnwise.games.search_race.state import STATE, state_at

LOST_TEXT = "lost (time 1000)"
MOVES_ARE_TEN = {"moves": "ten"}
FIELDS = notation.STATE_KEYS
_SUMMED = ("cp", "x", "y", "vx", "vy", "angle")
_POINTS = re.compile(r"-?\d{1,9} -?\d{1,9}(;-?\d{1,9} -?\d{1,9})*")


def read_points(text: str, where: str) -> list[Point]:
    """Checkpoints written as ``x y;x y``.

    Raises:
        DamagedFileError: Another form.
    """
    if not _POINTS.fullmatch(text):
        raise DamagedFileError(f"{where}: expected checkpoints as 'x y;x y;...', got {text[:60]!r}.")
    pairs = (part.split(" ") for part in text.split(";"))
    return [(int(x), int(y)) for x, y in pairs]


def game_on(points: Sequence[Point], **options: Any) -> SearchRace:
    """The scenario on some checkpoints.

    Raises:
        DamagedFileError: They or the options are impossible.
    """
    try:
        return SearchRace(checkpoints=tuple(points), **options)
    except OptionError as error:
        raise DamagedFileError(str(error)) from None


@kernel
def _drive_and_record(setup: Any, row: Any, action: int, hits: Any) -> None:
    drive(address_of(setup), state_at(address_of(row)), action, address_of(hits))


class Position:
    """A state that recorded lines are applied to in place.

    Args:
        game: A Search Race scenario.
        state: The referee's eight fields; a race that is won has ``col_time`` too.

    Raises:
        NotationError: The state is impossible in this scenario.
    """

    def __init__(self, game: SearchRace, state: Mapping[str, Any]) -> None:
        self.game = game
        self.row = game.state_row(state)
        self.hits: list[float] = []
        self._times = np.zeros(game.total + 1)

    def set(self, state: Mapping[str, Any], col_time: Any) -> None:
        """Go on from another state, given by the referee's fields and its ``col_time``.

        Raises:
            NotationError: The state is impossible in this scenario.
        """
        is_won = state.get("cp") == self.game.total
        self.row = self.game.state_row({**state, "col_time": col_time} if is_won else state)

    def answer(self, line: str) -> int:
        """Code of a line.

        Raises:
            NotationError: The referee refuses it.
        """
        return notation.parse_answer(self.row, line)

    def apply(self, code: int) -> None:
        """Play a turn; ``hits`` are its hits."""
        before = int(self.row.view(STATE)[0]["cp"])
        _drive_and_record(self.game.setup, self.row, code, self._times)
        self.hits = self._times[: int(self.row.view(STATE)[0]["cp"]) - before].tolist()

    def play(self, line: str, where: str) -> None:
        """Play a line that must be right.

        Raises:
            DamagedFileError: It is not.
        """
        try:
            self.apply(self.answer(line))
        except NotationError as error:
            raise DamagedFileError(f"{where}: {error}") from None

    def fields(self) -> dict[str, Any]:
        """The referee's eight fields."""
        state = self.game.state_dict(self.row)
        return {name: state[name] for name in FIELDS}

    @property
    def col_time(self) -> float:
        """When the last hit of the last turn came; 2.0: there was none."""
        return self.hits[-1] if self.hits else NO_HIT

    @property
    def is_over(self) -> bool:
        """Whether the race is over."""
        return int(calls.call(self.game, "to_move", self.row)) < 0

    @property
    def is_won(self) -> bool:
        """Whether all checkpoints are passed."""
        return int(self.row.view(STATE)[0]["cp"]) == self.game.total

    @property
    def time(self) -> float:
        """The referee's result."""
        out = np.zeros(1)
        calls.call(self.game, "returns", self.row, out.ctypes.data)
        return -float(out[0])

    def value(self, evaluation: str) -> float:
        """Value of the state by an evaluation."""
        return calls.value(self.game, self.game.evaluation(evaluation)[1], self.row, self.row, 0)

    def first_level(self) -> Level:
        """The state alone."""
        return Level(self.game, {self.row.tobytes(): 1}, 0)


@dataclass(frozen=True)
class Level:
    """All states after so many moves.

    Attributes:
        game: The scenario.
        ways: Row (as bytes, without the time of the last hit) -> number of sequences that lead there.
        ended_earlier: Sequences of earlier levels that could not go on because the race was over.
    """

    game: SearchRace
    ways: Mapping[bytes, int]
    ended_earlier: int

    def __len__(self) -> int:
        return len(self.ways)

    @property
    def sequences(self) -> int:
        """Sequences that lead to this level."""
        return sum(self.ways.values())

    def sums(self) -> list[int]:
        """The fields cp, x, y, vx, vy, angle, added up over all sequences."""
        rows = np.frombuffer(b"".join(self.ways), STATE)
        times = np.array(list(self.ways.values()), np.int64)
        return [int((rows[name].astype(np.int64) * times).sum()) for name in _SUMMED]

    def next(self) -> Level:
        """The states after every listed move in each of these."""
        rng = generator(0)
        listed = np.zeros(self.game.max_actions, np.int64)
        found: dict[bytes, int] = {}
        ended = self.ended_earlier
        for packed, ways in self.ways.items():
            before = np.frombuffer(packed, np.uint64)
            if calls.call(self.game, "to_move", before) < 0:
                ended += ways
                continue
            n = calls.call(self.game, "legal_actions", before, listed.ctypes.data)
            for code in listed[:n].tolist():
                after = before.copy()
                calls.call(self.game, "apply", after, code, rng.ctypes.data)
                after.view(STATE)[0]["col_time"] = 0.0
                key = after.tobytes()
                found[key] = found.get(key, 0) + ways
        return Level(self.game, found, ended)
