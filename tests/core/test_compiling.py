"""A function of a game that cannot be compiled is named with its line."""

import pytest

import turnwise
from doubles.toy_game import Toy, ToySetup, ToyState
from turnwise.core.errors import GameFunctionError
from turnwise.core.game import Evaluation
from turnwise.core.table import game_function
from turnwise.jit.record import Address, Floats, Word

pytestmark = pytest.mark.compiled_only("uncompiled functions run as they are")


@game_function("returns")
def returns(o: ToySetup, s: ToyState, out: Floats) -> None:
    out[0] = float(s.turn > 1)


@game_function("turn")
def turn(o: ToySetup, s: ToyState) -> int:
    return s.nothing


@game_function("to_move")
def to_move(o: ToySetup, s) -> int:
    return s.turn % 2


@game_function("fingerprint")
def fingerprint(o: ToySetup, s: ToyState) -> Word:
    return unknown(s.turn)  # noqa: F821 - what the test is about


@game_function("evaluation")
def value(o: ToySetup, root: Address, s: ToyState, player: int, parameters: Floats) -> float:
    return [1.0, "a"][s.turn]


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (returns, ["The function 'returns' of 'toy'", "float(bool)", "out[0] = float(s.turn > 1)"]),
        (turn, ["The function 'turn' of 'toy'", "'nothing'", "return s.nothing"]),
        (to_move, ["'to_move' of 'toy'", "The argument 's' has no annotation", "as in s: MyState"]),
        (fingerprint, ["The function 'fingerprint' of 'toy'", "'unknown' is not defined"]),
    ],
)
def test_a_function_that_cannot_be_compiled_is_named(function, words):
    class Broken(Toy):
        def functions(self):
            return super().functions() | {function.python.__name__: function}

    with pytest.raises(GameFunctionError) as caught:
        Broken().start()
    message = str(caught.value)
    assert "\n" not in message
    assert "cannot be compiled" in message
    for part in [*words, f"line {function.python.__code__.co_firstlineno}"]:
        assert part in message, message


def test_so_is_an_evaluation():
    game = Toy()
    game._registered["odd"] = Evaluation(value, -1.0, 1.0, "odd")
    with pytest.raises(GameFunctionError, match=r"The evaluation 'odd' \(value, line \d+\) cannot be compiled"):
        turnwise.planner("greedy-turn", evaluation="odd").plan(game.start(), "forward=20")
