"""What the conformance kit says: expected signatures, and equal failures as one."""

import pytest

import turnwise
from doubles.counting_game import Counting
from turnwise import PythonPlanner
from turnwise.testing import ConformanceError, check_game, check_planner, game_failures, planner_failures


class Rolling(Counting):
    """A sound game; the broken ones below differ from it in one respect."""

    reveals_in_turn = True


class NoRandom(Rolling):
    def play(self, state, action):
        return state


class NoReturn(Rolling):
    def play(self, state, action, random):
        super().play(state, action, random)


class OneResult(Rolling):
    def returns(self, state):
        return float(state.totals[0] - state.totals[1])


class TurnAsText(Rolling):
    def turn(self, state):
        return str(state.turn)


class ValueAsText(Rolling):
    def evaluate(self, state, player):
        return "1.5"


class ActionsAsSet(Rolling):
    def legal_actions(self, state):
        return {"one", "roll", "stop"}


class NumberAsText(Rolling):
    def show_action(self, action):
        return len(action)


SIGNATURES = {
    NoRandom: "play(self, state: S, action: A, random: Chance) -> S, where S is a state and A is an action.",
    NoReturn: "play(self, state: S, action: A, random: Chance) -> S",
    OneResult: "returns(self, state: S) -> Sequence[float]",
    TurnAsText: "turn(self, state: S) -> int",
    ValueAsText: "evaluate(self, state: S, player: int) -> float",
    ActionsAsSet: "legal_actions(self, state: S) -> Sequence[A]",
    NumberAsText: "show_action(self, action: A) -> str",
}


@pytest.mark.parametrize("broken", SIGNATURES, ids=lambda game: game.name)
def test_the_expected_signature_is_quoted(broken):
    failures = game_failures(broken(), states=6)
    assert any(f"The expected signature is {SIGNATURES[broken]}" in failure.message for failure in failures), failures


def test_errors_within_a_method_quote_no_signature():
    class Sums(Rolling):
        def evaluate(self, state, player):
            return sum(state.turn)

    (failure,) = game_failures(Sums(), states=6)
    assert "evaluate raised TypeError: 'int' object is not iterable (test_kit_messages.py, line " in failure.message
    assert "expected signature" not in failure.message


def test_equal_failures_of_a_game_are_one():
    (failure,) = game_failures(ValueAsText(), states=6)
    assert {"pure-questions", "evaluations", "winning-values"} <= set(failure.checks)
    assert "evaluate returned '1.5' (str) in state Count(" in failure.message
    with pytest.raises(ConformanceError) as caught:
        check_game(ValueAsText(), states=6)
    text = str(caught.value)
    assert f"value-as-text: {len(failure.checks)} checks failed." in text
    assert text.count("evaluate returned") == 1
    assert f"{len(failure.checks)} checks failed in this way; the others: {failure.others[0]}, " in text


def test_different_failures_stay_apart():
    class Both(ValueAsText):
        def show(self, state):
            return 5

    messages = [failure.message for failure in game_failures(Both(), states=6)]
    assert len(messages) == 2
    assert any("show returned 5" in message for message in messages)


class Beyond(PythonPlanner):
    """Returns some actions after the end of its turn."""

    name, title, iteration = "beyond", "Beyond", "nothing"

    def search(self, state, meter, random):
        return ["stop"] * (2 + random.randrange(5))


def test_equal_failures_of_a_planner_are_one():
    budgets = [turnwise.Budget(iterations=number) for number in (1, 2, 3)]
    (failure,) = planner_failures(Beyond(), Rolling(), states=1, budgets=budgets)
    assert failure.checks == ("budget iterations=1", "budget iterations=2", "budget iterations=3")
    with pytest.raises(ConformanceError, match="3 checks failed in this way; the others: budget iterations=2, budget"):
        check_planner(Beyond(), Rolling(), states=1, budgets=budgets)
