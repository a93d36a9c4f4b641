"""Replies to a whole turn: values computed by hand for three players, budgets, parameters."""

import math

import pytest

import turnwise
from doubles.fable import THREE_SIDES, Bait, ThreeSides
from doubles.toy_game import Toy
from turnwise.core.budget import Budget
from turnwise.core.errors import CapacityError, OptionError
from turnwise.search.problem import Problem
from turnwise.search.turn_replies import TurnReplies, TurnRepliesMemory, TurnReplyParameters, value_of_turn

ONE_TURN = ["greedy-turn", "online-evolution:population=4", "emcts", "pgs:horizon=own-turn,portfolio=random"]


def after_a(calls=10_000, **settings):
    """The value of turn a for the first player."""
    state = ThreeSides().start(0)
    problem = Problem(state, Budget(forward_calls=calls), 1)
    replies = TurnReplies()
    memory = TurnRepliesMemory(replies, problem, TurnReplyParameters(**settings))
    after = state.play("a")
    value = value_of_turn(problem.record, replies, after.address)
    assert memory
    return value, problem.record


@pytest.mark.parametrize(
    ("settings", "value"),
    [
        ({"reply": "none"}, 9),
        # The third player prefers x; the second then chooses between its 4, 6 and 1: y.
        ({"reply": "max-n"}, 6),
        ({"reply": "max-n", "reply_turns": 1}, 5),
        ({"reply": "paranoid"}, -9),
        # Both have x and y: the lowest of 5, 1, 6, 0.
        ({"reply": "paranoid", "reply_turns": 2}, 0),
        ({"reply": "paranoid", "reply_turns": 1}, 5),
        # Either the second player has all three and the third x: 5, 6, 2; or the second x and the third all: 5, 1, 4.
        ({"reply": "brs+"}, 1),
        ({"reply": "opps"}, 1),
        # Free second player: 5, 1, 6, 0, 2, 3; free third player: 5, 1, 4, 6, 0, -3.
        ({"reply": "opps", "other_turns": 2}, -3),
        ({"reply": "opps", "free_opponents": 0}, 5),
        ({"reply": "opps", "free_opponents": 0, "other_turns": 2}, 0),
        ({"reply": "opps", "free_opponents": 2}, -9),
    ],
)
def test_values_of_three_players(settings, value):
    assert after_a(**settings)[0] == value


def test_the_values_are_those_of_the_definition():
    """OPPS: the lowest value over all sets of free opponents, by enumeration of the table."""
    for free, full, rest in [(0, 3, 2), (1, 2, 1), (1, 3, 1), (1, 3, 2), (2, 2, 1), (2, 3, 1)]:
        wanted = math.inf
        for chosen in [(), (0,), (1,), (0, 1)]:
            if len(chosen) == free:
                widths = [full if seat in chosen else rest for seat in (0, 1)]
                wanted = min(wanted, *(THREE_SIDES[a + b][0] for a in "xyz"[: widths[0]] for b in "xyz"[: widths[1]]))
        got, _ = after_a(reply="opps", free_opponents=free, reply_turns=full, other_turns=rest)
        assert got == wanted, (free, full, rest)


@pytest.mark.parametrize("planner", ONE_TURN)
@pytest.mark.parametrize(("reply", "action"), [("none", "a"), ("max-n", "a"), ("brs+", "a"), ("paranoid", "b")])
def test_planners_of_one_turn_expect_replies(planner, reply, action):
    text = f"{planner}{',' if ':' in planner else ':'}reply={reply}"
    plan = turnwise.planner(text).plan(ThreeSides().start(0), Budget(forward_calls=4000), seed=3)
    if not planner.startswith("pgs"):  # chooses among random scripts
        assert plan.actions == (action,)
        assert plan.value == {"none": 9, "max-n": 6, "brs+": 1, "paranoid": 0.5}[reply]
    assert bool(plan.report.forward_calls_for_others) == (reply != "none")


@pytest.mark.parametrize("planner", ["greedy-turn", "online-evolution:population=4", "emcts"])
def test_with_two_players_the_reply_is_the_worst_one(planner):
    text = f"{planner}{',' if ':' in planner else ':'}reply="
    for reply in ("max-n", "paranoid", "brs+", "opps"):
        plan = turnwise.planner(text + reply).plan(Bait().start(0), Budget(forward_calls=2000), seed=1)
        assert (plan.actions, plan.value) == (("w", "w"), 0)


@pytest.mark.parametrize("calls", [0, 1, 2, 5, 20])
def test_a_budget_ends_in_the_middle_of_replies(calls):
    value, record = after_a(calls, reply="paranoid")
    assert record.forward_calls <= calls
    assert math.isnan(value)


def test_turns_of_several_worlds_are_rated_after_replies():
    state = turnwise.make("hero-academy:map=a-tiny,deck=standard").start(1).view(0)
    planner = turnwise.planner("online-evolution:population=10,worlds=2,reply=paranoid,reply-turns=1")
    plan = planner.plan(state, Budget(forward_calls=20_000), seed=1)
    assert plan.report.forward_calls_for_others > 0
    assert plan.report.details["rated"] > 1


def test_a_single_player_has_no_replies():
    state = Toy(players=1, points=2, turns=3).start(1)
    plans = [
        turnwise.planner("greedy-turn", reply=reply).plan(state, Budget(forward_calls=500), seed=1)
        for reply in ("none", "paranoid")
    ]
    assert plans[0].codes == plans[1].codes
    assert plans[0].report.forward_calls == plans[1].report.forward_calls


@pytest.mark.parametrize(
    ("planner", "message"),
    [
        ("greedy-turn:reply=paranoid,evaluate-at=before-end", "after-end"),
        ("online-evolution:reply=brs+,fitness=rollout", "fitness=static"),
        ("emcts:reply=max-n,horizon=turns=2", "horizon=own-turn"),
        ("fh-emcts:reply=max-n", "horizon=own-turn"),
        ("pgs:reply=opps", "horizon=own-turn"),
        ("emcts:reply=everybody", "max-n"),
    ],
)
def test_what_does_not_go_together_is_refused(planner, message):
    with pytest.raises(OptionError, match=message):
        turnwise.planner(planner)


def test_too_many_players_are_refused():
    state = ThreeSides().start(0)
    state.game.players = 40
    try:
        with pytest.raises(CapacityError, match="at most 31 players"):
            TurnRepliesMemory(
                TurnReplies(), Problem(state, Budget(iterations=1), 1), TurnReplyParameters(reply="paranoid")
            )
    finally:
        state.game.players = 3
