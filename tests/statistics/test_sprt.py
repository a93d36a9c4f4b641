"""The sequential test: bounds, an independent likelihood, error rates by simulation."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from turnwise.statistics.intervals import Tally
from turnwise.statistics.ratings import elo_to_score
from turnwise.statistics.sprt import Sprt, SprtState, pentanomial_counts, trinomial_counts


def played(sprt, shares, seed, most=5000, step=4):
    """Plays until the test decides; returns the last report."""
    rng = np.random.default_rng(seed)
    counts = np.zeros(len(shares), dtype=int)
    report = sprt.judge(counts.tolist())
    while report.state is SprtState.CONTINUE and counts.sum() < most:
        counts += rng.multinomial(step, shares)
        report = sprt.judge(counts.tolist())
    return report


def restricted_log_likelihood(counts, score):
    """The highest log-likelihood with a given mean, by a general optimiser over free probabilities."""
    values = np.linspace(0, 1, len(counts))
    result = optimize.minimize(
        lambda p: -np.sum(counts * np.log(p)),
        np.full(len(counts), 1 / len(counts)),
        bounds=[(1e-9, 1)] * len(counts),
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "eq", "fun": lambda p: p @ values - score},
        ],
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )
    return -result.fun


def test_bounds_are_walds():
    assert Sprt(0, 10).bounds == pytest.approx((-math.log(19), math.log(19)))
    report = Sprt(0, 10, alpha=0.01, beta=0.1).judge([0, 0, 0])
    assert (report.llr, report.results, report.state) == (0, 0, SprtState.CONTINUE)
    assert (report.lower, report.upper) == pytest.approx((math.log(0.1 / 0.99), math.log(0.9 / 0.01)))


def test_without_draws_it_is_the_classical_test():
    score0, score1 = elo_to_score(0), elo_to_score(50)
    expected = 230 * math.log(score1 / score0) + 200 * math.log((1 - score1) / (1 - score0))
    assert Sprt(0, 50).judge([200, 0, 230]).llr == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize("counts", [(20, 30, 35), (4, 20, 50, 24, 7), (3, 5, 9, 12, 8, 5, 4)])
def test_the_ratio_is_that_of_restricted_maxima(counts):
    sprt = Sprt(-10, 40)
    low, high = (restricted_log_likelihood(np.array(counts), elo_to_score(e)) for e in (sprt.elo0, sprt.elo1))
    assert sprt.judge(counts).llr == pytest.approx(high - low, abs=1e-3)


def trinomial_log_likelihood(losses, draws, wins, score):
    """The highest log-likelihood with a given mean; the draw rate solves a quadratic equation."""
    a, b = 2 * score, 2 - 2 * score
    middle = wins * b + losses * a + 2 * draws
    draw = 2 * draws * a * b / (middle + math.sqrt(middle**2 - 4 * (losses + draws + wins) * draws * a * b))
    return losses * math.log(1 - score - draw / 2) + draws * math.log(draw) + wins * math.log(score - draw / 2)


@given(st.lists(st.integers(1, 10_000), min_size=3, max_size=3), st.floats(-600, 600), st.floats(1, 200))
@settings(deadline=None)
def test_the_trinomial_ratio_is_that_of_the_closed_form(counts, elo, gap):
    low, high = (trinomial_log_likelihood(*counts, elo_to_score(e)) for e in (elo, elo + gap))
    assert Sprt(elo, elo + gap).judge(counts).llr == pytest.approx(high - low, rel=1e-9, abs=1e-12 * abs(high))


def test_hypotheses_far_from_the_results_have_a_ratio():
    for counts in ([5_174_494, 1, 0], [61, 0, 0, 6_965_854, 3], [0, 0, 1]):
        assert Sprt(3000, 5000).judge(counts).llr < 0 < Sprt(-5000, -3000).judge(counts).llr


@given(st.lists(st.integers(0, 200), min_size=3, max_size=3), st.floats(1, 200))
@settings(deadline=None)
def test_swapping_the_players_swaps_the_hypotheses(counts, elo):
    mine = Sprt(-elo, elo / 2).judge(counts)
    other = Sprt(-elo / 2, elo).judge(counts[::-1])
    assert mine.llr == pytest.approx(-other.llr, abs=1e-6)
    assert math.isfinite(mine.llr)


@given(st.lists(st.integers(0, 50), min_size=5, max_size=5))
@settings(deadline=None)
def test_a_better_result_speaks_for_h1(counts):
    better = [*counts[:-1], counts[-1] + 1]
    worse = [counts[0] + 1, *counts[1:]]
    sprt = Sprt(0, 30)
    assert sprt.judge(worse).llr < sprt.judge(better).llr


def test_counts():
    assert trinomial_counts(Tally(5, 3, 2)) == (2, 3, 5)
    assert pentanomial_counts([(1, 1), (0.5, 1), (0, 1), (0.5, 0.5), (0, 0)]) == (1, 0, 2, 1, 1)
    with pytest.raises(ValueError, match="two games"):
        pentanomial_counts([(1, 1, 1)])


SHAPES = {
    "trinomial": lambda s: [0.85 - s, 0.3, s - 0.15],  # 30 % draws
    "pentanomial": lambda s: (
        np.array([0.1, 0.2, 0.4, 0.2, 0.1]) + (s - 0.5) * np.array([-0.5, -0.75, 0, 0.75, 0.5]) / 0.875
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("truth", ["H0", "H1"])
def test_error_rates(shape, truth):
    sprt = Sprt(0, 60, alpha=0.05, beta=0.1)
    shares = SHAPES[shape](elo_to_score(sprt.elo0 if truth == "H0" else sprt.elo1))
    values = np.linspace(0, 1, len(shares))
    assert values @ shares == pytest.approx(elo_to_score(0 if truth == "H0" else 60))
    runs = 300
    states = [played(sprt, shares, seed).state for seed in range(runs)]
    allowed, wrong = (0.05, SprtState.ACCEPT_H1) if truth == "H0" else (0.1, SprtState.ACCEPT_H0)
    assert SprtState.CONTINUE not in states
    assert states.count(wrong) / runs <= allowed + 2.5 * math.sqrt(allowed * (1 - allowed) / runs)


def test_the_p_value_is_one_over_the_ratio():
    sprt = Sprt(0, 100, alpha=0.01)
    assert sprt.judge((0, 0, 0)).p_value == 1
    assert sprt.judge((20, 0, 5)).p_value == 1  # nothing speaks for H1
    found = sprt.judge((5, 0, 40))
    assert found.p_value == pytest.approx(math.exp(-found.llr))
    assert (found.p_value <= 0.01 / 0.95) == (found.state is SprtState.ACCEPT_H1)


def test_clear_matches_end_soon():
    assert Sprt(0, 100).judge([0, 0, 15]).state is SprtState.ACCEPT_H1
    assert Sprt(0, 100).judge([15, 0, 0]).state is SprtState.ACCEPT_H0


@pytest.mark.parametrize(
    "call",
    [
        lambda: Sprt(10, 10),
        lambda: Sprt(0, math.inf),
        lambda: Sprt("x", 3),
        lambda: Sprt(0, 10, alpha=None),
        lambda: Sprt(0, 10).judge(None),
        lambda: Sprt(0, 10).judge(["x", 1, 2]),
        lambda: Sprt(0, 10, alpha=0.0),
        lambda: Sprt(0, 10, beta=0.5),
        lambda: Sprt(0, 10).judge([1, 2]),
        lambda: Sprt(0, 10).judge([1, 2, 3, 4]),
        lambda: Sprt(0, 10).judge([1, -2, 3]),
    ],
)
def test_bad_input_is_named(call):
    with pytest.raises(ValueError, match="got"):
        call()
