"""The conformance kit on games that random play rarely decides: swapped results and values, no winner at all."""

from typing import NamedTuple

import pytest

from turnwise import PythonGame
from turnwise.testing import check_game, game_failures


class Codes(NamedTuple):
    """How many digits each player has right, from the first on; -1: one was wrong."""

    right: tuple[int, int] = (0, 0)
    turn: int = 0


class Safe(PythonGame[Codes, str]):
    """Each player enters a code of three digits; who alone has it right wins, so random play is mostly drawn."""

    max_turn = 1
    max_actions = 4
    bounds = (-4.0, 4.0)

    def first_state(self, random) -> Codes:
        return Codes()

    def to_move(self, state):
        return -1 if state.turn == 6 else state.turn % 2

    def turn(self, state):
        return state.turn

    def legal_actions(self, state):
        return ["1", "2", "3", "4"]

    def play(self, state, action, random):
        digit, player = state.turn // 2, state.turn % 2
        known = state.right[player] == digit and action == "314"[digit]
        after = state.right[player] + 1 if known else -1
        return Codes((after, state.right[1]) if player == 0 else (state.right[0], after), state.turn + 1)

    def returns(self, state):
        one, other = (right == 3 for right in state.right)
        return (float(one - other), float(other - one))

    def evaluate(self, state, player):
        return float(state.right[player] - state.right[1 - player])


class OtherSafe(Safe):
    def returns(self, state):
        return super().returns(state)[::-1]


class OtherCode(Safe):
    """The evaluation has the players swapped, so greedy players avoid the code."""

    def evaluate(self, state, player):
        return super().evaluate(state, 1 - player)


class OnePlayersCode(Safe):
    """The evaluation is always that of the first player, where somebody has won; else it is 0."""

    def evaluate(self, state, player):
        return super().evaluate(state, 0) if 3 in state.right else 0.0


class WrongSafe(Safe):
    """Nobody ever wins: there is a fourth digit."""

    def returns(self, state):
        one, other = (right == 4 for right in state.right)
        return (float(one - other), float(other - one))


def messages(game, **more):
    return {failure.check: failure for failure in game_failures(game, states=12, **more)}


def test_a_sound_game_that_is_mostly_drawn_passes():
    check_game(Safe(), states=12)


@pytest.mark.parametrize("broken", [OtherSafe, OtherCode])
def test_swapped_players_are_found_in_games_that_are_mostly_drawn(broken):
    failure = messages(broken())["winning-values"]
    assert "the first 5 games with a winner ended with a higher value for the loser" in failure.message
    assert failure.state


def test_values_that_ignore_the_player_are_found_in_games_that_are_mostly_drawn():
    assert "gives all players equal values" in messages(OnePlayersCode())["own-values"].message


def test_a_check_that_could_not_be_made_is_reported():
    message = messages(WrongSafe())["winning-values"].message
    assert "this check could not be made: none of " in message
    assert 'leave this check out: without=("winning-values",)' in message
    assert not messages(WrongSafe(), without=["winning-values", "varied-results"])


class OverAtOnce(PythonGame[int, str]):
    """A game that nobody can play."""

    players, max_turn, max_actions, bounds = 2, 1, 1, (-1.0, 1.0)

    def first_state(self, random):
        return 0

    def to_move(self, state):
        return -1

    def turn(self, state):
        return 0

    def legal_actions(self, state):
        return ["wait"]

    def play(self, state, action, random):
        return state

    def returns(self, state):
        return (0.0, 0.0)

    def evaluate(self, state, player):
        return 0.0


def test_a_game_that_is_over_at_its_start_cannot_be_played():
    (failure,) = game_failures(OverAtOnce(), states=2)
    assert failure.check == "playable"
    assert "over in its first state" in failure.message
