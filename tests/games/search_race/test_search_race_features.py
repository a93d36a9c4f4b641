"""What learnt policies see of Search Race: places of actions, numbers, fields of a row."""

import numpy as np
import pytest

import turnwise
from turnwise.games.search_race.rules.codes import expert
from turnwise.games.search_race.scenario import ACTION_SETS

MAP = [[1000, 1000], [3000, 1000], [3000, 5000]]


@pytest.mark.parametrize(
    ("angle", "vectors"),
    [
        (0, [2, 0, 2, 4, 0.3, -0.2]),
        (90, [0, -2, 4, -2, -0.2, -0.3]),  # heading downwards, with the target to the left
        (180, [-2, 0, -2, -4, -0.3, 0.2]),
    ],
)
def test_numbers_are_as_the_driver_sees_them(angle, vectors):
    game = turnwise.make("search-race", checkpoints=MAP)
    changed = {"angle": angle, "vx": 300, "vy": -200, "timer": 60, "cp": 3}
    found = game.from_dict({**game.start().to_dict(), **changed}).features(0)
    assert found.shape == game.feature_shape == (8,)
    assert found.dtype == np.float32
    assert found.tolist() == pytest.approx([*vectors, 6 / 9, 0.9], abs=1e-6)


@pytest.mark.parametrize("moves", ["ten", "grid", "turns"])
def test_places_count_the_action_set(moves):
    game = turnwise.make("search-race", checkpoints=MAP, moves=moves)
    state = game.start()
    codes = state.legal_codes().tolist()
    assert [state.index(code) for code in codes] == list(range(game.indices))
    (first_r, step_r, _), (first_t, step_t, thrusts) = ACTION_SETS[moves]
    assert state.index(expert(first_r + step_r, first_t + step_t)) == thrusts + 1


def test_an_unlisted_move_has_the_place_of_the_nearest():
    state = turnwise.make("search-race", checkpoints=MAP).start()
    assert state.index("EXPERT 17 120") == state.index("EXPERT 18 200") == 9
    assert state.index("3000 1000 90") == state.index("EXPERT 0 0") == 4


def test_fields_of_a_row():
    game = turnwise.make("search-race", checkpoints=MAP)
    state = game.start().play("EXPERT 0 200")
    fields = state.row.view(game.layout())[0]
    assert (fields["x"], fields["vx"], fields["timer"]) == (1200, 170, 1)
