"""Whole passes over a race, each of which begins with the best one so far."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from turnwise.core.state import State
from turnwise.games.search_race.polish.descent import MISSED, descend
from turnwise.games.search_race.polish.rounding import car_of, rounded
from turnwise.games.search_race.polish.smooth import Course, Race, Vector, drive
from turnwise.games.search_race.rules.codes import EXPERT_MOVES, MOST_THRUST, MOST_TURN, THRUSTS
from turnwise.games.search_race.rules.physics import FRICTION

_SPARE = 5  # turns that rounding may add to a race
# Of missing a target by a unit, in turns, at first: low, since the way to a shorter race may miss some.
_PRICE = 1.0 / 150.0
_DEARER, _HIGHEST_PRICE = 4.0, 1.0
_SETTLED = 0.01  # turns; a descent that gains less is the last one
_LONGER = 1.0  # turns by which a race may become longer while it is rounded
# Margin of the targets, in units, and turns that are rounded at a time.
_PASSES = ((3.0, 3), (2.0, 2), (3.0, 2), (5.0, 3), (1.5, 1), (2.0, 3), (4.0, 2), (3.0, 1))


def improved_races(
    targets: Vector, start: State, codes: Sequence[int], is_over: Callable[[], bool]
) -> Iterator[list[int]]:
    """Codes of ever shorter races; ends when no pass finds another or the time is up.

    Args:
        targets: float64[m, 2], centres of all targets of the game, in order.
        start: Where the race begins; it need not be the start of the game.
        codes: A race; one that is lost, or has aiming moves, is not improved.
        is_over: Whether the time is up.
    """
    best, number, failures = list(codes), 0, 0
    end = _end(start, best)
    if any(code >= EXPERT_MOVES for code in codes) or car_of(end).cp < len(targets):
        return
    time = end.returns[0]
    while failures < len(_PASSES) and not is_over():
        margin, turns = _PASSES[number % len(_PASSES)]
        course, race = smooth_race(start, targets, best, margin)
        longest = race.time + _LONGER
        course, race = descended(course, race, is_over)
        found, end = rounded(start, course, race, turns, longest, is_over)
        number, failures = number + 1, failures + 1
        if end.is_over and end.returns[0] > time:
            best, time, failures = found, end.returns[0], 0
            yield list(best)


def descended(course: Course, race: Race, is_over: Callable[[], bool]) -> tuple[Course, Race]:
    """A local optimum, and the course with the price at which it misses nothing."""
    found = _settled(course, race, is_over)
    while found.missed > MISSED and course.price < _HIGHEST_PRICE and not is_over():
        course = replace(course, price=_DEARER * course.price)
        found = _settled(course, race, is_over)
    return course, found


def _settled(course: Course, race: Race, is_over: Callable[[], bool]) -> Race:
    """Descend with a fresh trust region as long as that gains something."""
    while True:
        found = descend(course, race, is_over)
        if course.cost(race) - course.cost(found) < _SETTLED:
            return found
        race = found


def _end(start: State, codes: Sequence[int]) -> State:
    """The state at the end of a race."""
    state = start
    for code in codes:
        state = state.play(code)
    return state


def smooth_race(start: State, targets: Vector, codes: Sequence[int], margin: float) -> tuple[Course, Race]:
    """A real race as a smooth one, with some spare turns at its end.

    Args:
        start: Where the race begins.
        targets: float64[m, 2], centres of all targets of the game, in order.
        codes: Its moves, EXPERT moves only.
        margin: See :class:`~turnwise.games.search_race.polish.smooth.Course`.
    """
    moves = np.array(codes, np.int64)
    rows, state = [_row(start)], start
    for code in codes:
        state = state.play(code)
        rows.append(_row(state))
    cars = np.array(rows)
    x, y, vx, vy = cars[0, :4].astype(float).tolist()
    heading = math.radians(cars[0, 5])
    headings = heading + np.radians(np.cumsum(moves // THRUSTS - MOST_TURN))
    thrusts = (moves % THRUSTS).astype(float)
    pushes = thrusts[:, None] * np.stack([np.cos(headings), np.sin(headings)], axis=1)
    speeds = cars[:-1, 2:4] + pushes
    drift = np.zeros((len(codes) + _SPARE, 4))
    drift[: len(codes), :2] = cars[1:, :2] - cars[:-1, :2] - speeds
    drift[: len(codes), 2:] = cars[1:, 2:4] - FRICTION * speeds
    drift[len(codes) - 1 :] = 0.0  # the last turn ends at the finish
    passed = int(cars[0, 4])
    targets = targets[passed:]
    expected = np.searchsorted(cars[1:, 4], np.arange(passed + 1, passed + 1 + len(targets))).astype(float)
    course = Course((x, y), (vx, vy), heading, targets, drift, margin, _PRICE)
    headings = np.concatenate([headings, np.full(_SPARE, headings[-1])])
    thrusts = np.concatenate([thrusts, np.full(_SPARE, float(MOST_THRUST))])
    return course, drive(course, headings, thrusts, expected)


def _row(state: State) -> tuple[int, int, int, int, int, int]:
    car = car_of(state)
    return car.x, car.y, car.vx, car.vy, car.cp, car.angle
