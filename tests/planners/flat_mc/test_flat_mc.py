"""Flat Monte Carlo against a comparison of all outcomes."""

import pytest

import turnwise
from doubles.toy_game import Toy
from turnwise.core.budget import Budget
from twins.plain_search import all_outcomes


@pytest.mark.parametrize("decide", ["max", "mean"])
@pytest.mark.parametrize("choice", ["in-turn", "ucb"])
def test_flat_mc_finds_the_best_single_action(decide, choice):
    state = Toy(points=1).start()
    plan = turnwise.planner("flat-mc", decide=decide, choice=choice).plan(state, Budget(iterations=200))
    assert plan.value == max(all_outcomes(state).values())
    assert plan.report.iterations == 200
