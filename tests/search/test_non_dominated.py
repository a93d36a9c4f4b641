"""Non-dominated sorting against a slow version written from its definition."""

import random

import numpy as np
import pytest

from turnwise.jit.record import Floats, Ints
from turnwise.search.non_dominated import Fronts, rank_by_objectives


def fronts_of(values):
    """A record for the rows of values, and the arrays that it points to."""
    size, objectives = values.shape
    arrays = {name: np.zeros(size, np.int64) for name in ("front", "dominators", "order")}
    arrays |= {"crowding": np.zeros(size)}
    f = Fronts()
    f.values = Floats.of(values.ravel())
    f.front, f.dominators, f.order = (Ints.of(arrays[name]) for name in ("front", "dominators", "order"))
    f.crowding = Floats.of(arrays["crowding"])
    f.size, f.objectives = size, objectives
    return f, arrays


def dominates(a, b):
    return bool((a >= b).all() and (a > b).any())


def slow_fronts(values):
    left, front, number = set(range(len(values))), {}, 0
    while left:
        best = {i for i in left if not any(dominates(values[j], values[i]) for j in left)}
        front |= dict.fromkeys(best, number)
        left -= best
        number += 1
    return front


def slow_crowding(values, members):
    distance = dict.fromkeys(members, 0.0)
    for k in range(values.shape[1]):
        column = sorted(values[i, k] for i in members)
        for i in members:
            if len(set(column)) == len(column):
                place = column.index(values[i, k])
                if place in (0, len(column) - 1):
                    distance[i] = np.inf
                else:
                    distance[i] += (column[place + 1] - column[place - 1]) / (column[-1] - column[0])
    return distance


@pytest.mark.parametrize("objectives", [1, 2, 3])
def test_fronts_are_those_of_the_definition(objectives):
    chance = random.Random(objectives)
    for _ in range(30):
        size = chance.randrange(1, 25)
        values = np.array([[float(chance.randrange(5)) for _ in range(objectives)] for _ in range(size)])
        f, arrays = fronts_of(values)
        count = rank_by_objectives(f)
        expected = slow_fronts(values)
        assert arrays["front"].tolist() == [expected[i] for i in range(size)]
        assert count == max(expected.values()) + 1
        assert sorted(arrays["order"].tolist()) == list(range(size))
        ranks = arrays["front"][arrays["order"]]
        assert (np.diff(ranks) >= 0).all()


def test_crowding_is_that_of_the_definition_and_orders_each_front():
    values = np.random.default_rng(1).random((40, 2))
    f, arrays = fronts_of(values)
    for number in range(rank_by_objectives(f)):
        members = np.flatnonzero(arrays["front"] == number).tolist()
        expected = slow_crowding(values, members)
        assert [arrays["crowding"][i] for i in members] == pytest.approx([expected[i] for i in members])
        ordered = [arrays["crowding"][i] for i in arrays["order"] if arrays["front"][i] == number]
        assert ordered == sorted(ordered, reverse=True)


def test_one_objective_sorts_like_a_list():
    values = np.array([[3.0], [1.0], [2.0], [3.0]])
    f, arrays = fronts_of(values)
    assert rank_by_objectives(f) == 3
    assert arrays["order"].tolist() == [0, 3, 2, 1]


def slow_absolute_order(values, members):
    """A front, the most distant neighbours first; its ends are infinitely far, the better one by objective 0 first."""
    line = sorted(members, key=lambda i: (-values[i][0], -i))  # from the other end, equals are in rising order
    far = dict.fromkeys(line, np.inf)
    for before, i, after in zip(line, line[1:], line[2:], strict=False):
        far[i] = float(np.abs(values[before] - values[after]).sum())
    return sorted(line, key=lambda i: -far[i])


@pytest.mark.parametrize("seed", range(20))
def test_absolute_crowding_is_that_of_the_slow_version(seed):
    random_values = np.random.default_rng(seed)
    values = np.round(random_values.normal(size=(17, 2)), 1)
    f, arrays = fronts_of(values)
    f.absolute = 1
    rank_by_objectives(f)
    front = slow_fronts(values)
    expected = []
    for number in range(max(front.values()) + 1):
        expected += slow_absolute_order(values, [i for i in range(17) if front[i] == number])
    assert arrays["order"].tolist() == expected
    f.worst_first = 1
    rank_by_objectives(f)
    best = [i for i in range(17) if front[i] == 0]
    assert values[arrays["order"][0]][0] == min(values[i][0] for i in best)


def test_a_value_that_is_no_number_makes_individuals_incomparable():
    values = np.array([[1.0, 0.0], [0.0, np.nan], [2.0, np.nan]])
    f, arrays = fronts_of(values)
    assert rank_by_objectives(f) == 1
    assert arrays["front"].tolist() == [0, 0, 0]
