"""The figure for the bare rules in the benchmark: one game on each scenario."""

import numpy as np
import pytest

import turnwise
from turnwise.core.budget import Budget
from turnwise.core.errors import UnknownNameError
from turnwise.jit.record import Ints, Words
from turnwise.search.problem import Problem, action_buffer
from turnwise.testing.bench.calibration import walk
from turnwise.testing.bench.measure import fixed_moves, random_lines, run_bench
from turnwise.testing.bench.programme import chosen_figures, expected_seconds, programme_of, states_in_time


@pytest.mark.compiled_only("measures the speed of compiled code")
def test_search_race_has_the_agreed_figures():
    game = turnwise.make("search-race")
    found = run_bench(game, [game.start()], seconds=0.01)
    assert [figure.name for figure in found.results] == [
        *("playout", "step", "copy", "legal", "evaluate"),
        *("rhea-steps", "sp-mcts-steps", "sp-mcts-rollouts-steps"),
    ]
    assert len(found.results) == programme_of(game).figures
    assert 1e6 < found.calibration < 1e10
    for figure in found.results:
        assert 1e6 * figure.low < 2 * figure.relative * found.calibration
        assert figure.relative * found.calibration < 2e6 * figure.high
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


def test_some_figures_only():
    game = turnwise.make("samegame")
    chosen = chosen_figures(programme_of(game), ["playout", "copy"], game.name)
    found = run_bench(game, [game.start()], seconds=0.01, programme=chosen)
    assert [figure.name for figure in found.results] == ["playout", "copy"]
    with pytest.raises(UnknownNameError, match="playout"):
        chosen_figures(programme_of(game), ["playot"], game.name)


@pytest.mark.parametrize("name", ["hero-academy", "samegame", "search-race"])
def test_all_figures_of_a_game_fit_into_two_minutes(name):
    programme, states = programme_of(turnwise.make(name)), list(range(20))
    chosen = states_in_time(programme, states, 0.5, 120)
    assert chosen
    assert chosen == sorted(set(chosen))
    assert expected_seconds(programme, len(chosen), 0.5) <= 120
    assert states_in_time(programme, states, 0.5, 1) == [0]
    assert states_in_time(programme, states, 0.5, 1e9) == states


def test_the_calibration_loop_never_changes():
    table = np.arange(1 << 10, dtype=np.uint64)
    last = walk(Words.of(table), np.uint64((1 << 10) - 1), 5000, np.uint64(1))
    assert (int(last), int(np.bitwise_xor.reduce(table))) == (13639914876694797051, 16540446226045633201)


@pytest.mark.compiled_only("plays many random lines")
def test_lines_of_random_actions_and_first_states():
    game = turnwise.make("tribes:side=8")
    programme = chosen_figures(programme_of(game), ["forward-0", "forward-10", "levels"], game.name)
    found = run_bench(game, [game.start()], seconds=0.001, programme=programme)
    assert [figure.name for figure in found.results] == ["forward-0", "forward-10", "levels"] == list(programme.names)
    assert all(figure.low > 0 for figure in found.results)


def test_a_line_has_its_length_unless_the_game_ends():
    state = turnwise.make("tribes:side=8").start(1)
    problem, row = Problem(state, Budget(iterations=1), 3), np.zeros(state.game.state_words, np.uint64)
    listed, start = Ints.of(action_buffer(problem)), state.row.copy()
    assert random_lines(problem.record, start, row, listed, 5, 12) == 15
    assert (start == state.row).all()
    assert not (row == state.row).all()
