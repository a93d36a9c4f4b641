"""Turns a smooth race into moves with whole numbers, under the real rules."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from turnwise.core.state import State
from turnwise.games.search_race.polish.descent import descend
from turnwise.games.search_race.polish.smooth import Course, Race, Vector, drive
from turnwise.games.search_race.rules.codes import MOST_THRUST, MOST_TURN, THRUSTS
from turnwise.games.search_race.rules.physics import FRICTION
from turnwise.games.search_race.state import RaceState

_NEAR_HEADINGS, _NEAR_THRUSTS = 3, 12  # whole numbers that are tried on either side
_STOPS_AFTER = 1.0 / (1.0 - FRICTION)  # turns of its speed that a car without thrust goes on for
_ASTRAY = 4.0  # squared units that a squared degree of a wrong heading counts
_DEGREES, _LEAST, _STEPS = 1.0, 0.05, 2  # of the descents in between
_PRICE = 1.0 / 30.0  # of missing a target by a unit, in turns: more than a unit can save, or the real car would miss it


def rounded(
    start: State, course: Course, race: Race, turns: int, longest: float, is_over: Callable[[], bool]
) -> tuple[list[int], State]:
    """The moves of a race and the state after them; a race that gets too long or has no time ends before its finish.

    Args:
        start: The state at the beginning of the course.
        course: The course.
        race: The smooth race.
        turns: So many turns are rounded at a time; then the rest of the race is adapted.
        longest: In turns; a race whose smooth rest would end later, or miss targets for that price, is given up.
        is_over: Whether the time is up.
    """
    state, codes, course = start, list[int](), replace(course, price=max(_PRICE, course.price))
    heading = round(math.degrees(course.heading))
    while len(race.headings) > turns and len(codes) + course.cost(race) <= longest and not is_over():
        passed = int(car_of(state).cp)
        for turn in range(turns):
            chosen, thrust = _nearest_move(car_of(state), heading, course, race, turn)
            codes.append((chosen - heading + MOST_TURN) * THRUSTS + thrust)
            state, heading = state.play(codes[-1]), chosen
            if state.is_over:
                return codes, state
        left = len(course.targets) - (int(car_of(state).cp) - passed)
        course, race = _rest(car_of(state), heading, left, course, race, turns)
        race = descend(course, race, is_over, _DEGREES, _LEAST, _STEPS)
    return codes, state


def car_of(state: State) -> RaceState:
    """The record of a state, which must be kept as long as it is read."""
    return RaceState.at_address(state.address)


def _nearest_move(car: RaceState, heading: int, course: Course, race: Race, turn: int) -> tuple[int, int]:
    """Heading in degrees and thrust, both whole, that keep the real car closest to the smooth one.

    They are compared where both would come to rest without further thrust.
    """
    aim, push = math.degrees(float(race.headings[turn])), round(float(race.thrusts[turn]))
    around = round(aim) + np.arange(-_NEAR_HEADINGS, _NEAR_HEADINGS + 1)
    headings = np.unique(np.clip(around, heading - MOST_TURN, heading + MOST_TURN))[:, None]
    thrusts = np.arange(max(0, push - _NEAR_THRUSTS), min(MOST_THRUST, push + _NEAR_THRUSTS) + 1)[None, :]
    ahead = race.positions[turn] + race.speeds[turn] + course.drift[turn, :2]
    later = FRICTION * race.speeds[turn] + course.drift[turn, 2:]
    error = _ASTRAY * (headings - aim) ** 2
    for axis, (place, speed, part) in enumerate(((car.x, car.vx, np.cos), (car.y, car.vy, np.sin))):
        fast = speed + thrusts * part(np.radians(headings))
        rest = np.trunc(place + fast) - ahead[axis] + _STOPS_AFTER * (np.trunc(FRICTION * fast) - later[axis])
        error = error + rest**2
    best = np.unravel_index(int(np.argmin(error)), error.shape)
    return int(headings[best[0], 0]), int(thrusts[0, best[1]])


def _rest(car: RaceState, heading: int, left: int, course: Course, race: Race, turns: int) -> tuple[Course, Race]:
    """The course with the last ``left`` targets, from where the real car is, and the rest of the race on it."""
    course = replace(
        course,
        position=(float(car.x), float(car.y)),
        speed=(float(car.vx), float(car.vy)),
        heading=math.radians(heading),
        targets=course.targets[-left:],
        drift=course.drift[turns:],
    )
    expected = race.touches[-left:] - turns
    return course, drive(course, _possible(race.headings[turns:], course.heading), race.thrusts[turns:], expected)


def _possible(headings: Vector, before: float) -> Vector:
    """Headings that a car can follow from its own: as few as possible are changed."""
    most, found = math.radians(MOST_TURN), headings.copy()
    for turn, heading in enumerate(headings.tolist()):
        found[turn] = min(max(heading, before - most), before + most)
        if found[turn] == heading:
            break
        before = found[turn]
    return found
