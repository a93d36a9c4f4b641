"""Plackett-Luce ratings: known strengths, Bradley-Terry for two, a slow twin over all orders, invariance, coverage."""

import math
from itertools import groupby, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from turnwise.statistics import plackett_luce as module
from turnwise.statistics.fit import likeliest
from turnwise.statistics.intervals import Tally
from turnwise.statistics.plackett_luce import plackett_luce
from turnwise.statistics.ratings import bradley_terry

ELO = 400 / math.log(10)
TRUTH = {"a": 250.0, "b": 100.0, "c": 0.0, "d": -100.0, "e": -250.0}


def drawn(rng, truth, players):
    """One ranking without ties: the order of exponential arrival times."""
    times = {name: rng.exponential(10 ** (-truth[name] / 400)) for name in players}
    return {name: 1 + sum(other < time for other in times.values()) for name, time in times.items()}


def tournament(rng, truth, seats, blocks, games=2):
    names = sorted(truth)
    tables = [rng.choice(names, seats, replace=False) for _ in range(blocks)]
    return [[drawn(rng, truth, table) for _ in range(games)] for table in tables]


def orders_of(game):
    """All orders that break the ties of a ranking."""
    groups = [list(group) for _, group in groupby(sorted(game, key=game.get), key=game.get)]
    found = [()]
    for group in groups:
        found = [begin + order for begin in found for order in permutations(group)]
    return found


def twin(blocks):
    """Ratings from the mean log-likelihood over all orders of every game, by a general optimiser."""
    names = sorted({name for block in blocks for game in block for name in game})

    def loss(x):
        strength = dict(zip(names, x, strict=True))
        total = sum(0.5 * (math.log1p(math.exp(v)) + math.log1p(math.exp(-v))) for v in x)
        for game in (game for block in blocks for game in block):
            orders = orders_of(game)
            for order in orders:
                for first in range(len(order)):
                    rest = sum(math.exp(strength[name]) for name in order[first:])
                    total -= (strength[order[first]] - math.log(rest)) / len(orders)
        return total

    best = optimize.minimize(loss, np.zeros(len(names)), method="BFGS", options={"gtol": 1e-8}).x * ELO
    return dict(zip(names, best - best.mean(), strict=True))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_known_strengths_are_recovered(seats):
    blocks = tournament(np.random.default_rng(seats), TRUTH, seats, 1500)
    table = plackett_luce(blocks, resamples=0)
    for name, elo in TRUTH.items():
        assert table[name].elo.estimate == pytest.approx(elo, abs=25)
        assert table[name].elo.half_width < 40
    assert [rating.player for rating in table.ratings] == list("abcde")


places = st.lists(st.integers(1, 3), min_size=4, max_size=4)


@given(st.lists(st.lists(places, min_size=1, max_size=2), min_size=1, max_size=4))
@settings(deadline=None, max_examples=40)
def test_ties_count_as_the_mean_over_all_orders(found):
    blocks = [[dict(zip("abcd", game, strict=True)) for game in block] for block in found]
    blocks.append([{"a": 1, "c": 2}])
    table = plackett_luce(blocks, resamples=0)
    assert {r.player: r.elo.estimate for r in table.ratings} == pytest.approx(twin(blocks), abs=0.01)


def test_two_players_a_game_are_bradley_terry():
    results = {("a", "b"): Tally(7, 3, 2), ("b", "c"): Tally(1, 4, 9), ("a", "d"): Tally(3, 0, 0)}
    places = {"wins": (1, 2), "draws": (1, 1), "losses": (2, 1)}
    blocks = [
        [dict(zip(pair, place, strict=True))]
        for pair, tally in results.items()
        for kind, place in places.items()
        for _ in range(getattr(tally, kind))
    ]
    for anchor in (None, "b"):
        one = bradley_terry(results, anchor=anchor, prior_games=0.5)
        two = plackett_luce(blocks, anchor=anchor, prior_games=0.5, resamples=0)
        assert [r.player for r in one.ratings] == [r.player for r in two.ratings]
        for ours, other in zip(one.ratings, two.ratings, strict=True):
            assert (ours.tally, ours.games) == (other.tally, other.games)
            for bound in ("estimate", "low", "high"):
                assert getattr(ours.elo, bound) == pytest.approx(getattr(other.elo, bound), abs=1e-8)
        assert np.array(one.covariance) == pytest.approx(np.array(two.covariance), rel=1e-8)


