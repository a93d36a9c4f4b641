"""One turn of the car, exactly as the contest's referee computes it (rules 3 and 6).

Between turns all values are integers, within a turn they are in double precision. The optimisations give the same bits:
sine and cosine of whole degrees come from a table, and the search for hits is skipped where no rounding could cause a
hit.
"""

from __future__ import annotations

import math

import numpy as np

from turnwise.games.search_race.rules.codes import (
    EXPERT_MOVES,
    MOST_TURN,
    THRUSTS,
    aim_x,
    aim_y,
    thrust_of,
)
from turnwise.games.search_race.scenario import MOST_TURNS, RADIUS, RaceSetup, Target
from turnwise.games.search_race.state import RaceState
from turnwise.jit.kernel import inlined, integer, kernel
from turnwise.jit.record import Floats

FRICTION = 0.85
NO_HIT = 2.0  # the referee's col_time of a turn without a hit
_THRUSTS = np.uint64(THRUSTS)
_SNAP = 1e-5
_FULL_CIRCLE = 2.0 * math.pi
_MOST_TURN_RADIANS = math.pi / 10.0
_RADIANS, _DEGREES = math.pi / 180.0, 180.0 / math.pi
_LOWEST = -MOST_TURN
_COS = np.array([math.cos(d * _RADIANS) for d in range(_LOWEST, 360 + MOST_TURN + 1)])
_SIN = np.array([math.sin(d * _RADIANS) for d in range(_LOWEST, 360 + MOST_TURN + 1)])
_RADIUS_SQUARED = float(RADIUS * RADIUS)
_JUST_BELOW_ONE = 1.0 - 1e-6


def _snapping_edge() -> float:
    """The largest fraction f below 1 with 1 - f >= 1e-5; the difference is exact: ``f > edge`` is the rule."""
    edge = 1.0 - _SNAP
    while 1.0 - edge >= _SNAP:
        edge = math.nextafter(edge, 1.0)
    while 1.0 - edge < _SNAP:
        edge = math.nextafter(edge, 0.0)
    return edge


_EDGE = _snapping_edge()


@inlined
def cut(value: float) -> int:
    """T of the rules: towards zero, but to the nearest whole number if that is closer than 1e-5 (quirk K1).

    The fraction is exact, so this is the rule's ``|round(value) - value| < 1e-5`` to the last bit.
    """
    whole = integer(value)
    fraction = value - whole
    if fraction > _EDGE:
        whole += 1
    elif fraction < -_EDGE:
        whole -= 1
    return whole


@kernel
def aimed_direction(x: int, y: int, angle: int, aim_at_x: int, aim_at_y: int) -> float:
    """Direction in radians that a car takes when it aims at another point than its own (rules 3.1)."""
    heading = angle * _RADIANS
    goal = math.atan2(float(aim_at_y - y), float(aim_at_x - x))
    quarter = np.fmod(goal - heading, _FULL_CIRCLE)
    relative = np.fmod(2.0 * quarter, _FULL_CIRCLE) - quarter
    if abs(relative) >= _MOST_TURN_RADIANS:
        return heading + (_MOST_TURN_RADIANS if relative > 0.0 else -_MOST_TURN_RADIANS)
    return goal


@kernel
def wrapped(degrees: int) -> int:
    """A heading reduced to 0..360; both ends stay as they are (quirk K3)."""
    while degrees > 360:
        degrees -= 360
    while degrees < 0:
        degrees += 360
    return degrees


