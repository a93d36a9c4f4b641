"""A tiny plain Python game for the bridge's tests: count up, roll a die, or stop; the higher count wins."""

from __future__ import annotations

from typing import NamedTuple

from turnwise import Chance, PythonGame


class Count(NamedTuple):
    totals: tuple[int, ...] = (0, 0)
    turn: int = 0
    left: int = 3


class Counting(PythonGame[Count, str]):
    is_stochastic = True
    max_turn = 3
    max_actions = 3
    turns = 6
    bounds = (-100.0, 100.0)

    def first_state(self, random: Chance) -> Count:
        return Count((0,) * self.players)

    def legal_actions(self, state: Count) -> list[str]:
        return ["one", "roll", "stop"]

    def play(self, state: Count, action: str, random: Chance) -> Count:
        totals = list(state.totals)
        totals[self.to_move(state)] += {"one": 1, "stop": 0}.get(action) if action != "roll" else random.draw(3)
        if action == "stop" or state.left == 1:
            return Count(tuple(totals), state.turn + 1, 3)
        return Count(tuple(totals), state.turn, state.left - 1)

    def to_move(self, state: Count) -> int:
        return -1 if state.turn >= self.turns else state.turn % self.players

    def turn(self, state: Count) -> int:
        return state.turn

    def returns(self, state: Count) -> list[float]:
        return [float(total) for total in state.totals]

    def evaluate(self, state: Count, player: int) -> float:
        return float(2 * state.totals[player] - sum(state.totals))
