"""Each fault of the original that a scenario can correct, on a small board: what happens with it and without it."""

import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import turnwise
from doubles.tribes_worlds import PLAINS, SIDE, World, level
from turnwise.games.tribes.rules.faults import FAULTS
from turnwise.games.tribes.tables import TECHNOLOGIES

RULES = Path(__file__).parents[4] / "docs" / "games" / "tribes-rules.md"
SEA = PLAINS[:3] + [",".join(["s:"] * SIDE)] * 2 + PLAINS[5:]


class Case(NamedTuple):
    """What a small position shows if the fault is there, and if it is corrected."""

    show: Any  # without -> what is seen
    kept: Any
    corrected: Any


CASES: dict[str, Case] = {}


def case(name, kept, corrected):
    """Make a function the case of a fault."""

    def register(show):
        CASES[name] = Case(show, kept, corrected)
        return show

    return register


def test_every_fault_has_a_case():
    assert sorted(CASES) == sorted(FAULTS)


def test_the_rules_list_every_fault():
    table = RULES.read_text().partition("## 20.")[2].partition("## 21.")[0]
    assert sorted(re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE)) == sorted(FAULTS)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_kept_unless_it_is_corrected(name):
    show, kept, corrected = CASES[name]
    assert kept != corrected
    assert show("") == kept
    assert show(name) == corrected


@pytest.mark.parametrize("name", FAULTS)
def test_other_corrections_do_not_correct_a_fault(name):
    show, kept, _ = CASES[name]
    assert show("+".join(other for other in FAULTS if other != name)) == kept


# -------------------------------------------------------------------------------------------------------- the tribe


@case("philosophy-discount", 1, 4)
def price_of_a_technology(without):
    world = World(without=without)
    known = ("CLIMBING", "MEDITATION", "PHILOSOPHY")
    tech = "".join(str(int(name in known)) for name in TECHNOLOGIES)
    world.data["tribes"][0].update(tech=tech, all_tech=False)
    return 50 - world.play("research FISHING").tribes[0]["stars"]


# ------------------------------------------------------------------------------------------------ cities and buildings


@case("foreign-partners", True, False)
def a_windmill_next_to_a_foreign_farm(without):
    world = World(without=without)
    world.add_building(world.add_city(1, 1, 4), 0, 3, "FARM")
    return world.allows("build c1 1,2 WINDMILL")


@case("forests-and-buildings", {"burn", "clear", "grow"}, set())
def forests_under_buildings(without):
    world = World((0, 0, "f:"), without=without)
    world.add_building(1, 0, 0, "FOREST_TEMPLE", 1, 3)
    world.add_building(1, 0, 1, "FARM")
    actions = {"burn": "burn c1 0,0", "clear": "clear c1 0,0", "grow": "grow c1 0,1"}
    return {word for word, action in actions.items() if world.allows(action)}


# ----------------------------------------------------------------------------------------------------------- movement


@case("exhausted-upgrades", True, False)
def the_upgrade_of_a_finished_boat(without):
    world = World((4, 4, "s:"), without=without)
    boat = world.add_unit(0, 4, 4, "BOAT", base="WARRIOR", status="FINISHED")
    return world.allows(f"upgrade u{boat}")


@case("foreign-ports", True, False)
def embarking_in_a_foreign_port(without):
    world = World((3, 3, "s:"), without=without)
    world.add_building(world.add_city(1, 3, 4), 3, 3, "PORT")
    return world.allows(f"move u{world.add_unit(0, 3, 2)} 3,3")


@case("foreign-roads", True, False)
def three_steps_over_a_foreign_road(without):
    world = World(without=without)
    world.add_city(1, 4, 4)
    for column in (2, 3):
        world.write("network", 4, column, "1")
    return world.allows(f"move u{world.add_unit(0, 4, 2, 'RIDER')} 2,5")


@case("hidden-control", False, True)
def passing_by_an_unseen_unit(without):
    world = World(*((2, column, "s:") for column in (1, 2, 3)), fog=True, without=without)
    world.add_unit(1, 4, 3)
    return world.allows(f"move u{world.add_unit(0, 3, 1, 'RIDER')} 3,3")


@case("path-search", False, True)
def the_end_of_a_road_that_the_search_misses(without):
    world = World((5, 3, "f:"), without=without)
    for row, column in ((4, 3), (5, 3), (5, 4), (6, 1), (6, 2), (7, 0)):
        world.write("network", row, column, "1")
    return world.allows(f"move u{world.add_unit(0, 4, 3, 'RIDER')} 7,0")


@case("gathering-anywhere", True, False)
def an_animal_on_cleared_land(without):
    return World((0, 0, ".:a"), without=without).allows("gather c1 0,0 ANIMAL")


# -------------------------------------------------------------------------------------------------------------- turns


