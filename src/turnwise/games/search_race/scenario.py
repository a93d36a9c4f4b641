"""Tracks, options and the setup row of Search Race."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Annotated, Any

import numpy as np
from pydantic import Field, field_validator, model_validator

from turnwise.core.errors import brief, unknown_name
from turnwise.core.game import GameOptions, Row
from turnwise.jit.record import Record, Records

Point = tuple[int, int]

WIDTH, HEIGHT = 16_000, 9_000  # of the contest's map; nothing stops the car there
RADIUS = 600
MOST_TURNS = 600
LARGEST_COORDINATE = 1_000_000
MOST_CHECKPOINTS = 1_000
MOST_TARGETS = 10_000

# Action sets: each is a grid, (smallest, step, how many) of the turns r and of the thrusts t.
ACTION_SETS: dict[str, tuple[tuple[int, int, int], tuple[int, int, int]]] = {
    "ten": ((-18, 9, 5), (0, 200, 2)),
    "grid": ((-18, 6, 7), (0, 50, 5)),
    "turns": ((-18, 1, 37), (0, 200, 2)),
    "all": ((-18, 1, 37), (0, 1, 201)),
}


class Target(Record):
    """What lies ahead of a car that has passed a number of checkpoints."""

    x: float  # the next target
    y: float
    next_x: float  # the one after it; for the last target the same one again
    next_y: float
    rest: float  # length of all legs from the next target to the finish


class RaceSetup(Record):
    """A track and its action set; the row of a short race ends after its last target."""

    open_ended = True

    points: int  # checkpoints on the map
    total: int  # checkpoints to be passed
    start_x: int
    start_y: int
    start_angle: int
    first_r: int  # the action set
    step_r: int
    count_r: int
    first_t: int
    step_t: int
    count_t: int
    targets: Annotated[Records[Target], MOST_TARGETS + 1]  # by checkpoints passed, 0..total


@cache
def _data() -> dict[str, Any]:
    text = (resources.files(__package__) / "data" / "tracks.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def tracks() -> tuple[str, ...]:
    """Names of the 50 tracks of the contest, in its order."""
    return tuple(_data()["tracks"])


def selection() -> tuple[str, ...]:
    """The 15 tracks on which the thesis' experiments are repeated (it does not name its own 15)."""
    return tuple(_data()["thesis_size_selection"])


def track_title(name: str) -> str:
    """What the contest calls a track."""
    return str(_data()["tracks"][name]["title"])


def track_points(name: str) -> tuple[Point, ...]:
    """The checkpoints of a track of the contest."""
    return tuple((int(x), int(y)) for x, y in _data()["tracks"][name]["checkpoints"])


def checked_points(points: Any) -> tuple[Point, ...]:
    """Check a map.

    Args:
        points: Sequence of ``[x, y]``.

    Raises:
        ValueError: It is not a playable map; the message says why.
    """
    if not isinstance(points, Sequence) or isinstance(points, str):
        raise ValueError(f"checkpoints are a list of [x, y]; got {brief(points, 60)}")
    if not 2 <= len(points) <= MOST_CHECKPOINTS:
        raise ValueError(f"a map needs 2 to {MOST_CHECKPOINTS} checkpoints (the start is the first); got {len(points)}")
    found = []
    for number, point in enumerate(points):
        pair = isinstance(point, Sequence) and not isinstance(point, str) and len(point) == 2
        if not pair or not all(isinstance(c, int) and not isinstance(c, bool) for c in point):
            raise ValueError(f"checkpoint {number} is two whole numbers [x, y]; got {brief(point, 60)}")
        if max(abs(point[0]), abs(point[1])) > LARGEST_COORDINATE:
            raise ValueError(
                f"checkpoint {number} lies at {brief(list(point), 60)}; coordinates go from -{LARGEST_COORDINATE:,} to "
                f"{LARGEST_COORDINATE:,} (the contest's map is {WIDTH} x {HEIGHT})"
            )
        found.append((int(point[0]), int(point[1])))
    return tuple(found)


FIRST_TRACK = "test1"


class SearchRaceOptions(GameOptions):
    """Scenario options; the defaults are the thesis' actions on the contest's first track."""

    track: str | None = Field(
        None, description="one of the contest's 50 tracks: test1 (the default), test2, test7, ..., test704"
    )
    checkpoints: tuple[Point, ...] | None = Field(
        None, description="your own map instead of a track: [[x,y],[x,y],...]; the car starts at the first checkpoint"
    )
    laps: int = Field(3, ge=1, le=100, description="laps to drive")
    moves: str = Field("ten", description=f"EXPERT moves that are listed as legal: {' | '.join(ACTION_SETS)}")

    @field_validator("track")
    @classmethod
    def _known_track(cls, name: str | None) -> str | None:
        if name is not None and name not in tracks():
            unknown = unknown_name("track", name, tracks())
            raise ValueError(f"{unknown} A map of your own goes into 'checkpoints', or into a file for --track FILE")
        return name

    @field_validator("checkpoints", mode="before")
    @classmethod
    def _playable(cls, points: Any) -> Any:
        return None if points is None else checked_points(points)

    @field_validator("moves")
    @classmethod
    def _known_moves(cls, name: str) -> str:
        if name not in ACTION_SETS:
            raise ValueError(str(unknown_name("action set", name, ACTION_SETS)))
        return name

    @model_validator(mode="after")
    def _one_map(self) -> SearchRaceOptions:
        if self.checkpoints is not None and self.track is not None:
            raise ValueError("give either a track or checkpoints of your own, not both")
        if len(self.points) * self.laps > MOST_TARGETS:
            raise ValueError(f"checkpoints times laps may be {MOST_TARGETS:,} at most; choose fewer laps")
        return self

    @property
    def points(self) -> tuple[Point, ...]:
        """The map that is driven."""
        return self.checkpoints if self.checkpoints is not None else track_points(self.track or FIRST_TRACK)


def start_angle(points: Sequence[Point]) -> int:
    """Heading at the start: from the first point to the second, in whole degrees 0..359 (rules 1)."""
    (x, y), (next_x, next_y) = points[:2]
    angle = math.floor(math.degrees(math.atan2(next_y - y, next_x - x)) + 0.5)
    return angle + 360 if angle < 0 else angle


def build_setup(options: SearchRaceOptions) -> Row:
    """The setup row of a scenario.

    Args:
        options: Checked options.

    Returns:
        uint64 row of RaceSetup up to its last target; read-only.
    """
    points, total = options.points, len(options.points) * options.laps
    size = RaceSetup.fields["targets"].offset + (total + 1) * Target.dtype.itemsize
    row = np.zeros(size // 8, np.uint64)
    g = RaceSetup.at_address(row.ctypes.data)
    g.points, g.total = len(points), total
    (g.start_x, g.start_y), g.start_angle = points[0], start_angle(points)
    (g.first_r, g.step_r, g.count_r), (g.first_t, g.step_t, g.count_t) = ACTION_SETS[options.moves]
    rest = 0.0
    for passed in range(total, -1, -1):
        here = points[(min(passed, total - 1) + 1) % len(points)]
        after = points[(passed + 2) % len(points)] if passed < total - 1 else here
        rest += math.dist(here, after)
        target = g.targets[passed]
        (target.x, target.y), (target.next_x, target.next_y), target.rest = here, after, rest
    row.flags.writeable = False
    return row
