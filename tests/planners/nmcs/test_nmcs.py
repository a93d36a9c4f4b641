"""Nested Monte Carlo search against a plain twin."""

import math

import pytest

import turnwise
from doubles.toy_game import solo
from turnwise.core.budget import Budget
from twins.plain_search import PlainGenerator


class PlainNMCS:
    """Nested Monte Carlo search with memorised best sequence on immutable states, uniform playouts."""

    def __init__(self, root, seed):
        self.root, self.chance, self.calls = root, PlainGenerator(seed), 0

    def nested(self, state, level):
        if level == 0 or state.is_over:
            line = []
            while not state.is_over:
                codes = state.legal_codes()
                line.append(int(codes[self.chance.draw(len(codes))]))
                state = state.play(line[-1])
            self.calls += 1
            return state.evaluate(0, root=self.root), line
        best, line, depth = -math.inf, [], 0
        while not state.is_over:
            for code in state.legal_codes():
                value, rest = self.nested(state.play(int(code)), level - 1)
                if value > best:
                    best, line = value, [*line[:depth], int(code), *rest]
            state = state.play(line[depth])
            depth += 1
        return best, line


@pytest.mark.parametrize("level", [1, 2])
def test_nmcs_plays_what_the_paper_plays(level):
    state = solo(turns=3).start()
    plain = PlainNMCS(state, seed=4)
    value, line = plain.nested(state, level)
    plan = turnwise.planner(f"nmcs:level={level},policy=uniform").plan(state, Budget(iterations=plain.calls), 4)
    assert plan.value == value
    assert [*plan.codes, *plan.continuation] == line
