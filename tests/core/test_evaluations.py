"""Evaluations whose parameters users set, and values of all players at once."""

import copy
import pickle

import numpy as np
import pytest

import turnwise
from doubles.counting_game import Counting
from turnwise.core import calls
from turnwise.core.errors import GameFunctionError, OptionError, UnknownNameError
from turnwise.core.evaluation import Evaluation, joined_name, split_name
from turnwise.core.table import game_function
from turnwise.jit.record import Address, Floats


@game_function("evaluation")
def linear(g: Address, root: Address, s: Address, player: int, weights: Floats) -> float:
    return weights[0] * (1 + player) + weights[1]


@game_function("evaluation_of_all")
def linear_of_all(g: Address, root: Address, s: Address, out: Floats, weights: Floats) -> None:
    for player in range(2):
        out[player] = weights[0] * (1 + player) + weights[1]


def limits(weights):
    reach = abs(weights[0]) * 2 + abs(weights[1])
    return -reach, reach


LINEAR = Evaluation(linear, -3.0, 3.0, "a test", (1.0, 0.5), ("slope", "shift"), limits, linear_of_all)


@pytest.fixture
def game():
    found = turnwise.make("hero-academy")
    found.register_evaluation("linear", LINEAR, states=2)
    return found


@pytest.mark.parametrize("name", ["li near", "l(x=3)", "a,b", "9", "=", "-a"])
def test_the_name_of_an_evaluation_is_a_word(name):
    with pytest.raises(OptionError, match="must be a word"):
        turnwise.make("hero-academy").register_evaluation(name, LINEAR, states=1)


@pytest.mark.parametrize(
    ("names", "bounds_of", "message"),
    [
        (("slope", "slope"), limits, "expected different words"),
        (("sl ope",), limits, "expected different words"),
        (("a", "b", "c"), limits, "3 parameter_names but 2 parameters"),
        (("slope",), None, r"linear\(slope=-?20.0\)' gave .* give bounds_of"),
        (("slope",), 3, "bounds_of must be a function .* got 3"),
        ((), 3, "bounds_of must be a function .* got 3"),
        (("slope",), lambda: (-1, 1), "bounds_of.* failed: TypeError"),
        (("slope",), lambda values: 1 / 0, "bounds_of.* failed: ZeroDivisionError"),
        (("slope",), lambda values: (5, -5), r"bounds_of\(\(20.0, 0.5\)\) returned 5 and -5; expected finite bounds"),
        (("slope",), lambda values: (0, float("inf")), "returned 0 and inf; expected finite bounds"),
    ],
)
def test_parameters_and_their_bounds_are_tested_when_an_evaluation_is_registered(names, bounds_of, message):
    given = Evaluation(linear, -3.0, 3.0, "a test", (1.0, 0.5), names, bounds_of)
    with pytest.raises(GameFunctionError, match=message):
        turnwise.make("hero-academy").register_evaluation("linear", given, states=2)


def test_parameters_are_set_by_name(game):
    state = game.start()
    assert state.evaluate(1, "linear") == 2.5
    assert state.evaluate(1, "linear(slope=3)") == 6.5
    assert state.evaluate(0, " linear ( shift = -1 , slope = 2 ) ") == 1.0
    name, chosen = game.evaluation("linear(slope=3)")
    assert name == "linear(slope=3.0)"
    assert chosen.parameters == (3.0, 0.5)
    assert (chosen.low, chosen.high) == (-6.5, 6.5)
    assert game.evaluation(name) == (name, chosen)


def test_a_search_uses_the_parameters(game):
    planner = turnwise.planner("online-evolution", evaluation="linear(slope=4)")
    assert planner.plan(game.start(), turnwise.Budget(iterations=1)).value == 4.5


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("linear(", "not of this form"),
        ("linear(slope)", "'slope'"),
        ("linear(slope=much)", "slope=much"),
        ("linear(slope=nan)", "slope=nan"),
        ("linear(slope=1,slope=2)", "twice"),
        ("(slope=1)", "not of this form"),
        ("linear((slope=1))", "slope=1"),
    ],
)
def test_other_forms_are_refused(game, text, says):
    with pytest.raises(OptionError, match=r"name\(parameter=number,\.\.\.\)") as caught:
        game.evaluation(text)
    assert says in str(caught.value)


def test_unknown_parameters_are_refused(game):
    with pytest.raises(UnknownNameError, match=r"has no parameter .*did you mean 'slope'"):
        game.evaluation("linear(slop=1)")
    with pytest.raises(UnknownNameError, match="Game hero-academy has no evaluation"):
        game.evaluation("lineal(slope=1)")


def test_texts_round_trip():
    for changes in ({}, {"a": 1.0}, {"a": 0.1, "b c": -2e300}):
        text = joined_name("x", changes)
        assert (split_name(text) if changes else (text, {})) == ("x", changes)


def test_values_of_all_players_are_those_of_each(game):
    row = game.start().row
    for name in ("linear", "linear(slope=-2)", ""):
        chosen = game.evaluation(name)[1]
        each = [calls.value(game, chosen, row, row, player) for player in range(2)]
        assert calls.values(game, chosen, row, row) == each


def test_evaluations_are_pickled_and_copied():
    again = pickle.loads(pickle.dumps(LINEAR))
    assert again == LINEAR
    assert copy.deepcopy(LINEAR) is LINEAR
    assert np.isfinite(again.bounds_of((1.0, 2.0))).all()


@pytest.mark.parametrize("bounds", [(1, 0), (0, 0), (0, float("inf")), (float("nan"), 1), ("low", 1)])
def test_bounds_of_an_evaluation_in_plain_python_are_checked_at_once(bounds):
    with pytest.raises(GameFunctionError, match=r"Evaluation '_rate': .*(bound|bounds) must be"):
        Counting().python_evaluation(_rate, *bounds)


def test_bounds_of_other_parameters_is_a_function():
    with pytest.raises(GameFunctionError, match=r"Evaluation '_rate': bounds_of must be a function .* got \(0, 1\)"):
        Counting().python_evaluation(_rate, 0.0, 1.0, bounds_of=(0, 1))


def _rate(state, player):
    return 0.5
