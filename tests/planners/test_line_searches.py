"""Searches for whole lines (nrpa, nmcs, flat-mc, beam-search) against exhaustive search and slow twins."""

import math

import pytest

import turnwise
from doubles.effort import effort
from doubles.toy_game import Toy, solo
from turnwise.core.budget import Budget
from twins.plain_search import all_outcomes, best_of_game, played

THOROUGH = {
    "nrpa": "nrpa:levels=2,iterations=40",
    "nmcs": "nmcs:level=2",
    "flat-mc": "flat-mc:rollouts=20",
    "beam-search": "beam-search:width=100000",
}
MANY = effort(30_000, 2000)
QUICK = ["nrpa", "nmcs", "flat-mc", "flat-mc:decide=mean", "beam-search", "beam-search:rollouts=1,noise=1"]


@pytest.mark.parametrize("name", THOROUGH)
def test_the_best_game_is_found(name):
    state = solo().start()
    plan = turnwise.planner(THOROUGH[name]).plan(state, Budget(iterations=MANY))
    assert plan.value == best_of_game(state)


@pytest.mark.parametrize("name", THOROUGH)
@pytest.mark.parametrize("options", [{}, {"end": "free"}, {"players": 3}])
def test_the_best_turn_is_found_where_others_play_too(name, options):
    state = Toy(points=2, **options).start()
    plan = turnwise.planner(THOROUGH[name]).plan(state, Budget(iterations=MANY))
    assert plan.value == max(all_outcomes(state).values())
    assert plan.continuation == ()


@pytest.mark.parametrize("text", QUICK)
def test_a_line_goes_to_the_end_of_the_game_and_has_its_value(text):
    state = solo(points=3, turns=5).start()
    plan = turnwise.planner(text).plan(state, Budget(iterations=300), seed=3)
    end = played(state, [*plan.codes, *plan.continuation])
    assert end.is_over
    if "mean" in text:
        assert plan.value <= end.evaluate(0, root=state)
    else:
        assert plan.value == end.evaluate(0, root=state)


@pytest.mark.parametrize("text", ["nrpa", "nmcs", "flat-mc", "flat-mc:rollouts=3,decide=mean", "beam-search:noise=5"])
def test_a_worse_line_never_replaces_the_remembered_one(text):
    game = solo(points=3, turns=6)
    state, session = game.start(), turnwise.planner(text).session(game, 0, seed=1)
    best, plan = -math.inf, None
    budget = Budget(iterations=400)
    while not state.is_over:
        code, plan = session.next_action(state, budget)
        budget = Budget(iterations=25)  # later searches are much poorer than the first
        if plan is not None:
            assert plan.value >= best
            best = plan.value
        state = state.play(code)
    assert state.evaluate(0) == best


@pytest.mark.parametrize("text", QUICK)
def test_budgets_too_small_for_one_line_give_a_complete_turn(text):
    state = solo(points=5, turns=9).start()
    for budget in (Budget(forward_calls=3), Budget(evaluations=0), Budget(iterations=0), Budget(seconds=0)):
        plan = turnwise.planner(text).plan(state, budget)
        assert played(state, plan.codes).turn == state.turn + 1
