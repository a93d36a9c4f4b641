"""Effects of actions on small boards: networks, bonuses of buildings, and each fault that a scenario can correct."""

import pytest

import turnwise
from doubles.tribes_worlds import PLAINS, SIDE, World, level


class TestNetwork:
    def test_a_road_connects_a_city_which_gains_as_the_capital_does(self):
        world = World()
        other = world.add_city(0, 1, 4)
        world.write("network", 1, 2, "1")
        before = world.data["tribes"][0]["score"]
        seen = world.play("road 1,3")
        assert seen.tribes[0]["connected"] == [other]
        assert (seen.population(1), seen.population(other)) == (1, 1)
        assert seen.tribes[0]["score"] == before + 10

    def test_roads_join_diagonally_but_not_over_foreign_land(self):
        for tribe, connected in ((0, True), (1, False)):
            world = World()
            other = world.add_city(0, 1, 6)
            world.add_city(tribe, 3, 4)
            for row, column in ((2, 2), (2, 4)):
                world.write("network", row, column, "1")
            for action in ("road 1,3", "road 1,5"):
                state = world.play(action)
                world.data = state.data
            assert (other in state.tribes[0]["connected"]) == connected

    @pytest.mark.parametrize(("column", "connected"), [(6, True), (7, False)])
    def test_ports_are_linked_within_four_steps_over_water(self, column, connected):
        water = [",".join([".:", ".:", *["s:"] * 6])] * 5 + PLAINS[5:]
        world = World((1, 7, ".:"), rows=water)
        other = world.add_city(0, 1, 7)
        world.add_building(other, 0, column, "PORT")
        seen = world.play("build c1 1,2 PORT")
        assert seen.tribes[0]["connected"] == ([other] if connected else [])


class TestBonuses:
    def test_a_windmill_and_a_farm_help_each_other_whichever_comes_last(self):
        world = World((0, 2, ".:c"))
        world.add_building(1, 0, 0, "FARM")
        seen = world.play("build c1 0,1 WINDMILL")
        assert seen.population(1) == 1
        world.data = seen.data
        assert world.play("build c1 0,2 FARM").data["cities"][0]["pop"] == 1 + 2 + 1

    @pytest.mark.parametrize(("without", "expected"), [("", (0, 2)), ("sticky-links", (1, 1))])
    def test_bonuses_stay_with_the_last_other_city(self, without, expected):
        world = World(without=without)
        other = world.add_city(0, 1, 4)
        world.add_building(other, 0, 3, "FARM")
        world.add_building(1, 2, 2, "FARM")
        seen = world.play("build c1 1,2 WINDMILL")
        assert (seen.population(1), seen.population(other)) == expected

    @pytest.mark.parametrize(("without", "expected"), [("", 0), ("sticky-links", 1)])
    def test_a_foreign_partner_ends_the_search(self, without, expected):
        world = World(without=without)
        other = world.add_city(1, 1, 4)
        world.add_building(other, 0, 3, "FARM")
        world.add_building(1, 2, 2, "FARM")
        assert world.play("build c1 1,2 WINDMILL").population(1) == expected

    @pytest.mark.parametrize(("without", "sign"), [("", 1), ("destroyed-temples-score", -1)])
    def test_destroying_a_temple(self, without, sign):
        world = World(without=without)
        world.add_building(1, 0, 0, "TEMPLE", 3, 2)
        before = world.data["tribes"][0]["score"]
        seen = world.play("destroy c1 0,0")
        assert seen.population(1) == -1
        assert seen.tribes[0]["score"] == before - 5 + sign * (100 + 50 + 50)


class TestCapture:
    @pytest.mark.parametrize(("without", "points"), [("", 500), ("captured-buildings-score", 0)])
    def test_points_of_captured_buildings(self, without, points):
        world = World(without=without)
        other = world.add_city(1, 1, 5)
        world.add_building(other, 0, 4, "TEMPLE", 2, 1)
        world.add_building(other, 0, 5, "PARK_OF_FORTUNE")
        unit = world.add_unit(0, 1, 5)
        before = world.data["tribes"][0]["score"]
        seen = world.play(f"capture u{unit} c{other}")
        assert seen.tribes[0]["score"] == before + points
        assert seen.tribes[0]["cities"] == [1, other]

    @pytest.mark.parametrize(("without", "expected"), [("", (0, 1)), ("capture-links", (1, 0))])
    def test_bonuses_after_a_capture(self, without, expected):
        world = World(without=without)
        other = world.add_city(1, 1, 4)
        world.add_building(1, 2, 2, "WINDMILL")
        world.add_building(other, 2, 3, "FARM")
        world.add_building(other, 0, 4, "WINDMILL")
        world.add_building(other, 0, 5, "FARM")
        unit = world.add_unit(0, 1, 4)
        seen = world.play(f"capture u{unit} c{other}")
        assert (seen.population(1), seen.population(other)) == expected

    def test_the_last_unit_of_the_capital_moves_to_a_new_city(self):
        world = World((1, 5, "v:"))
        unit = world.add_unit(0, 1, 5)
        seen = world.play(f"capture u{unit} village")
        city = seen.data["next_id"]
        assert seen.cities[city]["units"] == [2]
        assert seen.tribes[0]["extra_units"] == [unit]
        assert seen.cities[city]["worth"] == 9 * 20

    def test_who_loses_the_last_city_loses_the_game_and_its_units(self):
        world = World()
        unit = world.add_unit(0, 6, 6)
        world.data["unit_at"][6][6] = unit
        enemy = world.data["units"][1]
        enemy["pos"] = [5, 5]
        world.data["unit_at"][5][5] = enemy["id"]
        seen = world.play(f"capture u{unit} c3")
        assert [tribe["result"] for tribe in seen.tribes] == ["WIN", "LOSS"]
        assert seen.data["over"]
        assert set(seen.units) == {2, unit}


