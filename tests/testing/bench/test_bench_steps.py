"""The figure for the bare rules in the benchmark: one game on each scenario."""

import numpy as np
import pytest

import turnwise
from turnwise.core.budget import Budget
from turnwise.search.problem import Problem
from turnwise.testing.bench.measure import fixed_moves, run_bench
from turnwise.testing.bench.programme import programme_of


@pytest.mark.compiled_only("measures the speed of compiled code")
def test_search_race_has_the_agreed_figures():
    game = turnwise.make("search-race")
    found = run_bench(game, [game.start()], seconds=0.01)
    assert [figure.name for figure in found.results] == [
        *("playout", "step", "copy", "legal", "evaluate"),
        *("rhea-steps", "sp-mcts-steps", "sp-mcts-rollouts-steps"),
    ]
    assert len(found.results) == programme_of(game).figures
    assert all(0 < figure.low <= figure.per_second <= figure.high for figure in found.results)


def test_bare_steps_play_every_scenario_to_its_end():
    games = [turnwise.make(f"search-race:track={name}") for name in ("test1", "test704")]
    starts = [game.start() for game in games]
    problem = Problem(starts[0], Budget(iterations=1), 1)
    setups = np.array([game.setup.ctypes.data for game in games], np.uint64)
    rows, state = np.array([start.row for start in starts]), np.zeros(4, np.uint64)
    full_thrust = np.array([starts[0].code("EXPERT 0 200")], np.int64)
    assert fixed_moves(problem.record, setups, rows, state, full_thrust, 1) == 1200
    for _ in range(600):
        starts[1] = starts[1].play("EXPERT 0 200")
    assert (state == starts[1].row).all()
