"""Tunings as TOML: what every kind of parameter means, and clear messages."""

import pytest

from doubles.tuned import SPEC
from turnwise.core.errors import DamagedFileError, OptionError, UnknownNameError
from turnwise.core.specification import LARGEST_SPEC
from turnwise.tuning.space import Parameter, Subset
from turnwise.tuning.specification import make_space, make_tuning, read_tuning

FILE = """
name = "exploration"
games = "toy"
planner = "dial"
opponents = ["plain"]
budget = "iterations=3"
evaluations = 20
runs = 2

[parameters]
dial = { from = 0, to = 8, step = 2 }
rollout-depth = [0, 5, 20]
policy = ["random", "tabu"]
flag = [false, true]
exploration = { from = 0.1, to = 10.0, steps = 3, scale = "log" }
candidates = { subset = ["a", "b"], form = "portfolio({})" }
tabu = { values = [1, 2], when = { policy = "tabu", rollout-depth = [5, 20] } }

[ntbea]
tuples = [1, "all"]
"""


def test_every_kind_of_parameter(tmp_path):
    (tmp_path / "t.toml").write_text(FILE)
    spec = read_tuning(tmp_path / "t.toml")
    assert spec.space.parameters == (
        Parameter("dial", (0, 2, 4, 6, 8), True),
        Parameter("rollout_depth", (0, 5, 20), True),
        Parameter("policy", ("random", "tabu")),
        Parameter("flag", (False, True)),
        Parameter("exploration", (0.1, 1.0, 10.0), True),
        Subset("candidates", ("a", "b"), "portfolio({})"),
        Parameter("tabu", (1, 2), True, {"policy": ("tabu",), "rollout_depth": (5, 20)}),
    )
    assert spec.settings.tuples == (1, "all")
    assert spec.games == ("toy",)