class TestUnits:
    @pytest.mark.parametrize(("without", "ghost"), [("", True), ("ghost-ships", False)])
    def test_ships_pushed_over_water(self, without, ghost):
        water = PLAINS[:3] + [",".join(["s:"] * SIDE)] * 2 + PLAINS[5:]
        world = World((3, 3, "s:r"), rows=water, without=without)
        boat = world.add_unit(0, 3, 3, "BOAT", base="WARRIOR")
        seen = world.play(f"examine u{boat}", outcomes=[0])
        found = seen.data["next_id"]
        assert seen.units[found]["type"] == "BATTLESHIP"
        assert seen.data["unit_at"][3][3] == found
        assert seen.units[boat]["pos"] == ([3, 3] if ghost else [3, 4])
        assert seen.units[boat]["status"] == "FINISHED"

    @pytest.mark.parametrize(("without", "points"), [("", 25), ("free-super-units", 75)])
    def test_points_of_super_units(self, without, points):
        world = World(without=without)
        world.level_of(1, 4, 5)
        before = world.data["tribes"][0]["score"]
        seen = world.play("levelup c1 SUPERUNIT")
        assert seen.tribes[0]["score"] == before + points
        assert seen.units[2]["status"] == "PUSHED"
        assert seen.units[2]["pos"] == [1, 2]

    @pytest.mark.parametrize(("without", "points"), [("", 0), ("free-ships", -10)])
    def test_points_of_ships(self, without, points):
        world = World((4, 4, "s:"), without=without)
        boat = world.add_unit(0, 4, 4, "BOAT", base="WARRIOR")
        before = world.data["tribes"][0]["score"]
        assert world.play(f"disband u{boat}").tribes[0]["score"] == before + points


class TestTurns:
    @pytest.mark.parametrize(("without", "over"), [("", False), ("extra-round", True)])
    def test_rounds(self, without, over):
        world = World(without=without, limit=10)
        world.data["tick"], world.data["active"] = 9, 1
        assert world.play("end").data["over"] == over
        world.data["tick"] = 10
        assert world.play("end").data["over"]

    @pytest.mark.parametrize(("without", "status"), [("", "1"), ("altar-again", "2")])
    def test_the_altar_can_be_built_again(self, without, status):
        world = World(without=without)
        world.data["tribes"][1].update(pacifist=4, monuments="2000000")
        assert world.play("end").tribes[1]["monuments"][0] == status

    def test_temples_grow_for_their_owner_only(self):
        world = World()
        world.add_building(1, 0, 0, "TEMPLE", 1, 1)
        world.add_building(3, 7, 7, "TEMPLE", 1, 1)
        seen = world.play("end")
        assert seen.cities[3]["buildings"] == [[7, 7, "TEMPLE", 2, 3]]
        assert seen.cities[1]["buildings"] == [[0, 0, "TEMPLE", 1, 1]]

    def test_an_enemy_in_the_centre_stops_a_citys_income(self):
        world = World()
        world.data["tick"] = 1
        free = world.play("end").tribes[1]["stars"]
        world.data["units"][1]["pos"] = [5, 5]
        world.data["unit_at"][5][5] = 4
        world.add_unit(0, 6, 6)
        assert (free, world.play("end").tribes[1]["stars"]) == (52, 50)

    def test_equal_tribes_are_ranked_by_a_coin(self):
        world = World(limit=1)
        world.data["tick"], world.data["active"] = 1, 1
        results = {tuple(t["result"] for t in world.play("end", outcomes=[coin]).tribes) for coin in (0, 1)}
        assert results == {("WIN", "LOSS"), ("LOSS", "WIN")}


@pytest.mark.parametrize(("without", "met"), [("", [0]), ("meets-itself", [])])
def test_the_first_tribe_met(without, met):
    game = turnwise.make("tribes", level=level(), fog=True, without=without)
    assert game.start(1).to_dict()["tribes"][0]["met"] == met
