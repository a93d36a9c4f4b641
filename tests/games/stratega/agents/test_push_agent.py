"""The push agent, clause by clause."""

import pytest

from doubles.stratega_positions import position

BOTH = pytest.mark.parametrize("script", ["push", "push-as-coded"])


@BOTH
def test_the_pusher_goes_behind_an_enemy_and_pushes_it_towards_a_hole(script):
    far = position("......H", ("Pusher", 0, 0, 0), ("Fighter", 1, 4, 0))
    assert far.script(script) == far.script(script, 0) == "move 0 1,0"
    near = position("......H", ("Pusher", 0, 3, 0), ("Fighter", 1, 4, 0))
    assert near.script(script) == near.script(script, 0) == "push 0 1"


@BOTH
def test_paths_lead_around_holes_and_enemies_and_through_own_units(script):
    detour = position(".H..... .......", ("Pusher", 0, 0, 0), ("Fighter", 1, 3, 0))
    assert detour.script(script) == "move 0 0,1"
    friend = position("......H MMMMMMM", ("Pusher", 0, 0, 0), ("Fighter", 0, 2, 0, None, "AM"), ("Fighter", 1, 5, 0))
    assert friend.script(script, 0) == "move 0 1,0"
    enemy = position("......H MMMMMMM", ("Pusher", 0, 0, 0), ("Medic", 1, 2, 0), ("Fighter", 1, 5, 0))
    assert enemy.script(script, 0) == "move 0 1,0"  # to push the medic itself


@BOTH
def test_few_steps_and_pushes_are_best(script):
    rows = "......... H.......H ........."
    state = position(rows, ("Pusher", 0, 4, 1), ("Fighter", 1, 2, 1), ("Fighter", 1, 7, 1))
    assert state.script(script) == "move 0 3,1"  # 1 step and 2 pushes; to the right 2 steps and 1 push
    closer = position(rows, ("Pusher", 0, 5, 1), ("Fighter", 1, 2, 1), ("Fighter", 1, 7, 1))
    assert closer.script(script) == "move 0 6,1"
    rows = "........... H.........H ..........."
    fewer_pushes = position(rows, ("Pusher", 0, 6, 1), ("Fighter", 1, 3, 1), ("Fighter", 1, 9, 1))
    assert fewer_pushes.script(script) == "move 0 7,1"


@BOTH
def test_with_no_enemy_known_the_turn_ends(script):
    view = position("......H", ("Pusher", 0, 0, 0), ("Fighter", 1, 5, 0), sight=2).view(0)
    assert view.script(script) == "end"
    assert view.script(script, 0) is None


def test_a_push_against_a_wall_counts_as_best_as_coded_only():
    state = position("M....H", ("Pusher", 0, 2, 0), ("Fighter", 1, 1, 0), ("Fighter", 1, 3, 0))
    assert state.script("push-as-coded") == "push 0 1"
    assert state.script("push") == "push 0 2"


def test_who_is_next_to_another_place_goes_there_before_it_kills_as_coded_only():
    units = ("Fighter", 1, 1, 0), ("Fighter", 1, 4, 0)
    state = position("H.....H", ("Pusher", 0, 2, 0), *units)
    assert state.script("push-as-coded") == "move 0 3,0"
    assert state.script("push") == "push 0 1"
    moved = position("H.....H", ("Pusher", 0, 2, 0, None, "M"), *units)
    assert moved.script("push-as-coded") == "end"
    assert moved.script("push") == "push 0 1"


def test_walls_stop_lines_unless_as_coded():
    state = position(".....MH", ("Pusher", 0, 0, 0), ("Fighter", 1, 3, 0))
    assert state.script("push-as-coded") == "move 0 1,0"
    assert state.script("push") == "end"


def test_unseen_tiles_count_unless_as_coded():
    units = ("Pusher", 0, 0, 0), ("Fighter", 0, 6, 1), ("Fighter", 1, 6, 0)
    view = position("...H...H MMMMMMMM", *units, sight=2).view(0)  # column 3 is unseen
    assert view.script("push-as-coded", 0) == "move 0 1,0"
    assert view.script("push", 0) is None


def test_a_first_step_where_another_enemy_can_push_into_a_hole_is_not_taken():
    rows = "....... ......H MH....."
    safe = position(rows, ("Pusher", 0, 0, 1), ("Fighter", 1, 4, 1))
    assert safe.script("push") == "move 0 1,1"
    watched = position(rows, ("Pusher", 0, 0, 1), ("Fighter", 1, 4, 1), ("Fighter", 1, 2, 0))
    assert watched.script("push") == "end"
    victim = position("M....H. ....... MH.....", ("Pusher", 0, 0, 1), ("Fighter", 1, 2, 0))
    assert victim.script("push") == "move 0 1,1"  # the victim does not count


def test_units_that_cannot_push_walk_as_coded_only():
    state = position("......H", ("Medic", 0, 0, 0), ("Fighter", 1, 4, 0))
    assert state.script("push-as-coded") == "move 0 1,0"  # the first on the path, not the farthest
    assert state.script("push") == "end"
