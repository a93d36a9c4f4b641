"""Options of Tribes: tribes, levels from files and seeds, faults, and messages that name line and column."""

import pickle

import pytest

import turnwise
from turnwise.cli.ui.fields import describe
from turnwise.games.tribes.recorded.levels import level_rows
from turnwise.games.tribes.scenario import TribesOptions

ROWS = [
    "d:,d:,d:,s:,f:a,f:,f:,.:",
    "d:,d:,d:,s:,f:,s:,s:,d:w",
    "d:,d:w,d:w,s:h,.:,.:f,c:1,.:f",
    "s:,d:,d:,s:,.:f,f:a,.:f,m:",
    "s:,d:,d:,d:,s:,f:,.:c,f:",
    "s:,d:,c:3,d:w,s:h,m:o,f:,m:",
    "s:,d:,d:,d:,d:w,s:h,.:,m:",
    "s:,d:,.:r,d:,v: ,s:,f:a,.:c",
]
LEVEL = "\n".join(ROWS) + "\n"


def fault(**options):
    """The message about impossible options."""
    with pytest.raises(turnwise.TurnwiseError) as raised:
        turnwise.make("tribes", **options)
    return str(raised.value)


def test_the_default_is_the_published_setting():
    game = turnwise.make("tribes")
    start = game.start(3)
    assert (game.players, game.tables.side, game.rounds, game.spec) == (2, 11, 51, "tribes")
    assert {tribe["type"] for tribe in start.to_dict()["tribes"]} == {"XIN_XI", "IMPERIUS"}
    assert start == game.start(3) != game.start(4)
    assert level_rows(game)
    assert turnwise.make("tribes", mode="score").rounds == 31
    assert turnwise.make("tribes:without=extra-round").rounds == 50


@pytest.mark.parametrize(("players", "side"), [(2, 11), (3, 14), (4, 16)])
def test_boards_grow_with_the_number_of_tribes(players, side):
    game = turnwise.make("tribes", players=players)
    assert (game.players, game.tables.side) == (players, side)
    state = game.start(1).to_dict()
    assert len(state["terrain"]) == side
    assert [tribe["capital"] for tribe in state["tribes"]] == state["capitals"] == [1 + 2 * n for n in range(players)]


def test_what_a_level_can_be_has_words():
    (row,) = [row for row in describe(TribesOptions) if row["name"] == "level"]
    assert row["type"] == "whole number or a file"


@pytest.mark.parametrize("seed", [1 << 63, "9223372036854775808", "-99999999999999999999999"])
def test_seeds_have_at_most_64_bits(seed):
    assert "expected a whole number of at most 64 bits as seed, or a level file" in fault(level=seed)


def test_tribes_are_placed_in_the_order_of_request():
    first, second = (turnwise.make("tribes", tribes=names, level=7) for names in ("bardur+oumaji", "oumaji+bardur"))
    assert level_rows(first) != level_rows(second)
    assert turnwise.make(first.spec).options == first.options
    assert turnwise.make("tribes", tribes=("Bardur", "OUMAJI"), level=7).options == first.options
    assert turnwise.make("tribes", tribes="xin_xi/oumaji").options.kinds == (0, 3)


def test_a_seed_gives_the_same_level_in_every_game():
    game = turnwise.make("tribes:level=1590191438878")
    assert game.start(1) == game.start(2)
    assert level_rows(game)[2] == "d:,d:w,d:w,s:h,.:,.:f,.:f,c:1,f:,m:o,.:r"


