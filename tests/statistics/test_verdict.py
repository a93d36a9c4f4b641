"""The reproduction rule: the printed tolerances, every branch, and how often it rejects a true claim."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.statistics.intervals import Interval, Tally, wilson_interval
from turnwise.statistics.sprt import Sprt
from turnwise.statistics.verdict import (
    Direction,
    Verdict,
    agreement_tolerance,
    games_to_show,
    judge_even,
    judge_range,
    judge_rate,
    judge_sequential,
)

YES, NO, OPEN = Verdict.REPRODUCED, Verdict.NOT_REPRODUCED, Verdict.UNDECIDED
ABOVE, BELOW = Direction.ABOVE, Direction.BELOW


@pytest.mark.parametrize(("published_games", "points"), [(100, 0.11), (500, 0.066)])
def test_tolerances_at_an_even_score(published_games, points):
    assert agreement_tolerance(0.5, published_games, 0.5, 400, slack=0) == pytest.approx(points, abs=0.0005)
    assert agreement_tolerance(0.5, published_games, 0.5, 400) == pytest.approx(points + 0.05, abs=0.0005)


@given(st.floats(0, 1), st.floats(0, 1), st.integers(1, 1000), st.integers(1, 1000))
def test_tolerance_is_symmetric_and_at_least_the_slack(p, q, n, m):
    tolerance = agreement_tolerance(p, n, q, m)
    assert tolerance == pytest.approx(agreement_tolerance(q, m, p, n))
    assert tolerance >= 0.05


@pytest.mark.parametrize(
    ("tally", "published", "direction", "verdict", "word"),
    [
        (Tally(330, 40, 30), 0.9, ABOVE, YES, "within the allowed"),
        (Tally(300, 0, 100), 0.9, ABOVE, NO, "points apart"),  # direction right, size wrong
        (Tally(225, 0, 175), 0.58, ABOVE, YES, "significantly above"),
        (Tally(205, 0, 195), 0.58, ABOVE, OPEN, "needs about"),
        (Tally(2505, 0, 2495), 0.58, ABOVE, NO, "are enough to show it"),
        (Tally(170, 0, 230), 0.52, ABOVE, NO, "significantly below"),
        (Tally(170, 0, 230), 0.45, BELOW, YES, "below"),
        (Tally(9, 0, 1), 0.9, ABOVE, OPEN, "too few games"),
        (Tally(10, 0, 10), 0.9, ABOVE, NO, "points apart"),  # few games agree with much, but not with everything
        (Tally(205, 0, 195), 0.52, ABOVE, OPEN, "too small to be refuted"),
        (Tally(206, 0, 194), 0.515, Direction.NOT_STATED, YES, "within the allowed"),
        (Tally(100, 0, 0), 1.0, ABOVE, YES, "within the allowed"),
        (Tally(10, 0, 90), 0.9, Direction.NOT_STATED, NO, "points apart"),
    ],
)
def test_every_branch(tally, published, direction, verdict, word):
    judgement = judge_rate(tally, published, 100, direction=direction)
    assert judgement.verdict is verdict, judgement.reason
    assert word in judgement.reason


def test_few_games_can_disagree_with_few_but_hardly_agree():
    assert judge_rate(Tally(3, 0, 17), 0.925, 20).verdict is NO
    assert judge_rate(Tally(0, 0, 20), 0.25, 20).verdict is OPEN  # chance alone may account for more than 15 points
    assert judge_rate(Tally(20, 0, 0), 1.0, 20).verdict is YES


def test_direction_alone_with_its_own_reference():
    assert judge_rate(Tally(170, 0, 230), None, direction=ABOVE, reference=0.33).verdict is YES
    assert judge_rate(Tally(140, 0, 260), None, direction=ABOVE, reference=0.33).verdict is OPEN
    assert judge_rate(Tally(90, 0, 310), None, direction=ABOVE, reference=0.33).verdict is NO


def test_the_p_value_of_a_better_test_is_used():
    tally = Tally(205, 0, 195)
    judgement = judge_rate(tally, 0.58, 100, direction=ABOVE, p_value=0.01)
    assert (judgement.verdict, judgement.p_value) == (YES, 0.01)
    assert judge_rate(tally, 0.58, 100, direction=ABOVE).p_value > 0.05


@pytest.mark.parametrize(
    ("judgement", "reason"),
    [
        (
            judge_rate(Tally(205, 0, 195), 0.58, 100, direction=ABOVE),
            "51.2 % (46.4 to 56.1 %) of 400 games; paper 58 % of 100; "
            f"not significantly above 50 % (p = 0.65); needs about {games_to_show(0.58)} games",
        ),
        (
            judge_rate(Tally(9, 0, 1), 0.9, 100, direction=ABOVE),
            "90 % (59.6 to 98.2 %) of 10 games; paper 90 % of 100; "
            "within the allowed 24.5 points: too few games to tell numbers apart",
        ),
        (
            judge_rate(Tally(330, 40, 30), 0.9, 100, direction=ABOVE),
            "87.5 % (83.9 to 90.4 %) of 400 games; paper 90 % of 100; "
            "within the allowed 12.1 points, significantly above 50 % (p < 0.001)",
        ),
        (
            judge_rate(Tally(90, 0, 310), None, direction=ABOVE),
            "22.5 % (18.7 to 26.8 %) of 400 games; claimed above 50 %; significantly below 50 % (p < 0.001)",
        ),
        (
            judge_range(wilson_interval(200, 400), 0.35, 0.65, stated="paper 48.5 %", share=True),
            "50 % (45.1 to 54.9 %); paper 48.5 %, accepted 35 to 65 %; all of the interval is in this range",
        ),
        (
            judge_range(Interval(383295, 364214, 401826, 0.95, "test"), 386608, 869868, stated="paper 579,912"),
            "383,295 (364,214 to 401,826); paper 579,912, accepted 386,608 to 869,868; "
            "the interval is partly in this range: more games needed",
        ),
        (
            judge_range(wilson_interval(40, 400), 0.35, share=True),
            "10 % (7.4 to 13.3 %); claimed at least 35 %; none of the interval is in this range",
        ),
        (
            judge_even(wilson_interval(5, 10)),
            "50 % (23.7 to 76.3 %); claimed no difference from 50 %; too few games (interval wider than ±15 points)",
        ),
    ],
)
def test_a_reason_is_one_short_line_in_percent(judgement, reason):
    assert judgement.reason == reason
    assert len(reason) < 170


def test_games_to_show_gives_the_stated_power():
    games = games_to_show(0.65, slack=0.0)
    shown = np.abs(np.random.default_rng(1).binomial(games, 0.65, 20_000) - games / 2)
    assert np.mean(shown > 1.96 * np.sqrt(games) / 2) == pytest.approx(0.95, abs=0.02)
    assert games_to_show(0.35, slack=0.0) == games
    assert games_to_show(0.54) is None


@given(st.integers(1, 500), st.integers(0, 500), st.floats(0.5, 1), st.integers(20, 1000))
def test_swapping_the_players_keeps_the_verdict(wins, losses, published, games):
    mine = judge_rate(Tally(wins, 3, losses), published, games, direction=ABOVE)
    other = judge_rate(Tally(losses, 3, wins), 1 - published, games, direction=BELOW)
    assert mine.verdict is other.verdict


@pytest.mark.parametrize(("rate", "games"), [(0.9, 200), (0.8, 400), (0.62, 400)])
def test_a_true_claim_is_rarely_rejected(rate, games):
    rng = np.random.default_rng(6)
    runs = 400
    verdicts = [
        judge_rate(
            Tally(w := int(rng.binomial(games, rate)), 0, games - w),
            max(0.5, float(rng.binomial(100, rate)) / 100),  # otherwise nobody would have claimed the direction
            100,
            direction=ABOVE,
        ).verdict
        for _ in range(runs)
    ]
    assert verdicts.count(NO) / runs <= 0.05
    assert verdicts.count(YES) / runs >= 0.95


def test_an_even_match_does_not_reproduce_a_strong_claim():
    rng = np.random.default_rng(7)
    verdicts = [
        judge_rate(Tally(w := int(rng.binomial(400, 0.5)), 0, 400 - w), 0.8, 100, direction=ABOVE).verdict
        for _ in range(300)
    ]
    assert verdicts.count(NO) == 300


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(10, 100, YES), (35, 100, NO), (20.5, 100, OPEN), (-5, 12, NO), (0, 21, OPEN)],
)
def test_ranges(low, high, verdict):
    assert judge_range(Interval(20, 18, 23, 0.95, "test"), low, high).verdict is verdict


def test_even():
    assert judge_even(wilson_interval(198, 400)).verdict is YES
    assert judge_even(wilson_interval(5, 10)).verdict is OPEN
    assert judge_even(wilson_interval(250, 400)).verdict is NO


@pytest.mark.parametrize(
    "call",
    [
        lambda: judge_rate(Tally(1, 0, 0), None),
        lambda: judge_rate(Tally(1, 0, 0), 0.5),
        lambda: judge_rate(Tally(1, 0, 0), 58, 100),
        lambda: judge_rate(Tally(0, 0, 0), 0.5, 100),
        lambda: judge_rate(Tally(1, 0, 0), 0.5, 0),
        lambda: judge_rate(Tally(1, 0, 0), 0.4, 100, direction=ABOVE),
        lambda: judge_rate(Tally(1, 0, 0), 0.6, 100, direction=ABOVE, p_value=float("nan")),
        lambda: judge_range(Interval(1, 1, 1, 0.95, "test"), 2, 1),
    ],
)
def test_bad_input_is_named(call):
    with pytest.raises(ValueError, match=r"expected|within"):
        call()


@pytest.mark.parametrize(
    ("accepts", "verdict", "why"),
    [
        (True, YES, "accepts 55 % rather than 50 % (error 5 %)"),
        (False, NO, "accepts 50 % rather than 55 % (error 10 %)"),
        (None, OPEN, "of 50 % against 55 % needs more games"),
    ],
)
def test_the_answer_of_a_sequential_test_is_the_verdict(accepts, verdict, why):
    test = Sprt(0.0, 34.86, alpha=0.05, beta=0.1)
    found = judge_sequential(Tally(30, 0, 20), test, accepts, claimed="above 50 %")
    assert found.verdict is verdict
    assert found.measured == wilson_interval(30, 50)
    assert found.reason == f"60 % (46.2 to 72.4 %) of 50 games; claimed above 50 %; the sequential test {why}"
