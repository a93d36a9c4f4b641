"""Two implementations of a game are played in step; what differs is found and shrunk."""

import pytest

import turnwise
from doubles.plain_skirmish import PlainSkirmish
from doubles.skirmish import Skirmish
from doubles.toy_game import Toy
from turnwise.core.errors import OptionError
from turnwise.testing import DifferentGamesError, game_difference, same_game
from turnwise.testing.comparison.answers import agree, first_difference

OPTIONS = [{"turns": 6}, {"turns": 6, "fog": True}, {"turns": 6, "chance_every": 3, "players": 4}]


@pytest.mark.parametrize("options", OPTIONS)
def test_a_game_and_its_twin_are_the_same(options):
    same_game(PlainSkirmish(**options), Skirmish(**options), games=2)


class Reversed(PlainSkirmish):
    """Lists the actions backwards once a unit of player 0 has been hit."""

    def legal_actions(self, state):
        listed = super().legal_actions(state)
        return listed[::-1] if state.turn > 1 else listed


def test_a_difference_is_shrunk_to_what_is_needed():
    found = game_difference(Reversed(turns=6), Skirmish(turns=6), games=2, seed=4)
    assert found.question == "the legal actions"
    assert found.place == "[0]"
    assert found.actions == ("end",)
    assert found.seed in (4, 5)
    assert found.words().endswith("after 1 action (end) from start(seed=4)")
    with pytest.raises(DifferentGamesError, match=r"differ in the legal actions \(\[0\]\): .*end") as caught:
        same_game(Reversed(turns=6), Skirmish(turns=6), games=1, seed=4)
    assert caught.value.difference == found


def test_there_is_no_shorter_sequence_than_the_one_that_is_shown():
    """Leaving out actions cannot lead from 'two steps' to 'a leap': another action must take their place."""
    found = game_difference(Hurdle(), WrongHurdle(), games=30)
    assert found.actions == ("leap",)


class Hurdle(turnwise.PythonGame[int, str]):
    """Two steps or one leap lead to the same place; leaps are rare in random play."""

    players, max_turn, max_actions, bounds = 1, 1, 40, (0.0, 9.0)

    def first_state(self, random: turnwise.Chance) -> int:
        return 0

    def to_move(self, state):
        return -1 if state >= 4 else 0

    def turn(self, state):
        return state

    def legal_actions(self, state):
        return [*(f"step {way}" for way in range(30)), "leap"] if state < 3 else ["step 0"]

    def play(self, state, action, random):
        return state + (2 if action == "leap" else 1)

    def returns(self, state):
        return (float(state),)


class WrongHurdle(Hurdle):
    name = "wrong-hurdle"

    def returns(self, state):
        return (9.0 if state >= 2 else float(state),)


class Late(turnwise.PythonGame[int, str]):
    """Counts; a subclass gives a wrong value from three on."""

    players, max_turn, max_actions, bounds = 1, 1, 2, (0.0, 9.0)

    def first_state(self, random: turnwise.Chance) -> int:
        return 0

    def to_move(self, state):
        return -1 if state // 10 == 8 else 0

    def turn(self, state):
        return state // 10

    def legal_actions(self, state):
        return ["on", "stay"]

    def play(self, state, action, random):
        return state + 11 if action == "on" else state + 10

    def returns(self, state):
        return (float(state % 10),)

    def evaluate(self, state, player):
        return float(state % 10)


class LateValue(Late):
    def evaluate(self, state, player):
        return float(state % 10) + (state % 10 >= 3)


class LateFault(Late):
    def legal_actions(self, state):
        return ["on", "stay"] if state % 10 < 2 else ["stay"]


@pytest.mark.parametrize(
    ("wrong", "question", "actions"),
    [
        (LateValue, "evaluation 'value' for player 0 (counted from 0)", ("on", "on", "on")),
        (LateFault, "the legal actions", ("on", "on")),
    ],
)
def test_differences_of_any_kind_are_found(wrong, question, actions):
    found = game_difference(Late(), wrong())
    assert found.question.startswith(question.split("'")[0])
    assert found.actions == actions
    assert game_difference(wrong(), Late()).actions == actions


class Failing(Late):
    def returns(self, state):
        if state == 0:
            raise ValueError("no result yet")
        return super().returns(state)


def test_an_error_of_one_implementation_is_a_difference():
    found = game_difference(Late(), Failing())
    assert found.question == "the results"
    assert "no result yet" in found.other
    assert found.actions == ()
    assert found.words().endswith("in the first state from start(seed=0)")


def test_games_that_cannot_be_compared_are_refused():
    with pytest.raises(OptionError, match=r"has 2 players and .* 1"):
        same_game(Toy(), Late())
    with pytest.raises(OptionError, match="game"):
        same_game("toy", Late())
    with pytest.raises(OptionError, match="games"):
        same_game(Late(), Late(), games=0)


def test_numbers_may_differ_by_rounding_only():
    assert agree({"a": [0.1 + 0.2]}, {"a": [0.3]})
    assert not agree(0.3, 0.3001)
    assert not agree([1], [1, 2])
    assert first_difference({"a": [1, 2]}, {"a": [1, 3]}) == ("a[1]", 2, 3)
    assert first_difference([1], [1, 2]) == ("[1]", "nothing", 2)
    assert first_difference({"a": 1}, {"b": 1}) == ("a", 1, None)
