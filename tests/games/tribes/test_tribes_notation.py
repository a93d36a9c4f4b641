"""Actions and states of Tribes as text and JSON: both ways, and what is refused."""

import copy
import json
import random

import numpy as np
import pytest

import turnwise
from doubles.effort import effort
from doubles.tribes_positions import played
from turnwise.core.errors import NotationError
from turnwise.games.tribes.rules.codes import KINDS, code
from turnwise.games.tribes.state_dict import recorded_form

SCENARIOS = {
    "full": {},
    "fog": {"fog": True},
    "four": {"players": 4},
    "score": {"mode": "score", "side": 8},
    "copies": {"copies": "as-coded"},
    "fog copies": {"fog": True, "copies": "as-coded"},
}


def states(game, seed, count):
    """States of a random game, and what players know of them."""
    rng = random.Random(seed)
    state = game.start(seed)
    for _ in range(count):
        if state.is_over:
            return
        yield state
        yield state.view(rng.randrange(game.players))
        for _ in range(rng.randrange(12)):
            if not state.is_over:
                state = state.play(int(rng.choice(state.legal_codes())))


@pytest.mark.parametrize("name", SCENARIOS)
def test_texts_and_forms_lead_back(name):
    game = turnwise.make("tribes", **SCENARIOS[name])
    for state in states(game, 5, effort(40, 8)):
        form = state.to_dict()
        assert (game.state_row(form) == state.row).all()
        codes = state.legal_codes().tolist() if not state.is_over else []
        texts = [game.action_text(state.row, action) for action in codes]
        assert [game.parse_action(state.row, text) for text in texts] == codes
        assert len(set(texts)) == len(texts)


def test_slots_and_copies_are_not_in_the_recorded_form():
    game = turnwise.make("tribes:copies=as-coded,level=9")
    rng, state = random.Random(2), game.start()
    while not any("slot" in unit for unit in state.to_dict()["units"]):
        state = state.play(int(rng.choice(state.legal_codes())))
    view = state.view(0).to_dict()
    assert view["copy"] is True
    assert "copy" not in state.to_dict()
    plain = recorded_form(view)
    assert "copy" not in plain
    assert all("slot" not in unit for unit in plain["units"])
    assert list(plain) == [key for key in view if key != "copy"]
    again = game.from_dict(plain).to_dict()  # slots by rank: another row, the same state for the original
    assert recorded_form(again) == plain


NO_ACTIONS = """
fly u2 3,4|end now|END| end|research FLYING|research|road 11,3|road 1;2|road 1,-2|move u2|move c2 3,4|move u99 3,4
move u0 3,4|move u2 99,99|attack u2 c1|spawn c1 BOAT|spawn u2 WARRIOR|build c1 2,6 |build c1 2,6 CASTLE
gather c1 2,6 RUINS|levelup c1 ALTAR|capture u2 village|capture u2 c3|capture u2 c99|examine|heal u2 u4
"""


@pytest.mark.parametrize("action", ["", *NO_ACTIONS.strip("\n").replace("\n", "|").split("|")])
def test_texts_that_are_no_actions(action):
    game = turnwise.make("tribes", level=1590191438878)
    with pytest.raises(NotationError):
        game.parse_action(game.start().row, action)


def test_texts_in_the_first_state():
    game = turnwise.make("tribes", level=1590191438878)
    state = game.start()
    assert state.legal_actions() == [
        *("research CLIMBING", "research FISHING", "research HUNTING", "research RIDING", "end"),
        *("gather c1 2,6 FRUIT", "gather c1 3,6 FRUIT", "move u2 2,6", "move u2 3,6", "move u2 2,8"),
    ]
    assert state.text(state.code("capture u2 c1")) == "capture u2 c1"
    moved = state.play("move u2 2,8")
    with pytest.raises(NotationError, match="stands on no city, not on 'c1'; expected 'village'"):
        moved.code("capture u2 c1")


def test_every_number_has_a_text_or_a_message():
    game, rng = turnwise.make("tribes:fog=true"), random.Random(4)
    state = game.start(2)
    numbers = [-1, -(1 << 63), (1 << 63) - 1, 1 << 27, *range(KINDS + 11)]
    numbers += [rng.randrange(1 << 27) for _ in range(effort(4000, 400))]
    numbers += [
        code(rng.randrange(KINDS), rng.randrange(4), rng.randrange(130), rng.randrange(24))
        for _ in range(effort(4000, 400))
    ]
    read = 0
    for number in numbers:
        try:
            text = game.action_text(state.row, number)
        except NotationError:
            continue
        assert game.parse_action(state.row, text) == number
        read += 1
    assert read > 10


BASE = turnwise.make("tribes", level=1590191438878, fog=True)


def damaged(change, game=BASE):
    """The message about a state that a function has changed."""
    data = copy.deepcopy(game.start().to_dict())
    change(data)
    with pytest.raises(NotationError) as raised:
        game.from_dict(data)
    return str(raised.value)


def put(path, value):
    """A change of one value."""

    def change(data):
        for part in path[:-1]:
            data = data[part]
        data[path[-1]] = value

    return change


