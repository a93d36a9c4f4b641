"""Sorting of populations against Python's sort."""

import numpy as np
import pytest

from turnwise.jit.record import Floats, Ints, Record
from turnwise.search.ranking import insertion_sort, merge

UNTOUCHED = -7


class Ranking(Record):
    fitness: Floats
    ranking: Ints
    order: Ints


def ranking(fitness, order):
    """A record and its arrays of places; the scratch of the sort is marked as untouched."""
    made, ranked, scratch = Ranking(), np.array(order, np.int64), np.full(len(order), UNTOUCHED)
    made.fitness, made.ranking, made.order = Floats.of(fitness), Ints.of(ranked), Ints.of(scratch)
    return made, ranked, scratch


def individuals(seed, n):
    """Fitness with many equal values and individuals that were not assessed; the individuals in random order."""
    rng = np.random.default_rng(seed)
    return rng.choice([-np.inf, -2.0, 0.0, 0.5, 3.0], n), rng.permutation(n).tolist()


def best_first(fitness, order):
    return sorted(order, key=lambda index: -fitness[index])  # stable: equals keep their order


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("begin", "end"), [(0, 20), (5, 17), (3, 4), (8, 8)])
def test_a_run_is_sorted_and_the_rest_stays(seed, begin, end):
    fitness, order = individuals(seed, 20)
    made, ranked, _ = ranking(fitness, order)
    insertion_sort(made, begin, end)
    assert ranked.tolist() == order[:begin] + best_first(fitness, order[begin:end]) + order[end:]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("runs", [(0, 12, 12, 20), (2, 6, 11, 19), (0, 0, 0, 20), (4, 9, 20, 20)])
def test_merged_runs_are_one_sorted_run(seed, runs):
    """Like a stable sort of both runs: of equals, those of the left run come first."""
    fitness, order = individuals(seed, 20)
    left, middle, right, end = runs
    order[left:middle] = best_first(fitness, order[left:middle])
    order[right:end] = best_first(fitness, order[right:end])
    made, ranked, scratch = ranking(fitness, order)
    both = order[left:middle] + order[right:end]
    target = 20 - len(both)
    merge(made, left, middle, right, end, target)
    assert scratch.tolist() == [UNTOUCHED] * target + best_first(fitness, both)
    assert ranked.tolist() == order
