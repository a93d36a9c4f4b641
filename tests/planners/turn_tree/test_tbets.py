"""Turn-based evolutionary tree search: values by minimax, replies, chance, several players, budgets."""

import pytest

import turnwise
from doubles.effort import effort
from doubles.fable import Bait, Gamble, Patience, ThreeSides
from doubles.toy_game import Toy, solo
from turnwise.core.budget import Budget
from turnwise.core.errors import OptionError
from twins.plain_search import all_outcomes, in_turn

SMALL = Budget(iterations=effort(400, 300))


def end_of(state, plan):
    for code in plan.codes:
        state = state.play(code)
    return state


def states_after_turn(root):
    """Every state at the end of the turn, visiting each state once."""
    found, seen, waiting = {}, {bytes(root.row)}, [root]
    while waiting:
        state = waiting.pop()
        for code in state.candidate_codes():
            child = state.play(int(code))
            if bytes(child.row) not in seen:
                seen.add(bytes(child.row))
                if in_turn(root, child):
                    waiting.append(child)
                else:
                    found[bytes(child.row)] = child
    return list(found.values())


def minimax(root, turns):
    """The value for the root's mover, in which each side plays its best turn, by visiting every turn."""

    def value(state, left):
        if left == 0 or state.is_over:
            return state.evaluate(root.to_move, root=root)
        best = max if state.to_move == root.to_move else min
        return best(value(after, left - 1) for after in states_after_turn(state))

    return value(root, turns)


def test_search_finds_the_best_turn_of_the_last_turn_of_a_game():
    state = Toy(points=3, end="free", units=True, turns=1).start(5)
    best = max(all_outcomes(state).values())
    plan = turnwise.planner("tbets").plan(state, Budget(iterations=effort(4000, 2000)), seed=1)
    assert plan.value == pytest.approx(best)
    assert end_of(state, plan).evaluate(state.to_move, root=state) == pytest.approx(best)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_value_of_a_short_game_is_that_of_minimax(seed):
    state = Toy(points=1, end="forced", turns=2).start(3)
    plan = turnwise.planner("tbets").plan(state, Budget(iterations=effort(4000, 2000)), seed=seed)
    assert plan.value == pytest.approx(minimax(state, 2))


@pytest.mark.parametrize("commit", ["actions", "turn"])
def test_a_reply_that_punishes_is_seen(commit):
    """A search of one turn takes the bait."""
    state = Bait().start(0)
    assert turnwise.planner("greedy-turn").plan(state, SMALL).actions == ("t", "t")
    plan = turnwise.planner(f"tbets:commit={commit}").plan(state, SMALL, seed=1)
    assert plan.actions == ("w", "w")
    assert plan.value == 0


def test_a_single_player_looks_further_than_its_turn():
    state = Patience().start(0)
    assert turnwise.planner("greedy-turn").plan(state, SMALL).actions == ("n",)
    plan = turnwise.planner("tbets").plan(state, SMALL, seed=1)
    assert (plan.actions, plan.value) == (("f",), 5)
    long = solo(points=3, turns=2)
    assert turnwise.planner("tbets").plan(long.start(1), SMALL, seed=1).is_complete


@pytest.mark.parametrize(("opponents", "action", "value"), [("max-n", "a", 6), ("paranoid", "b", 0.5)])
def test_three_players_want_their_own_best_or_the_planners_worst(opponents, action, value):
    state = ThreeSides().start(0)
    plan = turnwise.planner("tbets", opponents=opponents).plan(state, SMALL, seed=1)
    assert (plan.actions, plan.value) == ((action,), value)


@pytest.mark.parametrize(
    ("settings", "value"),
    [
        ("opponents=brs+", 1),  # against a: one of the two leaves the model's turn x
        ("opponents=opps,free-opponents=0", 5),
        ("opponents=opps,free-opponents=2", 0.5),  # as paranoid: b
        ("opponents=opps,free-opponents=1,free-width=2", 0.5),
    ],
)
def test_restricted_opponents_have_the_models_turn_first(settings, value):
    """With a width of 2 the second turn is a random one, so only the choice of b is sure."""
    plan = turnwise.planner(f"tbets:{settings}").plan(ThreeSides().start(0), SMALL, seed=1)
    assert plan.value >= value


@pytest.mark.parametrize("seed", range(4))
def test_a_turn_with_chance_is_worth_the_mean_of_its_outcomes(seed):
    plan = turnwise.planner("tbets").plan(Gamble().start(0), SMALL, seed=seed)
    assert (plan.actions, plan.value) == (("s",), 1)
    ((_, risky),) = [(other.actions, other.value) for other in plan.alternatives]
    assert risky == pytest.approx(-0.75, abs=0.65)


def test_known_outcomes_take_no_place():
    state = Toy(points=2, end="free", turns=1).start(1)
    plan = turnwise.planner("tbets").plan(state, Budget(iterations=500), seed=1)
    assert plan.report.details["nodes"] <= 1 + len(all_outcomes(state))
    assert plan.report.details["repeated"] > 0.5


def test_a_full_tree_goes_on_with_its_best_turn():
    state = Toy(points=5, end="free", units=True).start(1)
    plan = turnwise.planner("tbets:max-nodes=64").plan(state, Budget(iterations=600), seed=1)
    assert plan.report.details["restarts"] >= 3
    assert plan.report.details["nodes"] <= 64
    assert plan.is_complete


def test_the_calls_of_others_are_counted():
    state = turnwise.make("hero-academy:map=a-tiny").start(1)
    report = turnwise.planner("tbets:worlds=1").plan(state, Budget(forward_calls=4000), seed=1).report
    assert 0 < report.forward_calls_for_others < report.forward_calls
    assert report.details["depth"] >= 2


def test_a_budget_of_evaluations_ends_where_nothing_is_new():
    state = Toy(points=2, end="free", turns=1).start(1)
    plan = turnwise.planner("tbets").plan(state, Budget(evaluations=100_000), seed=1)
    assert plan.report.evaluations < 10_000


@pytest.mark.parametrize("calls", [0, 1, 7, 50, 333])
@pytest.mark.parametrize("options", ["", ":look-ahead=1,commit=turn", ":opponents=opps,scale=bounds,final=trials"])
def test_any_budget_gives_a_whole_turn(calls, options):
    state = Toy(players=3, points=5, end="free", units=True).start(3)
    plan = turnwise.planner(f"tbets{options}").plan(state, Budget(forward_calls=calls), seed=1)
    assert plan.is_complete
    assert plan.report.forward_calls <= calls + len(plan.codes)


def test_actions_are_fixed_one_after_the_other():
    """With every action fixed early, the last part of the budget varies the last action only."""
    state = Toy(points=4, end="forced", units=True).start(3)
    plan = turnwise.planner("tbets:alternatives=20").plan(state, Budget(forward_calls=3000), seed=2)
    assert plan.alternatives
    assert all(other.actions[:3] == plan.actions[:3] for other in plan.alternatives)
    whole = turnwise.planner("tbets:alternatives=20,commit=turn").plan(state, Budget(forward_calls=3000), seed=2)
    assert any(other.actions[0] != whole.actions[0] for other in whole.alternatives)


def test_numbers_out_of_range_are_refused():
    with pytest.raises(OptionError, match=r"widening.power"):
        turnwise.planner("tbets:widening-power=2")
