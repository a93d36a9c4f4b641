"""The referee's view of a race, for comparing recorded play: one position at a time, and levels of a tree."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from turnwise.core import calls
from turnwise.core.errors import DamagedFileError, NotationError, OptionError
from turnwise.games.search_race import notation
from turnwise.games.search_race.rules.physics import NO_HIT, drive
from turnwise.games.search_race.scenario import Point, RaceSetup
from turnwise.games.search_race.state import RaceState
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import at, row_at
from turnwise.jit.record import Floats

if TYPE_CHECKING:
    from turnwise.games.search_race.game import SearchRace

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


def game_on(game_class: type[SearchRace], points: Sequence[Point], **options: Any) -> SearchRace:
    """The scenario with given checkpoints.

    Raises:
        DamagedFileError: The checkpoints or options are impossible.
    """
    try:
        return game_class(checkpoints=tuple(points), **options)
    except OptionError as error:
        raise DamagedFileError(str(error)) from None


_state_at = at(RaceState)


@kernel
def _drive_and_record(g: RaceSetup, s: RaceState, action: int, hits: Floats) -> None:
    drive(g, s, action, hits)


class Position:
    """A state that recorded lines are applied to in place.

    Args:
        game: A Search Race scenario.
        state: The referee's eight fields; a race that is won also has ``col_time``.

    Raises:
        NotationError: The state is impossible in this scenario.
    """

    def __init__(self, game: SearchRace, state: Mapping[str, Any]) -> None:
        self.game = game
        self.row = game.state_row(state)
        self.hits: list[float] = []
        self._times = np.zeros(game.total + 1)

    def set(self, state: Mapping[str, Any], col_time: Any) -> None:
        """Continue from another state, given by the referee's fields and its ``col_time``.

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
        """Play a turn; ``hits`` becomes the list of its hits."""
        before = int(self.row.view(RaceState.dtype)[0]["cp"])
        _drive_and_record(
            RaceSetup.at_address(self.game.setup.ctypes.data),
            RaceState.at_address(self.row.ctypes.data),
            code,
            Floats.of(self._times),
        )
        self.hits = self._times[: int(self.row.view(RaceState.dtype)[0]["cp"]) - before].tolist()

    def play(self, line: str, where: str) -> None:
        """Play a line that must be valid.

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
        """Time of the last hit of the last turn; 2.0: there was none."""
        return self.hits[-1] if self.hits else NO_HIT

    @property
    def is_over(self) -> bool:
        """Whether the race is over."""
        return int(calls.call(self.game, "to_move", self.row)) < 0

    @property
    def is_won(self) -> bool:
        """Whether all checkpoints are passed."""
        return int(self.row.view(RaceState.dtype)[0]["cp"]) == self.game.total

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
        return Level(self.game, self.row.reshape(1, -1), np.ones(1, np.int64))


@kernel
def _drive_each(g: RaceSetup, rows: NDArray[np.uint64], moves: NDArray[np.int64]) -> None:
    """Play the moves, one after the other, in consecutive rows, and clear the time of the last hit."""
    for i in range(len(rows)):
        s = _state_at(row_at(rows, i))
        drive(g, s, moves[i % len(moves)])
        s.col_time = 0.0


@dataclass(frozen=True)
class Level:
    """All states after a number of moves.

    Attributes:
        game: The scenario.
        rows: uint64[n, STATE_WORDS], distinct; the times of last hits are 0.
        ways: int64[n], number of sequences that lead to each.
        ended_earlier: Number of sequences that ended at earlier levels because the race was over.
    """

    game: SearchRace
    rows: NDArray[np.uint64]
    ways: NDArray[np.int64]
    ended_earlier: int = 0

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def sequences(self) -> int:
        """Sequences that lead to this level."""
        return int(self.ways.sum())

    def sums(self) -> list[int]:
        """The fields cp, x, y, vx, vy, angle, added up over all sequences."""
        fields = self.rows.view(RaceState.dtype)[:, 0]
        return [int((fields[name].astype(np.int64) * self.ways).sum()) for name in _SUMMED]

    def next(self) -> Level:
        """The states after every listed move in each of these."""
        over = self.rows.view(RaceState.dtype)[:, 0]["done"] != 0
        moves = self.game.start().legal_codes()
        after = np.repeat(self.rows[~over], len(moves), axis=0)
        _drive_each(RaceSetup.at_address(self.game.setup.ctypes.data), after, moves)
        rows, place = np.unique(after, axis=0, return_inverse=True)
        ways = np.zeros(len(rows), np.int64)
        np.add.at(ways, place.reshape(-1), np.repeat(self.ways[~over], len(moves)))
        return Level(self.game, rows, ways, self.ended_earlier + int(self.ways[over].sum()))
