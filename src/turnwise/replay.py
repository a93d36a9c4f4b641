"""A recorded game as notation and JSON: it outlives every change of a row's layout."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from turnwise.core.errors import DamagedFileError
from turnwise.core.fields import problems
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.core.text_file import json_of
from turnwise.registry import GAMES

LARGEST_REPLAY = 64 * 1024 * 1024
Word = Annotated[int, Field(ge=-(2**63), lt=2**63)]  # what a state row can hold


class Note(BaseModel):
    """What a planner thought when it made a plan; attached to the step at which it did."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    plan: tuple[str, ...] = ()
    value: float | None = None
    alternatives: tuple[tuple[tuple[str, ...], float], ...] = ()
    seconds: float = 0.0
    forward_calls: int = 0
    evaluations: int = 0
    iterations: int = 0
    stopped_by: str = "done"
    details: Mapping[str, float] = Field(default_factory=dict)


class Step(BaseModel):
    """One played action with the chance outcomes that followed it.

    Attributes:
        action: Its text.
        player: Who played it, from 0.
        outcomes: Chance outcomes in the order in which they were drawn.
        note: What the planner thought, at the steps at which it made a plan.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    action: str
    player: Word
    outcomes: tuple[Word, ...] = ()
    note: Note | None = None


class Replay(BaseModel):
    """A game from its first state to where it stopped.

    Attributes:
        game: Registry name.
        rules: Rules version that it was played under.
        options: Scenario options that differ from the defaults.
        start: Canonical JSON form of the first state.
        players: Name of the player in each seat, in the order of the seats.
        steps: What was played.
        result: How it ended (for example "won"), empty if unknown.
        returns: Result per player, empty if unknown.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    game: str
    rules: str
    options: Mapping[str, Any] = Field(default_factory=dict)
    start: Mapping[str, Any]
    players: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    result: str = ""
    returns: tuple[float, ...] = ()

    def make_game(self) -> Game:
        """The scenario that was played.

        Raises:
            DamagedFileError: It was recorded under other rules.
            UnknownNameError: No such game here.
            OptionError: Options that this version does not know.
        """
        game = GAMES.get(self.game)(**self.options)
        if game.rules_version != self.rules:
            raise DamagedFileError(
                f"This replay of {self.game} was recorded under rules version {self.rules}; this turnwise plays "
                f"version {game.rules_version}. Install the version that recorded it."
            )
        return game

    def states(self) -> Iterator[State]:
        """All states, the first one and one after every step; checks every action on the way.

        Raises:
            IllegalActionError: A step is not legal: the replay is damaged or was recorded under other rules.
            NotationError: A step or outcome cannot be understood.
        """
        state = self.make_game().from_dict(self.start)
        yield state
        for step in self.steps:
            state = state.play(step.action, step.outcomes)
            yield state


def read_replay(text: str | bytes, source: str = "replay") -> Replay:
    """Read a replay from JSON.

    Args:
        text: The JSON text.
        source: Where it came from, for messages.

    Raises:
        DamagedFileError: Too large, not JSON, or not a replay.
    """
    if len(text) > LARGEST_REPLAY:
        raise DamagedFileError(f"{source}: larger than {LARGEST_REPLAY} bytes; that is not a replay.")
    try:
        return Replay.model_validate(json_of(text))
    except ValidationError as error:  # a ValueError too
        raise DamagedFileError(f"{source}: not a replay: {problems(error, Replay)[0]}.") from None
    except ValueError as error:
        raise DamagedFileError(f"{source}: {error}. The file is damaged or cut off.") from None
