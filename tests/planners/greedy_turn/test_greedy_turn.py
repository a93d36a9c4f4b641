"""Greedy turn against plain enumeration, and its readings."""

import gzip
import json
from dataclasses import dataclass, replace

import pytest

import turnwise
from doubles.recorded_play import COLLECTIONS, selection
from doubles.toy_game import Toy
from turnwise import PythonGame
from turnwise.core.budget import Budget
from turnwise.plain_python.chance import Chance
from twins.plain_search import all_outcomes, played

EVERYTHING = Budget(iterations=10**9)
SHARED = COLLECTIONS / "hero_academy" / "turn_search.jsonl.gz"
OWN = selection("hero_academy") / "turn_search.jsonl.gz"


@pytest.mark.parametrize("points", [1, 2, 3, 5])
@pytest.mark.parametrize("options", [{}, {"end": "free"}, {"players": 3}, {"end": "free", "wait_is_free": True}])
def test_distinct_outcomes_and_best_value(points, options):
    state = Toy(points=points, **options).start(seed=1)
    expected = all_outcomes(state)
    plan = turnwise.planner("greedy-turn").plan(state, EVERYTHING)
    details = plan.report.details
    assert details["outcomes"] == plan.report.iterations == plan.report.evaluations == len(expected)
    assert details["exhaustive"] == 1
    assert plan.report.stopped_by == "done"
    assert plan.value == max(expected.values()) == expected[bytes(played(state, plan.actions).row)]


def test_alternatives_are_the_next_best_distinct_outcomes():
    state = Toy(points=3).start()
    expected = all_outcomes(state)
    plan = turnwise.planner("greedy-turn", alternatives=7).plan(state, EVERYTHING)
    found = [plan.value, *(a.value for a in plan.alternatives)]
    assert found == sorted(expected.values(), reverse=True)[:8]
    ends = [bytes(played(state, actions).row) for actions in (plan.actions, *(a.actions for a in plan.alternatives))]
    assert len(set(ends)) == 8
    assert [expected[end] for end in ends] == found


@pytest.mark.parametrize("limit", [1, 7, 50, 333])
def test_the_number_of_outcomes_is_exact_and_batches_change_nothing(limit):
    """With a forward limit children are made one at a time, else in batches: the order of states is the same."""
    state = Toy(points=7).start()
    several = turnwise.planner("greedy-turn").plan(state, Budget(iterations=limit))
    single = turnwise.planner("greedy-turn").plan(state, Budget(iterations=limit, forward_calls=10**9))
    assert several.report.iterations == single.report.iterations == limit
    assert (several.codes, several.value) == (single.codes, single.value)
    assert several.alternatives == single.alternatives


def test_table_grows_and_is_bounded():
    state = Toy(points=8, end="free").start()
    whole = turnwise.planner("greedy-turn").plan(state, EVERYTHING)
    assert whole.report.details["states"] > 5_000
    bounded = turnwise.planner("greedy-turn", table=1024).plan(state, EVERYTHING)
    assert bounded.report.stopped_by == "memory"
    assert bounded.report.details["table_bytes"] == 2048 * 8
    assert bounded.report.details["states"] <= 1366
    small = turnwise.planner("greedy-turn").plan(state, Budget(iterations=10))
    assert small.report.details["table_bytes"] <= 8192
    grown = turnwise.planner("greedy-turn").plan(state, Budget(iterations=2270))
    assert grown.report.iterations == 2270
    assert (grown.codes, grown.value) == (whole.codes, whole.value)


def test_ties_and_order_are_options():
    state = Toy(points=3).start()
    first = turnwise.planner("greedy-turn", sort="none").plan(state, EVERYTHING)
    last = turnwise.planner("greedy-turn", sort="none", ties="last").plan(state, EVERYTHING)
    assert first.value == last.value
    one = turnwise.planner("greedy-turn").plan(state, Budget(iterations=1))
    unsorted = turnwise.planner("greedy-turn", sort="none").plan(state, Budget(iterations=1))
    assert one.value > unsorted.value  # the best-scored line comes first


def turn_search_records():
    path = SHARED if SHARED.exists() else OWN
    if not path.exists():
        return []
    with gzip.open(path, "rt") as lines:
        return [record for record in map(json.loads, lines) if "state" in record]


RECORDS = turn_search_records()


@pytest.mark.compiled_only("all outcomes of many turns of Hero Academy")
@pytest.mark.skipif(not RECORDS, reason="no recorded turn searches here")
def test_recorded_searches_of_the_engine():
    """Leaves and best values of the engine's exhaustive greedy turn, and the best single action of greedy action.

    The engine plays on after a win; where a win is possible it therefore counts more leaves.
    """
    counted = 0
    for record in RECORDS:
        game = turnwise.make("hero-academy", map=record["map"])
        state = game.from_dict(record["state"])
        plan = turnwise.planner("greedy-turn", preset="as-coded").plan(state, EVERYTHING)
        assert plan.value == record["best_turn"]
        if record["best_turn"] < 60_000:
            assert plan.report.details["outcomes"] == record["leaves"]
            counted += 1
        action = turnwise.planner("greedy-action", preset="as-coded").plan(state, Budget(iterations=100)).codes[0]
        assert state.play(action).evaluate(state.to_move, "as-coded", state) == record["best_one_action"]
    assert counted >= len(RECORDS) * 0.8


@dataclass(frozen=True)
class Stop:
    """Where somebody stands who may take one step."""

    has_stepped: bool = False
    is_over: bool = False


class OneStep(PythonGame[Stop, str]):
    """All turns are worth the same; one ends at once, the other two after the only action that is left."""

    max_turn = 2
    bounds = (0.0, 1.0)

    def first_state(self, random: Chance) -> Stop:
        return Stop()

    def legal_actions(self, state: Stop) -> list[str]:
        return ["end"] if state.has_stepped else ["end", "left", "right"]

    def play(self, state: Stop, action: str, random: Chance) -> Stop:
        return replace(state, is_over=True) if action == "end" else replace(state, has_stepped=True)

    def to_move(self, state: Stop) -> int:
        return -1 if state.is_over else 0

    def turn(self, state: Stop) -> int:
        return 0

    def returns(self, state: Stop) -> list[float]:
        return [0.0, 0.0]


@pytest.mark.parametrize("budget", [EVERYTHING, Budget(seconds=5.0), Budget(forward_calls=1000)])
@pytest.mark.parametrize("evaluate_at", ["before-end", "after-end"])
def test_the_first_of_equal_turns_is_kept_under_every_budget(budget, evaluate_at):
    """Outcomes that wait for the table are ranked before those that do not have to."""
    mind = turnwise.planner("greedy-turn", evaluate_at=evaluate_at)
    assert mind.plan(OneStep().start(), budget).actions == ("end",)
