"""Tests of differences: compared with scipy and with enumeration, and applied to players of equal strength."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from turnwise.statistics.intervals import Tally, score_interval
from turnwise.statistics.tests import (
    group_differences,
    holm,
    paired_t_test,
    permutation_test,
    score_test,
    sign_test,
    two_score_test,
    wilcoxon_test,
)

SIDES = ["two-sided", "greater", "less"]
quarters = st.lists(st.integers(-2, 2).map(lambda k: k / 4), min_size=1, max_size=10)
counts = st.integers(0, 80)
tallies = st.builds(Tally, counts, counts, counts).filter(lambda t: t.games > 0)


def enumerated(differences, side):
    sums = [
        sum(sign * abs(d) for sign, d in zip(signs, differences, strict=True))
        for signs in itertools.product((1, -1), repeat=len(differences))
    ]
    observed = sum(differences)
    above = np.mean([s >= observed - 1e-9 for s in sums])
    below = np.mean([s <= observed + 1e-9 for s in sums])
    return {"greater": above, "less": below, "two-sided": min(1, 2 * min(above, below))}[side]


def test_group_differences():
    assert group_differences([[1, 0], [1, 1], [0.5, 0]]) == (0.0, 0.5, -0.25)
    assert group_differences([[1, 0, 0]], expected=1 / 3) == (0.0,)
    with pytest.raises(ValueError, match="group 1 is empty"):
        group_differences([[1], []])


@pytest.mark.parametrize("side", SIDES)
def test_sign_test_is_the_binomial_without_zeros(side):
    result = sign_test([0.5, 0.5, 0, -0.25, 0.25, 0.5, 0], side)
    assert result.p_value == pytest.approx(stats.binomtest(4, 5, alternative=side).pvalue)
    assert (result.statistic, result.used) == (4, 5)


@given(quarters, st.sampled_from(SIDES))
def test_permutation_on_a_lattice_is_enumeration(differences, side):
    result = permutation_test(differences, side)
    assert result.method.endswith("exact")
    assert result.p_value == pytest.approx(enumerated(differences, side))


@pytest.mark.parametrize("side", SIDES)
def test_random_permutation_is_close_to_enumeration(side):
    differences = list(np.random.default_rng(1).normal(0.3, 1, 11))
    result = permutation_test(differences, side, seed=3)
    assert result.method.endswith("random")
    assert result.p_value == pytest.approx(enumerated(differences, side), abs=0.01)
    assert result == permutation_test(differences, side, seed=3)


def test_exact_permutation_of_a_large_match_is_quick_and_near_normal():
    differences = np.random.default_rng(2).choice([-0.5, 0, 0.5], 3000, p=[0.23, 0.5, 0.27])
    result = permutation_test(list(differences))
    z = (abs(differences.sum()) - 0.5) / math.sqrt((differences**2).sum())  # sums are 1 apart
    assert result.method.endswith("exact")
    assert result.p_value == pytest.approx(2 * stats.norm.sf(z), rel=0.02)


@pytest.mark.parametrize("side", SIDES)
def test_paired_t_is_scipys(side):
    differences = [0.5, 0.25, -0.5, 0.5, 0.0, 0.25]
    other = stats.ttest_1samp(differences, 0, alternative=side)
    result = paired_t_test(differences, side)
    assert (result.statistic, result.p_value) == pytest.approx((other.statistic, other.pvalue))


def test_paired_t_without_variance_falls_back_on_the_exact_test():
    result = paired_t_test([0.5] * 6)
    assert "no variance" in result.method
    assert result.p_value == pytest.approx(2 / 2**6)
    assert paired_t_test([0.0, 0.0]).p_value == 1


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("zeros", ["wilcox", "pratt", "zsplit"])
def test_wilcoxon_is_scipys(side, zeros):
    differences = list(np.random.default_rng(4).choice([-0.5, -0.25, 0, 0.25, 0.5], 60))
    other = stats.wilcoxon(differences, zero_method=zeros, alternative=side)
    result = wilcoxon_test(differences, side, zero_method=zeros)
    assert (result.statistic, result.p_value) == pytest.approx((other.statistic, other.pvalue))


def test_wilcoxon_by_hand_on_single_games():
    """62 wins of 100: all ranks tie, so z = (62 - 38) / sqrt(100)."""
    result = wilcoxon_test([0.5] * 62 + [-0.5] * 38)
    assert result.p_value == pytest.approx(2 * stats.norm.sf(2.4))
    assert result.holds()


def test_wilcoxon_of_zeros_only():
    result = wilcoxon_test([0.0, 0.0])
    assert (result.p_value, result.used) == (1.0, 0)


@given(tallies, st.sampled_from(SIDES))
def test_score_test_against_half_leaves_draws_out(tally, side):
    assume(tally.wins + tally.losses > 0)
    expected = stats.binomtest(tally.wins, tally.wins + tally.losses, alternative=side).pvalue
    assert score_test(tally, alternative=side).p_value == pytest.approx(expected)


@given(tallies, st.floats(0.1, 0.9))
def test_score_z_agrees_with_the_score_interval(tally, even):
    assume(tally.draws and even != 0.5)
    interval = score_interval(tally)
    assume(min(abs(even - interval.low), abs(even - interval.high)) > 1e-6)
    assert score_test(tally, even).holds() == (even not in interval)


def test_score_test_of_draws_only():
    assert score_test(Tally(0, 9, 0)).p_value == 1


def test_two_scores_without_draws_are_the_pooled_z_test():
    first, second = Tally(60, 0, 40), Tally(45, 0, 55)
    chi2 = stats.chi2_contingency([[60, 40], [45, 55]], correction=False)
    result = two_score_test(first, second)
    assert result.p_value == pytest.approx(chi2.pvalue)
    assert result.statistic**2 == pytest.approx(chi2.statistic)
    sides = [two_score_test(first, second, side).p_value for side in ("greater", "less")]
    assert sum(sides) == pytest.approx(1)
    assert sides[0] == pytest.approx(chi2.pvalue / 2)


def test_two_scores_without_variance():
    assert two_score_test(Tally(9, 0, 0), Tally(5, 0, 0)).p_value == 1


def test_holm_known_values():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert holm([]) == ()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.floats(0.001, 0.2))
def test_holm_rejects_what_the_step_down_procedure_rejects(p_values, level):
    adjusted = holm(p_values)
    assume(all(abs(p - level) > 1e-9 for p in adjusted))
    rejected = set()
    for rank, index in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        if p_values[index] * (len(p_values) - rank) > level:
            break
        rejected.add(index)
    assert {i for i, p in enumerate(adjusted) if p <= level} == rejected
    assert all(p <= q <= 1 for p, q in zip(p_values, adjusted, strict=True))


@given(quarters)
def test_swapping_the_players_swaps_the_sides(differences):
    swapped = [-d for d in differences]
    for test in (sign_test, permutation_test):
        assert test(differences, "greater").p_value == pytest.approx(test(swapped, "less").p_value)
        assert test(differences).p_value == pytest.approx(test(swapped).p_value)


@pytest.mark.parametrize("test", [sign_test, permutation_test, paired_t_test, wilcoxon_test])
def test_false_alarms_are_as_rare_as_stated(test):
    rng = np.random.default_rng(11)
    runs = 500
    samples = rng.choice([-0.5, -0.25, 0, 0.25, 0.5], (runs, 40), p=[0.2, 0.1, 0.4, 0.1, 0.2])
    assert sum(test(list(row)).holds() for row in samples) / runs <= 0.05 + 2.5 * math.sqrt(0.05 * 0.95 / runs)


@pytest.mark.parametrize("test", [sign_test, permutation_test, paired_t_test, wilcoxon_test])
@pytest.mark.parametrize("bad", [[], [math.nan], [[0.5]]])
def test_bad_differences_are_named(test, bad):
    with pytest.raises(ValueError, match="differences"):
        test(bad)


@pytest.mark.parametrize(
    "call",
    [
        lambda: permutation_test([0.5], resamples=0),
        lambda: score_test(Tally(0, 0, 0)),
        lambda: score_test(Tally(1, 0, 0), 1.0),
        lambda: two_score_test(Tally(1, 0, 0), Tally(0, 0, 0)),
        lambda: holm([1.5]),
    ],
)
def test_bad_input_is_named(call):
    with pytest.raises(ValueError, match="got"):
        call()
