"""Bradley-Terry ratings: known values, an independent fit, properties, coverage."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from turnwise.statistics.intervals import Tally
from turnwise.statistics.ratings import bradley_terry, elo_to_score, score_to_elo

counts = st.integers(0, 60)
tallies = st.builds(Tally, counts, counts, counts)
round_robins = st.fixed_dictionaries({("a", "b"): tallies, ("b", "c"): tallies, ("c", "a"): tallies})


def simulated(rng, elo, games, draw=0.0):
    results = {}
    for i, first in enumerate(elo):
        for second in list(elo)[i + 1 :]:
            score = elo_to_score(elo[first] - elo[second])
            shares = [score - draw / 2, draw, 1 - score - draw / 2]
            results[first, second] = Tally(*map(int, rng.multinomial(games, shares)))
    return results


def test_elo_scale():
    assert elo_to_score(0) == 0.5
    assert elo_to_score(400) == pytest.approx(10 / 11)
    assert score_to_elo(0.75) == pytest.approx(400 * math.log10(3))
    assert (score_to_elo(0), score_to_elo(1)) == (-math.inf, math.inf)
    with pytest.raises(ValueError, match="share of points"):
        score_to_elo(1.5)


@given(st.floats(-1500, 1500))
def test_elo_scale_round_trips(elo):
    assert score_to_elo(elo_to_score(elo)) == pytest.approx(elo, abs=1e-6)


def test_two_players_with_hardly_any_prior_are_the_logit_of_the_score():
    table = bradley_terry({("a", "b"): Tally(70, 20, 10)}, prior_games=1e-6)
    difference = table.difference("a", "b")
    assert difference.estimate == pytest.approx(score_to_elo(0.8), abs=1e-3)
    half = 1.959964 * 400 / math.log(10) / math.sqrt(100 * 0.8 * 0.2)
    assert difference.half_width == pytest.approx(half, rel=1e-4)


def test_against_a_general_optimiser():
    rng = np.random.default_rng(3)
    results = simulated(rng, {"a": 200, "b": 50, "c": 0, "d": -250}, 40, draw=0.1)
    names = ["a", "b", "c", "d"]

    def loss(x):
        total = sum(0.5 * (np.log1p(np.exp(v)) + np.log1p(np.exp(-v))) for v in x)
        for (first, second), tally in results.items():
            gap = x[names.index(first)] - x[names.index(second)]
            lost = tally.games - tally.points
            total += tally.points * np.log1p(np.exp(-gap)) + lost * np.log1p(np.exp(gap))
        return total

    best = optimize.minimize(loss, np.zeros(4), method="BFGS", options={"gtol": 1e-9}).x * 400 / math.log(10)
    table = bradley_terry(results)
    assert [table[n].elo.estimate for n in names] == pytest.approx(best - best.mean(), abs=0.01)


@pytest.mark.parametrize("games", [3, 40, 10**6])
def test_expected_points_are_those_that_were_scored(games):
    """At the maximum of the likelihood ratings expect of each player its points, prior games included."""
    truth = {"a": 400, "b": 150, "c": 100, "d": 0, "e": -900}
    results = simulated(np.random.default_rng(games), truth, games)
    table = bradley_terry(results)
    elo = {name: table[name].elo.estimate for name in truth}
    # The imaginary average player is where prior games, all drawn, neither give nor take points in total.
    average = optimize.brentq(lambda level: sum(elo_to_score(x - level) - 0.5 for x in elo.values()), -2000, 2000)
    surplus = {name: 0.5 - elo_to_score(elo[name] - average) for name in elo}
    for (first, second), tally in results.items():
        more = tally.points - tally.games * elo_to_score(elo[first] - elo[second])
        surplus[first] += more
        surplus[second] -= more
    assert list(surplus.values()) == pytest.approx([0.0] * 5, abs=1e-11 + 1e-12 * games)


def test_a_perfect_score_stays_finite():
    table = bradley_terry({("a", "b"): Tally(100, 0, 0)})
    elo = table.difference("a", "b")
    assert math.isfinite(elo.estimate)
    assert elo.estimate > 500
    assert elo.low > 100
    assert elo.half_width < 1000


def test_anchors():
    results = {("a", "b"): Tally(30, 0, 10), ("b", "c"): Tally(25, 0, 15)}
    mean, named = bradley_terry(results), bradley_terry(results, anchor="b")
    assert sum(r.elo.estimate for r in mean.ratings) == pytest.approx(0, abs=1e-9)
    assert (named["b"].elo.estimate, named["b"].elo.half_width) == (0, 0)
    assert named["a"].elo.estimate == pytest.approx(mean.difference("a", "b").estimate)
    assert named["a"].elo.half_width == pytest.approx(mean.difference("a", "b").half_width)
    assert [r.player for r in mean.ratings] == ["a", "b", "c"]
    assert mean["b"].tally == Tally(35, 0, 45)


def test_both_orders_of_a_pair_are_added():
    one = bradley_terry({("a", "b"): Tally(30, 4, 10)})
    two = bradley_terry({("a", "b"): Tally(20, 3, 6), ("b", "a"): Tally(4, 1, 10)})
    assert one == two


def test_players_without_a_link_are_noticed():
    results = {("a", "b"): Tally(3, 0, 1), ("c", "d"): Tally(3, 0, 1)}
    apart = bradley_terry(results)
    assert not apart.connected
    linked = bradley_terry({**results, ("b", "c"): Tally(2, 0, 2)})
    assert linked.connected
    assert apart.difference("b", "c").half_width > linked.difference("b", "c").half_width
    assert not bradley_terry({("a", "b"): Tally(0, 0, 0)}).connected


@given(round_robins)
@settings(deadline=None)
def test_properties(results):
    table = bradley_terry(results)
    mirrored = bradley_terry({pair: tally.reversed() for pair, tally in results.items()})
    for rating in table.ratings:
        assert rating.elo.low <= rating.elo.estimate <= rating.elo.high
        assert math.isfinite(rating.elo.half_width)
        assert mirrored[rating.player].elo.estimate == pytest.approx(-rating.elo.estimate, abs=1e-3)
    more = bradley_terry({p: Tally(t.wins * 4, t.draws * 4, t.losses * 4) for p, t in results.items()}, prior_games=4)
    for rating in table.ratings:
        assert more[rating.player].elo.estimate == pytest.approx(rating.elo.estimate, abs=1e-3)
        assert more[rating.player].elo.half_width == pytest.approx(rating.elo.half_width / 2, rel=1e-3)


def test_huge_and_lopsided_tournaments_converge():
    table = bradley_terry({("a", "b"): Tally(10**6, 0, 0), ("b", "c"): Tally(0, 0, 1), ("c", "a"): Tally(10**6, 0, 1)})
    assert all(math.isfinite(r.elo.estimate) for r in table.ratings)
    assert [r.player for r in table.ratings] == ["c", "a", "b"]


@pytest.mark.parametrize("draw", [0.0, 0.3])
def test_coverage(draw):
    rng = np.random.default_rng(9)
    truth = {"a": 120.0, "b": 0.0, "c": -120.0}
    runs, covered = 400, 0
    for _ in range(runs):
        table = bradley_terry(simulated(rng, truth, 60, draw))
        covered += sum(truth[name] in table[name].elo for name in truth)
    assert covered / (3 * runs) >= 0.93


@pytest.mark.parametrize(
    ("results", "options", "word"),
    [
        ({}, {}, "at least one pair"),
        ({("a", "a"): Tally(1, 0, 0)}, {}, "two different players"),
        (None, {}, "expected results as a table .*; got None"),
        ({"ab": Tally(1, 0, 0)}, {}, "expected results as a table"),
        ({("a", "b"): None}, {}, "for each pair of players; got None"),
        ({("a", "b"): 0.5}, {}, r"for each pair of players; got 0.5 \(float\)"),
        ({("a", "b"): Tally(1, 0, 0)}, {"prior_games": "x"}, "prior_games to be a finite number"),
        ({("a", "b"): Tally(1, 0, 0)}, {"prior_games": 0}, "prior_games > 0"),
        ({("a", "b"): Tally(1, 0, 0)}, {"anchor": "z"}, "players are a, b"),
    ],
)
def test_bad_input_is_named(results, options, word):
    with pytest.raises(ValueError, match=word):
        bradley_terry(results, **options)


def test_unknown_player():
    with pytest.raises(KeyError, match="a, b"):
        bradley_terry({("a", "b"): Tally(2, 0, 1)})["z"]
