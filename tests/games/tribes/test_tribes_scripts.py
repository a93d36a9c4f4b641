"""Scripts of Tribes: each purpose in a small position, and all of them against the legal list."""

import pytest

import turnwise
from doubles.effort import effort
from doubles.tribes_positions import plain, played, position
from doubles.tribes_worlds import World
from turnwise.core.checks import script_fault
from turnwise.games.tribes.rules.actors import CITY_ACTOR, TRIBE_ACTOR
from turnwise.games.tribes.scripts import KIND_PORTFOLIOS, PORTFOLIO, SCRIPTS

FIRST = 2  # slot of the first unit that a test adds


@pytest.mark.parametrize("options", [{}, {"fog": True, "players": 3, "side": 11}, {"copies": "as-coded"}])
def test_scripts_choose_legal_actions_of_their_actor(options):
    game = turnwise.make("tribes", **options)
    for state in played(game, 4, effort(400, 60))[::20]:
        for name, script in SCRIPTS.items():
            for actor in (None, *range(3), CITY_ACTOR, TRIBE_ACTOR):
                assert script_fault(state, script, actor, 1) == "", (name, actor)


def test_portfolios_name_scripts():
    game = turnwise.make("tribes")
    for names in (PORTFOLIO, *KIND_PORTFOLIOS.values()):
        assert set(names) <= {*game.scripts(), "random"}
    assert set(KIND_PORTFOLIOS) == set(range(14))


class TestUnits:
    def test_the_closest_or_the_weakest_enemy_is_attacked(self):
        weak = ("RIDER", 1, 5, 6, {"hp": 3})
        state = position(("ARCHER", 0, 4, 4), ("RIDER", 1, 4, 5), weak)
        assert state.script("attack-closest", FIRST) == "attack u5 u6"
        assert state.script("attack-weakest", FIRST) == "attack u5 u7"

    def test_without_a_target_the_unit_comes_closer(self):
        state = position(("RIDER", 0, 4, 4), ("RIDER", 1, 8, 4, {"hp": 1}), ("RIDER", 1, 4, 8), tech="1" * 24)
        assert state.script("attack-weakest", FIRST) in {f"move u5 6,{y}" for y in range(2, 7)}
        assert state.script("capture", FIRST) in ("move u5 5,5", "move u5 5,6", "move u5 6,5")

    def test_what_the_unit_stands_on_is_captured(self):
        state = position(("RIDER", 0, 4, 4), tiles=[("terrain", 4, 4, "v")])
        assert state.script("capture", FIRST) == state.script("explore", FIRST) == "capture u5 village"
        state = position(("RIDER", 0, 4, 4), tiles=[("resource", 4, 4, "r")])
        assert state.script("capture", FIRST) == "examine u5"

    def test_a_city_in_the_land_of_an_unknown_one_is_a_goal(self):
        world = World((5, 5, "v:"), fog=True)  # next to the capital of tribe 1, which keeps the tile
        unit, captor = world.add_unit(0, 3, 5), world.add_unit(1, 5, 5)
        for row in (4, 5):
            world.show(0, row, 5)
        world.data["active"] = 1
        view = world.after(f"capture u{captor} village", "end").view(0)
        assert view.to_dict()["unknown_cities"] == [3]
        assert view.script("capture", FIRST) == f"move u{unit} 4,5"

    def test_explorers_go_where_nothing_has_been_seen(self):
        state = position(("RIDER", 0, 2, 4), game=plain(fog=True))
        assert state.script("explore", FIRST) in (
            "move u5 1,4",
            "move u5 2,3",
            "move u5 3,4",
            "move u5 3,3",
            "move u5 1,3",
        ) or (state.script("explore", FIRST) is None)

    def test_retreat_leads_away_and_recovers_out_of_reach(self):
        hurt = ("WARRIOR", 0, 4, 4, {"hp": 5})
        state = position(hurt, ("RIDER", 1, 4, 5))
        assert state.script("retreat", FIRST) == "move u5 3,3"  # own land
        assert position(hurt).script("retreat", FIRST) == "recover u5"

    def test_guards_go_home(self):
        state = position(("RIDER", 0, 5, 2))
        assert state.script("guard", FIRST) is None  # somebody is there
        moved = state.play("move u2 1,2")
        assert moved.script("guard", FIRST) in ("move u5 3,2", "move u5 3,1", "move u5 3,3")

    def test_support(self):
        state = position(("MIND_BENDER", 0, 4, 4), ("WARRIOR", 0, 4, 5, {"hp": 2}), tech="1" * 24)
        assert state.script("support", FIRST) == "heal u5"
        assert state.script("support", FIRST + 1) == "recover u6"
        veteran = position(("WARRIOR", 0, 4, 5, {"kills": 3}))
        assert veteran.script("support", FIRST) == "veteran u5"


