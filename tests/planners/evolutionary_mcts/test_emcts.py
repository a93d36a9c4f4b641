"""Evolutionary MCTS: the greedy root, values, bounds, bridges, lengths of turns, budgets."""

import numpy as np
import pytest

import turnwise
from doubles.effort import effort
from doubles.toy_game import Toy
from turnwise.core.budget import Budget
from turnwise.core.errors import OptionError
from turnwise.planners.evolutionary_mcts.memory import tree_for
from turnwise.planners.evolutionary_mcts.planner import EMCTSParameters
from turnwise.planners.evolutionary_mcts.search import grow
from turnwise.planners.evolutionary_mcts.tree import burn_bridge
from turnwise.search.problem import Problem
from turnwise.search.turn_rating import TurnRater
from twins.plain_search import all_outcomes

ANY_LENGTH = "mutations=exchange+insert+delete+swap+end,repair=random"


def end_of(state, plan):
    for code in plan.codes:
        state = state.play(code)
    return state


def codes_of(state, texts):
    codes = []
    for text in texts:
        codes.append(state.code(text))
        state = state.play(text)
    return codes


def greedy_turn(state):
    """The slow twin of the root: the action with the best evaluation, first of equals."""
    root, mover, turn = state, state.to_move, state.turn
    texts = []
    while state.to_move == mover and state.turn == turn:
        legal = state.legal_codes()
        values = [state.play(code).evaluate(mover, root=root) for code in legal]
        best = legal[values.index(max(values))]
        texts.append(state.game.action_text(state.row, best))
        state = state.play(best)
    return tuple(texts)


@pytest.mark.parametrize("seed", range(4))
def test_the_root_is_the_greedy_turn(seed):
    state = Toy(points=4, end="free", units=True).start(seed)
    plan = turnwise.planner("emcts:candidates=all").plan(state, Budget(iterations=1), seed=1)
    assert plan.report.details["nodes"] <= 2
    assert greedy_turn(state) in (plan.actions, *(other.actions for other in plan.alternatives))


@pytest.mark.parametrize("text", ["emcts", "emcts:repair=random,root=random", f"emcts:{ANY_LENGTH}"])
def test_the_value_is_that_of_the_outcome(text):
    state = Toy(points=5, end="free", units=True).start(3)
    plan = turnwise.planner(text).plan(state, Budget(iterations=effort(400, 100)), seed=2)
    assert plan.is_complete
    assert plan.value == pytest.approx(end_of(state, plan).evaluate(state.to_move, root=state))


def test_search_finds_the_best_turn_of_a_small_game():
    state = Toy(points=3, end="free", units=True).start(5)
    best = max(all_outcomes(state).values())
    plan = turnwise.planner(f"emcts:{ANY_LENGTH},width=5").plan(state, Budget(iterations=effort(6000, 3000)), seed=1)
    assert plan.value == pytest.approx(best)


def test_a_turn_has_all_its_mutations_before_the_search_goes_deeper():
    state, budget = Toy(points=5, end="free", units=True).start(3), Budget(iterations=150)
    problem = Problem(state, budget, 1)
    settings = EMCTSParameters(width=7, repair="random", mutations="exchange+insert+delete+swap+end")
    made = tree_for(problem, settings, budget)
    grow(problem.record, made.record)
    nodes = made.record.nodes
    tries, parents = made.record.array("tries")[:nodes], made.record.array("parents")[:nodes]
    tried_below = parents[(tries > 0) & (parents >= 0)]
    assert len(tried_below) > 5
    assert (tries[tried_below] >= 7).all()
    assert (np.bincount(parents[parents >= 0]) <= 7).all()


def test_a_better_child_becomes_the_root_and_a_worse_one_does_not():
    state = Toy(points=5, end="free", units=True).start(3)
    budget = Budget(iterations=200)
    better = turnwise.planner("emcts:root=random,repair=random,phases=8").plan(state, budget, seed=4)
    always = turnwise.planner("emcts:root=random,repair=random,phases=8,burn=always").plan(state, budget, seed=4)
    once = turnwise.planner("emcts:root=random,repair=random,phases=1").plan(state, budget, seed=4)
    assert once.report.details["burnt"] == 0
    assert 0 < better.report.details["burnt"] <= always.report.details["burnt"] <= 7


