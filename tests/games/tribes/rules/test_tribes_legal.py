"""Tests of legality: exactly the legal list, or what the original's agents take for feasible."""

from random import Random

import pytest

import turnwise
from turnwise.games.tribes.rules.codes import MOVE, code, kind_of


@pytest.mark.compiled_only("a search of all ways in many states")
def test_agents_of_the_original_take_some_unlisted_moves_for_feasible():
    exact = turnwise.make("tribes:level=3")
    copies = turnwise.make("tribes:level=3,copies=as-coded")
    assert exact.lists_all_legal
    assert not copies.lists_all_legal
    state, random, unlisted = exact.start(seed=1), Random(4), 0
    for _ in range(320):
        listed = [int(one) for one in state.legal_codes()]
        same = copies.from_dict(state.to_dict())
        for actor in {(one >> 5) & 0xFF for one in listed if kind_of(one) == MOVE}:
            for cell in range(121):
                move = code(MOVE, actor, cell, 0)
                assert state.is_legal(move) == (move in listed)
                assert same.is_legal(move) or move not in listed
                unlisted += same.is_legal(move) and move not in listed
        others = [one for one in listed if one != exact.end_action]
        state = state.play(random.choice(others or listed))
    assert unlisted > 0


def test_the_end_of_a_turn_waits_for_growing_cities():
    game = turnwise.make("tribes:level=3")
    state, random, waits = game.start(seed=1), Random(2), 0
    for _ in range(400):
        legal = [int(one) for one in state.legal_codes()]
        waits += not state.is_legal(game.end_action)
        assert state.is_legal(game.end_action) == (game.end_action in legal)
        others = [one for one in legal if one != game.end_action]
        state = state.play(random.choice(others or legal))
        if state.is_over:
            break
    assert waits > 0
