"""The protocol of the contest's SameGame referee (rules 5): a board of numbers every turn, ``x y`` as the answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from turnwise.core.contest import ContestProtocol, Lines
from turnwise.core.errors import DamagedFileError, OptionError
from turnwise.core.state import State
from turnwise.games.samegame.notation import counts_of, listed_row
from turnwise.games.samegame.scenario import EMPTY, check_rows
from turnwise.games.samegame.state import COLOURS, SIDE, SameGameState

if TYPE_CHECKING:
    from turnwise.games.samegame.game import SameGame

_WHAT = f"a row of the board: {SIDE} numbers, -1 (empty) to {COLOURS - 1}"


class SameGameProtocol(ContestProtocol):
    """Fifteen lines per turn, the top row first; 20 s for the first answer, 50 ms for each later one."""

    first_seconds: ClassVar[float] = 20.0
    later_seconds: ClassVar[float] = 0.05
    most_turns: ClassVar[int] = 115

    def __init__(self, game_class: type[SameGame], /, **options: Any) -> None:
        """Begin.

        Args:
            game_class: The game, which makes the scenario that the referee's lines describe.
            **options: Scenario options without a board.

        Raises:
            OptionError: An unknown option or an impossible value.
        """
        given = {"board", "rows"}.intersection(options)
        if given:
            raise OptionError(f"The referee sends the board; omit the option {min(given)}.")
        self._game_class, self._options = game_class, options
        self.rehearsal = game_class(**options)
        self._game: SameGame | None = None

    def read(self, lines: Lines, expected: State | None) -> State:
        """See :meth:`ContestProtocol.read`."""
        board = [self._row(lines) for _ in range(SIDE)]
        if expected is not None and expected.to_dict()["board"] == board:
            return expected
        try:
            rows = check_rows(board)
        except ValueError as error:
            raise DamagedFileError(f"{lines.where}: the board of the last {SIDE} lines: {error}.") from None
        if self._game is None:
            self._game = self._game_class(rows=rows, **self._options)
        state = self._game.from_dict(self._state(rows, 0 if expected is None else expected.to_dict()["score"]))
        if state.is_over:
            raise DamagedFileError(f"{lines.where}: the board of the last {SIDE} lines has no region to remove.")
        return state

    def turn_lines(self, state: State) -> list[str]:
        """See :meth:`ContestProtocol.turn_lines`: 15 rows of numbers, top row first."""
        return [" ".join("-1" if cell == EMPTY else cell for cell in row) for row in state.to_dict()["board"]]

    @staticmethod
    def _row(lines: Lines) -> str:
        numbers = lines.integers(SIDE, _WHAT)
        wrong = [number for number in numbers if not -1 <= number < COLOURS]
        if wrong:
            raise DamagedFileError(f"{lines.where}: expected {_WHAT}; got the number {wrong[0]}.")
        return "".join(EMPTY if number < 0 else str(number) for number in numbers)

    @staticmethod
    def _state(rows: Sequence[str], score: int) -> dict[str, Any]:
        """The canonical form of a board; the referee does not send the score."""
        is_over = int(listed_row(rows).view(SameGameState.dtype)[0]["regions"]) == 0
        return {"board": list(rows), "counts": counts_of(rows), "score": score, "terminal": is_over}
