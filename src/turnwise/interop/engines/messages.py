"""The messages of the engine protocol, one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from turnwise.core.errors import TurnwiseError, brief
from turnwise.core.fields import problems
from turnwise.core.text_file import json_of
from turnwise.interop.engines.message_fields import Count, Lines, Printable, PrintableTexts, Reason, Whole
from turnwise.interop.engines.options import EngineOption

PROTOCOL = 1
LONGEST_LINE = 1 << 20
"""Bytes of the longest line that an engine may send."""
LONGEST_TURN = 100_000
"""Actions of the longest turn that an engine may send."""


class Answer(BaseModel):
    """Base of what an engine sends; other fields are allowed and ignored, so that engines can give their users more."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False, strict=True)


class Hello(Answer):
    """The answer to ``hello``, of an engine or of a program that is a game.

    Attributes:
        type: "hello".
        protocol: The version of the protocol that it speaks.
        name: Its name.
        version: Its own version.
        games: Games that it plays; empty: any.
        wants: What it wants in addition with every position: "legal", the texts of all legal actions; "actions", those
            played since the last position.
        options: What can be set, see :class:`~turnwise.interop.engines.options.EngineOption`.
    """

    type: Literal["hello"]
    protocol: Whole
    name: Printable = Field(min_length=1, max_length=200)
    version: Printable = Field(default="", max_length=200)
    games: tuple[Printable, ...] = ()
    wants: tuple[Literal["legal", "actions"], ...] = ()
    options: tuple[EngineOption, ...] = Field(default=(), max_length=1000)


class Ready(Answer):
    """The engine has read the new game.

    Attributes:
        type: "ready".
    """

    type: Literal["ready"]


class Info(Answer):
    """What the engine thinks so far.

    Attributes:
        type: "info".
        id: Number of the decision.
        actions: Its best line so far.
        value: Its value of that line.
        forward_calls: Actions that it has played in its search.
        evaluations: States that it has evaluated.
        iterations: Iterations of its search.
        iterations_per_second: Their mean number a second.
        share: The share of the budget that is used, from 0 to 1.
    """

    type: Literal["info"]
    id: Whole
    actions: tuple[str, ...] = Field(default=(), max_length=LONGEST_TURN)
    value: float | None = None
    forward_calls: Count = 0
    evaluations: Count = 0
    iterations: Count = 0
    iterations_per_second: float | None = Field(default=None, ge=0)
    share: float | None = Field(default=None, ge=0, le=1)


class Best(Answer):
    """The engine's decision.

    Attributes:
        type: "best".
        id: Number of the decision.
        actions: One action or more of the turn, in order.
        value: Its value of them.
        forward_calls: Actions that it has played in its search.
        evaluations: States that it has evaluated.
        iterations: Iterations of its search.
    """

    type: Literal["best"]
    id: Whole
    actions: tuple[str, ...] = Field(min_length=1, max_length=LONGEST_TURN)
    value: float | None = None
    forward_calls: Count = 0
    evaluations: Count = 0
    iterations: Count = 0


class Rules(Answer):
    """A game's answer to ``new_game``: what it is like.

    Attributes:
        type: "rules".
        rules: Version of its rules.
        players: How many play.
        max_turn: The most actions of a turn.
        max_actions: The most legal actions of a state.
        bounds: The lowest and the highest value.
        stochastic: Whether chance takes part.
        shares_goal: Whether all players win and lose together.
        evaluates: Whether states have values.
    """

    type: Literal["rules"]
    rules: Printable = Field(default="1", min_length=1, max_length=100)
    players: int = Field(ge=1, le=64)
    max_turn: int = Field(ge=1, le=10_000)
    max_actions: int = Field(ge=1, le=100_000)
    bounds: tuple[float, float] = (-1.0, 1.0)
    stochastic: bool = False
    shares_goal: bool = False
    evaluates: bool = False


class GameAnswer(Answer):
    """Base of what a game sends once it has begun."""

    type: str


class KnownState(GameAnswer):
    """A state of a game, with all that planners ask of it.

    Attributes:
        type: "state".
        state: Its JSON form, which alone identifies it.
        to_move: The player to move, from 0; -1: the game is over.
        turn: Number of the turn.
        legal: Texts of the legal actions, in an order that depends on the state only; none when the game is over.
        returns: Result for each player; may be left out while the game goes on.
        values: Value for each player, within the bounds, in games that evaluate.
    """

    type: Literal["state"]
    state: dict[str, Any]
    to_move: Whole
    turn: Whole
    legal: PrintableTexts = Field(default=(), max_length=100_000)
    returns: tuple[float, ...] = ()
    values: tuple[float, ...] = ()


class ChanceNode(GameAnswer):
    """A game asks for an outcome of chance before it can answer.

    Attributes:
        type: "chance".
        outcomes: From how many equally likely ones.
    """

    type: Literal["chance"]
    outcomes: int = Field(ge=1, lt=2**32)


class Text(GameAnswer):
    """A state for a terminal.

    Attributes:
        type: "text".
        text: The text.
    """

    type: Literal["text"]
    text: Lines


class Refusal(GameAnswer):
    """A message that cannot be followed: a state that is none, an action that is not legal.

    Attributes:
        type: "error".
        message: Why.
    """

    type: Literal["error"]
    message: Reason


_ANSWERS: dict[str, type[Answer]] = {
    "hello": Hello,
    "ready": Ready,
    "info": Info,
    "best": Best,
    "rules": Rules,
    "state": KnownState,
    "chance": ChanceNode,
    "text": Text,
    "error": Refusal,
}
_READER: TypeAdapter[Answer] = TypeAdapter(
    Annotated[
        Hello | Ready | Info | Best | Rules | KnownState | ChanceNode | Text | Refusal, Field(discriminator="type")
    ]
)


def type_of(form: type[Answer]) -> str:
    """The type that messages of a class have, or the types."""
    return " or ".join(repr(name) for name, one in _ANSWERS.items() if issubclass(one, form))


class MessageError(TurnwiseError):
    """A line is no message of the protocol."""


def line_of(message: Mapping[str, Any]) -> bytes:
    """A message as a line."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def answer_of(line: bytes) -> Answer:
    """The message of a program's line.

    Raises:
        MessageError: It is no message of the protocol.
    """
    try:
        # strict, as from JSON: lists are tuples there, but "1" is no number
        return _READER.validate_json(line)
    except ValidationError:
        return _answer_or_trouble(line)


def _answer_or_trouble(line: bytes) -> Answer:
    """Read a line in steps, to say what is wrong with it."""
    try:
        data = json_of(line)
    except ValueError:
        raise MessageError(f"expected a JSON object in one line; got {brief(line.decode(errors='replace'))}") from None
    kind = data.get("type") if isinstance(data, dict) else None
    form = _ANSWERS.get(kind) if isinstance(kind, str) else None
    if form is None:
        known = ", ".join(_ANSWERS)
        raise MessageError(f"expected an object whose type is one of {known}; got {brief(data)}")
    try:
        return form.model_validate_json(line)
    except ValidationError as error:
        raise MessageError(f"message {kind!r}: {problems(error, form)[0]}") from None
