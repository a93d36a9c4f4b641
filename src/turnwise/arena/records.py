"""The record of a finished game."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from turnwise.replay import Replay


class Ending(StrEnum):
    """Every way in which a game can end.

    A win is shared where several players, but not all, have the best result.
    """

    WON = "won"
    SHARED = "shared win"
    DRAWN_BY_RULE = "drawn by rule"
    DRAWN_BY_LIMIT = "drawn by limit"
    ILLEGAL_ACTION = "illegal action"
    EXCEPTION = "exception"
    TIME_OVERRUN = "time overrun"
    ENGINE_CRASH = "engine crash"
    ENGINE_HANG = "engine hang"
    ENGINE_GARBAGE = "engine garbage"
    ENGINE_FLOOD = "engine flood"
    ABANDONED = "abandoned after lost workers"


ENGINE_FAULTS = (Ending.ENGINE_CRASH, Ending.ENGINE_HANG, Ending.ENGINE_GARBAGE, Ending.ENGINE_FLOOD)
"""Endings by a player in another process that does not keep the protocol."""

CODE_ERRORS = (Ending.ILLEGAL_ACTION, Ending.EXCEPTION, *ENGINE_FAULTS)
"""Endings by an error in the code of the player that forfeits."""

FORFEITS = (*CODE_ERRORS, Ending.TIME_OVERRUN)
"""Endings at which one player loses by its own fault and the others share the win."""


class TurnCost(BaseModel):
    """What one decision of a player cost (one per plan).

    Attributes:
        turn: The game's number of the turn that was planned.
        seconds: Time of the decision by the budget's clock, as the arena measured it.
        forward_calls: Calls of ``apply`` that count towards the budget.
        evaluations: Calls of an evaluation.
        iterations: Iterations of the planner's main loop.
        actions: Actions in the plan.
        overrun: Seconds beyond a time budget.
        stopped_by: Why the search ended.
        details: The planner's own figures.
        forward_calls_for_others: Calls of ``apply`` for other seats.
    """

    model_config = ConfigDict(frozen=True)

    turn: int
    seconds: float
    forward_calls: int
    evaluations: int
    iterations: int
    actions: int
    overrun: float = 0.0
    stopped_by: str = "done"
    details: Mapping[str, float] = Field(default_factory=dict)
    forward_calls_for_others: int = 0


class SeatRecord(BaseModel):
    """One player's part of a finished game.

    Attributes:
        player: The player's name in the tournament.
        seat: From 0 (moves first).
        rank: 1 is best; equal results share a rank; 0 in an abandoned game.
        score: 1 for a win, 0.5 for a draw, 0 for a loss (shared wins count in equal parts); 0 in an abandoned
            game, which no statistic counts.
        result: The game's return for this player in the last state, however the game ended (a forfeit
            changes rank and score only).
        metrics: The game's metrics in the last state, for tables.
        costs: One entry per decision.
    """

    model_config = ConfigDict(frozen=True)

    player: str
    seat: int
    rank: int
    score: float
    result: float
    metrics: Mapping[str, float] = Field(default_factory=dict)
    costs: tuple[TurnCost, ...] = ()


class GameRecord(BaseModel):
    """A finished game.

    Attributes:
        key: Unique within a tournament: specification, rules, start and seats.
        group: Games of one group share their start; the same players play it from all seatings.
        ending: How it ended.
        detail: One more line (the error's message, or the game's own name for the ending).
        turns: Turns played.
        seats: One entry per player.
        replay: The whole game; where a tournament keeps no replays, only its first state and no steps.
        seconds: Wall time.
        number: Increases in the tournament's order of games.
        scenario: The scenario's text.
        start_seed: Seed of the start; games with the same scenario and seed have the same start for any players.
    """

    model_config = ConfigDict(frozen=True)

    key: str
    group: int
    ending: Ending
    detail: str = ""
    turns: int
    seats: tuple[SeatRecord, ...]
    replay: Replay
    seconds: float = 0.0
    number: int = 0
    scenario: str = ""
    start_seed: int = 0

    @property
    def is_failed(self) -> bool:
        """Whether an error in a player's code ended this game, which therefore shows nothing of its strength."""
        return self.ending in CODE_ERRORS

    @property
    def is_counted(self) -> bool:
        """Whether statistics count this game (all but abandoned ones)."""
        return self.ending is not Ending.ABANDONED
