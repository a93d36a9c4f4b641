"""MCTS with units in a fixed order: no permutations, also where units change their numbers."""

import pytest

import turnwise
from doubles.effort import effort
from doubles.skirmish import Skirmish
from doubles.toy_game import END, Toy
from turnwise.core.budget import Budget
from turnwise.core.errors import OptionError


def distinct_nodes(name, iterations):
    state = Toy(points=3, units=True).start()
    planner = turnwise.planner(name, transpositions=False, rollout_turns=0, max_depth=3, reserve=0)
    return planner.plan(state, Budget(iterations=iterations), seed=1).report


def test_every_set_of_actions_is_reached_in_one_order_only():
    plain = distinct_nodes("mcts", effort(20_000, 2_000))
    ordered = distinct_nodes("mcts-unit-ordered", effort(20_000, 2_000))
    assert ordered.details["outcomes"] < 0.5 * plain.details["outcomes"]


def test_pieces_act_in_order():
    for seed in range(6):
        plan = turnwise.planner("mcts-unit-ordered", exploration=0.2, completion="end").plan(
            Toy(points=6, units=True).start(seed=seed), Budget(iterations=effort(600, 150)), seed=seed
        )
        found = int(plan.report.details["plan_length"])
        pieces = [code // 4 for code in plan.codes[:found] if code != END]
        assert pieces == sorted(pieces)
        assert found > 2


@pytest.mark.parametrize("options", [{}, {"chance_every": 1}])
def test_units_act_in_the_order_in_which_the_turn_found_them(options):
    """A unit is known by its square there, so its number changes while the turn is played."""
    seen = 0
    for seed in range(8):
        state = Skirmish(**options).start(seed=seed)
        planner = turnwise.planner("mcts-unit-ordered", exploration=0.5, worlds=1, completion="end")
        plan = planner.plan(state, Budget(iterations=effort(1500, 200)), seed=seed)
        now, places = state, {actor: place for place, actor in enumerate(state.actors())}
        order = []
        for code in plan.codes:
            actor = now.actor(code)
            if actor is None or (options and not now.is_legal(code)):
                break
            order.append(places[actor])
            places = {now.heir(other, code): place for other, place in places.items()}
            now = now.play(code)
        assert order == sorted(order)
        seen += len(set(order)) > 1
    assert seen > 0


def test_the_same_state_after_another_actor_is_another_node():
    """Waiting changes nothing but who may act next."""
    plan = turnwise.planner("mcts-unit-ordered", rollout_turns=0).plan(
        Toy(points=2, wait_is_free=True, end="free", units=True).start(), Budget(iterations=300), seed=1
    )
    assert plan.is_complete


def test_restricted_opponents_are_refused():
    with pytest.raises(OptionError, match="max-n or paranoid"):
        turnwise.planner("mcts-unit-ordered", opponents="opps")
