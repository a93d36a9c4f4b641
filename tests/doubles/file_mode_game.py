"""The toy game with a mode that is a file; ``doubles.file_mode_worker`` registers it."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from doubles.toy_game import Toy
from turnwise.core.game import GameOptions
from turnwise.core.scenario_file import ScenarioFile


class Unit(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["knight", "archer"]
    health: float = Field(4.0, gt=0, description="hit points")


class Mode(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    turns: int = Field(4, ge=1, le=50, description="length of the game")
    seats: Literal[2, 3] = 2
    units: tuple[Unit, ...] = ()
    costs: dict[str, int] = Field(default_factory=dict)


class ModeFile(ScenarioFile[Mode]):
    model, what = Mode, "a mode of the toy game"
    folder = Path(__file__).parent / "modes"


class FileToyOptions(GameOptions):
    chance: bool = False
    mode: ModeFile = Field(default_factory=lambda: ModeFile.named("standard"), description="name or file of a mode")


class FileToy(Toy):
    name, title, Options = "file-toy", "Toy with a mode", FileToyOptions

    def __init__(self, **options):
        given = self.read_options(**options)
        mode = given.mode.content
        plain = Toy(players=mode.seats, turns=mode.turns, chance=given.chance)
        self.__dict__.update(vars(plain))
        self.options = given

    def functions(self):
        return Toy(players=self.players, survives=False).functions()
