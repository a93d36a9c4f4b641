"""Chance can end a game within a turn, also where a planner has fixed a part of the turn: every search ends."""

from dataclasses import dataclass, replace

import pytest

import turnwise
from turnwise.core.budget import Budget

OWN = [name for name in turnwise.PLANNERS.names() if turnwise.PLANNERS.get(name).__module__.startswith("turnwise.")]


@dataclass(frozen=True)
class Fuse:
    turn: int = 0
    left: int = 6  # actions of the turn
    is_out: bool = False


class Gamble(turnwise.PythonGame[Fuse, str]):
    """Six actions a turn, of which many can end the game; the mover wins then."""

    players = 2
    max_turn, max_actions = 6, 3
    bounds = (-1.0, 1.0)
    is_stochastic = reveals_in_turn = True

    def first_state(self, random):
        return Fuse()

    def to_move(self, state):
        return -1 if state.is_out or state.turn >= 4 else state.turn % 2

    def turn(self, state):
        return state.turn

    def legal_actions(self, state):
        return ["once", "twice", "wait"]

    def play(self, state, action, random):
        draws = {"once": 1, "twice": 2, "wait": 0}[action]
        if any(random.draw(3) == 0 for _ in range(draws)):
            return replace(state, is_out=True)
        return Fuse(state.turn + 1) if state.left == 1 else replace(state, left=state.left - 1)

    def returns(self, state):
        return self.evaluate(state, 0), self.evaluate(state, 1)

    def evaluate(self, state, player):
        return 0.0 if not state.is_out else 1.0 if player == state.turn % 2 else -1.0


@pytest.mark.parametrize("name", [name for name in OWN if name != "script"])  # the game has no scripts
def test_a_search_with_a_counted_budget_ends(name):
    game = Gamble()
    for seed in range(4):
        plan = turnwise.planner(name).plan(game.start(), Budget(forward_calls=100), seed=seed)
        assert plan.actions
