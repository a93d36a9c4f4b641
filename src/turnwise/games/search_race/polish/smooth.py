"""The smooth race: headings and thrusts are real numbers, and a target may be missed at a price."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from turnwise.games.search_race.rules.physics import FRICTION
from turnwise.games.search_race.scenario import RADIUS

Vector = NDArray[np.float64]

_LATER = 4.0  # turns after its former time in which a target is looked for
_CLOSER = 3.0  # turns after a touch in which the car may still come closer to the centre


@dataclass(frozen=True, slots=True)
class Course:
    """Where a car stands and what lies ahead.

    Attributes:
        position: x and y.
        speed: Its components, before the next thrust.
        heading: In radians; not reduced to a full circle.
        targets: float64[m, 2], centres of the targets that are left, in order.
        drift: float64[n, 4], what cutting to whole numbers adds to position and speed after each turn.
        margin: Units by which the car should come closer to a target than its radius; the last one needs no margin.
        price: Of missing a target, in turns per unit of distance.
    """

    position: tuple[float, float]
    speed: tuple[float, float]
    heading: float
    targets: Vector
    drift: Vector
    margin: float
    price: float

    def radii(self) -> Vector:
        """float64[m]: within which distance each target counts as touched."""
        radii = np.full(len(self.targets), RADIUS - self.margin)
        radii[-1] = RADIUS
        return radii

    def cost(self, race: Race) -> float:
        """What is minimised: the time of a race, and the price of the targets it misses."""
        return race.time + self.price * race.missed


@dataclass(frozen=True, slots=True)
class Race:
    """A course driven with given moves.

    Attributes:
        headings: float64[n], radians, during each turn.
        thrusts: float64[n].
        positions: float64[n, 2], before each turn.
        speeds: float64[n, 2], during each turn.
        touches: float64[m], turns until each target is touched; where it is missed, until the car is closest to it.
        closest: float64[m], turns until the car is closest to its centre, soon after the touch.
        distances: float64[m], distance from the centre then.
        missed: Sum over the targets of the distance by which they are missed.
    """

    headings: Vector
    thrusts: Vector
    positions: Vector
    speeds: Vector
    touches: Vector
    closest: Vector
    distances: Vector
    missed: float

    @property
    def time(self) -> float:
        """Turns until the finish."""
        return float(self.touches[-1])

    def place(self, when: float) -> Vector:
        """float64[2]: position at a time."""
        turn = int(when)
        found: Vector = self.positions[turn] + (when - turn) * self.speeds[turn]
        return found

    def effect(self, when: float, direction: Vector) -> Vector:
        """float64[2n]: how far each heading (per radian) and each thrust (per unit) moves the car in a direction.

        Args:
            when: Time at which the position is taken.
            direction: float64[2], of length 1.
        """
        turn = int(when)
        ago = turn - np.arange(len(self.headings))
        left = FRICTION ** np.maximum(ago, 0)  # of a unit of speed
        way = np.where(ago >= 0, (1.0 - left) / (1.0 - FRICTION) + (when - turn) * left, 0.0)
        cosine, sine = np.cos(self.headings), np.sin(self.headings)
        turning = way * self.thrusts * (cosine * direction[1] - sine * direction[0])
        pushing = way * (cosine * direction[0] + sine * direction[1])
        return np.concatenate([turning, pushing])


def drive(course: Course, headings: Vector, thrusts: Vector, expected: Vector) -> Race:
    """Drive a course.

    Args:
        course: The course.
        headings: float64[n], radians, during each turn.
        thrusts: float64[n].
        expected: float64[m], about when each target will be touched; it is looked for until four turns later.
    """
    positions, speeds = _motion(course, headings, thrusts)
    count, radii = len(course.targets), course.radii()
    touches, closest, distances = np.empty(count), np.empty(count), np.empty(count)
    last = 0.0
    for number in range(count):
        end = min(max(last, float(expected[number])) + _LATER, len(headings) - 1e-9)
        found = _touch(positions, speeds, course.targets[number], float(radii[number]), last, end)
        touches[number], closest[number], distances[number] = found
        last = found[0]
    missed = float(np.maximum(0.0, distances - radii).sum())
    return Race(headings, thrusts, positions, speeds, touches, closest, distances, missed)


def _motion(course: Course, headings: Vector, thrusts: Vector) -> tuple[Vector, Vector]:
    """Positions before, and speeds during each turn."""
    count = len(headings)
    positions, speeds = np.empty((count, 2)), np.empty((count, 2))
    push_x, push_y = (thrusts * np.cos(headings)).tolist(), (thrusts * np.sin(headings)).tolist()
    (x, y), (vx, vy) = course.position, course.speed
    for turn, (dx, dy, dvx, dvy) in enumerate(course.drift.tolist()):
        vx, vy = vx + push_x[turn], vy + push_y[turn]
        positions[turn], speeds[turn] = (x, y), (vx, vy)
        x, y = x + vx + dx, y + vy + dy
        vx, vy = FRICTION * vx + dvx, FRICTION * vy + dvy
    return positions, speeds


def _touch(
    positions: Vector, speeds: Vector, centre: Vector, radius: float, begin: float, end: float
) -> tuple[float, float, float]:
    """When a target is touched between two times, when the car is closest to it, and how close."""
    first, nearest, at = math.nan, math.inf, begin
    turn = int(begin)
    while turn <= int(end):
        dx, dy = (positions[turn] - centre).tolist()
        vx, vy = speeds[turn].tolist()
        earliest, latest = max(begin - turn, 0.0), min(end - turn, 1.0)
        square, along = max(vx * vx + vy * vy, 1e-12), dx * vx + dy * vy
        moment = min(max(-along / square, earliest), latest)
        distance = math.hypot(dx + moment * vx, dy + moment * vy)
        if math.isnan(first) and distance <= radius:
            root = math.sqrt(max(along * along - square * (dx * dx + dy * dy - radius * radius), 0.0))
            first = turn + min(max((-along - root) / square, earliest), latest)
            end = min(end, first + _CLOSER)
        if distance < nearest:
            nearest, at = distance, turn + moment
        turn += 1
    return (at if math.isnan(first) else first), at, nearest
