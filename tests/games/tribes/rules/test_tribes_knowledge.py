"""What players know under fog, how searches fill in the rest, and the copies of the original's agents."""

import pytest

import turnwise
from doubles.effort import effort
from doubles.tribes_positions import plain, played, position
from doubles.tribes_worlds import World
from turnwise.games.tribes.rules.codes import SPAWN, code
from turnwise.games.tribes.tables import SPAWNED_UNITS


def seen_of(data, player):
    return {
        (x, y) for x, row in enumerate(data["tribes"][player]["visible"]) for y, seen in enumerate(row) if seen == "1"
    }


@pytest.fixture(scope="module")
def foggy():
    game = turnwise.make("tribes", fog=True, players=3, side=11)
    return [state for seed in range(2) for state in played(game, seed, effort(120, 60))[::12]]


class TestViews:
    def test_without_fog_everything_is_known(self):
        state = plain().start()
        assert "view" not in state.game.functions()

    def test_unseen_tiles_units_and_cities_are_hidden(self, foggy):
        for state in foggy:
            true = state.to_dict()
            for player in range(3):
                view, seen = state.view(player).to_dict(), seen_of(true, player)
                for x, y in [(x, y) for x in range(11) for y in range(11)]:
                    if (x, y) in seen:
                        assert view["terrain"][x][y] == true["terrain"][x][y]
                        assert view["unit_at"][x][y] == true["unit_at"][x][y]
                        assert view["building"][x][y] == true["building"][x][y]
                    else:
                        assert (view["terrain"][x][y], view["unit_at"][x][y]) == (" ", 0)
                ids = {unit["id"] for unit in true["units"] if tuple(unit["pos"]) in seen}
                assert {unit["id"] for unit in view["units"]} == ids
                hidden = {city["id"] for city in true["cities"] if tuple(city["pos"]) not in seen}
                assert set(view.get("unknown_cities", [])) == hidden
                assert {city["id"] for city in view["cities"]} | hidden == {city["id"] for city in true["cities"]}

    def test_own_affairs_are_known_and_those_of_others_are_not(self, foggy):
        for state in foggy:
            true = state.to_dict()
            for player in range(3):
                view = state.view(player).to_dict()
                assert view["tribes"][player] == true["tribes"][player]
                for other in {0, 1, 2} - {player}:
                    tribe = view["tribes"][other]
                    assert (tribe["stars"], tribe["kills"], tribe["tech"]) == (0, 0, "0" * 24)
                    assert tribe["monuments"] == "-------"
                    assert tribe["score"] == true["tribes"][other]["score"]
                    for city in view["cities"]:
                        assert city["tribe"] == player or (city["pop"], city["bonus_prod"], city["units"]) == (0, 0, [])

    def test_resources_need_their_technologies(self):
        tiles = [("resource", 2, 4, "c"), ("resource", 4, 2, "o"), ("resource", 4, 3, "w"), ("resource", 4, 4, "f")]
        for tech, shown in (
            ("1" * 24, "cowf"),
            ("0" * 24, "---f"),
            ("1" + "0" * 23, "-o-f"),
            ("0001" + "0" * 20, "c--f"),
        ):
            state = position(game=plain(fog=True), tiles=tiles, tech=tech)
            rows = state.view(0).to_dict()["resource"]
            assert rows[2][4] + rows[4][2] + rows[4][3] + rows[4][4] == shown

    def test_a_view_of_a_view_is_the_same_and_has_a_json_form(self, foggy):
        for state in foggy:
            for player in range(3):
                view = state.view(player)
                assert view.view(player) == view
                state.game.check_row(view.row)
                assert state.game.from_dict(view.to_dict()) == view

    def test_own_actions_mean_the_same_in_the_view(self, foggy):
        for state in foggy:
            if not state.is_over:
                view = state.view(state.to_move)
                assert sorted(view.legal_actions())[:1] == sorted(state.legal_actions())[:1]
                units = [text for text in state.legal_actions() if text.split()[0] in ("spawn", "gather", "research")]
                assert units == [
                    text for text in view.legal_actions() if text.split()[0] in ("spawn", "gather", "research")
                ]

    def test_unknown_cities_do_not_act_for_the_first_tribe(self, foggy):
        for state in foggy:
            if not state.is_over:
                view = state.view(state.to_move)
                legal = set(view.legal_codes())
                number = len(view.to_dict()["cities"]) + len(view.to_dict().get("unknown_cities", []))
                for action in [code(SPAWN, city, 0, kind) for city in range(number) for kind in range(SPAWNED_UNITS)]:
                    assert view.is_legal(action) == (action in legal)

    def test_the_land_of_unknown_cities_is_not_the_first_tribes(self):
        world = World(fog=True)
        world.add_city(1, 1, 6)
        world.show(0, 1, 5)  # a border tile, without the centre
        world.show(1, 1, 6)
        state = world.after()
        view = state.view(0)
        assert len(view.to_dict()["unknown_cities"]) == 2
        assert view.to_dict()["owner"][1][5] == 5
        roads = [[text for text in one.legal_actions() if text.startswith("road")] for one in (state, view)]
        assert roads[0] == roads[1]
        assert "road 1,5" not in roads[1]
        assert "road 1,3" in roads[1]