def test_a_level_file_travels_as_content(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(LEVEL)
    games = [turnwise.make("tribes", level=value) for value in (str(path), path, LEVEL, ROWS, {"rows": ROWS})]
    yaml = tmp_path / "mine.yaml"
    yaml.write_text("rows:\n" + "".join(f'  - "{row}"\n' for row in ROWS))
    games.append(turnwise.make(f"tribes:level={yaml}"))
    path.unlink()
    yaml.unlink()
    for game in games:
        assert game.options == games[0].options
        assert game.spec.startswith("tribes:level=level-8x8@")
        assert turnwise.make(game.full_spec).options == game.options
        assert pickle.loads(pickle.dumps(game.options)) == game.options
    game = games[0]
    assert level_rows(game) == [row.replace("v: ", "v:") for row in ROWS]
    state = game.start().to_dict()
    assert [tribe["type"] for tribe in state["tribes"]] == ["IMPERIUS", "OUMAJI"]
    assert [unit["type"] for unit in state["units"]] == ["WARRIOR", "RIDER"]
    assert [tribe["score"] for tribe in state["tribes"]] == [390, 395]
    assert game.tables.side == 8


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ("s:h", "x:h", "line 3, column 12", "'x:h' is no tile; expected TERRAIN:RESOURCE"),
        ("s:h", "s", "line 3, column 12", "'s' is no tile"),
        ("d:w\n", "d:,\n", "line 2, column 25", "the row has 9 tiles; expected 8"),
        ("f:a,f:,f:,.:", "f:a,f:,f:", "line 1, column 22", "the row has 7 tiles; expected 8"),
        ("f:a", "f:z", "line 1, column 13", "unknown resource; expected one of h, f, a, w, o, c, r"),
        ("c:3", "c:1", "line 6, column 7", "a second capital of IMPERIUS, whose first one is at line 3, column 23"),
        ("c:3", "c:4", "line 6, column 7", "'c:4' is the capital of no tribe"),
        ("c:3", "c:", "line 6, column 7", "'c:' is the capital of no tribe"),
        ("c:3", ".:", "line 8, column 1", "the map ends with 1 of at least 2 capitals"),
        (LEVEL, LEVEL + "the end\n", "line 9, column 1", "the row has 1 tile, but most rows have 8"),
        (LEVEL, "d:,d:\n", "line 1, column 1", "the map has 1 row; expected 8 to 18"),
        ("s:,d:,.:r,d:,v: ,s:,f:a,.:c\n", "", "line 7, column 1", "the map has 7 rows; expected 8 to 18"),
    ],
)
def test_messages_about_levels_name_line_and_column(tmp_path, old, new, place, message):
    assert old in LEVEL
    path = tmp_path / "mine.csv"
    path.write_text(LEVEL.replace(old, new, 1))
    explained = fault(level=str(path))
    assert explained.startswith(f"{path}: {place}: ")
    assert message in explained
    assert place in fault(level=LEVEL.replace(old, new, 1))
    assert place in fault(level={"rows": LEVEL.replace(old, new, 1).splitlines()})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": LEVEL, "players": 3}, "players is 3, but the level has capitals of 2 tribes"),
        ({"level": LEVEL, "side": 9}, "side is 9, but the level has 8 rows"),
        ({"level": LEVEL, "tribes": "bardur+oumaji"}, "the level has capitals of imperius+oumaji"),
        ({"level": LEVEL, "land": 0.3}, "land is 0.3, but the level is from a file"),
        ({"players": 3, "tribes": "bardur+oumaji"}, "players is 3, but tribes names 2 tribes"),
        ({"tribes": "bardur"}, "must name 2 to 4 tribes"),
        ({"tribes": "bardur+bardur"}, "names a tribe twice"),
        ({"tribes": "bardur+vengir"}, "expected one of xin-xi, imperius, bardur, oumaji"),
        ({"tribes": 5}, "tribes"),
        ({"players": 5}, "expected a whole number from 2 to 4"),
        ({"side": 7}, "from 8 to 18"),
        ({"limit": 0}, "from 1 to 150"),
        ({"without": "extra-rounds"}, "there is no fault 'extra-rounds'; expected names of"),
        ({"without": 5}, "without"),
        ({"copies": "broken"}, "expected one of sound, as-coded"),
        ({"level": True}, "expected a whole number of at most 64 bits as seed, or a level file"),
        ({"level": 1 << 63}, "at most 64 bits"),
        ({"level": "my-level"}, "a seed, a file, or the text of one"),
        ({"level": "my-level.csv"}, "my-level.csv: cannot be read"),
        ({"level": ""}, "a seed, a file, or the text of one"),
    ],
)
def test_impossible_options_are_explained(options, message):
    assert message in fault(**options)


def test_faults_are_corrected_by_name():
    game = turnwise.make("tribes", without="ghost-ships, extra-round")
    assert game.options.without == ("extra-round", "ghost-ships")
    assert turnwise.make(game.spec).options == game.options
    assert game.tables.corrected == turnwise.make("tribes", without=["ghost-ships", "extra-round"]).tables.corrected
    assert bin(game.tables.corrected).count("1") == 2


def test_a_start_under_fog_counts_what_is_seen():
    state = turnwise.make("tribes:fog=true", level=LEVEL).start().to_dict()
    assert [tribe["score"] for tribe in state["tribes"]] == [390 + 5 * 20, 395 + 5 * 25]
    assert [sum(row.count("1") for row in tribe["visible"]) for tribe in state["tribes"]] == [20, 25]
    assert [tribe["met"] for tribe in state["tribes"]] == [[0], [1]]
