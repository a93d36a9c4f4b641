"""The result of solving a single-player game: the best game, its cost, and both as a record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from turnwise.arena.records import Ending, GameRecord, SeatRecord, TurnCost
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.registry import GAMES
from turnwise.replay import Replay, ReplayStep
from turnwise.search.plan import SearchReport


def objective_of(state: State) -> tuple[str, float]:
    """Name and value of the game's own measure of a single-player state ("score", "time")."""
    name = state.game.objective
    return (name, state.metrics(0)[name]) if name else ("result", state.returns[0])


def known_game(name: str) -> type[Game] | None:
    """The class of a recorded game; None: it is not registered here."""
    return GAMES.get(name) if name in GAMES.names() else None


def reached(record: GameRecord) -> tuple[str, float]:
    """Name and value of the game's own measure of a recorded single-player game; see :func:`objective_of`."""
    seat, game = record.seats[0], known_game(record.replay.game)
    name = "" if game is None else game.objective
    return (name, seat.metrics[name]) if name in seat.metrics else ("result", seat.result)


def own_result(game: type[Game] | Game, objective: float, result: float) -> float | None:
    """The result that counts, if it differs from the game's own measure (after a penalty, for example); else None."""
    return None if result == (-objective if game.less_is_better else objective) else result


@dataclass(frozen=True, slots=True)
class PlayedLine:
    """A game that was played, or part of one.

    Attributes:
        steps: Its actions.
        end: The state after the last action.
        costs: One entry per decision.
    """

    steps: tuple[ReplayStep, ...]
    end: State
    costs: tuple[TurnCost, ...] = ()

    @property
    def rank(self) -> tuple[bool, float]:
        """A better line has a greater rank: finished games first, then by result."""
        return (True, self.end.returns[0]) if self.end.is_over else (False, self.end.evaluate(0))


@dataclass(frozen=True, slots=True)
class Solution:
    """The best game found.

    Attributes:
        start: First state of the game.
        line: The game.
        planner: Text of the planner.
        seed: Seed of the planner's choices.
        seconds: Time of the search, by the clock of its limits.
        report: Total cost of all searches.
        stopped_by: As in a :class:`~turnwise.search.plan.SearchReport`.
        games: Number of games played to find it; 1 for planners that search the whole game at once.
        value: The planner's value of the game, if it gives one.
        played: Measure of the best game that was played, if that was then improved as a whole (``Game.improver``).
    """

    start: State
    line: PlayedLine
    planner: str
    seed: int
    seconds: float
    report: SearchReport
    stopped_by: str
    games: int = 1
    value: float | None = None
    played: float | None = None

    @property
    def game(self) -> Game:
        """The scenario."""
        return self.start.game

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions of the game as text."""
        return tuple(step.action for step in self.line.steps)

    @property
    def objective(self) -> tuple[str, float]:
        """Name and value of the game's own measure of the result."""
        return objective_of(self.line.end)

    @property
    def replay(self) -> Replay:
        """The game as a replay."""
        end = self.line.end
        return Replay(
            game=self.game.name,
            rules=self.game.rules_version,
            options=self.game.options.model_dump(mode="json", exclude_defaults=True),
            start=self.start.to_dict(),
            players=(self.planner,),
            steps=self.line.steps,
            result=Ending.WON.value if end.is_over else Ending.DRAWN_BY_LIMIT.value,
            returns=end.returns if end.is_over else (),
        )

    @property
    def record(self) -> GameRecord:
        """The game as an arena record."""
        return record_of(self.replay, self.line.end, self.line.costs, self.seconds)


def record_of(replay: Replay, end: State, costs: Sequence[TurnCost] = (), seconds: float = 0.0) -> GameRecord:
    """Convert a single-player replay to a record.

    Args:
        replay: The game.
        end: The state that it leads to.
        costs: One entry per decision.
        seconds: Time of the search, by the clock of its limits.
    """
    name = replay.players[0] if replay.players else end.game.seat_name(0)
    seat = SeatRecord(
        player=name, seat=0, rank=1, score=1.0, result=end.returns[0], metrics=end.metrics(0), costs=tuple(costs)
    )
    return GameRecord(
        key="",
        group=0,
        ending=Ending.WON if end.is_over else Ending.DRAWN_BY_LIMIT,
        detail=end.game.ending_text(end.row) if end.is_over else "not played to its end",
        turns=count_turns(replay.steps, end),
        seats=(seat,),
        replay=replay,
        seconds=seconds,
        scenario=end.game.spec,
    )


def count_turns(steps: Iterable[ReplayStep], end: State) -> int:
    """Number of turns of a game: by the states' turn numbers if a turn has several actions, else by its actions."""
    return sum(1 for _ in steps) if end.game.max_turn == 1 else end.turn
