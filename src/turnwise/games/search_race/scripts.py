"""Rollout policies and the rule-based driver."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from turnwise.core.chance import draw
from turnwise.core.kernel import integer, kernel
from turnwise.core.table import game_function
from turnwise.games.search_race.codes import MOST_THRUST, MOST_TURN, expert
from turnwise.games.search_race.scenario import RADIUS, target_at
from turnwise.games.search_race.state import state_at

POLICIES = ("ten-moves", "towards-target")
TOWARDS_TARGET = 1
_TEN = np.array([expert(r, t) for r in (-18, -9, 0, 9, 18) for t in (0, MOST_THRUST)], np.int64)
_LEAD = 3.0  # the thesis and many contest players aim at target - 3 speed
_DEGREES = 180.0 / math.pi
_COAST = 6.0  # turns of rolling that must bring the car to its target for it to look at the next one
_FULL, _NONE = 40.0, 90.0  # thrust falls from full to none between these angles of error


@kernel
def towards_target(setup: int, s: Any) -> int:
    """Aim at the target less three times the speed; if rolling on will reach it anyway, at the one after it."""
    target = target_at(setup, s.cp)
    dx, dy = target.x - s.x, target.y - s.y
    # Where the coming turns without thrust come closest to the centre; speeds fall by 0.85 a turn.
    reach = (1.0 - 0.85**_COAST) / 0.15
    speed = float(s.vx) * s.vx + float(s.vy) * s.vy
    if speed > 0.0:
        along = min(reach, max(0.0, (dx * s.vx + dy * s.vy) / speed))
        missed_x, missed_y = dx - along * s.vx, dy - along * s.vy
        if missed_x * missed_x + missed_y * missed_y < (0.9 * RADIUS) * (0.9 * RADIUS):
            dx, dy = target.next_x - s.x, target.next_y - s.y
    goal = math.atan2(dy - _LEAD * s.vy, dx - _LEAD * s.vx) * _DEGREES - s.angle
    off = goal - 360.0 * math.floor(goal / 360.0 + 0.5)
    r = max(-MOST_TURN, min(MOST_TURN, math.floor(off + 0.5)))
    error = abs(off - r)
    share = min(1.0, max(0.0, (_NONE - error) / (_NONE - _FULL)))
    return expert(integer(r), integer(share * MOST_THRUST))


@game_function("policy")
def policy(setup: int, state: int, index: int, parameters: int, rng: int, scratch: int) -> int:
    """``ten-moves`` (0): uniform over the thesis' ten moves, in any action set; ``towards-target`` (1)."""
    if index == TOWARDS_TARGET:
        return towards_target(setup, state_at(state))
    return _TEN[draw(rng, 10)]


@game_function("script")
def script(setup: int, state: int, index: int, actor: int) -> int:
    """``towards-target``, the only one."""
    return towards_target(setup, state_at(state))
