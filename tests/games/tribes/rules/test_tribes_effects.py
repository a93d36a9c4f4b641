"""Effects of actions on small boards: networks, bonuses of buildings, captures, turns, and the end of the game."""

import pytest

from doubles.tribes_worlds import PLAINS, Seen, World


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


class TestCapture:
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


class TestTurns:
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


BARDUR = (1, 6, "c:2")  # the second tribe on the map, with city 3 and unit 4; Imperius is then the last one
OUMAJI = (6, 1, "c:3")  # the third of four


def capture_of(world, city):
    """An own unit in the centre of a city, whose unit stands elsewhere; returns its capture."""
    target = world.city_of(city)
    row, column = target["pos"]
    world.put_unit(target["units"][0], row + 1, column - 1)
    captor = world.add_unit(world.data["active"], row, column)
    return f"capture u{captor} c{city}"


def results(seen):
    return [tribe["result"] for tribe in seen.tribes]


class TestTheEndByScore:
    def test_the_last_tribe_wins(self):
        world = World(mode="score")
        state = world.after(capture_of(world, 3))
        assert results(Seen(state.to_dict())) == ["WIN", "LOSS"]
        assert state.is_over
        assert state.game.ending_text(state.row) == "last tribe"

    def test_all_capitals_are_not_the_end(self):
        for mode, over in (("score", False), ("capitals", True)):
            world = World(mode=mode)
            world.add_city(1, 1, 5)
            state = world.after(capture_of(world, 3))
            assert state.is_over == over
            if over:
                assert state.game.ending_text(state.row) == "all capitals"

    @pytest.mark.parametrize("mode", ["capitals", "score"])
    @pytest.mark.parametrize(("without", "last"), [("", 10), ("extra-round", 9)])
    def test_the_limit_is_named(self, mode, without, last):
        world = World(mode=mode, limit=10, without=without)
        world.data.update(tick=last, active=1)
        world.data["tribes"][1]["score"] += 5
        state = world.after("end")
        assert results(Seen(state.to_dict())) == ["LOSS", "WIN"]
        assert state.game.ending_text(state.row) == "turn limit"


class TestElimination:
    def test_one_of_three_is_out_and_the_others_go_on(self):
        world = World(BARDUR)
        extra = world.add_unit(1, 4, 0)
        before = [tribe["score"] for tribe in world.data["tribes"]]
        seen = world.play(capture_of(world, 3))
        assert results(seen) == ["INCOMPLETE", "LOSS", "INCOMPLETE"]
        assert not seen.data["over"]
        assert 4 not in seen.units
        assert extra not in seen.units
        assert seen.tribes[1]["score"] == before[1] - 180  # the capital's worth; units cost nothing
        world.data = seen.data
        for active, tick in ((2, 0), (0, 1), (2, 1)):
            world.data = world.play("end").data
            assert (world.data["active"], world.data["tick"]) == (active, tick)

    @pytest.mark.parametrize("mode", ["capitals", "score"])
    def test_the_last_of_three_wins(self, mode):
        world = World(BARDUR, mode=mode)
        first, second = capture_of(world, 3), capture_of(world, 5)
        assert not world.after(first).is_over
        assert results(world.play(first, second)) == ["WIN", "LOSS", "LOSS"]

    def test_the_round_goes_on_without_the_last_of_four(self):
        world = World(BARDUR, OUMAJI, mode="score")
        world.data["active"] = 2
        world.data = world.play(capture_of(world, 7)).data
        assert results(Seen(world.data)) == [*["INCOMPLETE"] * 3, "LOSS"]
        seen = world.play("end")
        assert (seen.data["active"], seen.data["tick"], seen.data["over"]) == (0, 1, False)

    @pytest.mark.parametrize(("without", "winner"), [("", 1), ("winning-losers", 2)])
    def test_the_limit_with_a_tribe_that_is_out(self, without, winner):
        world = World(BARDUR, limit=10, without=without)
        for tribe, points in ((1, 5000), (2, 2000)):
            world.data["tribes"][tribe]["score"] += points
        world.data = world.play(capture_of(world, 3)).data
        world.data.update(tick=10, active=2)
        seen = world.play("end")
        assert results(seen).index("WIN") == winner

    @pytest.mark.parametrize(
        ("outcomes", "winner"), [([0, 0], 0), ([0, 1], 0), ([1, 0], 1), ([1, 1], 1), ([0, 2], 2), ([1, 2], 2)]
    )
    def test_equal_tribes_win_with_the_same_probability(self, outcomes, winner):
        world = World(BARDUR, limit=1)
        world.data.update(tick=1, active=2)
        assert results(world.play("end", outcomes=outcomes)).index("WIN") == winner
