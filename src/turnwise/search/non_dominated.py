"""Non-dominated sorting and crowding distance (NSGA-II): an order of individuals that are rated by several objectives.

After Deb, Pratap, Agarwal & Meyarivan, "A fast and elitist multiobjective genetic algorithm: NSGA-II", 2002, section
III. ``a`` dominates ``b`` if it is at least as good by every objective and better by one; higher values are better::

    sort:       front 1 = those that nobody dominates
                front k + 1 = those that only members of fronts 1..k dominate
    crowd:      within a front, for each objective: sort by it; the two ends get an infinite distance, every other
                member the distance between its neighbours, in units of the front's range
    order:      by front; within a front the less crowded first
"""

from __future__ import annotations

import numpy as np

from turnwise.jit.kernel import kernel
from turnwise.jit.record import Floats, Ints, Record

UNSORTED = -1


class Fronts(Record):
    """Individuals with their objectives, and what sorting finds out about them."""

    values: Floats  # float64[room, objectives], higher is better
    front: Ints  # int64[room]: number of the individual's front, from 0
    dominators: Ints  # int64[room]: scratch
    crowding: Floats  # float64[room]: distance to the neighbours in the front
    order: Ints  # int64[room]: the individuals, best first
    size: int  # individuals
    objectives: int
    absolute: int  # whether crowding is measured by :func:`crowd_as_is`
    worst_first: int  # in :func:`crowd_as_is`: of equals, the worse one by the first objective comes first


@kernel
def dominates(f: Fronts, a: int, b: int) -> bool:
    """Whether individual ``a`` is at least as good as ``b`` by every objective, and better by one; no value is nan."""
    is_better = False
    for k in range(f.objectives):
        mine, other = f.values[a * f.objectives + k], f.values[b * f.objectives + k]
        if not mine >= other:
            return False
        is_better = is_better or mine > other
    return is_better


@kernel
def sort_into_fronts(f: Fronts) -> int:
    """Number the fronts, write the individuals into ``order`` front by front; returns how many fronts there are."""
    for a in range(f.size):
        f.front[a], f.dominators[a] = UNSORTED, 0
        for b in range(f.size):
            if dominates(f, b, a):
                f.dominators[a] += 1
    fronts, done = 0, 0
    while done < f.size:
        begin = done
        for a in range(f.size):
            if f.front[a] == UNSORTED and f.dominators[a] == 0:
                f.front[a] = fronts
                f.order[done] = a
                done += 1
        for place in range(begin, done):
            for b in range(f.size):
                if dominates(f, f.order[place], b):
                    f.dominators[b] -= 1
        fronts += 1
    return fronts


@kernel
def sort_front_by(f: Fronts, begin: int, end: int, k: int) -> None:
    """Sort places ``begin`` to ``end - 1`` of ``order`` by objective ``k``, lowest first; equals keep their order."""
    for i in range(begin + 1, end):
        index = f.order[i]
        value = f.values[index * f.objectives + k]
        j = i
        while j > begin and f.values[f.order[j - 1] * f.objectives + k] > value:
            f.order[j] = f.order[j - 1]
            j -= 1
        f.order[j] = index


@kernel
def measure_crowding(f: Fronts, begin: int, end: int) -> None:
    """Write the crowding distances of the front at places ``begin`` to ``end - 1`` of ``order``; sorts the places."""
    for place in range(begin, end):
        f.crowding[f.order[place]] = 0.0
    for k in range(f.objectives):
        sort_front_by(f, begin, end, k)
        first, last = f.order[begin], f.order[end - 1]
        f.crowding[first] = f.crowding[last] = np.inf
        width = f.values[last * f.objectives + k] - f.values[first * f.objectives + k]
        if width > 0.0:
            for place in range(begin + 1, end - 1):
                before, after = f.order[place - 1], f.order[place + 1]
                gap = f.values[after * f.objectives + k] - f.values[before * f.objectives + k]
                f.crowding[f.order[place]] += gap / width


@kernel
def sort_by_crowding(f: Fronts, begin: int, end: int) -> None:
    """Sort a front in ``order``, least crowded first; equals by their number."""
    for i in range(begin + 1, end):
        index = f.order[i]
        distance = f.crowding[index]
        j = i
        while j > begin and (
            f.crowding[f.order[j - 1]] < distance or (f.crowding[f.order[j - 1]] == distance and f.order[j - 1] > index)
        ):
            f.order[j] = f.order[j - 1]
            j -= 1
        f.order[j] = index


@kernel
def crowd_as_is(f: Fronts, begin: int, end: int) -> None:
    """Order a front by distances in the units of the objectives, between neighbours by the first objective.

    Both ends are infinitely far; of equals the better one by the first objective comes first, or the worse one.
    """
    sort_front_by(f, begin, end, 0)
    for i in range((end - begin) // 2 if f.worst_first == 0 else 0):
        f.order[begin + i], f.order[end - 1 - i] = f.order[end - 1 - i], f.order[begin + i]
    for place in range(begin, end):
        index, distance = f.order[place], np.inf
        if begin < place < end - 1:
            distance = 0.0
            for k in range(f.objectives):
                before, after = f.order[place - 1], f.order[place + 1]
                distance += abs(f.values[after * f.objectives + k] - f.values[before * f.objectives + k])
        f.crowding[index] = distance
    for i in range(begin + 1, end):
        index = f.order[i]
        j = i
        while j > begin and f.crowding[f.order[j - 1]] < f.crowding[index]:
            f.order[j] = f.order[j - 1]
            j -= 1
        f.order[j] = index


@kernel
def rank_by_objectives(f: Fronts) -> int:
    """Write all individuals into ``order``, best first: by front, then least crowded; returns the number of fronts.

    Args:
        f: Individuals with ``values``; ``front``, ``crowding`` and ``order`` are overwritten.
    """
    fronts = sort_into_fronts(f)
    begin = 0
    while begin < f.size:
        end = begin
        while end < f.size and f.front[f.order[end]] == f.front[f.order[begin]]:
            end += 1
        if f.absolute != 0:
            crowd_as_is(f, begin, end)
        else:
            measure_crowding(f, begin, end)
            sort_by_crowding(f, begin, end)
        begin = end
    return fronts