@case("extra-round", (False, True), (True, True))
def the_end_after_the_last_round_and_one_more(without):
    world = World(without=without, limit=10)
    world.data["active"] = 1
    ends = []
    for tick in (9, 10):
        world.data["tick"] = tick
        ends.append(world.play("end").data["over"])
    return tuple(ends)


@case("altar-again", "1", "2")
def the_altar_after_five_more_peaceful_turns(without):
    world = World(without=without)
    world.data["tribes"][1].update(pacifist=4, monuments="2000000")
    return world.play("end").tribes[1]["monuments"][0]


# ------------------------------------------------------------------------------------------------- bonuses and capture


@case("destroyed-temples-score", -5 + 200, -5 - 200)
def destroying_a_temple(without):
    world = World(without=without)
    world.add_building(1, 0, 0, "TEMPLE", 3, 2)
    before = world.data["tribes"][0]["score"]
    seen = world.play("destroy c1 0,0")
    assert seen.population(1) == -1
    return seen.tribes[0]["score"] - before


@case("captured-buildings-score", 500, 0)
def points_of_captured_buildings(without):
    world = World(without=without)
    other = world.add_city(1, 1, 5)
    world.add_building(other, 0, 4, "TEMPLE", 2, 1)
    world.add_building(other, 0, 5, "PARK_OF_FORTUNE")
    unit = world.add_unit(0, 1, 5)
    before = world.data["tribes"][0]["score"]
    seen = world.play(f"capture u{unit} c{other}")
    assert seen.tribes[0]["cities"] == [1, other]
    return seen.tribes[0]["score"] - before


@case("capture-links", (0, 1), (1, 0))
def bonuses_after_a_capture(without):
    world = World(without=without)
    other = world.add_city(1, 1, 4)
    world.add_building(1, 2, 2, "WINDMILL")
    world.add_building(other, 2, 3, "FARM")
    world.add_building(other, 0, 4, "WINDMILL")
    world.add_building(other, 0, 5, "FARM")
    unit = world.add_unit(0, 1, 4)
    seen = world.play(f"capture u{unit} c{other}")
    return seen.population(1), seen.population(other)


@case("sticky-links", ((0, 2), (0, 0)), ((1, 1), (1, 0)))
def bonuses_of_a_windmill_between_two_cities(without):
    found = []
    for tribe in (0, 1):  # the other city is an own or a foreign one, where the search ends
        world = World(without=without)
        other = world.add_city(tribe, 1, 4)
        world.add_building(other, 0, 3, "FARM")
        world.add_building(1, 2, 2, "FARM")
        seen = world.play("build c1 1,2 WINDMILL")
        found.append((seen.population(1), seen.population(other)))
    return tuple(found)


# -------------------------------------------------------------------------------------------------------------- units


@case("ghost-ships", [3, 3], [3, 4])
def a_ship_pushed_over_water(without):
    world = World((3, 3, "s:r"), rows=SEA, without=without)
    boat = world.add_unit(0, 3, 3, "BOAT", base="WARRIOR")
    seen = world.play(f"examine u{boat}", outcomes=[0])
    found = seen.data["next_id"]
    assert seen.units[found]["type"] == "BATTLESHIP"
    assert seen.data["unit_at"][3][3] == found
    assert seen.units[boat]["status"] == "FINISHED"
    return seen.units[boat]["pos"]


@case("free-super-units", 25, 75)
def points_of_a_super_unit(without):
    world = World(without=without)
    world.level_of(1, 4, 5)
    before = world.data["tribes"][0]["score"]
    seen = world.play("levelup c1 SUPERUNIT")
    assert seen.units[2]["status"] == "PUSHED"
    assert seen.units[2]["pos"] == [1, 2]
    return seen.tribes[0]["score"] - before


@case("free-ships", 0, -10)
def points_of_a_disbanded_ship(without):
    world = World((4, 4, "s:"), without=without)
    boat = world.add_unit(0, 4, 4, "BOAT", base="WARRIOR")
    before = world.data["tribes"][0]["score"]
    return world.play(f"disband u{boat}").tribes[0]["score"] - before


@case("meets-itself", [0], [])
def the_first_tribe_met(without):
    game = turnwise.make("tribes", level=level(), fog=True, without=without)
    return game.start(1).to_dict()["tribes"][0]["met"]


@case("slow-super-units", (False, False), (True, False))
def attacks_of_a_super_unit_after_a_move(without):
    world = World(without=without)
    unit, enemy = world.add_unit(0, 3, 3, "SUPERUNIT", hp=40, max_hp=40), world.add_unit(1, 3, 5, hp=40, max_hp=40)
    attack = f"attack u{unit} u{enemy}"
    move = f"move u{unit} 3,4"
    if not world.allows(attack, move):
        return False, False
    return True, world.allows(attack, move, attack) or world.allows(move, move, attack)


