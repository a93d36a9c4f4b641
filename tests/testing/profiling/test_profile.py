"""Profiles show what a search spends its time on, and do not change the search."""

import json
import time
from dataclasses import dataclass

import pytest

import turnwise
from doubles.toy_game import Toy
from turnwise.core.budget import Budget
from turnwise.core.errors import OptionError
from turnwise.testing import profile_search
from turnwise.testing.profiling.meters import Meters
from turnwise.testing.profiling.methods import ClockedMethods, own_methods

CALLS = Budget(forward_calls=400)


class Slow(turnwise.PythonGame[int, str]):
    """Counts to three; rating a state takes half a millisecond, in a method of its own."""

    players, max_turn, max_actions, bounds = 1, 1, 2, (0.0, 3.0)

    def first_state(self, random: turnwise.Chance) -> int:
        return 0

    def to_move(self, state):
        return -1 if state // 10 == 3 else 0

    def turn(self, state):
        return state // 10

    def legal_actions(self, state):
        return ["on", "stay"]

    def play(self, state, action, random):
        return state + 11 if action == "on" else state + 10

    def returns(self, state):
        return (float(state % 10),)

    def evaluate(self, state, player):
        return self.careful_value(state)

    def careful_value(self, state):
        time.sleep(0.0005)
        return float(state % 10)


@pytest.mark.compiled_only("a profile of uncompiled code is refused")
@pytest.mark.parametrize("name", ["online-evolution:population=10", "mcts", "greedy-turn"])
def test_metered_searches_are_the_same_and_every_call_is_counted(name):
    game, planner = Toy(), turnwise.planner(name)
    meters = Meters(game)
    plain = planner.plan(game.start(1), CALLS, seed=3)
    metered = planner.plan(meters.game.start(1), CALLS, seed=3)
    assert (metered.codes, metered.value, metered.report.forward_calls) == (
        plain.codes,
        plain.value,
        plain.report.forward_calls,
    )
    found = {reading.function: reading for reading in meters.readings()}
    assert found["apply"].calls >= plain.report.forward_calls
    assert (
        found["apply"].calls <= plain.report.forward_calls + 5 * game.max_turn
    )  # texts of the plan and its alternatives
    assert found["evaluation"].calls >= plain.report.evaluations
    assert "heir" not in found
    meters.clear()
    assert meters.readings() == []


@pytest.mark.compiled_only("a profile of uncompiled code is refused")
def test_shares_add_up():
    states = [Toy().start(1)]
    found = profile_search(turnwise.planner("mcts"), [*states, states[0].play(states[0].legal_codes()[0])], CALLS)
    assert found.positions == 2
    assert found.forward_calls >= 800
    assert found.methods == ()
    shares = [function.share for function in found.functions]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) + found.own_share >= 1.0 - 1e-9
    facts = json.loads(found.to_json())
    assert facts["functions"][0]["function"] == found.functions[0].function
    assert facts["planner"] == turnwise.planner("mcts").spec


@pytest.mark.compiled_only("a profile of uncompiled code is refused")
def test_the_slow_method_of_a_python_game_is_found():
    found = profile_search(turnwise.planner("greedy-turn"), [Slow().start()], Budget(forward_calls=20))
    assert found.functions[0].function == "evaluation"
    assert found.functions[0].share > 0.5
    assert found.methods[0].method == "careful_value"
    assert found.methods[0].nanoseconds > 450_000
    outer = next(method for method in found.methods if method.method == "evaluate")
    assert outer.calls == found.methods[0].calls
    assert outer.nanoseconds < 250_000  # without the method that it calls


def test_methods_of_the_author_are_clocked_and_no_others():
    names = own_methods(Slow)
    assert {"play", "careful_value", "evaluate"} <= set(names)
    assert not {"start", "__init__", "pointers"} & set(names)
    clocks = ClockedMethods(Slow())
    clocks.game.evaluate(11, 0)
    assert {each.name: each.calls for each in clocks.times()} == {"evaluate": 1, "careful_value": 1}
    with pytest.raises(TypeError):
        clocks.game.evaluate()
    clocks.clear()
    assert clocks.times() == []


@pytest.mark.compiled_only("a profile of uncompiled code is refused")
def test_wrong_positions_are_refused():
    planner = turnwise.planner("greedy-turn")
    with pytest.raises(OptionError, match="at least one position"):
        profile_search(planner, [], CALLS)
    with pytest.raises(OptionError, match="Position 1 belongs to another game"):
        profile_search(planner, [Toy().start(), Toy().start()], CALLS)
    state = Slow().start()
    over = state.play("on").play("on").play("on")
    with pytest.raises(OptionError, match="Position 0: the game is over"):
        profile_search(planner, [over], CALLS)


@dataclass(frozen=True)
class Place:
    at: int = 0
    turns: int = 0


class Walk(turnwise.PythonGame[Place, str]):
    """A state that is a dataclass, as in the tutorial."""

    players, max_turn, max_actions, bounds = 1, 1, 2, (0.0, 3.0)

    def first_state(self, random: turnwise.Chance) -> Place:
        return Place()

    def to_move(self, state):
        return -1 if state.turns == 3 else 0

    def turn(self, state):
        return state.turns

    def legal_actions(self, state):
        return ["on", "stay"]

    def play(self, state, action, random):
        return Place(state.at + (action == "on"), state.turns + 1)

    def returns(self, state):
        return (float(state.at),)


def test_states_may_be_dataclasses():
    profile = profile_search(turnwise.planner("greedy-turn"), [Walk().start(seed=1)], "forward=100")
    assert {method.method for method in profile.methods} >= {"legal_actions", "play"}
