"""What learnt policies see of the strategy engine: places of actions, planes, fields of a row."""

import random

import numpy as np
import pytest

import turnwise
from doubles.effort import effort
from turnwise.core.errors import IllegalActionError
from turnwise.games.stratega.rules.actions import code, kind_of, target_of, unit_of

BRUTE, MEDIC = 0, 1
UNITS = [
    [0, "Medic", 0, 3, 5, 50, 0, ""],
    [1, "Brute", 0, 6, 3, 30, 2, "AM"],
    [2, "Medic", 1, 4, 4, 10, 0, ""],
    [3, "Brute", 1, 1, 1, 60, 0, ""],
    [4, "Medic", 2, 7, 4, 40, 0, ""],
]
STATE = {"turn": 6, "player": 0, "over": False, "winner": -1, "can_play": [1, 1, 1], "units": UNITS}


def make(**options):
    return turnwise.make("stratega", mode="mixed3", **options)


def plane(features, number):
    return {(int(x), int(y)): float(features[number, x, y]) for x, y in np.argwhere(features[number])}


def test_planes_of_units():
    state = make(fog=False).from_dict(STATE)
    own = state.features(0)
    assert own.shape == state.game.feature_shape == (3 * 2 + 6, 9, 7)
    assert own.dtype == np.float32
    shares = [{(6, 3): 0.5}, {(3, 5): 1.25}, {(1, 1): 1}, {(4, 4): 0.25}, {}, {(7, 4): 1}]
    for number, share in enumerate(shares):
        assert plane(own, number) == pytest.approx(share), number
    assert plane(own, 6) == pytest.approx({(3, 5): 1, (6, 3): 1 / 3})  # actions left
    second = state.features(1)
    assert (second[0:2] == own[2:4]).all()
    assert (second[2:4] == own[4:6]).all()
    assert (second[4:6] == own[0:2]).all()
    assert (second[6] == own[6]).all()


def test_planes_of_tiles_and_of_the_round():
    game = make(fog=False)
    state = game.from_dict(STATE)
    own = state.features(0)
    for number, letter in ((7, "M"), (8, "H")):
        cells = {(x, y) for y, row in enumerate(game.options.rows) for x, kind in enumerate(row) if kind == letter}
        assert set(plane(own, number)) == cells
    assert not own[9].any()
    assert (own[10] == 1).all()
    assert (own[11] == np.float32(6 / 30)).all()
    assert (state.features(1)[10] == 0).all()
    over = game.from_dict(STATE | {"over": True, "winner": 0})
    assert (over.features(0)[10] == 0).all()


def test_fog_hides_cells_and_units():
    state = make().from_dict(STATE)
    view, own = state.view(0), state.features(0)
    unknown = view.to_dict()["unknown"]
    assert set(plane(own, 9)) == {(x, y) for y, row in enumerate(unknown) for x, mark in enumerate(row) if mark == "?"}
    assert (own[9] == 1).any()
    assert (own[9] == 0).any()
    seen = {tuple(unit[3:5]) for unit in view.to_dict()["units"]}
    assert len(seen) < len(UNITS)
    assert {place for number in range(6) for place in plane(own, number)} == seen
    assert (own == view.features(0)).all()


@pytest.mark.parametrize("mode", ["kings", "mixed3", "pushers3"])
def test_features_are_what_the_player_knows(mode):
    game, rng = turnwise.make("stratega", mode=mode), random.Random(5)
    state = game.start(2)
    for _ in range(effort(60, 12)):
        if state.is_over:
            break
        for player in range(game.players):
            assert (state.features(player) == state.view(player).features(player)).all()
        state = state.play(rng.choice(state.legal_actions()))


def test_places_of_actions():
    game = make()
    beside = [[5, "Brute", 2, 7, 3, 60, 0, ""]]  # of unit 1, which can push it
    state = game.from_dict(STATE | {"units": UNITS + beside})
    cells, units = 63, 6
    width = cells + 3 * units
    for action in state.legal_codes().tolist()[:-1]:
        first = 0 if kind_of(action) == 1 else cells + (kind_of(action) - 2) * units
        assert state.index(action) == unit_of(action) * width + first + target_of(action)
    assert state.index("end") == units * width == game.indices - 1
    assert {kind_of(action) for action in state.legal_codes().tolist()} == {0, 1, 2, 3, 4}
    with pytest.raises(IllegalActionError, match="not legal here"):
        state.index(code(2, 5, 1))  # another player's unit


@pytest.mark.parametrize("mode", ["kings", "mixed3", "pushers3", "armies"])
def test_places_differ_within_every_list(mode):
    game, rng = turnwise.make("stratega", mode=mode), random.Random(2)
    state = game.start(3)
    for _ in range(effort(200, 6)):
        codes = state.legal_codes().tolist()
        places = {state.index(action) for action in codes}
        assert len(places) == len(codes)
        assert min(places) >= 0
        assert max(places) == game.indices - 1  # the end of the turn
        state = state.play(rng.choice(codes))
        if state.is_over:
            state = game.start(4)


def test_fields_of_a_row():
    game = make()
    state = game.from_dict(STATE)
    fields = state.row.view(game.layout())[0]
    assert (fields["turn"], fields["player"], fields["winner"], fields["over"]) == (6, 0, -1, 0)
    assert fields["units"].shape == (6,)
    assert [int(unit) >> 40 for unit in fields["units"]] == [50, 30, 10, 60, 40, 0]
    assert fields["unknown"].sum() == 0
