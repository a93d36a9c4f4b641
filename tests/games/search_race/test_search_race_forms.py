"""Notation, JSON, options, files."""

import json

import pytest

import turnwise
from turnwise.core.errors import DamagedFileError, NotationError, OptionError
from turnwise.games.search_race import SearchRace, notation
from turnwise.games.search_race.files import LARGEST_FILE, read_track
from turnwise.games.search_race.rules.codes import FARTHEST_AIM
from turnwise.games.search_race.scenario import selection, tracks


@pytest.fixture(scope="module")
def game():
    return turnwise.make("search-race")


# ------------------------------------------------------------------------------------------------------------ answers


@pytest.mark.parametrize(
    "line", ["EXPERT 18 200", "EXPERT -18 0 a message", "+5 -7 +200", "5 5 5 ", "EXPERT +0 +0", "1 2 3 4 5"]
)
def test_answers_that_the_referee_accepts(game, line):
    assert game.start().is_legal(notation.parse_answer(game.start().row, line))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "EXPERT",
        "EXPERT 1",
        "EXPERT 19 0",
        "EXPERT -19 0",
        "EXPERT 0 201",
        "EXPERT 0 -1",
        "expert 0 0",
        " EXPERT 0 0",
        *(
            "EXPERT  0 0",
            "EXPERT 0  0",
            "1 2",
            "1 2 201",
            "1 2 -1",
            "1.5 2 3",
            "1 2e3 4",
            "\u0661 2 3",
            "1_0 2 3",
            "1\t2\t3",
        ),
        *("++1 2 3", "- 2 3", "9999999999999999999 0 0", "EXPERT 0 0\n", "NaN 0 0"),
    ],
)
def test_answers_that_lose(game, line):
    with pytest.raises(NotationError, match=r"EXPERT|thrust|turn"):
        notation.parse_answer(game.start().row, line)


def test_an_action_is_an_answer_without_a_message(game):
    with pytest.raises(NotationError, match="nothing after"):
        game.start().play("EXPERT 0 0 hello")


def test_aims_beyond_reach_keep_their_direction(game):
    row = game.start().row
    code = game.parse_action(row, "-400000000000 300000000000 150")
    x, y, thrust = map(int, game.action_text(row, code).split())
    assert max(abs(x), abs(y)) <= FARTHEST_AIM
    assert (y - 1986) / (x - 10353) == pytest.approx(-3 / 4, abs=1e-6)
    assert x < 0
    assert thrust == 150


# ---------------------------------------------------------------------------------------------------------------- JSON


def test_a_state_has_the_referees_fields_in_its_order(game):
    state = game.start()
    assert json.dumps(state.to_dict()) == (
        '{"cp": 0, "x": 10353, "y": 1986, "vx": 0, "vy": 0, "angle": 161, "timer": 0, "done": false}'
    )
    won = {**state.to_dict(), "cp": 9, "timer": 12, "done": True, "col_time": 0.5}
    assert game.from_dict(won).to_dict() == won
    assert game.from_dict(won).returns == (-12.5,)


@pytest.mark.parametrize(
    "change",
    [{"cp": 10}, {"cp": -1}, {"cp": 9}, {"x": 0.5}, {"x": 10**9}, {"vx": 10**6}, {"angle": 361}, {"angle": -1}]
    + [{"timer": 601}, {"timer": 600}, {"done": True}, {"done": 0}, {"timer": True}, {"col_time": 0.5}]
    + [{"cp": 9, "done": True, "col_time": value} for value in (1.5, -0.1, float("nan"), "0", True, None)]
    + [{"cp": 9, "done": True, "col_time": 0.5, "timer": 600}, {"cp": 9, "done": False, "col_time": 0.5}],
)
def test_impossible_states_are_refused(game, change):
    with pytest.raises(NotationError, match=r"State field|must be an object with the fields"):
        game.from_dict({**game.start().to_dict(), **change})


# ------------------------------------------------------------------------------------------------------------ options


