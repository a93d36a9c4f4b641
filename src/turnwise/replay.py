"""A recorded game as notation and JSON, which does not depend on the layout of rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from turnwise.core.errors import DamagedFileError, OptionError, brief
from turnwise.core.fields import problems
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.core.text_file import json_of
from turnwise.registry import GAMES

LARGEST_REPLAY = 64 * 1024 * 1024
Word = Annotated[int, Field(ge=-(2**63), lt=2**63)]  # range of a word of a state row


class Note(BaseModel):
    """A planner's data on a plan; attached to the step at which it made the plan."""

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


class ReplayStep(BaseModel):
    """One played action with the chance outcomes that followed it.

    Attributes:
        action: Text of the action.
        player: The player who played it, from 0.
        outcomes: Chance outcomes in the order in which they were drawn.
        note: The planner's note, at the steps at which it made a plan.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    action: str
    player: Word
    outcomes: tuple[Word, ...] = ()
    note: Note | None = None


class Replay(BaseModel):
    """A game from its first state to the last one recorded.

    Attributes:
        game: Registry name of the game.
        rules: Rules version under which it was played.
        options: Scenario options that differ from the defaults.
        start: Canonical JSON form of the first state.
        players: Name of the player in each seat, in the order of the seats.
        steps: The actions played.
        result: How the game ended (for example "won"), empty if unknown.
        returns: Result per player, empty if unknown.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    game: str
    rules: str
    options: Mapping[str, Any] = Field(default_factory=dict)
    start: Mapping[str, Any]
    players: tuple[str, ...] = ()
    steps: tuple[ReplayStep, ...] = ()
    result: str = ""
    returns: tuple[float, ...] = ()

    def make_game(self) -> Game:
        """The scenario that was played.

        Raises:
            DamagedFileError: The game was recorded under other rules, or has another number of players than the replay
                has names or results.
            UnknownNameError: There is no such game in this process.
            OptionError: This version does not know an option.
        """
        game = GAMES.get(self.game)(**self.options)
        if game.rules_version != self.rules:
            raise DamagedFileError(
                f"This replay of {self.game} was recorded under rules version {self.rules}; this version of turnwise "
                f"plays rules version {game.rules_version}. Install the version that recorded it."
            )
        for what, given in (("players", self.players), ("returns", self.returns)):
            if given and len(given) != game.players:
                raise DamagedFileError(
                    f"This replay of {game.spec} has {len(given)} {what}; expected {game.players}, one per seat, or "
                    "none. The file is damaged; record it again."
                )
        return game

    def states(self) -> Iterator[State]:
        """All states: the first one, and one after every step; every action is checked.

        Raises:
            IllegalActionError: A step is not legal: the replay is damaged or was recorded under other rules.
            NotationError: A step or outcome is invalid.
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
        source: Name of the source, for messages.

    Raises:
        OptionError: The value is no text.
        DamagedFileError: The text is too large, not JSON, or not a replay.
    """
    if not isinstance(text, str | bytes):
        raise OptionError(
            f"{source}: expected a replay's JSON as text or bytes; got {brief(text)}. Read a file first: "
            "read_replay(path.read_text())."
        )
    if len(text) > LARGEST_REPLAY:
        raise DamagedFileError(f"{source}: larger than {LARGEST_REPLAY} bytes, so not a replay.")
    try:
        return Replay.model_validate(json_of(text))
    except ValidationError as error:  # a subclass of ValueError
        raise DamagedFileError(f"{source}: not a replay: {problems(error, Replay)[0]}.") from None
    except ValueError as error:
        raise DamagedFileError(f"{source}: {error}. The file is damaged or truncated; restore a copy.") from None
