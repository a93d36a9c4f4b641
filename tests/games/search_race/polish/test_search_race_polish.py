"""Improving a finished race as a whole: the smooth race, its derivatives, and the moves that come of it."""

import math
from itertools import pairwise

import numpy as np
import pytest

import turnwise
from turnwise.games.search_race.polish import improved_races
from turnwise.games.search_race.polish.descent import MISSED, descend, finish_gradient
from turnwise.games.search_race.polish.passes import descended, smooth_race
from turnwise.games.search_race.polish.smooth import drive
from turnwise.plain_python.completion import quick_action

TRACK = [[2000, 2000], [9000, 2500], [6000, 7000]]


def never():
    return False


@pytest.fixture(scope="module")
def game():
    return turnwise.make("search-race", checkpoints=TRACK, laps=1, moves="all")


@pytest.fixture(scope="module")
def codes(game):
    """A race by the driver, without search."""
    return driven(game.start())


def driven(state):
    codes = []
    while not state.is_over:
        codes.append(quick_action(state))
        state = state.play(codes[-1])
    return codes


def end_of(state, codes):
    for code in codes:
        state = state.play(code)
    return state


def targets():
    return np.array([*TRACK[1:], TRACK[0]], float)


def test_the_smooth_race_of_a_real_one_is_that_race(game, codes):
    _, race = smooth_race(game.start(), targets(), codes, margin=0.0)
    assert race.time == pytest.approx(-end_of(game.start(), codes).returns[0], abs=0.0051)  # to hundredths
    assert race.missed < 1e-6
    state = game.start()
    for turn, code in enumerate(codes):
        view = state.to_dict()
        assert race.positions[turn] == pytest.approx([view["x"], view["y"]], abs=1e-6)
        state = state.play(code)


def test_the_effect_of_a_move_on_a_place_is_its_derivative(game, codes):
    course, race = smooth_race(game.start(), targets(), codes, margin=0.0)
    direction, when, small = np.array([0.6, 0.8]), race.time - 1.3, 1e-5
    count = len(race.headings)
    effect = race.effect(when, direction)
    for move in (0, 3, int(when), int(when) + 1, count, count + 3, count + int(when)):
        headings, thrusts = race.headings.copy(), race.thrusts.copy()
        (headings if move < count else thrusts)[move % count] += small
        moved = (drive(course, headings, thrusts, race.touches).place(when) - race.place(when)) @ direction
        assert moved / small == pytest.approx(effect[move], abs=1e-3 + 1e-4 * abs(effect[move]))
    assert not effect[int(when) + 1 : count].any()  # later moves do not matter


def test_the_smooth_race_gets_shorter_and_stays_possible(game, codes):
    course, race = smooth_race(game.start(), targets(), codes, margin=3.0)
    better = descend(course, race, never)
    assert better.time < race.time - 1.0
    assert better.missed < 5.0
    turns = np.degrees(np.diff(better.headings, prepend=course.heading))
    assert np.abs(turns).max() <= 18.0 + 1e-6
    assert better.thrusts.min() >= 0.0
    assert better.thrusts.max() <= 200.0
    assert descend(course, race, lambda: True) is race


def test_a_descent_ends_close_to_a_local_optimum(game, codes):
    course, race = smooth_race(game.start(), targets(), codes, margin=3.0)
    course, found = descended(course, race, never)
    assert found.time > descend(course, found, never).time - 0.05
    assert found.missed <= MISSED


@pytest.mark.parametrize(
    ("points", "laps"), [([[0, 0], [1500, 0], [750, 1300]], 2), ([[0, 0], [1500, 0]], 3), ([[0, 0], [2500, 0]], 3)]
)
def test_tight_turns_skip_no_target(points, laps):
    """Where a detour takes long, a low price for missing targets would be paid."""
    start = turnwise.make("search-race", checkpoints=points, laps=laps, moves="all").start()
    codes, centres = driven(start), np.array([*points[1:], points[0]] * laps, float)
    better = next(improved_races(centres, start, codes, never))
    assert end_of(start, better).returns[0] > end_of(start, codes).returns[0]


def test_a_finish_inside_the_circle_before_has_the_right_derivative():
    """The last circle is entered before the target before it is touched, which therefore decides the time."""
    points = [[0, 0], [2500, 0], [2500, 500]]
    start = turnwise.make("search-race", checkpoints=points, laps=1, moves="all").start()
    centres = np.array([[2500.0, 300.0], [4000.0, 0.0], [3200.0, 0.0]])
    codes = [start.code("EXPERT 0 200")] * 12
    course, race = smooth_race(start, centres, codes, margin=0.0)
    assert race.touches[2] == race.touches[1]
    gradient, small = finish_gradient(course, race), 1e-6
    for move in (0, 1, len(codes) + 5):
        headings, thrusts = race.headings.copy(), race.thrusts.copy()
        (headings if move < len(headings) else thrusts)[move % len(headings)] += small
        changed = drive(course, headings, thrusts, race.touches).time - race.time
        assert changed / small == pytest.approx(gradient[move], rel=1e-2, abs=1e-4)


def test_improved_races_are_real_ever_shorter_and_repeatable(game, codes):
    times = [-end_of(game.start(), codes).returns[0]]
    found = list(improved_races(targets(), game.start(), codes, never))
    for race in found:
        end = end_of(game.start(), race)
        assert end.is_over
        times.append(-end.returns[0])
    assert len(times) > 1
    assert all(after < before for before, after in pairwise(times))
    assert times[-1] < times[0] - 1.0
    assert list(improved_races(targets(), game.start(), codes, never)) == found


def test_a_race_can_be_improved_from_its_middle(game, codes):
    middle = end_of(game.start(), codes[: len(codes) // 2])
    rest = codes[len(codes) // 2 :]
    assert middle.metrics(0)["checkpoints"] >= 1
    (*_, best) = improved_races(targets(), middle, rest, never)
    assert end_of(middle, best).returns[0] > end_of(middle, rest).returns[0]


def test_nothing_is_improved_without_time_with_aiming_moves_or_if_the_race_is_lost(game, codes):
    start = game.start()
    assert list(improved_races(targets(), start, codes, lambda: True)) == []
    aiming = start.code("9000 2500 200")
    assert list(improved_races(targets(), start, [aiming, *driven(start.play(aiming))], never)) == []
    idle = [start.code("EXPERT 0 0")] * 600
    assert end_of(start, idle).is_over
    assert list(improved_races(targets(), start, idle, never)) == []


def test_only_races_with_all_moves_can_be_improved(game):
    assert turnwise.make("search-race").improver() is None
    assert turnwise.make("samegame").improver() is None
    (better, *_) = game.improver()(game.start(), driven(game.start()), never)
    assert all(0 <= code < 7437 for code in better)
    assert math.isfinite(end_of(game.start(), better).returns[0])