class TestFilling:
    def test_filled_states_are_states_that_the_player_could_be_in(self, foggy):
        for state in foggy:
            for player in range(3):
                view = state.view(player)
                filled = view.determinise(player, seed=5)
                state.game.check_row(filled.row)
                assert " " not in "".join(filled.to_dict()["terrain"])
                assert filled.view(player).has_news(view, player) is False
                assert filled.to_dict()["tribes"][player] == view.to_dict()["tribes"][player]

    def test_borders_of_unknown_cities_stay_where_they_are_seen(self):
        game = turnwise.make("tribes", fog=True, players=3, side=11)
        for seed in (1, 3, 24):
            for state in played(game, seed, effort(250, 80))[::7]:
                for player in range(3):
                    view = state.view(player)
                    assert view.determinise(player, seed=1).view(player).to_dict() == view.to_dict()

    def test_others_have_technologies_and_units_that_fit_the_round(self, foggy):
        for state in foggy:
            filled = state.view(0).determinise(0, seed=1).to_dict()
            for tribe in filled["tribes"][1:]:
                if tribe["result"] == "INCOMPLETE":
                    assert tribe["tech"].count("1") >= min(24, 1 + filled["tick"] // 2)
                    assert "-" not in tribe["monuments"]

    def test_every_seed_fills_in_another_way(self, foggy):
        view = foggy[3].view(0)
        assert len({str(view.determinise(0, seed=seed).to_dict()) for seed in range(10)}) == 10
        assert view.determinise(0, seed=3) == view.determinise(0, seed=3)

    def test_games_go_on_from_filled_states(self, foggy):
        for state in foggy:
            filled = state.view(state.to_move).determinise(state.to_move, seed=2) if not state.is_over else state
            for number in range(30):
                if filled.is_over:
                    break
                filled = filled.play(filled.legal_actions()[number % len(filled.legal_actions())])
                state.game.check_row(filled.row)


class TestNews:
    def test_enemies_and_own_units_are_news_and_tiles_are_not(self):
        game = plain(fog=True)
        nothing = position(game=game).view(0)
        assert not nothing.has_news(nothing, 0)
        tile = position(game=game, tiles=[("terrain", 2, 4, "f")]).view(0)
        assert not tile.has_news(nothing, 0)
        for unit in (("RIDER", 1, 2, 4), ("RIDER", 0, 2, 4)):
            assert position(unit, game=game).view(0).has_news(nothing, 0)
        assert not position(("RIDER", 1, 7, 7), game=game).view(0).has_news(nothing, 0)  # out of sight
        assert position(game=game, stars=6).view(0).has_news(nothing, 0)


class TestCopies:
    def test_copies_hide_what_others_own_even_without_fog(self):
        game = plain(copies="as-coded")
        state = position(("RIDER", 1, 2, 4, {"kills": 2}), game=game)
        copy = state.view(0).to_dict()
        assert copy["copy"] is True
        assert [city["worth"] for city in copy["cities"]] == [0, 0]
        assert copy["tribes"][1]["extra_units"] == [4, 5]
        assert copy["tribes"][1]["stars"] == 0
        assert [unit["kills"] for unit in copy["units"]] == [0, 0, 0]
        assert copy["tribes"][0] == state.to_dict()["tribes"][0]


class TestFingerprints:
    def test_different_states_have_different_fingerprints(self, foggy):
        game = turnwise.make("tribes")
        states = [state for seed in range(3) for state in played(game, seed, effort(150, 60))]
        by_fingerprint = {}
        for state in states:
            by_fingerprint.setdefault(hash(state), []).append(state)
        assert all(state == same[0] for same in by_fingerprint.values() for state in same)


def test_metrics():
    state = position(("RIDER", 0, 4, 4), ("RIDER", 1, 4, 5), kills=3)
    found = {"score": 390, "technologies": 1, "cities": 1, "production": 2, "units": 2, "kills": 3}
    assert state.metrics(0) == found