@kernel
def pass_checkpoints(
    g: RaceSetup, total: int, x: float, y: float, vx: float, vy: float, cp: int, hits: Floats | None
) -> tuple[float, float, int, float]:
    """Move from hit to hit within a turn (rules 3.3).

    Args:
        g: The scenario.
        total: Checkpoints to be passed.
        x: Position before the turn.
        y: Position before the turn.
        vx: Speed after the thrust.
        vy: Speed after the thrust.
        cp: Checkpoints passed before.
        hits: float64[total - cp], receives the time of each hit; None: not wanted, and compiled without them.

    Returns:
        Position at the last hit, checkpoints passed, time of the last hit.
    """
    tau = 0.0
    first = cp
    while cp < total:
        target = g.targets[cp]
        dx, dy = x - target.x, y - target.y
        wait = 0.0
        if math.sqrt(dx * dx + dy * dy) > RADIUS:
            a = vx * vx + vy * vy
            if a <= 0.0:
                break
            b = 2.0 * (dx * vx + dy * vy)
            discriminant = b * b - 4.0 * a * (dx * dx + dy * dy - _RADIUS_SQUARED)
            if discriminant < 0.0:
                break
            wait = (-b - math.sqrt(discriminant)) / (2.0 * a)
            if wait <= 0.0:
                break
        if wait + tau > 1.0:
            break
        tau += wait
        x += wait * vx
        y += wait * vy
        if hits is not None:
            hits[cp - first] = tau
        cp += 1
    return x, y, cp, tau


@inlined
def may_hit(target: Target, x: float, y: float, vx: float, vy: float) -> bool:
    """False only if no hit is possible in this turn, whatever the rounding.

    The squared distance to the centre minus R^2, along the way, is f(s) = v^2 s^2 + b s + q - R^2 >= q + min(b, 0) -
    R^2 for s in 0..1. A millionth of q is far more than the total rounding error of the full computation.
    """
    dx, dy = x - target.x, y - target.y
    along = 2.0 * (dx * vx + dy * vy)
    return (dx * dx + dy * dy) * _JUST_BELOW_ONE + min(along, 0.0) <= _RADIUS_SQUARED


@kernel
def drive(g: RaceSetup, s: RaceState, action: int, hits: Floats | None = None) -> None:
    """Play one turn of a race that is not over, in place.

    Args:
        g: The scenario.
        s: The state; changed.
        action: Any legal code.
        hits: See :func:`pass_checkpoints`.
    """
    x, y = float(s.x), float(s.y)
    vx, vy = float(s.vx), float(s.vy)
    if action < EXPERT_MOVES:
        code = np.uint64(action)  # unsigned: neither the division nor the indices are tested for negative values
        r = code // _THRUSTS
        heading = np.uint64(s.angle) + r
        thrust = integer(code - r * _THRUSTS)
        degrees = integer(heading) - MOST_TURN
        vx += thrust * _COS[heading]
        vy += thrust * _SIN[heading]
    else:
        degrees = integer(s.angle)
        goal_x, goal_y = aim_x(action), aim_y(action)
        if goal_x != s.x or goal_y != s.y:  # aiming at oneself cancels the thrust (quirk K4)
            theta = aimed_direction(s.x, s.y, s.angle, goal_x, goal_y)
            thrust = thrust_of(action)
            vx += thrust * math.cos(theta)
            vy += thrust * math.sin(theta)
            degrees = integer(math.floor(theta * _DEGREES + 0.5))
    s.angle = wrapped(degrees)
    finish(g, s, x, y, vx, vy, hits)


@inlined
def finish(g: RaceSetup, s: RaceState, x: float, y: float, vx: float, vy: float, hits: Floats | None) -> None:
    """Move, pass checkpoints, cut to whole numbers, count the turn (rules 3.3 to 3.7)."""
    left = 1.0
    cp = integer(s.cp)
    if may_hit(g.targets[cp], x, y, vx, vy):
        total = g.total
        x, y, passed, tau = pass_checkpoints(g, total, x, y, vx, vy, cp, hits)
        left = 1.0 - tau
        s.cp = passed
        if passed == total:
            s.done = 1
            s.col_time = tau
            s.timer -= 1
    s.x, s.y = cut(x + left * vx), cut(y + left * vy)
    s.vx, s.vy = cut(FRICTION * vx), cut(FRICTION * vy)
    s.timer += 1
    if s.timer == MOST_TURNS:
        s.done = 1
