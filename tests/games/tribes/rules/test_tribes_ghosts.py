"""Units that are on no tile: how they come about, and that there is room for all of them. Ids, when they run out."""

import random

import numpy as np
import pytest

import turnwise
from doubles.effort import effort
from doubles.tribes_worlds import PLAINS, SIDE, Seen, World
from turnwise.core.errors import NotationError
from turnwise.games.tribes.tables import LAST_UNIT_ID, MOST_ID

SHIPS = ("BOAT", "SHIP", "BATTLESHIP")
SEA = PLAINS[:3] + [",".join(["s:"] * SIDE)] * 2 + PLAINS[5:]


def archipelago():
    """Water with ruins next to a city, and a boat on each of them; who examines them is pushed to water, or to land."""
    rows = [["s:"] * 6 + [".:"] * (SIDE - 6) if 2 < row < 5 else [".:"] * SIDE for row in range(SIDE)]
    places = [(row, column) for row in (3, 4) for column in (0, 2, 5)]
    for row, column in places:
        rows[row][column] = "s:r"
    world = World(rows=[",".join(row) for row in rows])
    for row, column in places:
        world.add_unit(0, row, column, "BOAT", base="WARRIOR")
    world.level_of(1, 6, 7)
    return world


def sum_of_ghosts(data):
    """The slow twin of the sum that never grows (rules/ghosts.py)."""
    total = 0
    for unit in data["units"]:
        row, column = unit["pos"]
        is_ghost = data["unit_at"][row][column] != unit["id"]
        on_land = data["terrain"][row][column] not in "sd"
        total += is_ghost
        if unit["type"] in SHIPS and on_land:
            total += 2 - SHIPS.index(unit["type"]) + (not is_ghost)
    for terrain, resources in zip(data["terrain"], data["resource"], strict=True):
        total += 3 * sum(here in "sd" and what == "r" for here, what in zip(terrain, resources, strict=True))
    return total


def played(world, *actions):
    """What a world is after some actions; ruins always give a unit."""
    state = world.game.from_dict(world.data)
    for text in actions:
        state = state.play(text, [0]) if text.startswith("examine") else state.play(text)
    return Seen(state.to_dict())


def ghosts(data):
    standing = {number for row in data["unit_at"] for number in row}
    return [unit for unit in data["units"] if unit["id"] not in standing]


def test_who_leaves_a_tile_clears_it_so_that_the_other_one_is_the_ghost():
    world = World((3, 3, "s:r"), rows=SEA)
    boat = world.add_unit(0, 3, 3, "BOAT", base="WARRIOR")
    found = played(world, f"examine u{boat}")
    assert [unit["id"] for unit in ghosts(found.data)] == [boat]
    later = played(world, f"examine u{boat}", "end", "end", f"move u{boat} 3,5")
    assert [unit["type"] for unit in ghosts(later.data)] == ["BATTLESHIP"]
    assert later.data["unit_at"][3][3] == 0


def test_an_upgraded_ghost_has_its_tile_back():
    world = World((3, 3, "s:r"), rows=SEA)
    boat = world.add_unit(0, 3, 3, "BOAT", base="WARRIOR")
    seen = played(world, f"examine u{boat}", f"upgrade u{boat}")
    assert [unit["type"] for unit in ghosts(seen.data)] == ["BATTLESHIP"]
    assert seen.units[seen.data["unit_at"][3][3]]["type"] == "SHIP"


@pytest.mark.parametrize("seed", range(6))
def test_the_bound_of_ghosts_never_grows(seed):
    world, draws = archipelago(), random.Random(seed)
    state = world.game.from_dict(world.data)
    assert state.game.tables.most_ghosts == 18
    last, most = sum_of_ghosts(state.to_dict()), 0
    assert last == 18
    for _ in range(effort(300, 80)):
        texts = state.legal_actions()
        good = [text for text in texts if text.split()[0] in ("examine", "levelup", "upgrade")] or texts
        text = draws.choice(good)
        state = state.play(text, [0]) if text.startswith("examine") else state.play(text)
        if state.is_over:
            break
        data = state.to_dict()
        now = sum_of_ghosts(data)
        assert len(ghosts(data)) <= now <= last
        last, most = now, max(most, len(ghosts(data)))
        places = [state.index(action) for action in state.legal_codes().tolist()]
        assert len(set(places)) == len(places)
        assert max(places) < state.game.indices
        assert state.game.from_dict(data).to_dict() == data
    assert most > 2


def test_states_with_room_for_too_few_ghosts_are_refused():
    world = World(rows=SEA)
    for number in range(6):
        world.write("resource", 3, number, "r")
    with pytest.raises(NotationError, match="has room for 16 units that are on no tile"):
        world.play("end")
    world.write("resource", 3, 0, "-")
    assert world.play("end")


def test_guessed_worlds_have_room_for_their_ghosts():
    game = turnwise.make("tribes", side=18, land=0.0, fog=True)
    found = []
    for seed in range(effort(40, 20)):
        state = game.start(seed)
        data = state.view(state.to_move).determinise(state.to_move, seed).to_dict()
        assert game.from_dict(data).to_dict() == data
        found.append(sum_of_ghosts(data))
    assert max(found) == 15  # more were drawn


def test_new_units_have_free_ids_when_ids_run_out():
    world = World((3, 3, "s:r"), (2, 6, "v:"), rows=SEA)
    boat = world.add_unit(0, 3, 3, "BOAT", base="WARRIOR")
    unit = world.add_unit(0, 2, 6)
    world.data["next_id"] = LAST_UNIT_ID
    first = world.play(f"upgrade u{boat}")
    assert set(first.units) == {2, 4, unit, boat + 2}  # 1 and 3 are cities; the ship's old id was not free yet
    second = played(world, f"examine u{boat}", f"capture u{unit} village")
    assert second.units[boat + 2]["type"] == "BATTLESHIP"
    assert max(second.cities) == second.data["next_id"] == LAST_UNIT_ID + 1 <= MOST_ID
    assert Seen(world.game.from_dict(second.data).to_dict()).data == second.data


def test_ids_without_room_for_cities_are_refused():
    world = World()
    world.data["next_id"] = LAST_UNIT_ID + 2
    assert world.play("end")
    world.data["next_id"] += 1
    with pytest.raises(NotationError, match="'next_id' must be at most"):
        world.play("end")


def test_land_units_without_a_tile_have_room_in_legal_lists():
    """Lists are proven to hold the moves of as many ghosts as there can be, whatever their kind."""
    for side in (8, 11, 18):
        g = turnwise.make("tribes", side=side).tables
        reach = min(g.cells, 15 * 15) - 1
        standing = np.arange(g.most_units - g.most_ghosts + 1)
        most = ((standing + g.most_ghosts) * np.minimum(reach, g.cells - standing)).max()
        assert turnwise.make("tribes", side=side).max_actions > most
