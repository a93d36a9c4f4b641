"""Planners that decide by scores end a turn without bound, too, in a game that has none."""

from dataclasses import dataclass

import pytest

import turnwise
from turnwise.plain_python.game import PythonGame


@dataclass(frozen=True)
class Walk:
    turn: int = 0
    place: int = 0


class Wander(PythonGame[Walk, str]):
    """A step is free and comes first in the list; nothing but the end ends a turn."""

    players = 2
    max_turn = 6
    ends_turn = "end"

    def first_state(self, random) -> Walk:
        return Walk()

    def legal_actions(self, state: Walk) -> list[str]:
        return ["left", "right", "end"]

    def play(self, state: Walk, action: str, random) -> Walk:
        if action == "end":
            return Walk(state.turn + 1, state.place)
        return Walk(state.turn, (state.place + (1 if action == "right" else -1)) % 50)

    def to_move(self, state: Walk) -> int:
        return state.turn % 2 if state.turn < 4 else -1

    def turn(self, state: Walk) -> int:
        return state.turn

    def returns(self, state: Walk) -> list[float]:
        return [0.0, 0.0]


@pytest.mark.parametrize("name", ["greedy-action", "heuristic"])
@pytest.mark.parametrize("budget", ["forward=0", "forward=20"])
def test_the_turn_ends(name, budget):
    game = Wander()
    state = game.start()
    session = turnwise.planner(name).session(game, 0, 1)
    for _ in range(10 * game.max_turn):
        state = state.play(session.next_action(state, turnwise.parse_budget(budget))[0])
        if state.turn > 0:
            return
    pytest.fail(f"the turn goes on after {10 * game.max_turn} actions")
