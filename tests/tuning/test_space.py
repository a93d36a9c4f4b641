"""Spaces of settings: points in normal form, random points, mutants."""

from random import Random

import pytest

from turnwise.core.errors import OptionError, UnknownNameError
from turnwise.tuning.space import INACTIVE, Parameter, Space, Subset

POLICY = Parameter("policy", ("random", "tabu", "greedy"))
CONDITIONAL = Space(
    [
        POLICY,
        Parameter("tabu_length", (1, 2, 5), True, {"policy": ("tabu",)}),
        Subset("scripts", ("a", "b", "c"), "portfolio({})"),
        Parameter("depth", (0, 5, 10, 20), True),
        Parameter("slope", (0.1, 1.0), True, {"tabu_length": (2, 5), "policy": ("tabu",)}),
    ]
)


def test_all_points_are_counted_once():
    points = list(CONDITIONAL.points())
    # Two policies without a tabu list, and one with 1 (no slope), 2 or 5 (two slopes each); 7 subsets; 4 depths.
    assert CONDITIONAL.size == len(points) == (2 + 1 + 2 * 2) * 7 * 4
    assert len(set(points)) == len(points)
    assert len({str(CONDITIONAL.settings(point)) for point in points}) == len(points)
    assert all(CONDITIONAL.check(point) == point for point in points)


def test_the_number_of_points_is_found_without_listing_them():
    """Forty switches, each with a parameter of its own: (1 + 3) ways each, in any order of the parameters."""
    switches = [Parameter(f"use_{number}", (False, True)) for number in range(40)]
    owned = [Parameter(f"x_{n}", (1, 2, 3), True, {f"use_{n}": (True,)}) for n in range(20)]
    assert Space([*switches[:20], *owned]).size == 4**20
    joined = Parameter("joined", (1, 2), when={"use_0": (True,), "use_1": (True,)})
    # Both switches and 3 * 3 values with 2 each, one of them with 3, or none.
    assert Space([*switches[:2], *owned[:2], joined]).size == 3 * 3 * 2 + 3 + 3 + 1
    assert len(list(Space([*switches[:2], *owned[:2], joined]).points())) == 25


def test_settings_have_active_parameters_only():
    assert CONDITIONAL.settings((0, INACTIVE, 1, 0, 1, 3, INACTIVE)) == {
        "policy": "random",
        "scripts": "portfolio(a,c)",
        "depth": 20,
    }
    assert CONDITIONAL.settings((1, 1, 0, 1, 0, 0, 0))["slope"] == 0.1
    assert Space([Subset("units", ("king", "archer"))]).settings((1, 0)) == {"units": ["king"]}


def test_normal_form():
    assert CONDITIONAL.normal((0, 2, 1, 1, 1, 0, 1)) == (0, INACTIVE, 1, 1, 1, 0, INACTIVE)
    assert CONDITIONAL.normal((1, 0, 1, 1, 1, 0, 1)) == (1, 0, 1, 1, 1, 0, INACTIVE)


@pytest.mark.parametrize(
    "point",
    [(0, 0, 1, 1, 1, 0, INACTIVE), (0, INACTIVE, 0, 0, 0, 0, INACTIVE), (0, -1, 1, 1, 1, 4, -1), (0,), (0.0,) * 7],
)
def test_stored_points_are_checked(point):
    with pytest.raises(ValueError, match="no point of this space"):
        CONDITIONAL.check(point)


def test_random_points_are_points_and_reach_all():
    rng = Random(1)
    points = set(CONDITIONAL.points())
    assert {CONDITIONAL.sample(rng) for _ in range(5000)} == points


def test_mutants_differ_and_are_points():
    rng = Random(2)
    points = set(CONDITIONAL.points())
    for changes in (0.0, 2.0, 64.0):
        for point in points:
            for _ in range(20):
                mutant = CONDITIONAL.mutant(point, rng, changes)
                assert mutant in points
                assert mutant != point


def test_mutants_reach_all_points():
    rng = Random(3)
    start = (0, INACTIVE, 1, 0, 0, 0, INACTIVE)
    reached, waiting = {start}, [start]
    while waiting:
        point = waiting.pop()
        new = {CONDITIONAL.mutant(point, rng, 0.0) for _ in range(200)} - reached
        reached |= new
        waiting += new
    assert reached == set(CONDITIONAL.points())


def test_number_of_changes():
    space = Space([Parameter(f"p{i}", (0, 1, 2, 3)) for i in range(8)])
    rng, start = Random(4), (0,) * 8
    changes = [sum(x != 0 for x in space.mutant(start, rng, 2.0)) for _ in range(4000)]
    assert abs(sum(changes) / len(changes) - (1 + 7 * 2 / 8)) < 0.08
    assert {sum(x != 0 for x in space.mutant(start, rng, 0.0)) for _ in range(100)} == {1}


def test_a_parameter_of_one_value_never_changes():
    space = Space([Parameter("fixed", (7,)), Parameter("free", (0, 1))])
    assert space.mutant((0, 0), Random(5), 64.0) == (0, 1)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ([], "two points"),
        ([Parameter("x", (1,))], "two points"),
        ([Parameter("x", ())], "different values"),
        ([Parameter("x", (1, 1))], "different values"),
        ([Parameter("x", (1.0, float("nan")))], "finite"),
        ([POLICY, POLICY], "given twice"),
        ([Subset("s", ("a",))], "two or more different items"),
        ([Subset("s", ("a", "b"), least=2)], "least = 0 or 1"),
        ([Parameter("x", (1, 2), when={"policy": ("tabu",)}), POLICY], "stands above it"),
        ([POLICY, Parameter("x", (1, 2), when={"polcy": ("tabu",)})], "did you mean 'policy'"),
        ([POLICY, Parameter("x", (1, 2), when={"policy": ("fast",)})], "expected some of its values"),
        ([Subset("s", ("a", "b")), Parameter("x", (1, 2), when={"s": ("a",)})], "not a subset"),
        ([Subset(f"s{i}", tuple("abcdefgh")) for i in range(9)], "at most 64 dimensions"),
        ("abc", r"made of a list of Parameter and Subset, .*; got 'abc' \(str\)"),
        ([3], "made of a list of Parameter and Subset"),
        (None, "made of a list of Parameter and Subset"),
        ([Parameter(3, (1, 2))], "name of a tuned parameter must be a text"),
        ([Parameter("x", "abc")], "x: expected a list of texts, numbers, true and false; got 'abc'"),
        ([Parameter("x", 3)], "x: expected a list of texts"),
        ([Parameter("x", (1, [2]))], "x: expected a list of texts"),
        ([POLICY, Parameter("x", (1, 2), when={"policy": "tabu"})], "x: expected when = "),
        ([POLICY, Parameter("x", (1, 2), when=None)], "x: expected when = "),
        ([Subset("s", "abc")], "s: expected a list of texts as the items"),
        ([Subset("s", (1, 2))], "s: expected a list of texts as the items"),
        ([Subset("s", ("a", "b"), form=3)], "s: expected form = a text with"),
        ([Subset("s", ("a", "b"), form="none")], "s: expected form = a text with"),
    ],
)
def test_invalid_spaces_are_refused(parameters, words):
    with pytest.raises((OptionError, UnknownNameError), match=words):
        Space(parameters)
