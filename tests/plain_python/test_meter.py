"""The limits that a meter knows, what a search leaves in it, and how a search is called."""

from random import Random

import numpy as np
import pytest

from doubles.toy_game import Toy
from turnwise import PLANNERS, Meter, PythonPlanner
from turnwise.core.errors import OptionError
from turnwise.plain_python.watch import EndlessSearchError, watched
from turnwise.search.inspection.views import Individual, SearchPopulation


def test_the_earliest_of_several_deadlines_counts():
    meter = Meter("iterations=5", Random(1))
    with watched(0.0), watched(60.0), pytest.raises(EndlessSearchError):
        _ = meter.exhausted
    assert not meter.exhausted


def test_a_rollout_ends_at_a_deadline_too():
    state = Toy().start(seed=1)
    meter = Meter("iterations=5", Random(1))
    with watched(0.0), pytest.raises(EndlessSearchError):
        meter.evaluate(state, 0, "rollouts")


def test_a_rollout_goes_on_when_its_own_evaluation_was_the_last_one():
    meter = Meter("evaluations=1", Random(1))
    meter.evaluate(Toy().start(seed=1), 0, "rollouts")
    assert meter.report().forward_calls > 1
    assert meter.stopped_by == "budget"


@pytest.mark.parametrize(
    "use",
    [
        lambda meter, state: meter.play(state, int(state.legal_codes()[0])),
        lambda meter, state: meter.evaluate(state, 0),
        lambda meter, state: meter.count_iteration(),
    ],
)
def test_everything_that_a_loop_can_do_ends_at_a_deadline(use):
    meter, state = Meter("iterations=5", Random(1)), Toy().start(seed=1)
    with watched(0.0), pytest.raises(EndlessSearchError, match=r"meter\.exhausted"):
        use(meter, state)
    use(meter, state)


class Leaving(PythonPlanner):
    """Leaves something for those who inspect."""

    name, title = "leaving", "Leaving"
    what: object = ()

    def search(self, state, meter, random):
        if meter.is_inspected:
            meter.left = self.what
        return []


@pytest.mark.parametrize("what", ["a tree", [1], None, {"tree": 1}, [SearchPopulation("p", "v", 0, ()), "x"]])
def test_only_trees_and_populations_are_left(what):
    planner = Leaving()
    planner.what = what
    state = Toy().start(seed=1)
    assert planner.plan(state, "iterations=1").search is None
    with pytest.raises(OptionError, match=r"meter\.left must be a list of SearchTree and SearchPopulation"):
        planner.plan(state, "iterations=1", inspect=True)


class Valued(PythonPlanner):
    """Gives its line a value."""

    name, title = "valued", "Valued"
    value: object = None

    def search(self, state, meter, random):
        meter.value = self.value
        return []


@pytest.mark.parametrize("value", ["high", True, [1.0], 1j])
def test_a_value_is_a_number(value):
    planner = Valued()
    planner.value = value
    with pytest.raises(OptionError, match=r"meter\.value must be a number, or None"):
        planner.plan(Toy().start(seed=1), "iterations=1")


@pytest.mark.parametrize("value", [None, 2, 0.5, float("-inf"), np.float32(0.5)])
def test_numbers_of_all_kinds_are_values(value):
    planner = Valued()
    planner.value = value
    assert planner.plan(Toy().start(seed=1), "iterations=1").value == value


def test_what_a_search_leaves_is_shown():
    planner = Leaving()
    planner.what = [SearchPopulation("my lines", "mean", 1, (Individual(("one",), 0.5),))]
    plan = planner.plan(Toy().start(seed=1), "iterations=1", inspect=True)
    assert "my lines" in plan.search.text()
    planner.what = []
    assert planner.plan(Toy().start(seed=1), "iterations=1", inspect=True).search is None


def no_meter(self, state, random):
    return []


def one_too_many(self, state, meter, random, depth):
    return []


def only_by_name(self, *, state, meter, random):
    return []


@pytest.mark.parametrize("search", [no_meter, one_too_many, only_by_name])
def test_a_search_with_other_arguments_is_refused_before_it_is_called(search):
    made = type("Mistaken", (PythonPlanner,), {"name": "mistaken", "title": "Mistaken", "search": search})
    expected = r"The method search of the class Mistaken .*The expected signature is search\(self, state: State, meter"
    with pytest.raises(OptionError, match=expected):
        made()
    with pytest.raises(OptionError, match=expected):
        PLANNERS.add("mistaken", made)


@pytest.mark.parametrize("search", [lambda self, *rest: [], lambda self, s, m, r, depth=3: [], lambda me, a, b, c: []])
def test_names_of_arguments_are_free(search):
    made = type("Free", (PythonPlanner,), {"name": "free", "title": "Free", "search": search})
    assert made().plan(Toy().start(seed=1), "iterations=1").actions