@pytest.mark.parametrize(
    ("given", "values"),
    [
        ({"from": 1, "to": 4}, (1, 2, 3, 4)),
        ({"from": 1, "to": 9, "step": 3}, (1, 4, 7)),
        ({"from": 0.0, "to": 1.0, "step": 0.25}, (0.0, 0.25, 0.5, 0.75, 1.0)),
        ({"from": 0, "to": 1.0, "steps": 3}, (0.0, 0.5, 1.0)),
        ({"from": 1, "to": 100, "steps": 5, "scale": "log"}, (1, 3, 10, 32, 100)),
        ({"from": 1, "to": 3, "steps": 9, "scale": "log"}, (1, 2, 3)),
        ({"values": [3, 1]}, (3, 1)),
    ],
)
def test_grids(given, values):
    (parameter,) = make_space({"x": given}).parameters
    assert parameter.values == values
    assert [type(v) for v in parameter.values] == [type(v) for v in values]
    assert parameter.is_ordered == (list(values) == sorted(values))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (5, "a list of values, or a table"),
        ({"form": 1}, "a list of values, or a table"),
        ({"values": [1], "subset": ["a"]}, "a list of values, or a table"),
        ({"from": 1, "to": 2, "stps": 3}, "stps"),
        ({"from": 2, "to": 2}, "from < to"),
        ({"from": 1}, "from < to"),
        ({"from": "1", "to": 2}, "from < to"),
        ({"from": 0.1, "to": 2}, "a number of 'steps'"),
        ({"from": 0.1, "to": 2, "step": -1}, "a number of 'steps'"),
        ({"from": 1, "to": 5, "scale": "log"}, "a number of 'steps'"),
        ({"from": 0, "to": 5, "steps": 3, "scale": "log"}, "from > 0"),
        ({"from": 0, "to": 5, "steps": 1}, "steps = a number"),
        ({"from": 0, "to": 5, "steps": 3, "step": 1}, "without 'step'"),
        ({"from": 0, "to": 5, "scale": "cubic"}, "scale"),
        ({"from": 0, "to": 10**6}, "at most 1000 values"),
        ({"from": 0, "to": 1, "step": 1e-310}, "at most 1000 values: a larger step, or a number of 'steps'"),
        ({"values": [[1], [2]]}, "a list of texts"),
        ({"values": [1, 2], "when": "x"}, "when = "),
        ({"subset": "ab"}, "subset = a list of texts"),
        ({"subset": ["a", "b"], "form": "none"}, "form = a text with {}"),
        ({"subset": ["a", "b"], "least": True}, "least = 0 or 1"),
    ],
)
def test_invalid_parameters_are_refused(given, words):
    with pytest.raises(OptionError, match=words) as caught:
        make_space({"x": given})
    assert "parameters: x: expected" in str(caught.value)
    assert "got" in str(caught.value)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"evaluations": 0}, "evaluations"),
        ({"evalutions": 5}, "evaluations"),
        ({"algorithm": "smac"}, "ntbea, random, rmhc, swcga, grid, tpe"),
        ({"ntbea": {"k": 1}}, "ntbea"),
        ({"parameters": {}}, "parameters"),
        ({"parameters": {"dial": [1]}}, "at least two points"),
        ({"games": ()}, "'games' is missing"),
        ({"planner": ""}, "'planner' is missing"),
        ({"budget": "soon"}, "soon"),
        ({"budgets": {"palin": "iterations=1"}}, "palin"),
        ({"opponents": ["plain", "plain"]}, "listed twice"),
        ({"opponents": {"tuned": "plain"}}, "rename it"),
        ({"fitness": "points"}, "expected auto, score, result"),
        ({"fitness": "doubles.tuned:parabola"}, "'games' is given"),
        ({"selection": 1}, "selection"),
        ({"parameters": {}}, "expected at least one parameter, as in policy"),
        ({"evaluations": True}, "evaluations = True: expected a whole number"),
        ({"seed": False}, "seed = False: expected a whole number"),
        ({"opponents": 7}, "expected planners in a list, or as a table"),
        ({"opponents": [7]}, "expected planners in a list, or as a table"),
        ({"opponents": [["plain"]]}, "expected planners in a list, or as a table"),
        ({"games": ["toy:turns=4", "toy:turns=4"]}, "tuning: a scenario is listed twice"),
        ({"parameters": {"dial": {"from": 1, "to": 10**400}}}, "numbers from < to of at most 1e.300"),
        ({"parameters": {"dial": {"from": 1, "to": float("inf")}}}, "numbers from < to of at most 1e.300"),
        ({"parameters": {"dial": {"from": 1, "to": 10**400, "steps": 3, "scale": "log"}}}, "numbers from < to"),
        ({"parameters": {"dial": {"from": 0.0, "to": 1.0, "step": float("nan")}}}, "a 'step' above 0"),
    ],
)
def test_invalid_tunings_are_refused(changed, words):
    with pytest.raises((OptionError, UnknownNameError), match=words):
        make_tuning(**(SPEC | changed))


def test_files_are_limited_and_named(tmp_path):
    path = tmp_path / "t.toml"
    path.write_text("x" * (LARGEST_SPEC + 1))
    with pytest.raises(DamagedFileError, match="larger than"):
        read_tuning(path)
    path.write_text("evaluations = ")
    with pytest.raises(DamagedFileError, match=r"t\.toml: not valid TOML"):
        read_tuning(path)
    path.write_text("evaluations = 5")
    with pytest.raises(OptionError, match=r"t\.toml: .*parameters"):
        read_tuning(path)


def test_only_faults_of_names_list_all_names():
    with pytest.raises(OptionError, match=r"Fields: name, parameters, "):
        make_tuning(**(SPEC | {"evalutions": 5}))
    with pytest.raises(OptionError, match=r"^tuning: runs = 0: expected a whole number from 1 to 1000\.$"):
        make_tuning(**(SPEC | {"runs": 0}))
