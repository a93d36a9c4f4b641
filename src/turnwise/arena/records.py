"""What is kept of a finished game."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from turnwise.core.replay import Replay


class Ending(StrEnum):
    """Every way a game can end has a name."""

    WON = "won"
    DRAWN_BY_RULE = "drawn by rule"
    DRAWN_BY_LIMIT = "drawn by limit"
    ILLEGAL_ACTION = "illegal action"
    EXCEPTION = "exception"
    TIME_OVERRUN = "time overrun"
    ABANDONED = "abandoned after lost workers"


class TurnCost(BaseModel):
    """What one decision of a player cost (one per plan)."""

    model_config = ConfigDict(frozen=True)

    turn: int
    seconds: float
    forward_calls: int
    evaluations: int
    iterations: int
    actions: int
    overrun: float = 0.0  # seconds beyond a time budget
    stopped_by: str = "done"
    details: Mapping[str, float] = Field(default_factory=dict)


class SeatRecord(BaseModel):
    """One player's part of a finished game.

    Attributes:
        player: The player's name in the tournament.
        seat: From 0 (moves first).
        rank: 1 is best; equal results share a rank.
        score: 1 for a win, 0.5 for a draw, 0 for a loss (shared wins count in equal parts).
        result: The game's own return for this player.
        metrics: The game's numbers for tables at the end.
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
        group: Games of one group share their start, with seats rotated.
        ending: How it ended.
        detail: One line more (the error's text, the game's own name for the ending).
        turns: Turns played.
        seats: One entry per player.
        replay: The whole game.
        seconds: Wall time.
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