@case("restless-riders", (True, True), (True, False))
def moves_of_a_rider_after_an_attack(without):
    world = World(without=without)
    unit, enemy = world.add_unit(0, 3, 3, "RIDER"), world.add_unit(1, 3, 5, "DEFENDER", hp=15, max_hp=15)
    near = World(without=without)
    rider, other = near.add_unit(0, 3, 4, "RIDER"), near.add_unit(1, 3, 5, "DEFENDER", hp=15, max_hp=15)
    return (
        near.allows(f"move u{rider} 3,3", f"attack u{rider} u{other}"),
        world.allows(f"move u{unit} 3,3", f"move u{unit} 3,4", f"attack u{unit} u{enemy}"),
    )


@case("ships-on-land", "BOAT", "WARRIOR")
def a_ship_pushed_onto_land(without):
    world = World((3, 3, "s:r"), without=without)
    boat = world.add_unit(0, 3, 3, "BOAT", base="WARRIOR", hp=7)
    seen = world.play(f"examine u{boat}", outcomes=[0])
    unit = seen.units[seen.data["unit_at"][3][4]]
    assert (unit["status"], unit["hp"], unit["pos"]) == ("FINISHED", 7, [3, 4])
    return unit["type"]


@case("brittle-battleships", (-1, -1), (10, 10))
def hit_points_of_a_battleship_from_ruins(without):
    world = World((3, 3, "s:r"), without=without)
    boat = world.add_unit(0, 3, 3, "BOAT", base="WARRIOR")
    seen = world.play(f"examine u{boat}", outcomes=[0])
    found = seen.units[seen.data["unit_at"][3][3]]
    assert found["type"] == "BATTLESHIP"
    return found["hp"], found["max_hp"]


# ------------------------------------------------------------------------------------------------ captors and networks


@case("absent-captors", ("home", "home"), ("captor", "captor"))
def who_joins_a_captured_village_and_city(without):
    found = []
    for tile in ("v:", ".:"):
        world = World((1, 5, tile), without=without)
        target = "village" if tile == "v:" else f"c{world.add_city(1, 1, 5)}"
        captor = world.add_unit(0, 1, 5)
        seen = world.play(f"capture u{captor} {target}")
        (unit,) = seen.cities[seen.tribes[0]["cities"][-1]]["units"]
        found.append({2: "home", captor: "captor"}[unit])
    return tuple(found)


@case("lost-capitals", (1, 1, 0), (0, 0, -5))
def cities_whose_capital_is_lost(without):
    world = World(without=without)
    other = world.add_city(0, 1, 4, pop=1)
    world.city_of(1)["pop"] = 1
    world.data["tribes"][0]["connected"] = [other]
    world.put_unit(2, 4, 0)
    captor = world.add_unit(1, 1, 1)
    world.data["active"] = 1
    before = [tribe["score"] - world.city_of(1)["worth"] for tribe in world.data["tribes"]]
    seen = world.play(f"capture u{captor} c1")
    assert seen.tribes[0]["connected"] == []
    return seen.population(1), seen.population(other), seen.tribes[0]["score"] - before[0]


@case("connected-by-others", (1, 0), (1, 1))
def cities_that_a_foreign_road_connects(without):
    world = World(without=without)
    other = world.add_city(0, 1, 5)
    for column in (2, 4):
        world.write("network", 1, column, "1")
    world.data["active"] = 1
    seen = world.play("road 1,3")
    assert seen.tribes[0]["connected"] == [other]
    return seen.population(1), seen.population(other)


@case("free-technologies", (0, "0"), (300, "1"))
def rewards_of_the_last_technology_from_ruins(without):
    world = World((4, 4, ".:r"), without=without)
    world.data["tribes"][0].update(tech="1" * 23 + "0", all_tech=False)
    unit = world.add_unit(0, 4, 4)
    before = world.data["tribes"][0]["score"]
    tribe = world.play(f"examine u{unit}", outcomes=[1, 0]).tribes[0]
    assert tribe["all_tech"]
    return tribe["score"] - before, tribe["monuments"][6]


@case("negative-cities", 1, 2)
def income_with_a_negative_city(without):
    world = World(without=without)
    world.data["tick"] = 1
    world.city_of(world.add_city(1, 1, 5)).update(pop=-1, production=-1)
    return world.play("end").tribes[1]["stars"] - 50


@case("winning-losers", ["LOSS", "WIN"], ["WIN", "LOSS"])
def results_of_the_last_tribe_and_one_with_a_higher_score(without):
    world = World(mode="score", without=without)
    world.data["tribes"][1]["score"] += 1000
    world.put_unit(4, 7, 7)
    captor = world.add_unit(0, 6, 6)
    return [tribe["result"] for tribe in world.play(f"capture u{captor} c3").tribes]
