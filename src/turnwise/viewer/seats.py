"""Who sits where: people with a secret of their own, and planners with parameters and a budget."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from turnwise.core.errors import OptionError, counted
from turnwise.core.game import Game
from turnwise.registry import planner
from turnwise.viewer.limits import checked_budget

PERSON = "person"


class WantedSeat(BaseModel):
    """A seat as a page asks for it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    player: str = Field(default=PERSON, max_length=2000)
    budget: str = Field(default="time=1s", max_length=200)


class Seat(BaseModel):
    """A seat of a game.

    Attributes:
        player: ``person``, or a planner with its parameters.
        budget: Limits of a planner's turn.
        secret: What a page must know to play a person's seat; empty for planners.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    player: str
    budget: str = ""
    secret: str = ""

    @property
    def is_person(self) -> bool:
        """Whether a person plays."""
        return self.player == PERSON


def take_seats(game: Game, wanted: Sequence[WantedSeat]) -> tuple[Seat, ...]:
    """Seats of a new game, with new secrets.

    Args:
        game: The scenario.
        wanted: One entry per seat.

    Raises:
        OptionError: There are not as many as seats, or a planner or budget is invalid.
        UnknownNameError: There is no such planner.
    """
    if len(wanted) != game.players:
        raise OptionError(f"{game.spec} has {counted(game.players, 'seat')}; got {counted(len(wanted), 'player')}.")
    return tuple(_seat(each) for each in wanted)


def _seat(wanted: WantedSeat) -> Seat:
    if wanted.player == PERSON:
        return Seat(player=PERSON, secret=secrets.token_urlsafe(16))
    checked_budget(wanted.budget)
    return Seat(player=planner(wanted.player).spec, budget=wanted.budget)
