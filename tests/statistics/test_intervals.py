"""Score intervals and the bootstrap: known values, properties, coverage."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from turnwise.statistics.intervals import (
    Interval,
    Tally,
    bootstrap_mean,
    mean_of_means,
    normal_quantile,
    score_interval,
    wilson_interval,
)

counts = st.integers(0, 300)
tallies = st.builds(Tally, counts, counts, counts).filter(lambda t: t.games > 0)
confidences = st.floats(0.5, 0.999)


def tango(b: int, c: int, n: int, z: float) -> tuple[float, float]:
    """Tango's interval of (b - c) / n in its own notation, by a scan for the sign changes."""

    def statistic(difference: float) -> float:
        first = -b - c + (2 * n - b + c) * difference
        q = (math.sqrt(max(0, first**2 + 8 * n * c * difference * (1 - difference))) - first) / (4 * n)
        spread = n * (2 * q + difference * (1 - difference))
        return (b - c - n * difference) / math.sqrt(spread) if spread > 1e-12 else math.inf

    grid = np.linspace(-1, 1, 40_001)
    inside = [x for x in grid if abs(statistic(x)) <= z]
    return min(inside), max(inside)


def test_tally_counts_draws_as_half():
    tally = Tally.of([1, 1, 0.5, 0])
    assert (tally.games, tally.points, tally.score) == (4, 2.5, 0.625)
    assert tally.variance == pytest.approx(np.var([1, 1, 0.5, 0]))
    assert tally.reversed() == Tally(1, 1, 2)
    assert tally + Tally(1, 1, 1) == Tally(3, 2, 2)
    assert math.isnan(Tally(0, 0, 0).score)
    assert math.isnan(Tally(0, 0, 0).variance)


@given(tallies)
def test_variance_is_that_of_the_points(tally):
    points = [1.0] * tally.wins + [0.5] * tally.draws + [0.0] * tally.losses
    assert tally.variance == pytest.approx(np.var(points), abs=1e-12)


@pytest.mark.parametrize(("wins", "games"), [(0, 10), (1, 7), (50, 100), (98, 100), (30, 30)])
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_wilson_is_scipys(wins, games, confidence):
    mine = wilson_interval(wins, games, confidence)
    other = stats.binomtest(wins, games).proportion_ci(confidence, method="wilson")
    assert (mine.low, mine.high) == pytest.approx((other.low, other.high), abs=1e-12)


def test_wilson_takes_half_points():
    assert wilson_interval(61.5, 100).estimate == 0.615


@given(tallies, confidences)
def test_intervals_contain_their_estimate_and_stay_in_range(tally, confidence):
    for interval in (
        wilson_interval(tally.points, tally.games, confidence),
        score_interval(tally, confidence),
    ):
        assert 0 <= interval.low <= interval.estimate <= interval.high <= 1
        assert interval.estimate in interval
        assert interval.half_width > 0


@given(tallies, confidences)
def test_intervals_are_symmetric_in_the_players(tally, confidence):
    for mine, other in (
        (score_interval(tally, confidence), score_interval(tally.reversed(), confidence)),
        (
            wilson_interval(tally.points, tally.games, confidence),
            wilson_interval(tally.games - tally.points, tally.games, confidence),
        ),
    ):
        assert (mine.low, mine.high) == pytest.approx((1 - other.high, 1 - other.low), abs=1e-9)


@given(tallies, st.integers(2, 5), confidences)
def test_more_games_narrow_the_interval(tally, factor, confidence):
    more = Tally(tally.wins * factor, tally.draws * factor, tally.losses * factor)
    assert score_interval(more, confidence).half_width < score_interval(tally, confidence).half_width
    wide = wilson_interval(tally.points, tally.games, confidence)
    assert wilson_interval(more.points, more.games, confidence).half_width < wide.half_width


@given(tallies, st.floats(0.5, 0.9))
def test_more_confidence_widens_the_interval(tally, confidence):
    assert score_interval(tally, confidence).half_width < score_interval(tally, confidence + 0.09).half_width


@given(tallies)
def test_draws_make_the_score_interval_no_wider_than_wilson(tally):
    wilson, score = wilson_interval(tally.points, tally.games), score_interval(tally)
    assert wilson.low - 1e-9 <= score.low
    assert score.high <= wilson.high + 1e-9
    if not tally.draws:
        assert (score.low, score.high) == pytest.approx((wilson.low, wilson.high), abs=1e-9)


@pytest.mark.parametrize(("wins", "draws", "losses"), [(12, 30, 6), (3, 1, 9), (0, 5, 7), (8, 60, 0), (0, 20, 0)])
def test_score_interval_is_tangos(wins, draws, losses):
    games = wins + draws + losses
    low, high = tango(wins, losses, games, normal_quantile(0.95))
    mine = score_interval(Tally(wins, draws, losses))
    assert (mine.low, mine.high) == pytest.approx(((1 + low) / 2, (1 + high) / 2), abs=1e-4)