def test_names_order_of_games_and_scale_of_places_do_not_matter():
    blocks = tournament(np.random.default_rng(1), TRUTH, 3, 20)
    table = plackett_luce(blocks, resamples=0)
    renamed = {name: f"z{5 - place}" for place, name in enumerate(TRUTH)}
    other = plackett_luce(
        [[{renamed[name]: 10 * place - 99 for name, place in reversed(game.items())} for game in block[::-1]]
         for block in blocks[::-1]],
        resamples=0,
    )  # fmt: skip
    for name in TRUTH:
        assert other[renamed[name]].elo.estimate == pytest.approx(table[name].elo.estimate, abs=1e-6)
        assert other[renamed[name]].elo.half_width == pytest.approx(table[name].elo.half_width, abs=1e-6)


def test_anchor():
    blocks = tournament(np.random.default_rng(2), TRUTH, 3, 30)
    mean, named = plackett_luce(blocks, resamples=50), plackett_luce(blocks, resamples=50, anchor="c")
    assert sum(r.elo.estimate for r in mean.ratings) == pytest.approx(0, abs=1e-9)
    assert (named["c"].elo.low, named["c"].elo.estimate, named["c"].elo.high) == (0, 0, 0)
    found, expected = named["a"].elo, mean.difference("a", "c")
    for bound in ("estimate", "low", "high"):
        assert getattr(found, bound) == pytest.approx(getattr(expected, bound), abs=1e-9)


def test_equal_seeds_give_equal_intervals():
    blocks = tournament(np.random.default_rng(3), TRUTH, 3, 30)
    one, two, other = (plackett_luce(blocks, resamples=40, seed=seed) for seed in (1, 1, 2))
    assert one == two
    assert one != other
    assert one.model == "Plackett-Luce"


def test_games_of_one_block_are_not_independent_evidence():
    """Ten copies of each game in one block say no more than one; as blocks of their own they would say more."""
    rng = np.random.default_rng(4)
    single = [[drawn(rng, TRUTH, "abc")] for _ in range(40)]
    copied = plackett_luce([block * 10 for block in single], resamples=300)
    apart = plackett_luce([block for block in single for _ in range(10)], resamples=300)
    assert copied["a"].elo.half_width > 2.5 * apart["a"].elo.half_width


def test_who_won_everything_still_has_an_interval():
    table = plackett_luce([[{"a": 1, "b": 2, "c": 2}]] * 20, resamples=100)
    assert table["a"].elo.half_width > 50
    assert math.isfinite(table["a"].elo.high)
    assert table["a"].tally == Tally(40, 0, 0)
    assert table["a"].games == 20
    assert plackett_luce([[{"a": 1, "b": 2, "c": 3}]])["a"].elo.half_width > 50


def test_coverage():
    rng = np.random.default_rng(6)
    truth = {"a": 120.0, "b": 0.0, "c": 0.0, "d": -120.0}
    runs, covered = 60, 0
    for run in range(runs):
        table = plackett_luce(tournament(rng, truth, 3, 60, games=1), resamples=60, seed=run)
        covered += sum(truth[name] in table[name].elo for name in truth)
    assert 0.92 <= covered / (4 * runs) <= 1.0


