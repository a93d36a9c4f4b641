"""LSI: the split of the budget, the turns drawn by weight, sequential halving."""

import pytest

import turnwise
from doubles.effort import effort
from doubles.toy_game import Toy
from turnwise.core.budget import Budget
from twins.plain_search import all_outcomes


def test_the_budget_is_split_between_the_phases():
    state, budget = Toy(end="free", units=True).start(), Budget(iterations=400)
    plan = turnwise.planner("lsi:generation=0.25,turns=8").plan(state, budget, seed=1)
    figures = plan.report.details
    assert figures["generated"] == 100
    assert 4 < figures["turns"] <= 8
    assert figures["rounds"] == 3
    assert plan.report.iterations == 400


def test_few_choices_decide_a_good_turn():
    state = Toy(units=True).start()
    outcomes = sorted(all_outcomes(state).values(), reverse=True)
    plan = turnwise.planner("lsi:rollout-turns=0,turns=64").plan(state, Budget(iterations=effort(3000, 600)), seed=1)
    now = state
    for code in plan.codes:
        now = now.play(code)
    value = now.evaluate(state.to_move, root=state)
    assert plan.value == pytest.approx(value)
    assert value >= outcomes[len(outcomes) // 20]


def test_weights_find_better_turns_than_equal_ones():
    """With sharpness 0 the same number of turns is drawn uniformly."""
    state, found = Toy(points=6, end="free", units=True).start(), []
    for sharpness in (0, 6):
        planner = turnwise.planner("lsi", rollout_turns=0, turns=6, generation=0.7, sharpness=sharpness)
        plans = [planner.plan(state, Budget(iterations=effort(600, 300)), seed=seed) for seed in range(effort(24, 8))]
        found.append(sum(plan.value for plan in plans) / len(plans))
    assert found[1] > found[0]


@pytest.mark.parametrize("order", ["entropy", "random", "listed"])
def test_orders_of_commitment_play(order):
    plan = turnwise.planner("lsi", order=order).plan(
        Toy(end="free", units=True).start(), Budget(forward_calls=900), seed=2
    )
    assert plan.is_complete
    assert plan.value is not None
