"""Evaluations of the strategy engine that no recording has."""

import pytest

import turnwise
from doubles.stratega_positions import position
from turnwise.games.stratega.evaluation import evaluations_for

BOARD = " ".join(["." * 9] * 7)
FACING = (("Fighter", 0, 0, 3), ("Medic", 0, 2, 3), ("Fighter", 1, 4, 3, 60))


def test_who_advances_adds_a_share_of_closeness_to_the_linear_sum():
    state = position(BOARD, *FACING)
    for player in (0, 1):
        total, near = state.evaluate(player, "linear-sum"), state.evaluate(player, "closeness")
        assert near == -3.0  # (4 + 2) / 2
        assert state.evaluate(player, "advance") == pytest.approx(total + 0.1 * near)
        assert state.evaluate(player, "advance(closeness=0.5)") == pytest.approx(total + 0.5 * near)


def test_at_the_end_only_the_linear_sum_counts():
    state = turnwise.make("stratega:mode=kings").start(seed=3)
    while not state.is_over:
        state = state.play("end")  # a draw, with all units on the board
    for player in (0, 1):
        assert -1000 - state.evaluate(player, "closeness") > 1  # both sides have units left
        assert state.evaluate(player, "advance") == state.evaluate(player, "linear-sum")


@pytest.mark.parametrize(("weight", "low", "high"), [(0.0, 0.0, 0.0), (2.0, -2.0 * 49, 0.0), (-1.0, 0.0, 49.0)])
def test_bounds_follow_the_weight(weight, low, high):
    known = evaluations_for(turnwise.make("stratega:mode=kings").options)  # 32 x 17
    plain, advancing = known["linear-sum"], known["advance"].bounds_of((weight,))
    assert (advancing[0] - plain.low, advancing[1] - plain.high) == pytest.approx((low, high))
