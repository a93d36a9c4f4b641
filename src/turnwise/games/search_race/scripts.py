"""Rollout policies and the rule-based driver."""

from __future__ import annotations

import math

import numpy as np

from turnwise.core.chance import draw
from turnwise.core.script import Script
from turnwise.core.table import game_function
from turnwise.games.search_race.rules.codes import MOST_THRUST, MOST_TURN, expert
from turnwise.games.search_race.scenario import RADIUS, RaceSetup
from turnwise.games.search_race.state import RaceState
from turnwise.jit.kernel import integer, kernel
from turnwise.jit.record import Address, Floats, Ints, Words

TOWARDS_TARGET = 1  # place of "towards-target" in SearchRace.policies
_TEN = np.array([expert(r, t) for r in (-18, -9, 0, 9, 18) for t in (0, MOST_THRUST)], np.int64)
# Aim at target - lead * speed, as contest players do. These numbers are the best of a grid of about 3,000 on the
# 50 tracks; the driver finishes all of them.
_LEAD, _LEAD_AFTER = 4.0, 3.0
_DEGREES = 180.0 / math.pi
_COAST, _MISS = 5.0, 0.5 * RADIUS  # coasting this many turns, the car passes within this distance of the target
_FULL, _NONE = 10.0, 90.0  # thrust falls from full to none between these angles of error


@kernel
def towards_target(g: RaceSetup, s: RaceState) -> int:
    """Aim at the target, corrected for the present speed; at the one after it if coasting will reach the target."""
    target = g.targets[s.cp]
    dx, dy = target.x - s.x, target.y - s.y
    lead = _LEAD
    speed = float(s.vx) * s.vx + float(s.vy) * s.vy
    if speed > 0.0:
        along = min(_COAST, max(0.0, (dx * s.vx + dy * s.vy) / speed))
        missed_x, missed_y = dx - along * s.vx, dy - along * s.vy
        if missed_x * missed_x + missed_y * missed_y < _MISS * _MISS:
            dx, dy = target.next_x - s.x, target.next_y - s.y
            lead = _LEAD_AFTER
    goal = math.atan2(dy - lead * s.vy, dx - lead * s.vx) * _DEGREES - s.angle
    off = goal - 360.0 * math.floor(goal / 360.0 + 0.5)
    r = max(-MOST_TURN, min(MOST_TURN, math.floor(off + 0.5)))
    error = abs(off - r)
    share = min(1.0, max(0.0, (_NONE - error) / (_NONE - _FULL)))
    return expert(integer(r), integer(share * MOST_THRUST))


@game_function("policy")
def policy(g: RaceSetup, s: RaceState, index: int, parameters: Floats, rng: Address, scratch: Ints) -> int:
    """``ten-moves`` (0): uniform over the thesis' ten moves, in any action set; ``towards-target`` (1)."""
    if index == TOWARDS_TARGET:
        return towards_target(g, s)
    return integer(_TEN[draw(rng, 10)])


@game_function("script")
def driver(g: RaceSetup, s: RaceState, actor: int, parameters: Floats, rng: Address, scratch: Words) -> int:
    """``towards-target``."""
    return towards_target(g, s)


SCRIPTS = {"towards-target": Script(driver, "steer towards the next checkpoint, with full thrust where it is ahead")}
