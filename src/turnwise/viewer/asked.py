"""What pages ask for, as the body of a request."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from turnwise.viewer.seats import WantedSeat


class _Asked(BaseModel):
    model_config = ConfigDict(extra="forbid")

    secret: str = Field(default="", max_length=2000)


class NewGame(_Asked):
    """A game that a page asks for: from a scenario's start, from a state, or from a replay."""

    game: str = Field(default="", max_length=20_000)
    seats: list[WantedSeat] = Field(min_length=1, max_length=16)
    seed: int = Field(default=0, ge=0, lt=2**63)
    state: str = ""
    replay: str = ""


class WantedScenario(_Asked):
    """A scenario by its text, or as a replay or position names it."""

    game: str = Field(default="", max_length=20_000)
    saved: str = ""


class WantedSeats(WantedScenario):
    """The seats of a scenario, to be checked."""

    seats: list[WantedSeat] = Field(min_length=1, max_length=16)


class PlayedAction(_Asked):
    """An action of a person, and the number of steps that the page has seen."""

    action: str = Field(max_length=2000)
    at: int = Field(ge=0)


class AtStep(_Asked):
    """A place in a game."""

    at: int = Field(ge=0)


class WantedAnalysis(AtStep):
    """A search that a page asks for."""

    planner: str = Field(max_length=2000)
    budget: str = Field(max_length=200)


class Secret(_Asked):
    """Nothing but the secret."""