class TestCities:
    def test_growth_for_its_price(self):
        state = position(tech="1" * 24, tiles=[("resource", 2, 1, "f"), ("resource", 1, 1, "c")], stars=20)
        assert state.script("grow", CITY_ACTOR) == "build c1 1,1 FARM"  # completes the level
        assert state.play("build c1 1,1 FARM").script("grow", CITY_ACTOR) == "levelup c1 WORKSHOP"

    def test_units(self):
        state = position(tech="1" * 24, stars=20).play("move u2 3,3")
        assert state.script("spawn-strongest", CITY_ACTOR) == "spawn c1 SWORDMAN"
        assert state.script("spawn-cheapest", CITY_ACTOR) == "spawn c1 WARRIOR"


class TestTribe:
    def test_technologies(self):
        state = position(tech="0" * 24, stars=20)
        assert state.script("research", TRIBE_ACTOR) == "research CLIMBING"
        assert state.script("research-arms", TRIBE_ACTOR) == "research HUNTING"
        assert position(stars=0).script("research", TRIBE_ACTOR) is None

    def test_the_turn_ends(self):
        assert position().script("end-turn") == "end"
        assert position().script("end-turn", TRIBE_ACTOR) is None


class TestRuleBasedAgent:
    def test_a_healthy_attacker_attacks(self):
        state = position(("SWORDMAN", 0, 4, 4, {"hp": 15, "max_hp": 15}), ("RIDER", 1, 4, 5), stars=0)
        assert state.script("tribes-rules") == "attack u5 u6"
        assert state.script("tribes-rules", FIRST) == "attack u5 u6"

    def test_villages_come_before_other_moves(self):
        state = position(("RIDER", 0, 4, 4), tiles=[("terrain", 5, 4, "v")], stars=0)
        assert {state.script("tribes-rules", FIRST, seed=seed) for seed in range(30)} == {"move u5 5,4"}

    def test_a_village_is_as_good_as_a_technology(self):
        state = position(("RIDER", 0, 4, 4), tiles=[("terrain", 5, 4, "v")], tech="0" * 24, stars=20)
        texts = {state.script("tribes-rules", seed=seed) for seed in range(60)}
        assert {"research CLIMBING", "move u5 5,4"} <= texts

    def test_nothing_is_destroyed_or_disbanded(self):
        state = position(("RIDER", 0, 4, 4, {"status": "FINISHED"}), tech="1" * 24, stars=0)
        texts = {state.script("tribes-rules", seed=seed) for seed in range(60)}
        assert not any(text.startswith(("disband", "destroy")) for text in texts)

    def test_it_beats_chance(self):
        game, won, games = turnwise.make("tribes"), 0, effort(4, 1)
        for seed in range(games):
            state = game.start(seed=seed)
            for number in range(3000):
                if state.is_over:
                    break
                script = "tribes-rules" if state.to_move == seed % 2 else "random"
                state = state.play(state.script(script, seed=number))
            won += state.returns[seed % 2] > 0
        assert won >= games - 1
