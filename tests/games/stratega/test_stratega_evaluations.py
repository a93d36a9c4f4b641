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


def test_paths_lead_around_walls_and_deadly_tiles():
    state = position(".H. .M. ...", ("Fighter", 0, 0, 0), ("Fighter", 1, 2, 0))
    total = state.evaluate(0, "linear-sum")
    assert state.evaluate(0, "advance") == pytest.approx(total - 0.1 * 2)
    assert state.evaluate(0, "advance(paths=1)") == pytest.approx(total - 0.1 * 6)  # down, along the bottom, and up


def test_who_cannot_be_reached_is_as_far_as_the_board_has_tiles():
    state = position("..M..", ("Pusher", 0, 0, 0), ("Pusher", 1, 4, 0))
    assert state.evaluate(0, "advance(paths=1)") == pytest.approx(state.evaluate(0, "linear-sum") - 0.1 * 5)


def test_who_stands_on_a_wall_can_leave_it():
    state = position("..M..", ("Pusher", 0, 0, 0), ("Pusher", 1, 2, 0))
    for player in (0, 1):
        near = state.evaluate(player, "advance(paths=1)") - state.evaluate(player, "linear-sum")
        assert near == pytest.approx(-0.1 * 2)


def test_at_the_end_only_the_linear_sum_counts():
    state = turnwise.make("stratega:mode=kings").start(seed=3)
    while not state.is_over:
        state = state.play("end")  # a draw, with all units on the board
    for player in (0, 1):
        assert -1000 - state.evaluate(player, "closeness") > 1  # both sides have units left
        assert state.evaluate(player, "advance") == state.evaluate(player, "linear-sum")


@pytest.mark.parametrize(
    ("weights", "low", "high"),
    [
        ((0.0, 0.0), 0.0, 0.0),
        ((2.0, 0.0), -2.0 * 49, 0.0),
        ((-1.0, 0.0), 0.0, 49.0),
        ((2.0, 1.0), -2.0 * 32 * 17, 0.0),
    ],
)
def test_bounds_follow_the_weight_and_the_longest_path(weights, low, high):
    known = evaluations_for(turnwise.make("stratega:mode=kings").options)  # 32 x 17
    plain, advancing = known["linear-sum"], known["advance"].bounds_of(weights)
    assert (advancing[0] - plain.low, advancing[1] - plain.high) == pytest.approx((low, high))


def test_on_large_boards_paths_are_not_known():
    rows = ["." + "M" + "." * 38] * 25 + ["." * 40]  # the way around the wall has 89 steps
    state = position(" ".join(rows), ("Fighter", 0, 0, 0), ("Fighter", 1, 39, 0))
    assert state.evaluate(0, "advance(paths=1)") == state.evaluate(0, "advance")
    known = evaluations_for(state.game.options)
    assert known["advance"].bounds_of((2.0, 1.0)) == known["advance"].bounds_of((2.0, 0.0))
