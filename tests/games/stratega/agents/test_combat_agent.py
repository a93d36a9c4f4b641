"""The combat agent, clause by clause; S is 6 for fighters and 4.8 for medics."""

import pytest

from doubles.stratega_positions import choices, position

OPEN = " ".join(["." * 9] * 7)
BOTH = pytest.mark.parametrize("script", ["combat", "combat-as-coded"])


@BOTH
def test_a_kill_comes_first(script):
    state = position(OPEN, ("Fighter", 0, 3, 3), ("Fighter", 1, 3, 4), ("Medic", 1, 4, 3, 10))
    assert state.script(script) == state.script(script, 0) == "attack 0 2"


@BOTH
def test_then_strong_victims_and_few_attacks_until_they_die(script):
    weak = position(OPEN, ("Fighter", 0, 3, 3), ("Fighter", 1, 3, 4), ("Medic", 1, 4, 3, 20))
    assert weak.script(script) == "attack 0 1"  # the medic heals both as fast: 3 against 2.4
    hurt = position(OPEN, ("Fighter", 0, 3, 3), ("Fighter", 1, 3, 4, 49), ("Fighter", 1, 4, 3, 35))
    assert hurt.script(script) == "attack 0 2"  # 6 * (1 + 1/4) against 6 * (1 + 1/5)
    equal = position(OPEN, ("Fighter", 0, 3, 3), ("Fighter", 1, 3, 4), ("Fighter", 1, 4, 3, 48))
    assert equal.script(script) == "attack 0 1"


@BOTH
def test_victims_within_reach_of_an_enemy_healer_count_less(script):
    state = position(OPEN, ("Fighter", 0, 2, 3), ("Fighter", 1, 1, 3), ("Fighter", 1, 4, 3, 35), ("Medic", 1, 8, 3))
    assert state.script(script) == "attack 0 1"
    farther = position(OPEN, ("Fighter", 0, 2, 3), ("Fighter", 1, 1, 3), ("Fighter", 1, 4, 3, 35), ("Medic", 1, 8, 4))
    assert farther.script(script) == "attack 0 2"


def test_the_patient_is_the_first_as_coded_and_otherwise_who_lost_most():
    state = position(OPEN, ("Fighter", 1, 4, 3, 50), ("Medic", 0, 3, 3, 30), ("Fighter", 0, 3, 4, 50, "AM"))
    assert state.script("combat-as-coded") == state.script("combat-as-coded", 1) == "heal 1 0"
    assert state.script("combat") == state.script("combat", 1) == "heal 1 2"  # 6 * 0.5 against 4.8 * 0.25
    weak = position(OPEN, ("Fighter", 1, 4, 3, 50), ("Medic", 0, 3, 3, 10), ("Fighter", 0, 3, 4, 50, "AM"))
    assert weak.script("combat") == "heal 1 1"  # 4.8 * 0.75


def test_a_healthy_healer_heals_nobody_as_coded():
    state = position(OPEN, ("Fighter", 1, 4, 3), ("Medic", 0, 3, 3), ("Fighter", 0, 3, 4, 50, "AM"))
    assert state.script("combat-as-coded") == "end"
    assert state.script("combat-as-coded", 1) is None
    assert state.script("combat") == "heal 1 2"


@BOTH
def test_the_target_is_close_to_own_units_and_far_from_its_friends(script):
    near = position(OPEN, ("Fighter", 0, 4, 3), ("Fighter", 1, 7, 3), ("Fighter", 1, 8, 3), ("Fighter", 1, 1, 3))
    assert near.script(script) == near.script(script, 0) == "move 0 2,3"
    # 3 / 2 - 2.4 / 3 against 6 / 2 - 7.2 / 3: the left one of the pair is closer, but has its friend at its side
    alone = position(OPEN, ("Fighter", 0, 4, 3), ("Fighter", 1, 1, 3), ("Fighter", 1, 0, 3), ("Fighter", 1, 8, 4))
    assert alone.script(script) == "move 0 5,4"


@BOTH
def test_of_the_moves_within_range_of_the_target_the_least_dangerous_is_best(script):
    safe = position(OPEN, ("Fighter", 0, 3, 3), ("Fighter", 1, 6, 3))
    assert safe.script(script) == "move 0 4,3"
    watched = position(OPEN, ("Fighter", 0, 3, 3), ("Fighter", 1, 6, 3), ("Fighter", 1, 0, 3))
    assert watched.script(script) == "move 0 5,3"


@BOTH
def test_out_of_range_the_closest_move_is_best_and_in_range_there_is_none(script):
    state = position(OPEN, ("Fighter", 0, 0, 3), ("Fighter", 1, 8, 3))
    assert state.script(script) == "move 0 2,3"
    there = position(OPEN, ("Fighter", 0, 3, 3, None, "A"), ("Fighter", 1, 5, 3))
    assert there.script(script) == "end"
    assert there.script(script, 0) is None


@BOTH
def test_with_no_enemy_known_the_goal_is_a_random_cell(script):
    view = position(OPEN, ("Fighter", 0, 4, 3), ("Fighter", 1, 8, 6), sight=2).view(0)
    found = choices(view, script)
    assert len(found) > 5
    assert found <= {"end", *(action for action in view.legal_actions() if action.startswith("move"))}
    assert choices(view, script, 0) == {None if action == "end" else action for action in found}


def test_units_step_onto_deadly_tiles_as_coded_only():
    state = position("..H....", ("Fighter", 0, 0, 0), ("Fighter", 1, 6, 0))
    assert state.script("combat-as-coded") == "move 0 2,0"
    assert state.script("combat") == "move 0 1,0"


@BOTH
def test_the_first_unit_with_something_to_do_decides(script):
    state = position(OPEN, ("Fighter", 0, 3, 3, None, "AM"), ("Fighter", 0, 0, 0), ("Fighter", 1, 5, 3))
    assert state.script(script) == state.script(script, 1) == "move 1 0,2"
    assert state.script(script, 0) is None
