"""The messages of the engine protocol, one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from turnwise.core.errors import TurnwiseError, brief
from turnwise.core.fields import problems
from turnwise.core.text_file import json_of

PROTOCOL = 1
LONGEST_LINE = 1 << 20
"""Bytes of the longest line that an engine may send."""
LONGEST_TURN = 100_000
"""Actions of the longest turn that an engine may send."""


class Answer(BaseModel):
    """Base of what an engine sends; other fields are allowed and ignored, so that engines can give their users more."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False, strict=True)


class Hello(Answer):
    """The engine's answer to ``hello``.

    Attributes:
        type: "hello".
        protocol: The version of the protocol that it speaks.
        name: Its name.
        version: Its own version.
        games: Games that it plays; empty: any.
        wants: What it wants in addition with every position: "legal", the texts of all legal actions.
    """

    type: Literal["hello"]
    protocol: int
    name: str = Field(min_length=1, max_length=200)
    version: str = Field(default="", max_length=200)
    games: tuple[str, ...] = ()
    wants: tuple[Literal["legal"], ...] = ()


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
    """

    type: Literal["info"]
    id: int
    actions: tuple[str, ...] = Field(default=(), max_length=LONGEST_TURN)
    value: float | None = None


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
    id: int
    actions: tuple[str, ...] = Field(min_length=1, max_length=LONGEST_TURN)
    value: float | None = None
    forward_calls: int = Field(default=0, ge=0)
    evaluations: int = Field(default=0, ge=0)
    iterations: int = Field(default=0, ge=0)


_ANSWERS: dict[str, type[Answer]] = {"hello": Hello, "ready": Ready, "info": Info, "best": Best}


class MessageError(TurnwiseError):
    """A line is no message of the protocol."""


def line_of(message: Mapping[str, Any]) -> bytes:
    """A message as a line."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def answer_of(line: bytes) -> Answer:
    """The message of an engine's line.

    Raises:
        MessageError: It is no message of an engine.
    """
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
        # strict, as from JSON: lists are tuples there, but "1" is no number
        return form.model_validate_json(line)
    except ValidationError as error:
        raise MessageError(f"message {kind!r}: {problems(error, form)[0]}") from None
