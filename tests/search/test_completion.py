"""How searches complete turns that they have not planned to their end."""

import pytest

from doubles.counting_game import Counting
from doubles.toy_game import Toy
from turnwise import Budget, planner
from turnwise.core.errors import GameFunctionError
from turnwise.plain_python.planner import PythonPlanner
from turnwise.search.problem import Problem
from turnwise.search.problem_form import completion_index


class Nothing(PythonPlanner):
    """A planner that leaves the whole turn to the completion."""

    name, title = "nothing", "Nothing"

    def search(self, state, meter, random):
        return []


class Chosen(Toy):
    """A toy with a free end that names its completion."""

    def __init__(self, completion, **options):
        super().__init__(points=4, end="free", **options)
        self.completion = completion


class Ending(Counting):
    is_stochastic = False
    ends_turn = "stop"


class Late(Ending):
    """The first action of a turn cannot end it."""

    def legal_actions(self, state):
        return ["one", "roll"] if state.left == 3 else ["one", "roll", "stop"]


class WithPolicy(Counting):
    policies = ("ones",)
    completion = "ones"

    def policy(self, state, name, random):
        return "one"


def completed(game, seed=0):
    """The turn that is played without any search, by a compiled planner and by one in plain Python."""
    state, budget = game.start(seed=1), Budget(iterations=0)
    turns = [mind.plan(state, budget, seed).actions for mind in (planner("online-evolution"), Nothing())]
    return turns


def test_by_score():
    first, second = completed(Chosen("action-score"))
    assert first == second == completed(Chosen(""))[0]
    assert first != ("end",)


def test_by_ending_the_turn():
    assert completed(Chosen("end")) == [("end",), ("end",)]


def test_a_game_without_scores_ends_its_turns():
    assert completed(Ending()) == [("stop",), ("stop",)]


def test_a_game_without_scores_and_end_plays_at_random_and_not_the_first_action():
    for mind in range(2):
        turns = {completed(Counting(), seed)[mind] for seed in range(12)}
        assert len(turns) > 3
        assert len({turn[0] for turn in turns}) == 3
    assert completed(Counting(), 5) == completed(Counting(), 5)


def test_by_a_policy():
    assert completed(WithPolicy()) == [("one", "one", "one")] * 2


def test_an_end_that_is_not_legal_yet_is_played_as_soon_as_it_is():
    for turn in completed(Late()):
        assert turn[0] in ("one", "roll")
        assert turn[1:] == ("stop",)


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        (Chosen("best"), "expected one of 'action-score', 'end', 'uniform'"),
        (type("Wrong", (Counting,), {"completion": "end"})(), "'end'; expected one of 'uniform'"),
    ],
)
def test_an_impossible_completion_is_refused(game, expected):
    with pytest.raises(GameFunctionError, match=expected):
        completion_index(game)
    with pytest.raises(GameFunctionError, match=expected):
        Problem(game.start(), Budget(iterations=1), 0)
