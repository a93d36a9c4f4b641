"""Who sits where: people with a secret of their own, and planners with parameters and a budget."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from turnwise.core.errors import OptionError, TurnwiseError, counted
from turnwise.core.game import Game
from turnwise.viewer.limits import checked_budget
from turnwise.viewer.players import Players
from turnwise.viewer.seat_checks import PATIENCE, SeatChecks

PERSON = "person"
_BEGINS_AFTER = 1.0  # seconds that a new game waits for the checks of all its planners
NOT_YET = "Not checked yet: the planner takes long for its first turn, or others are being checked."


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


def take_seats(game: Game, wanted: Sequence[WantedSeat], players: Players, checks: SeatChecks) -> tuple[Seat, ...]:
    """Seats of a new game, with new secrets.

    A planner whose check takes long is seated all the same: if it refuses the game, the game will say so.

    Args:
        game: The scenario.
        wanted: One entry per seat.
        players: The planners that may be chosen.
        checks: Asks the planners.

    Raises:
        OptionError: There are not as many as seats, a planner or budget is invalid, or a planner refuses the game.
        UnknownNameError: There is no such planner.
    """
    if len(wanted) != game.players:
        raise OptionError(f"{game.spec} has {counted(game.players, 'seat')}; got {counted(len(wanted), 'player')}.")
    taken = tuple(_seat(each, players) for each in wanted)
    last = time.monotonic() + _BEGINS_AFTER
    for number, seat in enumerate(taken):
        refused = _refusal(game, number, seat, checks, max(0.0, last - time.monotonic()))
        if refused:
            raise OptionError(refused)
    return taken


def seat_problems(game: Game, wanted: Sequence[WantedSeat], players: Players, checks: SeatChecks) -> list[str]:
    """What is wrong with each seat, in words; empty: nothing; ``NOT_YET``: ask again.

    Args:
        game: The scenario.
        wanted: One entry per seat.
        players: The planners that may be chosen.
        checks: Asks the planners.
    """
    found = []
    for number, each in enumerate(wanted[: game.players]):
        try:
            refused = _refusal(game, number, _seat(each, players), checks, PATIENCE)
            found.append(NOT_YET if refused is None else refused)
        except TurnwiseError as error:
            found.append(str(error))
    return found


def _seat(wanted: WantedSeat, players: Players) -> Seat:
    """A seat as far as it can be checked without a search."""
    if wanted.player == PERSON:
        return Seat(player=PERSON, secret=secrets.token_urlsafe(16))
    mind = players.planner(wanted.player)
    checked_budget(wanted.budget)
    return Seat(player=mind.spec, budget=wanted.budget)


def _refusal(game: Game, number: int, seat: Seat, checks: SeatChecks, patience: float) -> str | None:
    """Why a seat's planner does not play the game; empty: it plays, or is a person; None: not known yet."""
    refused = "" if seat.is_person else checks.refusal(game.full_spec, seat.player, patience)
    return f"{game.seat_name(number)}: {seat.player} cannot play {game.spec}: {refused}" if refused else refused
