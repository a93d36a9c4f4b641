"""What learnt policies see of SameGame: places of actions, planes, fields of a row."""

import numpy as np

import turnwise
from doubles.effort import effort


def test_planes_of_a_small_board():
    state = turnwise.make("samegame", rows=["20.", "113", "011"]).start()
    planes = state.features(0)
    assert planes.shape == (7, 15, 15)
    assert planes.dtype == np.float32
    cells = {colour: set(map(tuple, np.argwhere(planes[colour]).tolist())) for colour in range(6)}
    assert cells[0] == {(0, 0), (1, 2)}
    assert cells[1] == cells[5] == {(0, 1), (1, 1), (1, 0), (2, 0)}
    assert cells[2] == {(0, 2)}
    assert cells[3] == {(2, 1)}
    assert not cells[4]
    assert set(planes[:6].ravel()) == {0, 1}
    assert not planes[6].any()
    (only,) = state.legal_codes().tolist()
    after = state.play(only).features(0)
    assert (after[6] == np.float32(4 / 1000)).all()
    assert set(map(tuple, np.argwhere(after[0]).tolist())) == {(0, 0), (1, 0)}


def test_places_are_canonical_cells():
    state = turnwise.make("samegame:board=3").start()
    for _ in range(effort(30, 8)):
        codes = state.legal_codes().tolist()
        if not codes:
            break
        assert [state.index(code) for code in codes] == codes
        assert 0 <= min(codes) <= max(codes) < state.game.indices == 225
        accepted = [cell for cell in range(225) if state.is_legal(cell)]
        assert {state.index(cell) for cell in accepted} == set(codes)
        assert all(state.play(cell) == state.play(state.index(cell)) for cell in accepted[:: effort(5, 40)])
        state = state.play(codes[len(codes) // 2])


def test_fields_of_a_row():
    game = turnwise.make("samegame:board=3")
    state = game.start()
    state = state.play(int(state.legal_codes()[0]))
    fields = state.row.view(game.layout())[0]
    assert (fields["moves"], fields["score"]) == (1, state.metrics(0)["score"])
    assert fields["regions"] == len(state.legal_codes())
