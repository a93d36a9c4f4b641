"""Groups of actions: candidates without some, one group drawn at the root, and what is refused."""

from collections import Counter

import numpy as np
import pytest

import turnwise
from doubles.skirmish import Skirmish
from doubles.toy_game import END, Toy
from turnwise.core.errors import OptionError, UnknownNameError
from turnwise.jit.record import Ints, array_address
from turnwise.search.action_groups import Parts, keep_one_part, settle_parts
from turnwise.search.forward_model import candidates
from turnwise.search.portfolio import Without, parse_candidates
from turnwise.search.problem import Problem


def problem_of(state, seed=0):
    return Problem(state, turnwise.Budget(iterations=1), seed)


def listed(state, text):
    problem = problem_of(state)
    problem.scripts.choose(text)
    out = np.zeros(state.game.max_actions, np.int64)
    return out[: candidates(problem.record, array_address(state.row), Ints.of(out))].tolist()


def drawn(state, text, seed):
    """What is left of the legal list when a group is drawn."""
    problem, parts = problem_of(state, seed), Parts()
    kept = settle_parts(parts, state.game, text)
    actions, scratch = state.legal_codes().copy(), np.zeros(state.game.max_actions, np.int64)
    row = array_address(state.row)
    n = keep_one_part(problem.record, parts, row, Ints.of(actions), len(actions), Ints.of(scratch))
    del kept
    return actions[:n].tolist()


def test_groups_are_left_out():
    state = Toy(end="free", points=3).start(seed=1)
    groups = {code: state.action_group(code) for code in state.legal_codes().tolist()}
    assert set(groups.values()) == {"step", "strike", "wait", "end"}
    assert listed(state, "without(wait,end)") == [c for c, group in groups.items() if group in ("step", "strike")]
    assert listed(state, "without(strike)") == [c for c, group in groups.items() if group != "strike"]


def test_where_nothing_else_is_legal_the_first_group_stays():
    state = Toy(points=1).start(seed=1)
    after = state.play(int(state.legal_codes()[0]))
    assert after.legal_codes().tolist() == [END]
    assert listed(after, "without(end,wait)") == [END]
    free = Toy(end="free").start(seed=1)
    assert {free.action_group(code) for code in listed(free, "without(wait,step,end,strike)")} == {"wait"}


def test_each_group_is_drawn_equally_often():
    state = Toy(end="free", units=True).start(seed=1)
    found = Counter()
    for seed in range(300):
        groups = [state.action_group(code) for code in drawn(state, "step/wait+strike", seed)]
        assert "end" in groups, "an action in no group competes in every one"
        assert set(groups) in ({"step", "end"}, {"wait", "strike", "end"})
        found[len(set(groups))] += 1
    assert 110 < found[2] < 190


def test_kinds_of_actors_are_groups():
    state = Skirmish(units=4).start(seed=3)
    kinds = {state.actor_kind(actor) for actor in state.actors() if state.actor_codes(actor).size}
    found = set()
    for seed in range(60):
        left = drawn(state, "kinds", seed)
        own = {state.actor_kind(state.actor(code)) for code in left if state.actor(code) is not None}
        assert len(own) == 1
        found |= own
        nobody = [code for code in state.legal_codes().tolist() if state.actor(code) is None]
        assert [code for code in left if state.actor(code) is None] == nobody
    assert found == kinds
    assert len(kinds) > 1


def test_without_parts_all_actions_stay():
    state = Toy(end="free").start(seed=1)
    assert drawn(state, "", 1) == state.legal_codes().tolist()


@pytest.mark.parametrize("planner", ["mcts", "mcts:information-set=true", "mcts-unit-ordered", "flat-mc"])
def test_a_decision_considers_one_group(planner):
    state = Toy(end="free", units=True, points=3).start(seed=1)
    name, _, more = planner.partition(":")
    text = f"{name}:{more},candidates=all,root-groups=step/wait+strike".replace(":,", ":")
    firsts = set()
    for seed in range(25):
        plan = turnwise.planner(text + (",alternatives=20" if "mcts" in text else "")).plan(
            state, turnwise.Budget(iterations=60), seed
        )
        seen = {state.action_group(turn.actions[0]) for turn in plan.alternatives} | {state.action_group(plan.codes[0])}
        assert seen - {"end"} in (set(), {"step"}, {"wait"}, {"strike"}, {"wait", "strike"})
        firsts |= seen
    assert "step" in firsts
    assert firsts & {"wait", "strike"}


def test_texts():
    assert str(parse_candidates(" without( a , b )")) == "without(a,b)"
    assert turnwise.planner("osla", candidates=Without(("end",))).parameters.candidates == "without(end)"
    assert turnwise.planner("flat-mc", root_groups=" a + b/c").parameters.root_groups == "a+b/c"


@pytest.mark.parametrize("text", ["without()", "without(a,)", "without(a,a)"])
def test_faults_of_texts(text):
    with pytest.raises(OptionError, match="names of groups"):
        turnwise.planner("osla", candidates=text)


def test_unknown_groups():
    planner = turnwise.planner("osla", candidates="without(jump)")
    with pytest.raises(UnknownNameError, match="jump"):
        planner.plan(Toy().start(), turnwise.Budget(iterations=1))
    with pytest.raises(OptionError, match="no groups of actions"):
        planner.plan(turnwise.make("samegame").start(), turnwise.Budget(iterations=1))
    assert turnwise.make("samegame").start().action_group(turnwise.make("samegame").start().legal_actions()[0]) is None


class Orchards(turnwise.PythonGame[int, str]):
    """Count to eight by small and large steps, in plain Python."""

    name = "steps-in-groups"
    players, max_turn, max_actions = 1, 1, 3
    action_groups = ("small", "large")

    def first_state(self, random):
        return 0

    def legal_actions(self, state):
        return ["one", "two", "three"]

    def play(self, state, action, random):
        return state + {"one": 1, "two": 2, "three": 3}[action]

    def to_move(self, state):
        return -1 if state >= 8 else 0

    def turn(self, state):
        return state

    def returns(self, state):
        return [1.0]

    def action_group(self, state, action):
        return "large" if action == "three" else "small" if action != "two" else self.middle

    middle = "small"


def test_games_in_plain_python_have_groups():
    state = Orchards().start()
    assert [state.action_group(text) for text in state.legal_actions()] == ["small", "small", "large"]
    assert [state.text(code) for code in listed(state, "without(small)")] == ["three"]

    class Wrong(Orchards):
        name = "steps-in-no-group"
        middle = "middle"

    with pytest.raises(turnwise.TurnwiseError, match="one of action_groups: small, large"):
        Wrong().start().action_group("two")
