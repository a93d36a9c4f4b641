"""Changes all moves of a smooth race a little, again and again, until it gets no shorter.

repeat
    linearise the finish and the distances from the targets in all headings and thrusts
    step := the best change within the trust region                  linear programme
    while targets are missed, at most three times
        step further, within a smaller region                        correction
    if the cost falls: accept, perhaps widen the region; otherwise halve it
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from turnwise.games.search_race.polish.smooth import Course, Race, Vector, drive
from turnwise.games.search_race.rules.codes import MOST_THRUST, MOST_TURN

MISSED = 2.0
"""Units by which targets may be missed in sum without a correction."""
_FULL_TURN = math.radians(MOST_TURN)
_DEGREE = math.radians(1.0)
_THRUST = 6.0  # units of thrust that may change for each degree
_AT_THE_CENTRE = 60.0  # closer to it no direction leads away from a target
_SLOWEST = 100.0  # units per turn, to turn a distance at the finish into time
_CORRECTIONS = 3
_SHRINK, _WIDEN, _NARROW, _WIDEST = 0.4, 1.6, 0.7, 15.0
_WORTH, _GOOD, _POOR = 0.02, 0.3, 0.1  # share of the predicted gain
_LITTLE, _PATIENCE = 2e-4, 5  # turns; so many steps that gain less end the descent


def descend(
    course: Course,
    race: Race,
    is_over: Callable[[], bool],
    degrees: float = 3.0,
    least: float = 0.01,
    steps: int = 400,
) -> Race:
    """A race of lower cost that is close to a local optimum.

    Args:
        course: The course.
        race: Where to begin.
        is_over: Whether the time is up; asked before each step.
        degrees: Half the width of the first trust region.
        least: The descent ends when half the width becomes smaller, in degrees.
        steps: The most steps.
    """
    patience = _PATIENCE
    for _ in range(steps):
        if degrees < least or not patience or is_over():
            break
        found = _step(course, race, degrees)
        if found is None:
            break
        best, predicted = found
        best = _corrected(course, best, degrees, is_over)
        gain = course.cost(race) - course.cost(best)
        if gain <= max(_WORTH * predicted, 1e-6):
            degrees *= 0.5
            continue
        race = best
        patience = patience - 1 if gain < _LITTLE else _PATIENCE
        if gain > _GOOD * predicted:
            degrees = min(_WIDEN * degrees, _WIDEST)
        elif gain < _POOR * predicted:
            degrees *= _NARROW
    return race


def _corrected(course: Course, race: Race, degrees: float, is_over: Callable[[], bool]) -> Race:
    """The best of some further, shorter steps that bring the car back to targets it misses."""
    best = race
    for _ in range(_CORRECTIONS):
        if race.missed < MISSED or is_over():
            break
        degrees *= _SHRINK
        found = _step(course, race, degrees)
        if found is None:
            break
        race = found[0]
        best = min(best, race, key=course.cost)
    return best


def _step(course: Course, race: Race, degrees: float) -> tuple[Race, float] | None:
    """The race after the best small change, and the predicted gain; None: the linear programme has no solution."""
    low, high = _region(race, degrees)
    touching, room = _targets(course, race, np.maximum(-low, high))
    count, kept = len(race.headings), len(room)
    rows = np.zeros((count + kept, 2 * count + kept))
    rows[:count, :count] = np.eye(count) - np.eye(count, k=-1)
    rows[count:, : 2 * count], rows[count:, 2 * count :] = touching, -np.eye(kept)
    turns = np.diff(race.headings, prepend=course.heading)
    lowest = np.concatenate([np.minimum(-_FULL_TURN - turns, 0.0), np.full(kept, -np.inf)])
    highest = np.concatenate([np.maximum(_FULL_TURN - turns, 0.0), room])
    costs = np.concatenate([finish_gradient(course, race), np.full(kept, course.price)])
    bounds = Bounds(np.concatenate([low, np.zeros(kept)]), np.concatenate([high, np.full(kept, np.inf)]))
    found = milp(costs, constraints=LinearConstraint(rows, lowest, highest), bounds=bounds)
    if found.status != 0:
        return None
    headings = race.headings + found.x[:count]
    thrusts = np.clip(race.thrusts + found.x[count : 2 * count], 0.0, float(MOST_THRUST))
    return drive(course, headings, thrusts, race.touches), course.price * race.missed - float(found.fun)


def _region(race: Race, degrees: float) -> tuple[Vector, Vector]:
    """Lowest and highest changes of headings and thrusts, float64[2n] each."""
    thrusts, pushed = race.thrusts, degrees * _THRUST
    turned = np.full(len(thrusts), degrees * _DEGREE)
    weaker, stronger = np.maximum(-pushed, -thrusts), np.minimum(pushed, MOST_THRUST - thrusts)
    return np.concatenate([-turned, weaker]), np.concatenate([turned, stronger])


def _targets(course: Course, race: Race, widths: Vector) -> tuple[Vector, Vector]:
    """For each target that a step might miss: how the moves change the distance from it, and how much it may grow.

    Args:
        course: The course.
        race: The race.
        widths: float64[2n], the largest changes of the moves.
    """
    effects, room = [np.empty((0, len(widths)))], list[float]()
    for number, radius in enumerate(course.radii().tolist()):
        distance = float(race.distances[number])
        if distance < _AT_THE_CENTRE or (number == len(course.targets) - 1 and distance <= radius):
            continue  # the last one is what the finish is measured by
        when = float(race.closest[number])
        effect = race.effect(when, (race.place(when) - course.targets[number]) / distance)
        if radius - distance < np.abs(effect) @ widths:
            effects.append(effect[None, :])
            room.append(radius - distance)
    return np.vstack(effects), np.array(room)


def finish_gradient(course: Course, race: Race) -> Vector:
    """float64[2n]: how the moves change the final time; zero if the finish is missed."""
    last = len(course.targets) - 1
    if race.distances[last] > course.radii()[last]:
        return np.zeros(2 * len(race.headings))
    while last and race.touches[last] <= race.touches[last - 1]:
        last -= 1  # the car was in the later circles before: this target decides when it finishes
    away = race.place(race.time) - course.targets[last]
    away /= max(float(np.hypot(*away)), 1e-9)
    approach = -float(away @ race.speeds[int(race.time)])
    return race.effect(race.time, away) / max(approach, _SLOWEST)
