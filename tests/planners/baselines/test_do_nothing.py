"""Do-nothing: the end of the turn at once, where the rules have one."""

import pytest

import turnwise
from doubles.toy_game import END, Toy
from turnwise.core.budget import Budget

ANY = Budget(iterations=1)
BUDGETS = [ANY, Budget(forward_calls=0), Budget(seconds=0.0), Budget(iterations=3, scope="action")]


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("options", [{"end": "free"}, {"end": "forced"}, {"end": "free", "chance": True, "players": 3}])
def test_the_turn_ends_at_once(options, budget):
    plan = turnwise.planner("do-nothing").plan(Toy(**options).start(seed=1), budget)
    assert plan.codes == (END,)
    assert plan.is_complete


def test_hero_academy_and_stratega():
    for name in ("hero-academy", "stratega"):
        state = turnwise.make(name).start(seed=2)
        plan = turnwise.planner("do-nothing").plan(state, ANY)
        assert plan.codes == (state.game.end_action,)


def test_a_growing_city_chooses_first():
    """In Tribes the choice of a growing city comes before the end of the turn, and nothing else."""
    game = turnwise.make("tribes")
    data = game.start(seed=3).to_dict()
    data["cities"][0]["pop"] = data["cities"][0]["need"]
    state = game.from_dict(data)
    assert all(text.startswith("levelup") for text in state.legal_actions())
    plan = turnwise.planner("do-nothing").plan(state, ANY)
    assert [text.split()[0] for text in plan.actions] == ["levelup", "end"]
    assert turnwise.planner("do-nothing").plan(game.start(seed=3), ANY).actions == ("end",)


def test_turns_of_fixed_length_are_completed():
    state = turnwise.make("samegame").start()
    assert state.is_legal(turnwise.planner("do-nothing").plan(state, ANY).codes[0])


def test_pass_replies_end_turns_of_tribes():
    """``reply=pass`` lets the line go on after the turns of the others."""
    state = turnwise.make("tribes").start(seed=3)
    rhea = {"population": 4, "offspring": 4, "elites": 1, "length": 40, "horizon": "turns=4"}
    passing = turnwise.planner("rhea", reply="pass", **rhea).plan(state, Budget(forward_calls=1500), seed=1)
    ending = turnwise.planner("rhea", reply="none", **rhea).plan(state, Budget(forward_calls=1500), seed=1)
    assert passing.report.forward_calls_for_others > 0
    assert ending.report.forward_calls_for_others == 0
