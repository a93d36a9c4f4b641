"""What searches assume about other players in games of more than two."""

import numpy as np
import pytest

import turnwise
from doubles.toy_game import Toy
from turnwise.core.errors import CapacityError
from turnwise.search.opponents import OpponentModel, OpponentParameters, deviated_after, settle_opponents, width


def model(players=4, **settings):
    game = Toy(players=3)
    game.players = players
    m = OpponentModel()
    settle_opponents(m, OpponentParameters(**settings), game)
    return m


def test_max_n_and_paranoid_restrict_nobody():
    for kind in ("max-n", "paranoid"):
        m = model(opponents=kind)
        assert bool(m.paranoid) == (kind == "paranoid")
        assert width(m, 0, 1, 0) > 10**9
        assert deviated_after(m, 0, 1, 0, 5, 2) == 0


def test_two_players_are_never_restricted():
    m = model(players=2, opponents="opps", free_opponents=0)
    assert not m.paranoid
    assert width(m, 0, 1, 0) > 10**9


def test_brs_plus_lets_one_opponent_deviate():
    m = model(opponents="brs+")
    assert width(m, 0, 0, 0) > 10**9
    assert width(m, 0, 1, 0) > 10**9
    assert deviated_after(m, 0, 1, 0, 0, 1) == 0  # the best-scored action is no deviation
    after = deviated_after(m, 0, 1, 0, 3, 1)
    assert after == 0b10
    assert width(m, after, 1, 0) > 10**9  # its turn goes on
    assert width(m, after, 2, 0) == 1
    assert deviated_after(m, after, 2, 0, 0, 3) == after
    assert deviated_after(m, after, 3, 0, 0, 0) == 0  # the planner's next turn


def test_opps_sets_the_number_of_opponents_and_both_widths():
    m = model(opponents="opps", free_opponents=2, free_width=6, other_width=2)
    assert width(m, 0, 1, 0) == 6
    one = deviated_after(m, 0, 1, 0, 2, 2)
    assert deviated_after(m, 0, 1, 0, 1, 2) == 0
    assert width(m, one, 2, 0) == 6
    both = deviated_after(m, one, 2, 0, 5, 3)
    assert both == 0b110
    assert width(m, both, 3, 0) == 2
    assert width(model(opponents="opps", free_opponents=0), 0, 1, 0) == 1


def test_too_many_players_for_a_restricted_model_are_refused():
    with pytest.raises(CapacityError, match="at most 31 players"):
        model(players=40, opponents="brs+")


@pytest.mark.parametrize("kind", ["max-n", "paranoid", "brs+", "opps"])
def test_every_model_plans_legal_turns(kind):
    game = Toy(players=3, points=2, turns=9)
    planner = turnwise.planner("mcts", opponents=kind, exploration=0.5, rollout_turns=0)
    state = game.start(3)
    while not state.is_over:
        plan = planner.plan(state, turnwise.Budget(iterations=60), seed=1)
        again = planner.plan(state, turnwise.Budget(iterations=60), seed=1)
        assert plan.codes == again.codes
        for code in plan.codes:
            state = state.play(code)


def test_restricted_opponents_leave_room_for_depth():
    """With fewer replies to try, the same number of simulations reaches deeper."""
    state = Toy(players=3, points=3, turns=30).start()
    depths = {}
    for kind in ("paranoid", "brs+", "opps"):
        planner = turnwise.planner("mcts", opponents=kind, free_opponents=0, exploration=0.3, rollout_turns=0)
        plan = planner.plan(state, turnwise.Budget(iterations=3000), seed=0)
        depths[kind] = plan.report.details["max_depth"]
    assert depths["paranoid"] <= depths["brs+"] <= depths["opps"]
    assert depths["paranoid"] < depths["opps"]


def test_values_of_plans_are_raw_values_whatever_scales_them_in_the_search():
    game = Toy(players=2, points=2, turns=6)
    planner = turnwise.planner("mcts", scale="range", rollout_turns=0)
    plan = planner.plan(game.start(), turnwise.Budget(iterations=300))
    _, evaluation = game.evaluation()
    assert evaluation.low <= plan.value <= evaluation.high
    by_bounds = turnwise.planner("mcts", scale="bounds", rollout_turns=0).plan(
        game.start(), turnwise.Budget(iterations=300)
    )
    assert 1.0 < by_bounds.value <= evaluation.high


def test_scaling_by_the_range_ignores_the_declared_bounds():
    """Bounds far from all values change nothing; scaled by them, exploration drowns the differences."""
    plans = {}
    for reach in (1.0, 1e6):
        game = Toy(players=2, points=3, turns=6)
        _, chosen = game.evaluation()
        wide = type(chosen)(chosen.function, chosen.low * reach, chosen.high * reach, "wide", chosen.parameters)
        game.register_evaluation("wide", wide, states=3)
        planner = turnwise.planner("mcts", evaluation="wide", scale="range", rollout_turns=0)
        plans[reach] = planner.plan(game.start(1), turnwise.Budget(iterations=500), seed=2)
    assert plans[1.0].codes == plans[1e6].codes
    assert np.isclose(plans[1.0].value, plans[1e6].value)
