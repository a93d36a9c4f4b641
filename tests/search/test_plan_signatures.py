"""Methods ``plan`` of users that take other arguments, or no ``inspect``."""

import pytest

import turnwise
from doubles.toy_game import Toy
from turnwise.core.errors import OptionError
from turnwise.registry import PLANNERS


def no_budget(self, state):
    return []


def one_too_many(self, state, budget, seed, depth):
    return []


def only_by_name(self, *, state, budget, seed=0):
    return []


@pytest.mark.parametrize("base", [turnwise.Planner, turnwise.PythonPlanner])
@pytest.mark.parametrize("plan", [no_budget, one_too_many, only_by_name])
def test_a_plan_with_other_arguments_is_refused_before_it_is_called(base, plan):
    made = type("Mistaken", (base,), {"plan": plan, "search": lambda self, state, meter, random: []})
    expected = r"The method plan of the class Mistaken .*The expected signature is plan\(self, state: State, budget"
    with pytest.raises(OptionError, match=expected):
        PLANNERS.add("mistaken", made)
    with pytest.raises(OptionError, match=expected):
        made()


class First(turnwise.Planner):
    """Takes no ``inspect``."""

    def plan(self, state, budget, seed=0):
        return turnwise.planner("random").plan(state, budget, seed)


class Free(First):
    """Takes anything."""

    def plan(self, state, budget, *more, **options):
        return super().plan(state, budget, *more)


def test_a_plan_without_inspect_says_so():
    state = Toy().start(seed=1)
    plan = First().plan(state, "iterations=1", seed=3)
    assert First().plan(state, "iterations=1", 3, inspect=False).codes == plan.codes
    with pytest.raises(OptionError, match="The planner first cannot show what its search has left: its method plan"):
        First().plan(state, "iterations=1", inspect=True)
    assert Free().plan(state, "iterations=1", 3, inspect=True).codes == plan.codes
    with pytest.raises(TypeError, match="budgets"):
        First().plan(state, budgets="iterations=1")