@pytest.mark.parametrize("burn", ["better", "always"])
def test_only_with_burn_always_the_root_moves_to_a_worse_turn(burn):
    state, budget = Toy(points=3, end="free", units=True).start(3), Budget(iterations=20)
    problem = Problem(state, budget, 1)
    made = tree_for(problem, EMCTSParameters(repair="random", burn=burn), budget)
    grow(problem.record, made.record)
    made.fitness[0] = made.fitness[: made.record.nodes].max() + 1.0
    assert burn_bridge(made.record) == (burn == "always")
    assert (made.record.root_node != 0) == (burn == "always")


def test_turns_of_any_length_need_insertions_and_deletions():
    """A random root of a game in which turns end at will has the wrong length; an exchange alone rarely changes it."""
    state = Toy(points=8, end="free", units=True).start(2)
    values = [
        turnwise.planner(f"emcts:root=random,{operators}")
        .plan(state, Budget(iterations=effort(600, 300)), seed=5)
        .value
        for operators in ("mutations=swap,repair=skip", ANY_LENGTH)
    ]
    assert values[1] > values[0]


def test_a_full_tree_begins_again_with_its_best_turn():
    state = Toy(points=6, end="free", units=True).start(1)
    plan = turnwise.planner("emcts:max-nodes=64,repair=random,distinct=false").plan(
        state, Budget(iterations=400), seed=1
    )
    assert plan.report.details["restarts"] >= 4
    assert plan.value == pytest.approx(end_of(state, plan).evaluate(state.to_move, root=state))


def test_known_outcomes_take_no_place():
    state = Toy(points=3, end="free", units=True).start(1)
    plan = turnwise.planner("emcts:repair=random").plan(state, Budget(iterations=500), seed=1)
    assert plan.report.details["nodes"] <= len(all_outcomes(state))
    assert plan.report.details["repeated"] > 0


def test_turns_that_are_played_again_to_be_rated_cost_more_and_have_the_same_values():
    state = Toy(points=5, end="free", units=True).start(3)
    once, again = (
        turnwise.planner(f"emcts:{ANY_LENGTH},replays={replays}").plan(state, Budget(iterations=100), seed=2)
        for replays in ("false", "true")
    )
    assert (again.codes, again.value) == (once.codes, once.value)
    assert again.report.forward_calls > once.report.forward_calls + 100


def test_the_horizon_counts_the_calls_of_others():
    state = turnwise.make("hero-academy:map=a-tiny").start(1)
    budget = Budget(forward_calls=4000)
    near = turnwise.planner("emcts:worlds=1").plan(state, budget, seed=1).report
    far = turnwise.planner("fh-emcts:worlds=1").plan(state, budget, seed=1).report
    assert near.forward_calls_for_others == 0
    assert far.forward_calls_for_others > 0
    assert far.details["nodes"] < near.details["nodes"]


@pytest.mark.parametrize("horizon", ["own-turn", "turns=2", "turns=3"])
def test_turns_are_rated_in_several_worlds_as_the_search_rates_them(horizon):
    state, budget = Toy(points=3, end="free", units=True).start(2), Budget(iterations=200)
    planner = turnwise.planner(f"fh-emcts:horizon={horizon}")
    plan = planner.plan(state, budget, seed=1)
    problem = planner.prepared(state, budget, 1)
    turns = [list(plan.codes), *(codes_of(state, other.actions) for other in plan.alternatives)]
    rated = TurnRater([problem], [1], planner.rating(state.game)).rate(turns, 1, Budget(seconds=600), 0)
    assert [value for _, value in rated] == [turn.value for turn in (plan, *plan.alternatives)]
    assert len({value for _, value in rated}) > 1
    assert (problem.record.other_calls > 0) == (horizon != "own-turn")


def test_a_budget_of_evaluations_ends_where_nothing_is_new():
    """Known outcomes cost no evaluation."""
    state = Toy(points=2, end="free").start(1)
    plan = turnwise.planner("emcts:repair=random").plan(state, Budget(evaluations=100_000), seed=1)
    assert plan.report.evaluations < 10_000


@pytest.mark.parametrize("calls", [0, 1, 7, 50, 333])
def test_any_budget_gives_a_whole_turn(calls):
    state = Toy(points=5, end="free", units=True).start(3)
    for name in ("emcts", "fh-emcts"):
        plan = turnwise.planner(name).plan(state, Budget(forward_calls=calls), seed=1)
        assert plan.is_complete
        assert plan.report.forward_calls <= calls + len(plan.codes)


def test_a_horizon_that_counts_no_turns_is_refused():
    with pytest.raises(OptionError, match="own-turn or turns=n"):
        turnwise.planner("emcts:horizon=actions=3")
