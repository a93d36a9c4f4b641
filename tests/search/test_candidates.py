"""Sorted candidates against Python's sort."""

import random

import numpy as np
import pytest

import turnwise
from doubles.counting_game import Counting
from doubles.toy_game import Toy
from turnwise.core import calls
from turnwise.jit.record import Floats, Ints, array_address
from turnwise.search.candidates import sort_by_score, sorted_candidates, sorting_room
from turnwise.search.problem import Problem
from twins.plain_search import ordered_candidates


def problem_of(state):
    return Problem(state, turnwise.Budget(iterations=1), seed=0)


def listed(problem, state):
    """The actions that the kernel lists."""
    most = state.game.max_actions
    actions, scores = np.zeros(most, np.int64), np.zeros(sorting_room(most))
    n = sorted_candidates(problem.record, array_address(state.row), Ints.of(actions), Floats.of(scores))
    return actions[:n].tolist()


@pytest.mark.parametrize("game", ["toy", "hero-academy"])
def test_candidates_are_pruned_and_sorted(game):
    """Equal ones keep their order."""
    state = first = (Toy(points=4, end="free") if game == "toy" else turnwise.make(game)).start(seed=3)
    problem, rng, reordered = problem_of(first), random.Random(5), 0
    for _ in range(80):
        if state.is_over:
            break
        wanted = ordered_candidates(state)
        assert listed(problem, state) == wanted
        reordered += wanted != state.candidate_codes().tolist()
        state = state.play(int(rng.choice(state.legal_codes())))
    assert reordered > 10  # often enough to tell sorting from listing


def test_actions_without_scores_keep_their_order():
    state = Counting().start()
    problem = problem_of(state)
    actions = state.legal_codes()[::-1].copy()
    before = actions.tolist()
    sort_by_score(problem.record, array_address(state.row), Ints.of(actions), Floats.of(np.zeros(sorting_room(3))), 3)
    assert actions.tolist() == before
    assert listed(problem, state) == before[::-1]


def test_only_the_given_actions_are_sorted():
    state = Toy().start()
    problem = problem_of(state)
    actions = np.array(ordered_candidates(state)[::-1])
    half = len(actions) // 2
    kept = actions[half:].tolist()
    scores = [calls.call(state.game, "action_score", state.row, int(code)) for code in actions[:half]]
    wanted = [actions[i] for i in sorted(range(half), key=lambda i: -scores[i])]
    scratch = Floats.of(np.zeros(sorting_room(half)))
    sort_by_score(problem.record, array_address(state.row), Ints.of(actions), scratch, half)
    assert actions.tolist() == wanted + kept
