"""``Planner[Parameters]``: the class between the brackets declares the parameters."""

import copy
import pickle

import pytest
from pydantic import Field
from typing_extensions import TypeVar

import turnwise
from turnwise.core.errors import OptionError
from turnwise.planners.mcts import MCTS, UnitOrderedMCTS
from turnwise.planners.mcts.parameters import MCTSParameters
from turnwise.search.planner import Planner
from turnwise.search.planner_parameters import PlannerParameters


class Tries(PlannerParameters):
    tries: int = Field(3, ge=1, description="how often")


class MoreTries(Tries):
    more: int = Field(4, ge=1, description="how often again")


FamilyT_co = TypeVar("FamilyT_co", bound=Tries, default=Tries, covariant=True)


class Family(turnwise.PythonPlanner[FamilyT_co]):
    name, title = "family", "Family"

    def search(self, state, meter, random):
        return []


class Member(Family[MoreTries]):
    name = "member"


class Bare(turnwise.PythonPlanner):
    name, title = "bare", "Bare"

    def search(self, state, meter, random):
        return []


class Explicit(Family):
    name = "explicit"
    Parameters = MoreTries


def test_the_brackets_declare_the_parameters():
    assert Family.Parameters is Tries
    assert Family().parameters.tries == 3
    assert Member.Parameters is MoreTries
    assert Member(more=9).spec == "member:more=9"
    assert Bare.Parameters is PlannerParameters
    assert Explicit.Parameters is MoreTries
    with pytest.raises(OptionError, match="there is no parameter 'more'"):
        Family(more=1)


def test_subclasses_inherit_them():
    class Heir(Member):
        name = "heir"

    assert Heir.Parameters is MoreTries


def test_turnwises_own_planners_declare_theirs_so():
    assert MCTS.Parameters is MCTSParameters
    assert UnitOrderedMCTS.Parameters.__name__ == "UnitOrderedParameters"
    for name in turnwise.PLANNERS.names():
        planner = turnwise.planner(name)
        assert type(planner.parameters) is type(planner).Parameters
        assert isinstance(planner, Planner)


def test_planners_of_such_classes_are_copied_and_pickled():
    for planner in (Member(more=7), Family(tries=2)):
        assert copy.copy(planner).spec == planner.spec
        assert pickle.loads(pickle.dumps(planner)).parameters == planner.parameters


def test_a_name_with_dashes_is_shown_as_python_writes_it():
    with pytest.raises(OptionError, match="the parameter 'free-opponents' is written 'free_opponents' in Python"):
        turnwise.planner("turn-maximin", **{"free-opponents": 3})
