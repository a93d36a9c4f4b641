"""Messages for wrong settings say in plain words which setting, what was expected and what came."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, field_validator, model_validator

from turnwise.core.fields import problems, validation_message

_PYDANTIC = re.compile(r"[Vv]alue error|[Ii]nput should|\bvalid \w+|\.int\b|\.str\b|literal\[|\?\.|type=|pydantic")


class Inner(BaseModel):
    size: int = 1


class Settings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    keep: Literal["all", "none"] | int = "all"
    share: float = Field(0.5, gt=0, lt=1)
    many_things: int = Field(2, ge=1, le=25)
    on: bool = True
    names: tuple[str, ...] = Field(("x",), min_length=1)
    teams: tuple[tuple[str, ...], ...] = ()
    limits: Mapping[str, int] = {}
    inner: tuple[Inner, ...] = ()
    word: str = ""

    @field_validator("word")
    @classmethod
    def _short(cls, value: str) -> str:
        if len(value) > 3:
            raise ValueError("a word has at most three letters")
        return value

    @model_validator(mode="after")
    def _fitting(self) -> Settings:
        if self.many_things == 7:
            raise ValueError("seven does not fit the rest")
        return self


def messages_for(**settings: Any) -> list[str]:
    """The messages about settings."""
    with pytest.raises(ValidationError) as raised:
        Settings(**settings)
    return problems(raised.value, Settings)


@pytest.mark.parametrize(
    ("settings", "lines"),
    [
        ({"keep": "some"}, ["keep = 'some': expected one of all, none or a whole number"]),
        ({"share": "1"}, ["share = '1': expected a number above 0 and below 1"]),
        ({"many_things": "x"}, ["many_things = 'x': expected a whole number from 1 to 25"]),
        ({"on": "perhaps"}, ["on = 'perhaps': expected true or false"]),
        ({"names": ()}, ["names = (): expected a list of strings with at least 1 entry"]),
        ({"names": ["a", 3]}, ["names, entry 2 = 3: expected a string"]),
        ({"teams": [["a"], "b"]}, ["teams, entry 2 = 'b': expected a list of strings"]),
        ({"limits": {"a": "?"}}, ["limits, a = '?': expected a whole number"]),
        ({"inner": [{"size": "?"}]}, ["inner, entry 1, size = '?': expected a whole number"]),
        ({"inner": [5]}, ["inner, entry 1 = 5: expected an object with the fields size"]),
        ({"inner": 5}, ["inner = 5: expected a list"]),
        ({"word": "long"}, ["word = 'long': a word has at most three letters"]),
        ({"many_things": 7}, ["seven does not fit the rest"]),
        ({"nams": 1}, ["there is no field 'nams'; did you mean 'names'?"]),
        ({"on": 5, "share": 2}, ["share = 2: expected a number above 0 and below 1", "on = 5: expected true or false"]),
        ({"word": list(range(99))}, [f"word = {str(list(range(99)))[:57]}...: expected a string"]),
    ],
)
def test_every_wrong_value_is_reported_once_and_in_plain_words(settings: dict[str, Any], lines: list[str]) -> None:
    assert messages_for(**settings) == lines
    assert not _PYDANTIC.search(" ".join(lines))


def test_options_are_written_as_they_are_typed() -> None:
    with pytest.raises(ValidationError) as raised:
        Settings(many_things=0, manythings=2)
    message = validation_message("game", Settings, raised.value)
    assert message.startswith("game: many-things = 0: expected a whole number from 1 to 25; there is no option")
    assert "did you mean 'many-things'? Options: keep, share, many-things" in message


@dataclass(frozen=True)
class Square:
    x: int
    y: int


@dataclass(frozen=True)
class Board:
    squares: tuple[Square, ...]
    pair: tuple[int, str]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"squares": [{"x": 1, "y": "2"}], "pair": [1, "a"]}', "squares, entry 1, y = '2': expected a whole number"),
        ('{"squares": [], "pair": [1, 2]}', "pair, entry 2 = 2: expected a string"),
        ('{"squares": [[]], "pair": [1, "a"]}', "squares, entry 1 = []: expected an object with the fields x, y"),
        ('{"pair": [1, "a"]}', "'squares' is missing"),
        ("3", "expected an object with the fields squares, pair; got 3"),
    ],
)
def test_errors_in_states_of_plain_python_games_use_the_same_words(text: str, line: str) -> None:
    with pytest.raises(ValidationError) as raised:
        TypeAdapter(Board).validate_json(text, strict=True)
    assert problems(raised.value, Board)[0] == line


def test_a_type_without_plain_words_keeps_the_readers_own() -> None:
    with pytest.raises(ValidationError) as raised:
        TypeAdapter(complex).validate_python([])
    (line,) = problems(raised.value, complex)
    assert line.startswith("expected ")
    assert line.endswith("; got []")