@pytest.mark.parametrize("wins", [0, 1, 10**5 - 1, 10**5])
def test_bounds_close_to_0_and_1_are_precise(wins):
    """Without draws the score interval is Wilson's, to all digits of the distance from 0 or 1."""
    mine, wilson = score_interval(Tally(wins, 0, 10**5 - wins)), wilson_interval(wins, 10**5)
    assert mine.low == pytest.approx(wilson.low, rel=1e-9, abs=0)
    assert 1 - mine.high == pytest.approx(1 - wilson.high, rel=1e-9, abs=0)


@pytest.mark.parametrize(("win", "draw"), [(0.5, 0.0), (0.8, 0.1), (0.3, 0.5), (0.05, 0.9)])
def test_coverage(win, draw):
    rng = np.random.default_rng(5)
    truth, runs = win + draw / 2, 2000
    drawn = rng.multinomial(60, [win, draw, 1 - win - draw], runs)
    games = [Tally(*map(int, row)) for row in drawn]
    covered = sum(truth in score_interval(t) for t in games) / runs
    wilson = sum(truth in wilson_interval(t.points, t.games) for t in games) / runs
    assert 0.93 <= covered <= 0.98
    assert wilson >= covered - 0.01


@pytest.mark.parametrize(
    "call",
    [
        lambda: Tally(-1, 0, 0),
        lambda: Tally.of([0.25]),
        lambda: Tally("x", 0, 0),
        lambda: wilson_interval(0, 0),
        lambda: wilson_interval("x", 3),
        lambda: wilson_interval(1, None),
        lambda: wilson_interval(1, 2, "x"),
        lambda: score_interval(None),
        lambda: wilson_interval(3, 2),
        lambda: wilson_interval(1, 2, 1.0),
        lambda: score_interval(Tally(0, 0, 0)),
        lambda: bootstrap_mean([1.0], seed=0),
        lambda: bootstrap_mean([1.0, math.nan], seed=0),
        lambda: bootstrap_mean([1.0, 2.0], seed=0, resamples=0),
        lambda: bootstrap_mean([1.0, 2.0], seed=0, resamples=None),
        lambda: bootstrap_mean([1.0, 2.0], seed="x"),
    ],
)
def test_bad_input_is_named(call):
    with pytest.raises(ValueError, match="got"):
        call()


def test_bootstrap_agrees_with_scipy():
    values = np.random.default_rng(3).lognormal(3, 1, 40)
    mine = bootstrap_mean(list(values), seed=1, resamples=20_000)
    other = stats.bootstrap(
        (values,), np.mean, method="BCa", n_resamples=20_000, random_state=np.random.default_rng(2)
    ).confidence_interval
    assert mine.estimate == pytest.approx(values.mean())
    assert (mine.low, mine.high) == pytest.approx((other.low, other.high), rel=0.02)


def test_bootstrap_is_seeded():
    values = list(np.random.default_rng(0).normal(size=20))
    assert bootstrap_mean(values, seed=4) == bootstrap_mean(values, seed=4)
    assert bootstrap_mean(values, seed=4) != bootstrap_mean(values, seed=5)


def test_bootstrap_without_spread_has_no_width():
    assert bootstrap_mean([7.0] * 5, seed=0) == Interval(7.0, 7.0, 7.0, 0.95, "bootstrap BCa")


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30))
def test_bootstrap_contains_the_mean(values):
    interval = bootstrap_mean(values, seed=0, resamples=200)
    assert interval.low <= interval.estimate <= interval.high
    slack = 1e-9 * max(map(abs, values))
    assert min(values) - slack <= interval.low
    assert interval.high <= max(values) + slack


def test_bootstrap_coverage():
    rng = np.random.default_rng(8)
    covered = sum(1.0 in bootstrap_mean(list(rng.exponential(1.0, 40)), seed=run, resamples=800) for run in range(400))
    assert 0.90 <= covered / 400 <= 0.98


def test_the_mean_over_fixed_cases_counts_each_case_once():
    found = mean_of_means([[1.0, 3.0], [10.0, 12.0, 14.0]], seed=1)
    assert found.estimate == 7.0
    # By hand: at a mean of 7 - 7/6 the first case has mean 1 (probability 1/4) and the second 32/3 (3/27); at the only
    # lower mean the second case has mean 10 (1/27). So the 2.5 % quantile is 7 - 7/6: 1/108 < 0.025 < 4/108. The upper
    # bound follows by symmetry.
    assert (found.low, found.high) == pytest.approx((7 - 7 / 6, 7 + 7 / 6))
    assert found == mean_of_means([[1.0, 3.0], [10.0, 12.0, 14.0]], seed=1)
    alone = mean_of_means([[1.0], [10.0, 12.0]], seed=1)
    assert (alone.low, alone.estimate, alone.high) == (6.0, 6.0, 6.0)
    for cases in ([], [[1.0], []]):
        with pytest.raises(ValueError, match="at least one case"):
            mean_of_means(cases, seed=1)