def pop(path):
    def change(data):
        for part in path[:-1]:
            data = data[part]
        del data[path[-1]]

    return change


def two_units_on_a_tile(data):
    data["units"][1]["pos"] = data["units"][0]["pos"]


def a_building_outside_the_borders(data):
    data["owner"][0][0], data["building"][0] = 1, "D" + data["building"][0][1:]
    data["cities"][0]["buildings"] = [[0, 0, "FARM"]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (pop(["tick"]), "without tick"),
        (put(["wind"], 1), "with the unknown field wind"),
        (put(["tick"], 52), "'tick' must be a whole number from 0 to 51"),
        (put(["tick"], True), "'tick' must be a whole number"),
        (put(["active"], 2), "'active'"),
        (put(["over"], 0), "'over' must be true or false"),
        (put(["next_id"], 3), "'units[1].id' must be a whole number from 1 to 3"),
        (put(["next_id"], 1 << 40), "'next_id'"),
        (put(["copy"], False), "'copy' must be true or absent"),
        (put(["capitals"], [1]), "'capitals': expected a list of 2"),
        (put(["capitals", 0], 3), "'cities[0].capital' must be true for the ids in 'capitals'"),
        (put(["terrain", 0], "dddsfff.f."), "'terrain': expected 11 rows of 11 letters"),
        (put(["terrain", 0], "cddsfff.f.."), "each tile 'c' must be the centre of one of 'cities'"),
        (put(["terrain", 0], " ddsfff.f.."), "'owner', tile 0,0"),
        (put(["terrain", 0], "vvvvvvvvvvv"), None),
        (put(["resource", 0], "x---a----cr"), "'resource'"),
        (put(["building", 0], "A----------"), "PORT is in no city's 'buildings'"),
        (put(["network"], ["0" * 11]), "'network'"),
        (put(["owner", 0, 0], 2), "'owner', tile 0,0: expected the id of a city"),
        (put(["owner", 2, 7], 3), "'cities[0]': the city must own the tile of its centre"),
        (put(["unit_at", 0, 0], 2), "'unit_at', tile 0,0: expected 0, or the id of a unit whose 'pos' is the tile"),
        (put(["unit_at", 0, 0], 9), "'unit_at', tile 0,0"),
        (put(["unit_at", 0, 0], "2"), "'unit_at' must be a whole number"),
        (put(["tribes", 0, "type"], "VENGIR"), "'tribes[0].type': expected one of XIN_XI"),
        (put(["tribes", 0, "type"], "XIN_XI"), "two tribes have the same 'type'"),
        (put(["tribes", 0, "id"], 1), "'tribes[0].id' must be 0"),
        (put(["tribes", 0, "stars"], -1), "'tribes[0].stars'"),
        (put(["tribes", 0, "tech"], "1" * 23), "'tribes[0].tech' must be 24 digits"),
        (put(["tribes", 0, "capital"], 3), "'tribes[0].capital' must be 1"),
        (put(["tribes", 0, "cities"], [1, 1]), "'tribes[0].cities': expected ids of the tribe's cities, each once"),
        (put(["tribes", 0, "cities"], [3]), "'tribes[0].cities'"),
        (put(["tribes", 0, "cities"], []), "'cities[0]': the city is not in the list 'cities' of its tribe"),
        (put(["tribes", 0, "connected"], [3, 1]), "'tribes[0].connected' must list each city once, in ascending order"),
        (put(["tribes", 0, "extra_units"], [2]), "'tribes[0].extra_units': expected ids of units, each in one list"),
        (put(["tribes", 0, "monuments"], "000"), "'tribes[0].monuments' must be 7 of the signs"),
        (put(["tribes", 0, "monuments"], "-000000"), "where a status is hidden ('-'), none is 0"),
        (put(["over"], True), "the 'result' of one tribe is WIN, that of all others LOSS; got INCOMPLETE, INCOMPLETE"),
        (put(["tribes", 1, "result"], "WIN"), "'tribes[1].result': WIN, but 'over' is false"),
        (put(["tribes", 0, "result"], "LOSS"), "while the game is not over, a tribe that has lost cannot move"),
        (put(["tribes", 0, "met"], [0, 0]), "'tribes[0].met' must list each tribe once"),
        (put(["tribes", 0, "met"], [2]), "'tribes[0].met'"),
        (put(["tribes", 0, "visible"], ["0" * 11] * 11), "does not see the tile 2,7"),
        (pop(["tribes", 0, "visible"]), "'tribes[0]': expected an object with the fields"),
        (put(["cities", 0, "level"], 0), "'cities[0].level'"),
        (put(["cities", 0, "need"], 3), "'cities[0].need' follows from the city's other fields and must be 2"),
        (put(["cities", 0, "production"], 3), "'cities[0].production' follows"),
        (put(["cities", 0, "bound"], 2), "'cities[0].bound' must be 1"),
        (put(["cities", 0, "pos"], [0, 0]), "'cities[0].pos': expected a tile with the terrain 'c'"),
        (put(["cities", 0, "pos"], [11, 0]), "'cities[0].pos'"),
        (put(["cities", 0, "pos"], 7), "'cities[0].pos': expected a list of 2"),
        (put(["cities", 1, "id"], 1), "'cities' must be in ascending order of ids"),
        (put(["cities", 0, "tribe"], 1), "'cities[0].units'"),
        (put(["cities", 0, "units"], []), "'units': 2 is in no city's 'units' and no 'extra_units'"),
        (put(["cities", 0, "units"], [2, 2]), "'cities[0].units'"),
        (put(["cities", 0, "units"], [4]), "'cities[0].units'"),
        (put(["cities", 0, "units"], [2, 4, 2, 4]), "at most 2 units at level 1; got 4"),
        (put(["cities", 0, "buildings"], [[2, 6, "FARM"]]), "tile 2,6 must show this building"),
        (put(["cities", 0, "buildings"], [[2, 6]]), "expected [row, column, TYPE]"),
        (put(["cities", 0, "buildings"], [[2, 6, "CASTLE"]]), "expected one of PORT"),
        (put(["units", 0, "type"], "DRAGON"), "'units[0].type'"),
        (put(["units", 0, "type"], "BOAT"), "'units[0].base': ships, and only they"),
        (put(["units", 0, "base"], "WARRIOR"), "'units[0].base': ships, and only they"),
        (put(["units", 0, "hp"], 0), "'units[0].hp' must be a whole number from 1 to 10"),
        (put(["units", 0, "hp"], 11), "'units[0].hp'"),
        (put(["units", 0, "max_hp"], 0), "'units[0].max_hp'"),
        (put(["units", 0, "pos"], [2, 8]), "'unit_at', tile 2,7"),
        (put(["units", 0, "city"], 9), "'units[0].city': expected the id of a city"),
        (put(["units", 0, "city"], -1), "'cities[0].units'"),
        (put(["units", 0, "tribe"], 1), "'cities[0].units'"),
        (put(["units", 0, "status"], "TIRED"), "'units[0].status'"),
        (put(["units", 0, "veteran"], 1), "'units[0].veteran'"),
        (put(["units", 0, "slot"], 0), "'units[0].slot'"),
        (put(["units", 0, "slot"], 1), "'units[1].slot'"),
        (put(["units", 0, "slot"], 121), "'units[0].slot'"),
        (put(["units", 1, "id"], 2), "'units[1].id': ids must ascend"),
        (put(["units", 1, "id"], 3), "'units[1].id'"),
        (put(["units"], {}), "'units': expected a list"),
        (put(["units", 0], []), "'units[0]': expected an object"),
        (put(["unknown_cities"], [1]), "'unknown_cities' must list ids that 'cities' lacks"),
        (put(["unknown_cities"], []), "'unknown_cities'"),
        (a_building_outside_the_borders, "'cities[0].buildings[0]': tile 0,0 is outside the city's borders"),
        (two_units_on_a_tile, "'unit_at', tile 8,8"),
    ],
)
def test_impossible_states_are_explained(change, message):
    if message is None:  # there is room for these villages
        data = copy.deepcopy(BASE.start().to_dict())
        change(data)
        assert BASE.from_dict(data).to_dict() == data
    else:
        assert message in damaged(change)