def test_all_tracks_are_there():
    assert len(tracks()) == 50
    assert tracks()[:3] == ("test1", "test2", "test7")
    assert tracks()[-1] == "test704"
    assert len(set(selection())) == 15
    assert set(selection()) < set(tracks())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"track": "test3"}, "no track 'test3'"),
        ({"moves": "tem"}, "Did you mean 'ten'"),
        ({"checkpoints": [[1, 2]]}, "needs 2 to 1000 checkpoints"),
        ({"checkpoints": []}, "needs 2 to 1000 checkpoints"),
        ({"checkpoints": [[0, 0]] * 1001}, "needs 2 to 1000 checkpoints"),
        ({"checkpoints": [[1, 2], [3, 4.5]]}, "checkpoint 1 is two whole numbers"),
        ({"checkpoints": [[1, 2], [3]]}, "checkpoint 1 is two whole numbers"),
        ({"checkpoints": [[1, 2], "34"]}, "checkpoint 1 is two whole numbers"),
        ({"checkpoints": [[1, 2], [True, 4]]}, "checkpoint 1 is two whole numbers"),
        ({"checkpoints": [[1, 2], [3, 10**30]]}, "coordinates go from -1,000,000 to 1,000,000"),
        ({"checkpoints": "1 2;3 4"}, "list of [x, y]"),
        ({"checkpoints": 5}, "list of [x, y]"),
        ({"checkpoints": [[0, 0]] * 900, "laps": 100}, "choose fewer laps"),
        ({"track": "test2", "checkpoints": [[1, 2], [3, 4]]}, "not both"),
        ({"laps": 0}, "expected a whole number from 1 to 100"),
    ],
)
def test_bad_options_get_one_message(options, message):
    with pytest.raises(OptionError) as caught:
        SearchRace(**options)
    assert message in str(caught.value)


def test_a_custom_map_survives_its_text():
    game = SearchRace(checkpoints=[[0, 0], [3000, -50]], laps=1, moves="grid")
    again = turnwise.make(game.spec)
    assert again.options == game.options
    assert (again.setup == game.setup).all()


# -------------------------------------------------------------------------------------------------------------- files


@pytest.mark.parametrize(
    "text",
    [
        "1 2\n-3 4\n",
        "# mine\n1,2\r\n -3 , 4 # last\n",
        "1 2;-3 4",
        "[[1, 2], [-3, 4]]",
        '{"checkpoints": [[1,2],[-3,4]]}',
        "\ufeff+1\t2\n\n-3   4",
    ],
)
def test_maps_from_files(tmp_path, text):
    (tmp_path / "map").write_text(text, encoding="utf-8")
    assert read_track(tmp_path / "map") == ((1, 2), (-3, 4))
    assert SearchRace(checkpoints=read_track(tmp_path / "map")).total == 6


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "2 to 1000 checkpoints"),
        (b"1 2\n", "2 to 1000 checkpoints"),
        (b"1 2\n3\n", "line 2: expected two whole numbers"),
        (b"1 2\n3 4 5\n", "line 2: expected two whole numbers"),
        (b"1 2\n3 4.5\n", "line 2: expected two whole numbers"),
        (b"1 2\n3 4000000\n", "coordinates go from"),
        (b"\xff\xfe\x00", "not UTF-8 text"),
        (b"[[1, 2], [3,", "not valid JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"points": []}', "no 'checkpoints'"),
        (b'{"checkpoints": "1 2"}', "list of [x, y]"),
        (b"1 2\n" * LARGEST_FILE, "larger than"),
    ],
)
def test_bad_files_get_one_message(tmp_path, content, message):
    (tmp_path / "map").write_bytes(content)
    with pytest.raises(DamagedFileError) as caught:
        read_track(tmp_path / "map")
    assert message in str(caught.value)
    assert "map" in str(caught.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(DamagedFileError, match="cannot be read"):
        read_track(tmp_path / "none")
