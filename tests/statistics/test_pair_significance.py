"""All pairs of a tournament tested together, and how many more games the undecided ones need."""

import math
from statistics import NormalDist

import numpy as np
import pytest

from turnwise.statistics.pair_significance import pair_evidence
from turnwise.statistics.tests import holm, permutation_test


def test_p_values_are_those_of_the_test_corrected_for_all_pairs():
    values = {"clear": [0.5] * 12, "weak": [0.5, 0.0, 0.5, -0.5, 0.5], "even": [0.5, -0.5]}
    found = pair_evidence(values)
    alone = [permutation_test(each).p_value for each in values.values()]
    assert [each.p_value for each in found.values()] == alone
    assert tuple(each.adjusted for each in found.values()) == holm(alone)
    assert [each.groups for each in found.values()] == [12, 5, 2]
    assert [each.effect for each in found.values()] == pytest.approx([0.5, 0.2, 0.0])
    assert found["clear"].more_groups == 0
    assert found["weak"].more_groups > 0
    assert found["even"].more_groups is None


def test_the_number_of_groups_is_that_of_a_normal_test():
    values = [0.5, 0.0, 0.5, -0.5, 0.5, 0.0, 0.5, -0.5]
    (found,) = pair_evidence({"pair": values}).values()
    normal = NormalDist()
    under_chance = normal.inv_cdf(0.975) * np.sqrt(np.mean(np.square(values)))
    needed = ((under_chance + normal.inv_cdf(0.8) * np.std(values)) / np.mean(values)) ** 2
    assert found.more_groups == math.ceil(needed) - 8
    two = pair_evidence({"pair": values, "other": [0.5, -0.5]})
    assert two["pair"].more_groups > found.more_groups  # a stricter level


@pytest.mark.parametrize("values", [[0.5], [0.5, 0.5, 0.5]])
def test_groups_that_all_agree_need_as_many_as_their_signs_do(values):
    (found,) = pair_evidence({"pair": values}).values()
    assert len(values) + found.more_groups == 6  # p = 2 / 2^6 < 0.05
    decided = pair_evidence({"pair": [0.5] * 6})["pair"]
    assert decided.adjusted < 0.05
    assert decided.more_groups == 0


def test_the_advice_is_enough_about_as_often_as_it_promises():
    """With the true mean and spread of the sample, 80 % of experiments of that size are significant."""
    random, chances = np.random.default_rng(3), [0.4, 0.35, 0.25]
    exact = [0.5] * 8 + [0.0] * 7 + [-0.5] * 5  # the same shares
    (found,) = pair_evidence({"pair": exact}).values()
    size = len(exact) + found.more_groups
    experiments = [random.choice([0.5, 0.0, -0.5], p=chances, size=size) for _ in range(1000)]
    share = np.mean([permutation_test(values).p_value < 0.05 for values in experiments])
    assert share == pytest.approx(0.8, abs=0.05)


@pytest.mark.parametrize("level", [0.0, 1.0, -1.0])
def test_a_level_lies_between_0_and_1(level):
    with pytest.raises(ValueError, match="strictly between"):
        pair_evidence({"pair": [0.5]}, level=level)


def test_without_pairs_there_is_nothing_to_test():
    assert pair_evidence({}) == {}
