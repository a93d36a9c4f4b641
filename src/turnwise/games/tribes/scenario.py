"""Options of Tribes."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from turnwise.core.errors import brief
from turnwise.core.game import GameOptions
from turnwise.games.tribes.level_file import LevelFile
from turnwise.games.tribes.tables import LEAST_SIDE, MOST_SIDE, MOST_TRIBES, TRIBES

TRIBE_NAMES = tuple(name.lower().replace("_", "-") for name in TRIBES)
DEFAULT_SIDES = {2: 11, 3: 14, 4: 16}  # by number of players
DEFAULT_LIMITS = {"capitals": 50, "score": 30}
MOST_ROUNDS = 150
FROM_CHANCE, FROM_SEED, FROM_FILE = range(3)  # where the level is from
_SEED = 1 << 63


class TribesOptions(GameOptions):
    """Scenario options; the defaults are the published experiments' setting: Capitals, two tribes, all is visible."""

    mode: Literal["capitals", "score"] = Field(
        "capitals", description="capitals: who holds all capitals wins; score: the highest score at the end wins"
    )
    players: int | None = Field(
        None, ge=2, le=MOST_TRIBES, description="number of tribes; default: as many as are named, or as the level has"
    )
    tribes: tuple[Literal["xin-xi", "imperius", "bardur", "oumaji"], ...] | None = Field(
        None,
        description="the tribes in the order in which the level generator places them, as in xin-xi+oumaji; who moves "
        "first is decided by the level; default: the first of xin-xi, imperius, bardur, oumaji",
    )
    side: int | None = Field(
        None, ge=LEAST_SIDE, le=MOST_SIDE, description="tiles in a row; default: 11, 14, 16 for 2, 3, 4 tribes"
    )
    level: Annotated[int, Field(ge=-_SEED, lt=_SEED)] | LevelFile | None = Field(
        None,
        union_mode="left_to_right",
        description="the seed of a generated level, or a level file; default: each game has a level of its own, from "
        "the seed of its first state",
    )
    land: float = Field(0.5, ge=0, le=1, description="share of land from which the generator starts")
    fog: bool = Field(False, description="whether a tribe sees only where it has been; false: everything is visible")
    limit: int | None = Field(
        None, ge=1, le=MOST_ROUNDS, description="turn limit; default: 50, in score mode 30; one round more is played"
    )
    without: tuple[str, ...] = Field(
        (), description="faults of the original game that are corrected, as in ghost-ships+extra-round; default: none"
    )
    copies: Literal["sound", "as-coded"] = Field(
        "sound",
        description="what searches play in: sound: the game's own rules; as-coded: the copies of the original game, "
        "whose rounds do not advance, and which hide what other tribes own",
    )

    @field_validator("tribes", mode="before")
    @classmethod
    def _named_tribes(cls, value: Any) -> Any:
        names = _words(value)
        return [_tribe_name(name) if isinstance(name, str) else name for name in names] if names is not None else value

    @field_validator("without", mode="before")
    @classmethod
    def _named_faults(cls, value: Any) -> Any:
        names = _words(value)
        if names is None:
            return value
        known = fault_names()
        for name in names:
            if name not in known:
                raise ValueError(
                    f"there is no fault {brief(name)}; expected names of {', '.join(known)}, joined by '+'"
                )
        return tuple(name for name in known if name in names)

    @field_validator("level", mode="before")
    @classmethod
    def _no_flag(cls, value: Any) -> Any:
        number = int(value) if isinstance(value, str) and re.fullmatch(r"[+-]?[0-9]{1,99}", value.strip()) else value
        if isinstance(value, bool | float) or (isinstance(number, int) and not -_SEED <= number < _SEED):
            raise ValueError("expected a whole number of at most 64 bits as seed, or a level file")
        return value

    @model_validator(mode="after")
    def _fits(self) -> TribesOptions:
        named = self.tribes
        if named is not None and len(set(named)) != len(named):
            raise ValueError(f"tribes names a tribe twice: {'+'.join(named)}; each can play once")
        if named is not None and not 2 <= len(named) <= MOST_TRIBES:
            raise ValueError(f"tribes must name 2 to {MOST_TRIBES} tribes; got {'+'.join(named) or 'none'}")
        level = self.level_file
        if level is not None:
            kinds = level.content.kinds
            there = "+".join(TRIBE_NAMES[kind] for kind in kinds)
            if named is not None and {TRIBE_NAMES[kind] for kind in kinds} != set(named):
                raise ValueError(f"tribes names {'+'.join(named)}, but the level has capitals of {there}; leave it out")
            if self.side is not None and self.side != level.content.side:
                raise ValueError(f"side is {self.side}, but the level has {level.content.side} rows; leave it out")
        expected = len(level.content.kinds) if level is not None else len(named or ())
        if level is not None and self.land != type(self).model_fields["land"].default:
            raise ValueError(f"land is {self.land:g}, but the level is from a file, not generated; leave it out")
        if self.players is not None and expected and self.players != expected:
            source = "the level has capitals of" if level is not None else "tribes names"
            raise ValueError(f"players is {self.players}, but {source} {expected} tribes; leave players out")
        return self

    @property
    def hides(self) -> bool:
        """Whether players, or their searches, do not see the whole state."""
        return self.fog or self.copies == "as-coded"

    @property
    def level_file(self) -> LevelFile | None:
        """The level, if it is from a file."""
        return self.level if isinstance(self.level, LevelFile) else None

    @property
    def kinds(self) -> tuple[int, ...]:
        """Kinds of the tribes in the order in which the generator places them, or of the capitals in the level."""
        if self.level_file is not None:
            return self.level_file.content.kinds
        names = self.tribes if self.tribes is not None else TRIBE_NAMES[: self.players or 2]
        return tuple(TRIBE_NAMES.index(name) for name in names)

    @property
    def board_side(self) -> int:
        """Tiles in a row."""
        if self.level_file is not None:
            return self.level_file.content.side
        return self.side or DEFAULT_SIDES[len(self.kinds)]


def _words(value: Any) -> list[Any] | None:
    """The words of a text, or the entries of a list; None: it is neither."""
    if isinstance(value, str):
        return [word for word in re.split(r"[+,/ ]+", value) if word]
    return list(value) if isinstance(value, list | tuple) else None


def _tribe_name(name: str) -> str:
    return name.strip().lower().replace("_", "-").replace(" ", "-")


def fault_names() -> tuple[str, ...]:
    """Names of the faults that can be corrected (rules 20)."""
    from turnwise.games.tribes.rules import faults

    return tuple(faults.FAULTS)
