"""What learnt policies read and write: places of actions, and numbers that describe a race as the driver sees it."""

from __future__ import annotations

import math

from turnwise.core.table import game_function
from turnwise.games.search_race.rules.actions import as_expert, place_on_grid
from turnwise.games.search_race.rules.codes import thrust_of, turn_of
from turnwise.games.search_race.scenario import MOST_TURNS, RaceSetup
from turnwise.games.search_race.state import RaceState
from turnwise.jit.kernel import integer, kernel, real
from turnwise.jit.memory import offset
from turnwise.jit.record import Floats32

_RADIANS = math.pi / 180.0
_UNIT = 1000.0  # units of the map in one unit of a feature


@game_function("index")
def index(g: RaceSetup, s: RaceState, action: int) -> int:
    """Place in the action set, r outer, t inner; a move that is not listed has the place of the nearest listed one."""
    move = as_expert(s, action)
    i = place_on_grid(turn_of(move), g.first_r, g.step_r, g.count_r)
    k = place_on_grid(thrust_of(move), g.first_t, g.step_t, g.count_t)
    return i * g.count_t + k


@kernel
def _write_turned(out: Floats32, x: float, y: float, heading: float) -> None:
    """Write a vector as the driver sees it: ahead, and to the right."""
    cos, sin = math.cos(heading), math.sin(heading)
    out[0] = (x * cos + y * sin) / _UNIT
    out[1] = (y * cos - x * sin) / _UNIT


@game_function("features")
def features(g: RaceSetup, s: RaceState, player: int, out: Floats32) -> None:
    """The next target, the one after it and the velocity, each ahead and to the right; checkpoints and turns left."""
    passed, heading = integer(s.cp), real(s.angle) * _RADIANS
    x, y, target = real(s.x), real(s.y), g.targets[passed]
    _write_turned(out, target.x - x, target.y - y, heading)
    _write_turned(offset(out, 2), target.next_x - x, target.next_y - y, heading)
    _write_turned(offset(out, 4), real(s.vx), real(s.vy), heading)
    out[6] = real(g.total - passed) / real(g.total)
    out[7] = 1.0 - real(s.timer) / real(MOST_TURNS)
