"""Who sits where: people with a secret of their own, and planners with parameters and a budget."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from turnwise.arena.tournament.job import refusal
from turnwise.core.budget import Budget
from turnwise.core.errors import OptionError, TurnwiseError, counted
from turnwise.core.game import Game
from turnwise.viewer.limits import checked_budget, checked_planner

PERSON = "person"
_PROBE = Budget(iterations=2)
_one_check = threading.Lock()  # a planner may be compiled for it, which takes a core


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
        OptionError: There are not as many as seats, a planner or budget is invalid, or a planner refuses the game.
        UnknownNameError: There is no such planner.
    """
    if len(wanted) != game.players:
        raise OptionError(f"{game.spec} has {counted(game.players, 'seat')}; got {counted(len(wanted), 'player')}.")
    return tuple(_seat(game, number, each) for number, each in enumerate(wanted))


def seat_problems(game: Game, wanted: Sequence[WantedSeat]) -> list[str]:
    """What is wrong with each seat, in words; empty: nothing.

    Args:
        game: The scenario.
        wanted: One entry per seat.
    """
    found = []
    for number, each in enumerate(wanted[: game.players]):
        try:
            _seat(game, number, each)
            found.append("")
        except TurnwiseError as error:
            found.append(str(error))
    return found


def _seat(game: Game, number: int, wanted: WantedSeat) -> Seat:
    """A seat whose planner has planned a turn of the game, since some parameters depend on the game."""
    if wanted.player == PERSON:
        return Seat(player=PERSON, secret=secrets.token_urlsafe(16))
    mind = checked_planner(wanted.player)
    checked_budget(wanted.budget)
    with _one_check:
        refused = refusal(game.full_spec, mind.spec, _PROBE)
    if refused:
        raise OptionError(f"{game.seat_name(number)}: {mind.spec} cannot play {game.spec}: {refused}")
    return Seat(player=mind.spec, budget=wanted.budget)
