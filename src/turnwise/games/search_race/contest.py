"""The protocol of the contest's Search Race referee (rules 5): the track once, then the car every turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from turnwise.core.contest import ContestProtocol, Lines
from turnwise.core.errors import DamagedFileError, NotationError, OptionError
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.games.search_race.scenario import MOST_CHECKPOINTS, MOST_TURNS, Point, SearchRaceOptions

if TYPE_CHECKING:
    from turnwise.games.search_race.game import SearchRace

_LAPS = 3
_CAR = ("cp", "x", "y", "vx", "vy", "angle")


class SearchRaceProtocol(ContestProtocol):
    """The targets of all three laps first, then ``cp x y vx vy angle``; 1 s for the first answer, then 50 ms each."""

    first_seconds: ClassVar[float] = 1.0
    later_seconds: ClassVar[float] = 0.05
    most_turns: ClassVar[int] = MOST_TURNS

    def __init__(self, game_class: type[SearchRace], /, **options: Any) -> None:
        """Begin.

        Args:
            game_class: The game, which makes the scenario that the referee's lines describe.
            **options: Scenario options without a track.

        Raises:
            OptionError: An unknown option or an impossible value.
        """
        if "laps" in options:
            raise OptionError("The contest's races have three laps; omit the option laps.")
        given = {"track", "checkpoints"}.intersection(options)
        if given:
            raise OptionError(f"The referee sends the track; omit the option {min(given)}.")
        self._game_class, self._options = game_class, options
        self.rehearsal = game_class(**options)
        self._game: SearchRace | None = None

    def read(self, lines: Lines, expected: State | None) -> State:
        """See :meth:`ContestProtocol.read`."""
        if self._game is None:
            points = self._points(lines)
            try:
                self._game = self._game_class(checkpoints=points, **self._options)
            except OptionError as error:
                raise DamagedFileError(f"{lines.where}: the track in the lines so far: {error}") from None
        numbers = lines.integers(len(_CAR), f"the car as six whole numbers: {' '.join(_CAR)}")
        car = dict(zip(_CAR, numbers, strict=True))
        known = None if expected is None else expected.to_dict()
        if expected is not None and known is not None and all(known[name] == car[name] for name in _CAR):
            return expected
        timer = 0 if known is None else known["timer"]  # the referee does not send it
        try:
            return self._game.from_dict({**car, "timer": timer, "done": False})
        except NotationError as error:
            raise DamagedFileError(f"{lines.where}: {error}") from None

    def opening_lines(self, game: Game) -> list[str]:
        """See :meth:`ContestProtocol.opening_lines`: the targets of three laps."""
        assert isinstance(game.options, SearchRaceOptions)
        points = game.options.points
        targets = (*points[1:], points[0]) * _LAPS
        return [str(len(targets)), *(f"{x} {y}" for x, y in targets)]

    def turn_lines(self, state: State) -> list[str]:
        """See :meth:`ContestProtocol.turn_lines`: the car."""
        car = state.to_dict()
        return [" ".join(str(car[name]) for name in _CAR)]

    @staticmethod
    def _points(lines: Lines) -> tuple[Point, ...]:
        """The map, from the targets of all laps: P[1], ..., P[n-1], P[0], three times over."""
        (count,) = lines.integers(1, "the number of checkpoints of all three laps")
        if count % _LAPS or not 2 * _LAPS <= count <= _LAPS * MOST_CHECKPOINTS:
            raise DamagedFileError(
                f"{lines.where}: expected the number of checkpoints of all three laps, a multiple of 3 from "
                f"{2 * _LAPS} to {_LAPS * MOST_CHECKPOINTS}; got {count}."
            )
        targets = []
        for number in range(count):
            x, y = lines.integers(2, f"checkpoint {number + 1} of {count} as 'x y'")
            targets.append((x, y))
            if targets[number % (count // _LAPS)] != (x, y):
                raise DamagedFileError(
                    f"{lines.where}: checkpoint {number + 1} of {count} is {x} {y}, but the previous lap had "
                    "another one in its place."
                )
        return (targets[count // _LAPS - 1], *targets[: count // _LAPS - 1])
