"""Wherever a budget is taken, its text is, too."""

from random import Random

import pytest

import turnwise
from doubles.toy_game import Toy
from turnwise.arena import play_game
from turnwise.core.errors import OptionError
from turnwise.search.problem import Problem

TEXT, SAME = "forward=60", turnwise.Budget(forward_calls=60)


class First(turnwise.PythonPlanner):
    """Looks at the first actions while the budget lasts."""

    def search(self, state, meter, random):
        assert isinstance(meter, turnwise.Meter)
        while not meter.exhausted:
            meter.play(state, state.legal_codes()[0])
        return state.legal_codes()[:1].tolist()


@pytest.mark.parametrize("planner", [turnwise.planner("mcts"), turnwise.planner("random"), First()])
def test_plans_and_sessions_take_texts(planner):
    state = Toy().start(1)
    plans = [planner.plan(state, budget, seed=3) for budget in (TEXT, SAME)]
    assert (plans[0].codes, plans[0].value) == (plans[1].codes, plans[1].value)
    turns = [planner.session(state.game, 0, 7).plan(state, budget).codes for budget in (TEXT, SAME)]
    assert turns[0] == turns[1]
    steps = [planner.session(state.game, 0, 7).next_action(state, budget)[0] for budget in (TEXT, SAME)]
    assert steps[0] == steps[1]
    action = planner.plan(state, "forward=20/action")
    assert action.is_complete


def test_games_problems_and_meters_take_texts():
    state = Toy().start(1)
    assert Problem(state, TEXT, 0).record.forward_limit == Problem(state, SAME, 0).record.forward_limit
    assert not turnwise.Meter(TEXT, Random(1)).exhausted
    assert play_game(state.game, ["random", "random"], [TEXT, SAME]).turns > 0


@pytest.mark.parametrize("wrong", ["often", "", "forward", "forward=-1", "time=1s+", b"time=1s", 3, None])
def test_what_is_no_budget_is_refused_with_examples(wrong):
    state = Toy().start(1)
    for planner in (turnwise.planner("mcts"), First()):
        with pytest.raises(OptionError, match=r"[Bb]udget"):
            planner.plan(state, wrong)
        with pytest.raises(OptionError, match=r"[Bb]udget"):
            planner.session(state.game, 0, 1).next_action(state, wrong)
