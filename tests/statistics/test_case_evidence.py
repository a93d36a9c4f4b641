"""Bounds for numbers of cases: they have their nominal coverage, and the noise of few seeds does not decide."""

import numpy as np
import pytest

from turnwise.statistics.case_evidence import (
    AllOf,
    AnyOf,
    Better,
    at_least,
    largest_ratio,
    p_greater,
    share_of_cases,
    share_of_pairs,
)
from turnwise.statistics.verdict import Verdict, judge_range
from turnwise.studies.score_table import ScoreTable

CASES = tuple(f"board {number}" for number in range(20))
AB = Better("a", "b")


def scores_of(chance, means, seeds=5, spread=300.0):
    return [list(chance.normal(mean, spread, seeds)) for mean in means]


def table_of(more_is_better=True, **scores):
    return ScoreTable(CASES, scores, more_is_better, 1)


def test_a_true_lead_everywhere_is_never_refuted():
    """A quarter more on all boards with five seeds, which resampled counts refute most of the time."""
    chance = np.random.default_rng(1)
    for _ in range(60):
        found = share_of_cases(table_of(a=scores_of(chance, [1500.0] * 20), b=scores_of(chance, [1190.0] * 20)), AB)
        assert judge_range(found, 0.99, 1.0, share=True).verdict is not Verdict.NOT_REPRODUCED


@pytest.mark.parametrize("leads", [0, 5, 10, 20])
def test_bounds_have_their_nominal_coverage(leads):
    chance, missed = np.random.default_rng(leads), 0
    means = [1800.0] * leads + [1000.0] * (20 - leads)
    for _ in range(100):
        found = share_of_cases(table_of(a=scores_of(chance, means), b=scores_of(chance, [1400.0] * 20)), AB)
        missed += not found.low <= leads / 20 <= found.high
    assert missed <= 9  # 5 % of 100, and two standard deviations


def test_with_many_seeds_the_bounds_meet_in_the_count():
    chance = np.random.default_rng(3)
    means = [1500.0] * 13 + [1000.0] * 7
    found = share_of_cases(table_of(a=scores_of(chance, means, 200), b=scores_of(chance, [1250.0] * 20, 200)), AB)
    assert (found.low, found.estimate, found.high) == (0.65, 0.65, 0.65)


def test_in_races_less_is_better():
    chance = np.random.default_rng(4)
    quick, slow = scores_of(chance, [200.0] * 20, spread=1), scores_of(chance, [250.0] * 20, spread=1)
    assert share_of_cases(table_of(more_is_better=False, a=quick, b=slow), AB).low == 1.0
    assert share_of_cases(table_of(more_is_better=False, a=slow, b=quick), AB).high == 0.0


def test_joined_statements():
    chance = np.random.default_rng(5)
    scores = {"a": [1500.0] * 20, "b": [1000.0] * 20, "c": [1000.0] * 10 + [2000.0] * 10}
    table = table_of(**{name: scores_of(chance, means, 50, 100) for name, means in scores.items()})
    assert share_of_cases(table, AllOf(AB, Better("a", "c"))).estimate == 0.5
    assert share_of_cases(table, AllOf(AB, Better("a", "c"))).high == 0.5
    assert share_of_cases(table, AnyOf(Better("b", "a"), Better("c", "a"))).low == 0.5
    assert share_of_cases(table, Better("a", "b", 1.25)).low == 1.0
    assert share_of_cases(table, Better("a", "b", 1.75)).high == 0.0
    assert share_of_pairs(table, [AB, Better("a", "c")]).estimate == 0.75
    assert AllOf(AB, Better("a", "c")).players == ("a", "b", "c")


def test_bounds_allow_for_the_bias_of_the_largest_ratio():
    chance, found = np.random.default_rng(6), []
    for _ in range(60):
        table = table_of(a=scores_of(chance, [1260.0] * 20), b=scores_of(chance, [1000.0] * 20))
        found.append(largest_ratio(table, "a", "b"))
    assert np.mean([one.estimate for one in found]) > 1.6  # far from the truth, 1.26
    assert sum(one.low <= 1.26 <= one.high for one in found) >= 54


def test_without_spread_only_a_difference_counts():
    same, more = np.array([5.0, 5.0]), np.array([6.0, 6.0])
    assert (p_greater(same, same), p_greater(more, same), p_greater(same, more)) == (1.0, 0.0, 1.0)
    flat = table_of(a=[[0.0, 0.0]] * 20, b=[[1.0, 1.0]] * 20)
    assert largest_ratio(flat, "a", "b").high == np.inf  # no ratio is defined


def test_one_seed_shows_nothing():
    one = table_of(a=[[2.0]] * 20, b=[[1.0]] * 20)
    found = share_of_cases(one, AB)
    assert (found.low, found.estimate, found.high) == (0.0, 1.0, 1.0)
    ratio = largest_ratio(one, "a", "b")
    assert (ratio.low, ratio.estimate, ratio.high) == (0.0, pytest.approx(2.0), np.inf)
    reason = judge_range(ratio, 2.0, 3.5).reason
    assert reason.startswith("2 (0 to unbounded); claimed 2 to 3.5")


def test_partial_conjunctions_by_hand():
    assert at_least(np.array([0.5, 0.5, 0.5]), 0.05) == 0
    assert at_least(np.array([1e-9, 0.5, 0.5]), 0.05) == 1
    assert at_least(np.array([1e-9, 1e-9, 1e-9]), 0.05) == 3
    assert at_least(np.array([0.04, 0.04, 0.04]), 0.05) == 3  # the last one alone is below 0.05
    assert (
        at_least(np.array([0.2, 1e-9, 0.04]), 0.05) == 2
    )  # Fisher's p of 0.04 and 0.2 is 0.047; 0.2 alone exceeds 0.05
