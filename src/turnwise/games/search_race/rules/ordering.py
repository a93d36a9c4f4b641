"""Cheap scores of moves."""

from __future__ import annotations

import math

from turnwise.core.table import game_function
from turnwise.games.search_race.rules.actions import as_expert
from turnwise.games.search_race.rules.codes import thrust_of, turn_of
from turnwise.games.search_race.rules.physics import FRICTION
from turnwise.games.search_race.scenario import RaceSetup
from turnwise.games.search_race.state import RaceState
from turnwise.jit.kernel import kernel

_RADIANS = math.pi / 180.0
_LEAD = 3.0


@kernel
def distance_after(g: RaceSetup, s: RaceState, action: int) -> float:
    """Distance D of the heuristic after a move, without hits and rounding."""
    target = g.targets[s.cp]
    move = as_expert(s, action)
    theta = (s.angle + turn_of(move)) * _RADIANS
    thrust = thrust_of(move)
    vx, vy = s.vx + thrust * math.cos(theta), s.vy + thrust * math.sin(theta)
    ahead = 1.0 + _LEAD * FRICTION
    return math.hypot(s.x + ahead * vx - target.x, s.y + ahead * vy - target.y)


@game_function("action_score")
def action_score(g: RaceSetup, s: RaceState, action: int) -> float:
    """Minus the distance to the target after a move, with three times the speed added to the position."""
    return -distance_after(g, s, action)
