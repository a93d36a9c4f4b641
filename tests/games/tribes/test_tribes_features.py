"""What learnt policies see of Tribes: places of actions, and planes."""

import numpy as np
import pytest

import turnwise
from doubles.effort import effort
from doubles.tribes_positions import plain, played, position
from turnwise.testing.checks.learning import features
from turnwise.testing.checks.sample import StateSample


@pytest.mark.parametrize("options", [{}, {"fog": True, "players": 4, "side": 12}])
def test_every_action_of_a_list_has_a_place_of_its_own(options):
    game = turnwise.make("tribes", **options)
    for seed in range(2):
        for state in played(game, seed, effort(300, 60))[::10]:
            places = [state.index(action) for action in state.legal_actions()]
            assert len(set(places)) == len(places)
            assert all(0 <= place < game.indices for place in places)


def test_a_knight_on_roads_has_a_place_for_every_tile_that_it_reaches():
    """Seven steps to the right, as the forest on the road takes half of what is left; six to the left."""
    capitals = {(2, 2): "c:0", (13, 13): "c:1"}
    level = "\n".join(",".join(capitals.get((x, y), ".:") for y in range(16)) for x in range(16))
    roads = [("network", 8, y, "1") for y in range(2, 15)] + [("network", 9, 1, "1")]
    knight = ("KNIGHT", 0, 8, 7, {"hp": 15, "max_hp": 15})
    state = position(knight, game=turnwise.make("tribes", level=level), tiles=[*roads, ("terrain", 8, 11, "f")])
    actions = state.legal_actions()
    assert {"move u5 8,14", "move u5 9,1"} <= set(actions)
    assert len({state.index(action) for action in actions}) == len(actions)


def test_places_belong_to_tiles_not_to_ids():
    one, other = position(("RIDER", 0, 4, 4)), position(("RIDER", 1, 8, 8), ("RIDER", 0, 4, 4))
    assert one.index("move u5 5,4") == other.index("move u6 5,4")
    assert one.index("move u5 5,4") != one.index("move u5 4,5")


def planes(features, x, y):
    return set(np.flatnonzero(features[:, x, y]).tolist())


def test_planes_of_a_position():
    state = position(("RIDER", 1, 4, 4, {"hp": 5}), ("KNIGHT", 0, 8, 0, {"status": "MOVED"}), stars=10)
    own = state.features(0)
    assert own.shape == state.game.feature_shape == (102, 9, 9)
    everywhere = planes(own, 0, 8)
    seats = 102 - 2 * 17
    assert planes(own, 4, 4) - everywhere == {seats + 17 + 1 + 1}  # the rider of the other tribe
    assert own[seats + 17 + 2, 4, 4] == 0.5
    assert planes(own, 8, 0) - everywhere == {39, seats + 1 + 6}  # a knight that can act
    assert own[seats + 15, 0, 0] == pytest.approx(0.2)  # stars
    other = state.features(1)
    assert (other[seats : seats + 17] == own[seats + 17 :]).all()


def test_planes_show_only_what_the_player_knows():
    game = turnwise.make("tribes", fog=True)
    for state in played(game, 3, effort(200, 40))[::20]:
        for player in range(2):
            seen, view = state.features(player), state.view(player).features(player)
            assert (seen == view).all()


def test_planes_hide_borders_and_growth_of_cities_that_are_out_of_sight():
    features(StateSample(turnwise.make("tribes", fog=True), seed=5, states=24))


def test_unseen_tiles_are_unknown():
    features = plain(fog=True).start().features(0)
    assert features[7].sum() == 81 - 25
    assert features[:7, 8, 8].sum() == 0
