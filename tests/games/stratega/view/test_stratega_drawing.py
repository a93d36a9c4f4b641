"""The picture and the text board of the strategy engine show every fact of a position, in any mode."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

import turnwise
from turnwise.games.stratega.scenario import ModeFile
from turnwise.games.stratega.view.position import codes_of, read_view, tiles_of
from turnwise.games.stratega.view.svg import PLAYERS, colour_of, draw
from turnwise.games.stratega.view.text import text_board

SVG = "{http://www.w3.org/2000/svg}"
TAGS = {"svg", "g", "path", "rect", "circle", "polygon", "text", "title"}
MODES = sorted(ModeFile.names())
UNITS = [
    [0, "Medic", 0, 3, 5, 48, 0, ""],
    [1, "Brute", 0, 6, 3, 26, 3, "AM"],
    [2, "Medic", 1, 4, 4, 10, 0, ""],
    [4, "Medic", 2, 1, 3, 36, 2, "HM"],
    [5, "Brute", 2, 7, 5, 56, 1, "P"],
]
STATE = {"turn": 4, "player": 0, "over": False, "winner": -1, "can_play": [1, 1, 1], "units": UNITS}
LARGE = {
    "GameConfig": {"PlayerCount": 8},
    "Tiles": {"Plain": {"Symbol": "."}, "Lava": {"Symbol": "L"}, "Rock": {"Symbol": "<", "IsWalkable": False}},
    "Board": {"Layout": " ".join(["." * 63 + "<"] * 63 + ["L" * 64])},
    "Units": {
        name: {"Health": 9, "LineOfSightRange": 3, "ActionRange": 1, "Count": count}
        for name, count in (("Knight", 10), ("King", 1), ("a&b", 10), ("<b>", 10))
    },
    "ForwardModel": {"Effects": {"Hot": {"Type": "Death", "Trigger": "EnterTile", "Condition": "StandingOnTile"}}},
}
LARGE["ForwardModel"]["Effects"]["Hot"]["TargetTile"] = "Lava"


@pytest.fixture(scope="module")
def game():
    return turnwise.make("stratega:mode=mixed3")


def drawn(game, state, **more):
    return ElementTree.fromstring(draw(game.options.mode.content, game.options.rows, state, **more))


def written(game, state, **more):
    return text_board(game.options.mode.content, game.options.rows, state, **more)


def words(root):
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def titles(root):
    return [element.text or "" for element in root.iter(f"{SVG}title")]


def numbers(root):
    """The numbers of units on the board, each in a plate."""
    (board,) = (group for group in root.findall(f"{SVG}g") if group.find(f"{SVG}title") is not None)
    return [text for plate, text in pairwise(board) if plate.tag == f"{SVG}rect" and text.tag == f"{SVG}text"]


def assert_sound(svg):
    root = ElementTree.fromstring(svg)
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= TAGS
    names = {name for element in root.iter() for name in element.attrib}
    assert not {name for name in names if name in {"id", "class", "style"} or "href" in name}
    assert not re.search(r"url\(|\bon\w+=|nan|\binf\b", svg)
    assert "paint-order" not in names
    assert all(" " not in text.get("x") for text in root.iter(f"{SVG}text"))  # not every renderer knows several places
    assert root.get("role") == "img"


class TestPicture:
    @pytest.mark.parametrize("mode", MODES)
    def test_sound_in_every_mode_with_and_without_fog(self, mode):
        game = turnwise.make("stratega", mode=mode)
        state = game.start(1)
        for each in (state, state.view(0)):
            assert_sound(game.svg(each.row))

    def test_largest_modes(self):
        game = turnwise.make("stratega", mode=LARGE)
        state = game.start(2).view(1)
        svg = game.svg(state.row)
        assert_sound(svg)
        assert float(ElementTree.fromstring(svg).get("width")) < 1400
        assert len(svg) < 400_000
        assert all(colour in svg for colour in PLAYERS)

    def test_every_unit_is_there_with_all_its_facts(self, game):
        notes = titles(drawn(game, STATE))
        facts = [
            "Medic 0 of player 1 at 3,5 on Plain; health 48 of 40; 2 of 2 actions left",
            "Brute 1 of player 1 at 6,3 on Plain; health 26 of 60; 0 of 3 actions left",
            "Medic 2 of player 2 at 4,4 on Plain; health 10 of 40",
            "Medic 4 of player 3 at 1,3 on Plain; health 36 of 40",
            "Brute 5 of player 3 at 7,5 on Plain; health 56 of 60",
        ]
        assert notes == ["Three players", *facts]
        assert [label.text for label in numbers(drawn(game, STATE))] == ["0", "1", "2", "4", "5"]

    @pytest.mark.parametrize("mode", ["kings", "armies", LARGE], ids=["kings", "armies", "large"])
    def test_every_unit_has_a_readable_number_on_every_board(self, mode):
        game = turnwise.make("stratega", mode=mode)
        state = game.start(1).to_dict()
        labels = numbers(drawn(game, state))
        assert [int(label.text) for label in labels] == [unit[0] for unit in state["units"]]
        assert all(float(label.get("font-size")) >= 7.5 for label in labels)

    def test_the_unit_that_must_live_is_marked(self):
        game = turnwise.make("stratega:mode=kings_ua")
        state = game.start(1)
        root = ElementTree.fromstring(game.svg(state.row))
        assert sum(len(shape.get("points").split()) == 7 for shape in root.iter(f"{SVG}polygon")) == 2 + 1  # legend
        assert sum(note.endswith("; must live") for note in titles(root)) == 2
        assert "King: who has none is out" in words(root)
        assert "K King (who has none is out)" in str(state)
        plain = turnwise.make("stratega:mode=kings").start(1)
        assert "who has none is out" not in plain.game.svg(plain.row) + str(plain)

    def test_the_legend_explains_the_marks_of_units(self, game):
        marks = {"number of a unit, as in actions", "actions left in this turn", "no actions left in this turn"}
        assert marks | {"more than full health"} <= set(words(drawn(game, STATE)))
        over = set(words(drawn(game, STATE | {"over": True})))
        assert marks & over == {"number of a unit, as in actions"}
        pushers = turnwise.make("stratega:mode=pushers").start(1)
        assert "more than full health" not in pushers.game.svg(pushers.row)

    def test_spent_units_are_dim_and_others_have_a_dot_for_every_action(self, game):
        groups = {}
        for group in drawn(game, STATE).iter(f"{SVG}g"):
            note = group.find(f"{SVG}title")
            if note is not None:
                groups[note.text.split(" of ")[0]] = ElementTree.tostring(group, "unicode")
        assert [name for name, group in groups.items() if 'opacity=".5"' in group and " " in name] == [
            "Three players",  # the whole board
            "Brute 1",
        ]
        assert groups["Medic 0"].count('stroke-width=".8"') == 2
        assert groups["Medic 0"].count("<ns0:circle") == 1 + 2  # the disc and two dots
        assert 'stroke-width=".8"' not in groups["Brute 1"]
        assert 'stroke-width=".8"' not in groups["Medic 2"]

    def test_health_is_the_length_and_colour_of_a_bar(self, game):
        svg = ElementTree.tostring(drawn(game, STATE), "unicode")
        cell = 46  # largest cells, on a small board
        bars = {48: ("2c9b6b", 1), 26: ("d39b00", 26 / 60), 10: ("d4224f", 0.25), 36: ("2c9b6b", 0.9)}
        for colour, share in bars.values():
            assert re.search(rf'width="{cell * 0.84 * share:.1f}" height="[\d.]+" fill="#{colour}"', svg), (
                colour,
                share,
            )
        assert svg.count('height="5.1" fill="#f2c94c"') == 1  # of one unit; bars of the legend are lower

    def test_fog_covers_exactly_the_unknown_cells(self, game):
        unknown = ["?" * 9, *["........."] * 5, "....?...."]
        root = drawn(game, STATE | {"unknown": unknown, "hidden": [[3, "Brute", 1]]})
        assert sum(word.count("?") for word in words(root)) == 10
        veil = next(path for path in root.iter(f"{SVG}path") if path.get("opacity") == ".62")
        assert veil.get("d").count("M") == 10
        assert "Player 2: 1 unit, health 10, 1 unseen" in words(root)
        assert "not seen" in words(root)
        assert "not seen" not in words(drawn(game, STATE))

    @pytest.mark.parametrize(
        ("change", "says"),
        [
            ({}, "player 1 to move"),
            ({"player": 2}, "player 3 to move"),
            ({"over": True, "winner": 1, "can_play": [0, 1, 0]}, "player 2 wins"),
            ({"over": True, "winner": -1, "turn": 30}, "draw"),
        ],
    )
    def test_round_and_mover_or_result(self, game, change, says):
        state = STATE | change
        root = drawn(game, state)
        number = min(state["turn"] + 1, 30)
        assert {says, f"Round {number} of 30"} <= set(words(root))
        assert f"Round {number} of 30: {says}" in root.get("aria-label")
        assert written(game, state).splitlines()[0] == f"Three players. Round {number} of 30: {says}"
        assert ("Player 1: out of the game" in words(root)) == (state["can_play"][0] == 0)

    @pytest.mark.parametrize(
        ("action", "frames", "arrows"),
        [
            ("end", 0, 0),
            ("attack 1 2", 2, 1),
            ("heal 0 0", 1, 0),
            ("push 1 2", 2, 1),
            ("move 0 3,5", 1, 0),
            ("attack 3 3", 0, 0),  # unit 3 has died: nobody knows where
        ],
    )
    def test_last_action(self, game, action, frames, arrows):
        svg = ElementTree.tostring(drawn(game, STATE, last_action=action), "unicode")
        assert f"last: {action}" in svg
        assert svg.count('stroke="#fff" stroke-width="6.6"') == arrows
        assert len(re.findall(r'd="M[\d.]+ [\d.]+h43\.6v', svg)) == frames

    def test_the_state_before_shows_where_units_were(self, game):
        before = STATE | {"units": [[0, "Medic", 0, 1, 4, 48, 0, ""], [3, "Brute", 1, 7, 3, 5, 0, ""], *UNITS[1:]]}
        plain = len(draw(game.options.mode.content, game.options.rows, STATE, last_action="move 0 3,5"))
        for action in ("move 0 3,5", "attack 1 3", "push 1 3"):
            known = draw(game.options.mode.content, game.options.rows, STATE, last_action=action, before=before)
            assert len(known) > plain + 100
            assert known.count('stroke-dasharray="4 3"') == 1

    def test_the_game_draws_with_the_state_before(self, game):
        state = game.start(3)
        action = next(text for text in state.legal_actions() if text.startswith("move"))
        after = state.play(action)
        assert 'stroke-dasharray="4 3"' in game.svg_of([state.row, after.row], action)
        assert 'stroke-dasharray="4 3"' not in game.svg(after.row, action)
        assert after._repr_svg_() == game.svg(after.row)


class TestText:
    @pytest.mark.parametrize("mode", [*MODES, LARGE], ids=lambda mode: mode if isinstance(mode, str) else "large")
    def test_every_cell_is_in_its_column(self, mode):
        game = turnwise.make("stratega", mode=mode)
        state = game.start(1).view(1).to_dict()
        rows, codes = game.options.rows, codes_of(game.options.mode.content.Units)
        lines = written(game, state, columns=max(120, 3 + 3 * len(rows[0]))).splitlines()  # wide enough for one block
        step = (lines[1].index("2", 4) - 3) // 2  # without gaps only every second column has a number
        units = {(x, y): (codes[kind], owner) for _, kind, owner, x, y, *_ in state["units"]}
        for y, row in enumerate(rows):
            assert lines[2 + y][:3] == f"{y:>2} "
            for x, letter in enumerate(row):
                cell = lines[2 + y][3 + step * x : 3 + step * (x + 1)].rstrip()
                if (x, y) in units:
                    code, owner = units[x, y]
                    assert cell == f"{code}{owner + 1}"
                else:
                    assert cell == ("?" if state["unknown"][y][x] == "?" else letter)

    def test_colour_adds_nothing_but_colour(self, game):
        painted = written(game, STATE, colour=True)
        assert "\x1b[" in painted
        assert re.sub(r"\x1b\[[\d;]*m", "", painted) == written(game, STATE)

    def test_legend_and_sides(self, game):
        text = written(game, STATE | {"unknown": ["?........"] * 7, "hidden": [[3, "Brute", 1]]})
        tiles = "Tiles: . Plain, M Mountain (not walkable), H Hole (deadly), S Swamp, ? not seen, all tiles: 2 damage"
        assert f"{tiles} in every turn." in " ".join(text.split())
        assert "B Brute, M Medic" in text
        assert "Player 1: 2 units, health 74\n  M 0 at 3,5 48/40 (2 left); B 1 at 6,3 26/60 (0 left)" in text
        assert "Player 2: 1 unit, health 10, 1 unseen\n  M 2 at 4,4 10/40; not seen: 1 Brute" in text
        board = text.splitlines()[2:9]
        assert "b1" in board[3]  # no actions left
        assert "M1" in board[5]

    def test_the_state_shows_it(self, game):
        state = game.start(1)
        assert str(state) == written(game, state.to_dict())
        assert game.coloured_board_text(state.row) == written(game, state.to_dict(), colour=True)


def test_codes_of_types_differ():
    assert codes_of(["Warrior", "King", "Healer", "Archer"]) == {
        "Archer": "A",
        "Healer": "H",
        "King": "K",
        "Warrior": "W",
    }
    assert codes_of(["PusherA", "PusherB"]) == {"PusherA": "Pa", "PusherB": "Pb"}
    assert codes_of(["King", "Knight"]) == {"King": "Ki", "Knight": "Kn"}
    hard = [["A", "a", "Aa", "AA"], ["", " ", "é", "U"], [f"Unit {n}" for n in range(32)]]
    for names in [*hard, ["B" * n for n in range(1, 33)]]:
        codes = codes_of(names)
        assert set(codes) == set(names)
        assert len(set(codes.values())) == len(names)
        assert all(code.isascii() and code.isalnum() and len(code) <= 2 for code in codes.values())


def test_tiles_look_as_they_act():
    mode = turnwise.make("stratega", mode=LARGE).options.mode.content
    tiles = tiles_of(mode, mode.Board.boards[0])
    assert {symbol: (tile.sort, tile.words) for symbol, tile in tiles.items()} == {
        ".": ("plain", "Plain"),
        "L": ("deadly", "Lava (deadly)"),
        "<": ("wall", "Rock (not walkable)"),
    }
    assert len({colour_of(tile) for tile in tiles.values()}) == 3


def test_a_tile_that_costs_health_is_harmful():
    thorns = {
        "Type": "Damage",
        "Trigger": "EndOfTurn",
        "Condition": "StandingOnTile",
        "TargetTile": "Lava",
        "Amount": 7,
    }
    game = turnwise.make("stratega", mode=LARGE | {"ForwardModel": {"Effects": {"Hot": thorns}}})
    view = read_view(game.options.mode.content, game.options.rows, game.start(1).to_dict())
    assert view.tiles["L"].words == "Lava (7 damage in every turn)"
    assert view.tiles["L"].sort == "harmful"
    assert view.everywhere == ""


def test_what_happens_on_all_tiles_is_in_the_legend():
    state = turnwise.make("stratega", mode="healers").start(1)
    assert "all tiles: 25 damage in every turn" in str(state)
    assert "all tiles: 25 damage in every turn" in state.game.svg(state.row)
    assert "all tiles" not in str(turnwise.make("stratega").start(1))
    both = {
        "Cuts": {"Type": "Damage", "Trigger": "EnterTile", "Amount": 3},
        "Burns": {"Type": "Damage", "Trigger": "EndOfTurn", "Amount": 4},
        "Stings": {"Type": "Damage", "Trigger": "EndOfTurn", "Amount": 5},
    }
    game = turnwise.make("stratega", mode=LARGE | {"ForwardModel": {"Effects": both}})
    view = read_view(game.options.mode.content, game.options.rows, game.start(1).to_dict())
    assert view.everywhere == "3 damage on entering, 9 damage in every turn"
    assert {tile.sort for tile in view.tiles.values()} <= {"plain", "wall"}


def test_cells_have_no_space_between_them_where_the_board_would_not_fit():
    game = turnwise.make("stratega", mode="kings")
    state = game.start(1)
    for columns, step in ((120, 3), (80, 2)):
        lines = re.sub(r"\x1b\[[\d;]*m", "", game.coloured_board_text(state.row, columns)).splitlines()
        assert max(map(len, lines)) <= columns
        for _, kind, owner, x, y, *_ in state.to_dict()["units"]:
            assert lines[2 + y][3 + step * x :][:2] == f"{kind[0]}{owner + 1}"


def test_a_board_wider_than_the_terminal_is_written_in_blocks():
    game = turnwise.make("stratega")
    state = game.start(seed=1)
    data = state.to_dict()
    whole = text_board(game.options.mode.content, game.options.rows, data, columns=120).splitlines()
    blocks = text_board(game.options.mode.content, game.options.rows, data, columns=22).splitlines()
    height, length = len(game.options.rows), len(game.options.rows[0])
    board = blocks[blocks.index(next(line for line in blocks if line.startswith("   0"))) :]
    per = (22 - 3) // 2
    parts = -(-length // per)
    assert parts > 1
    lines = board[: parts * (height + 1)]
    assert max(map(len, lines)) <= 22
    cells = [""] * height
    for part in range(parts):
        for y in range(height):
            cells[y] += lines[part * (height + 1) + 1 + y][3:].replace(" ", "")
    start = next(number for number, line in enumerate(whole) if line.startswith("   0"))
    assert cells == [line[3:].replace(" ", "") for line in whole[start + 1 : start + 1 + height]]