@pytest.mark.parametrize("options", [{"fog": True}, {"fog": True, "players": 3, "copies": "as-coded"}])
def test_views_lead_back_after_turns_of_all_players(options):
    """A search plays them on, although they do not hold what the other players have."""
    game = turnwise.make("tribes", side=11, **options)
    start = played(game, 5, 150)[-1]
    for player in range(game.players):
        now, turns = start.view(player).with_chance(player), 0
        for number in range(effort(90, 30)):
            if now.is_over:
                break
            before, now = now, now.play(now.script("tribes-rules", seed=number) or "end")
            turns += now.to_move != before.to_move
            back = game.from_dict(json.loads(json.dumps(now.to_dict())))
            assert (back.row == now.row).all()
        assert turns >= 3


def test_there_is_room_for_every_village():
    def settle(data):
        data["terrain"] = [row.replace("d", "v") for row in data["terrain"]]

    assert "has room for 18 together" in damaged(settle)


def test_ghosts_are_units_on_no_tile():
    data = BASE.start().to_dict()
    data["unit_at"] = [[0] * 11 for _ in range(11)]
    state = BASE.from_dict(data)
    assert state.row.view(BASE.layout())[0]["ghosts"] == 2
    assert state.to_dict() == data


def test_without_fog_nothing_is_unknown():
    game = turnwise.make("tribes", level=1590191438878)
    assert "no tile can be unknown" in damaged(put(["terrain", 0], " ddsfff.f.."), game)
    assert "all cities are known" in damaged(put(["unknown_cities"], [2]), game)
    assert "'tribes[0]'" in damaged(put(["tribes", 0, "met"], [0]), game)


def test_other_values_are_no_states():
    for value in (None, 5, [], "state", {}):
        with pytest.raises(NotationError):
            BASE.state_row(value)
    row = np.full(BASE.state_words, 1, np.uint64)
    with pytest.raises(NotationError):
        BASE.check_row(row)