def test_large_ties_are_approximated():
    names = [f"p{number:02}" for number in range(module.LARGEST_TIE + 2)]
    table = plackett_luce([[dict.fromkeys(names, 2) | {"winner": 1}]], resamples=0)
    assert table.ratings[0].player == "winner"
    assert {round(r.elo.estimate, 6) for r in table.ratings[1:]} == {round(table.ratings[1].elo.estimate, 6)}
    everyone = plackett_luce([[dict.fromkeys(names, 1)]], resamples=0)
    assert all(r.elo.estimate == pytest.approx(0, abs=1e-6) for r in everyone.ratings)


def test_players_without_a_link_are_noticed():
    assert plackett_luce([[{"a": 1, "b": 2, "c": 3}], [{"c": 1, "d": 1}]], resamples=0).connected
    assert not plackett_luce([[{"a": 1, "b": 2}], [{"c": 1, "d": 1}]], resamples=0).connected


@pytest.mark.parametrize(
    ("blocks", "options", "word"),
    [
        ([], {}, "at least one ranking"),
        ([[{"a": 1}]], {}, "at least two players"),
        ([[{"a": 1, "b": math.nan}]], {}, "place of 'b' to be a finite number; got nan"),
        ([[{"a": 1, "b": 2}]], {"prior_games": 0}, "prior_games > 0"),
        ([[{"a": 1, "b": 2}]], {"resamples": -1}, "resamples to be a whole number from 0"),
        ([[{"a": 1, "b": 2}]], {"resamples": 1.5}, r"whole number from 0; got 1.5 \(float\)"),
        ([[{"a": 1, "b": 2}]], {"resamples": "x"}, r"whole number from 0; got 'x' \(str\)"),
        ([[{"a": 1, "b": 2}]], {"seed": "x"}, r"seed to be a whole number; got 'x' \(str\)"),
        ([[{"a": 1, "b": 2}]], {"prior_games": "x"}, "prior_games to be a finite number"),
        ([[{"a": 1, "b": 2}]], {"confidence": "x"}, "confidence to be a finite number"),
        ([[{"a": 1, "b": "x"}]], {}, r"place of 'b' to be a finite number; got 'x' \(str\)"),
        ([{"a": 1, "b": 2}], {}, r"got a ranking in place of a block.*\[\[game\] for game in games\]"),
        (None, {}, "expected a list of blocks, each a list of rankings.*; got None"),
        ([None], {}, "got a block None"),
        ([[["a", "b"]]], {}, r"got a ranking \['a', 'b'\]"),
        ([[]], {}, "at least one ranking"),
        ([[{"a": 1, "b": 2}]], {"anchor": "z"}, "players are a, b"),
    ],
)
def test_bad_input_is_named(blocks, options, word):
    with pytest.raises(ValueError, match=word):
        plackett_luce(blocks, **options)


def test_what_is_kept_of_ties_is_bounded():
    for number in range(3 * module._KEPT_CHOICES):
        module._choices((0, 1), (2 + number,))
    kept = module._choices.cache_info()
    assert kept.maxsize == module._KEPT_CHOICES
    assert kept.currsize == kept.maxsize


@pytest.mark.parametrize("slope", [lambda x: x**2 + 1, lambda x: np.full_like(x, np.nan)])
def test_a_fit_that_fails_is_an_error(slope):
    with pytest.raises(ArithmeticError, match="prior_games"):
        likeliest(lambda x: float(x @ x), slope, lambda x: np.diag(2 * x), np.ones(2), 1e-14)


@pytest.mark.parametrize("ties", range(4))
@pytest.mark.parametrize("games", [3, 6, 12])
def test_a_player_without_points_in_a_resample_is_rated(ties, games):
    """Far from such results the squared slope is nearly flat, and a method that makes it smaller does not come back."""
    pairs = [("a", "b"), ("b", "c"), ("c", "a"), ("a", "c")]
    blocks = [[{x: 0, y: 1, "d": 1 if k < ties else 2} for k in range(games)] for x, y in pairs]
    table = plackett_luce(blocks, resamples=200, seed=ties)
    assert table.ratings[-1].player == "d"
    assert all(math.isfinite(bound) for r in table.ratings for bound in (r.elo.low, r.elo.high))
