"""The picture and the text board of Hero Academy show everything, line up, and refuse what is not a position."""

import copy
import re
import unicodedata
from collections import Counter
from xml.etree import ElementTree

import pytest

from turnwise.games.hero_academy.view.position import (
    CARD_CODES,
    CARD_NAMES,
    SQUARE_NAMES,
    read_action,
    read_view,
)
from turnwise.games.hero_academy.view.svg import draw
from turnwise.games.hero_academy.view.text import text_board

SVG = "{http://www.w3.org/2000/svg}"
MAPS = {
    "a": ("d...S...D", "..c...C..", "..P...P..", ".c.....C.", "d...A...D"),
    "a-small": ("d..S..D", "..c.C..", ".c.P.C.", "d..A..D"),
    "a-tiny": ("d.S.P", "c.A.C", "P.S.D"),
}
STATE = {
    "format": 2,
    "turn": 17,
    "player": 1,
    "ap": 4,
    "terminal": False,
    "hands": [[1, 0, 0, 0, 0, 1, 2, 0, 0, 0, 2], [0, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0]],
    "decks": [[0, 3, 2, 0, 1, 0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
    "seeds": [43706, 31301],
    "units": [
        [0, 0, 0, "KN", 973, "DRHS"],
        [0, 2, 0, "AR", 0, ""],
        [1, 3, 0, "CR", 1234, ""],
        [2, 2, 0, "CL", 801, "H"],
        [4, 0, 1, "WI", 377, "R"],
        [4, 4, 1, "NI", 812, "DS"],
        [5, 2, 1, "AR", 0, "S"],
        [6, 1, 1, "CR", 4321, ""],
        [7, 3, 1, "CR", 99, ""],
        [8, 4, 1, "KN", 5, ""],
    ],
}
ACTIONS = (
    "end",
    "discard RP",
    "drop KN>8,0",
    "drop IN>0,0",
    "move 0,0>2,0",
    "attack 5,2>4,0",
    "heal 2,2>2,2",
    "swap 4,4>8,4",
)


def opening(rows):
    """Crystals only, as at the start of a game."""
    units = [
        [x, y, "cC".index(kind), "CR", 4500, ""]
        for x in range(len(rows[0]))
        for y in range(len(rows))
        if (kind := rows[y][x]) in "cC"
    ]
    return {**STATE, "turn": 1, "player": 0, "ap": 3, "units": units}


def parsed(*args, **kwargs):
    return ElementTree.fromstring(draw(*args, **kwargs))


def words(root):
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def titles(root):
    return [element.text or "" for element in root.iter(f"{SVG}title")]


def changed(path, value):
    """STATE with the entry at a path of keys and indices replaced."""
    state = copy.deepcopy(STATE)
    place = state
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return state


class TestPicture:
    @pytest.mark.parametrize("name", MAPS)
    @pytest.mark.parametrize("last_action", [None, "drop IN>0,0", "swap 4,2>0,2"])
    def test_well_formed_and_self_contained_on_every_map(self, name, last_action):
        svg = draw(opening(MAPS[name]), MAPS[name], last_action=last_action)
        root = ElementTree.fromstring(svg)
        assert root.tag == f"{SVG}svg"
        assert root.get("role") == "img"
        assert "turn 1" in root.get("aria-label")
        tags = {element.tag.removeprefix(SVG) for element in root.iter()}
        assert tags <= {"svg", "g", "path", "rect", "circle", "text", "title"}
        names = {name for element in root.iter() for name in element.attrib}
        assert not {name for name in names if name in {"id", "class", "style"} or "href" in name}
        assert not re.search(r"url\(|\bon\w+=|nan|inf\b", svg)

    @pytest.mark.parametrize("rows", [(".",), ("." * 63,), ("P",) * 63, ("." * 9,) * 7, ("c.C",), ("SAPdDcC.." * 7,)])
    def test_any_rectangle_up_to_63_squares(self, rows):
        state = {**STATE, "units": []}
        root = parsed(state, rows)
        left, top, width, height = map(float, root.get("viewBox").split())
        assert (left, top) == (0, 0)
        assert min(width, height) > 0
        assert len(text_board(state, rows).splitlines()) == 4 * len(rows) + 2 + 11

    def test_every_unit_is_there_with_all_its_facts(self):
        root = parsed(STATE, MAPS["a"])
        shown, notes = words(root), titles(root)
        maxima = [1200, 800, 4500, 880, 800, 880, 800, 4500, 4500, 1000]
        for (x, y, owner, code, hp, items), maximum in zip(STATE["units"], maxima, strict=True):
            knocked_out = hp == 0
            assert f"{'KO ' if knocked_out else ''}{hp}/{maximum}" in shown
            note = next(n for n in notes if n.startswith(f"Player {owner + 1} {CARD_NAMES[code]} at {x},{y};"))
            assert f"{hp} of {maximum} hit points" in note
            assert ("knocked out" in note) == knocked_out
            for letter, item in zip("DRHS", ("Dragonscale", "Runemetal", "Shining helm", "Scroll"), strict=True):
                assert (item in note) == (letter in items)
            kind = MAPS["a"][y][x]
            assert (SQUARE_NAMES[kind] in note) == (kind not in ".cC")
        codes = Counter(unit[3] for unit in STATE["units"])
        codes.update(code for hand in STATE["hands"] for code, count in zip(CARD_CODES, hand, strict=True) if count)
        for code, count in codes.items():
            assert shown.count(code) == count

    def test_hands_decks_turn_points_and_seeds(self):
        root = parsed(STATE, MAPS["a"])
        shown, notes = words(root), titles(root)
        assert "Turn 17" in shown
        assert "player 2 to move" in shown
        assert "4 actions left" in shown
        assert shown.count("2x") == 2
        assert "Hand of player 1: 6" in shown
        assert "7" in shown
        assert "crystals 1234/9000" in shown
        assert "crystals 4420/9000" in shown
        assert {"2 units, 1 KO", "3 units, 1 KO"} <= set(shown)
        assert "Deck of player 1, 7: 3 Archer, 2 Cleric, 1 Ninja, 1 Scroll; draw seed 43706" in notes
        assert "Deck of player 2, 0: no cards; draw seed 31301" in notes
        for note in ("1 Knight", "1 Inferno", "2 Revive potion", "2 Shining helm", "1 Runemetal"):
            assert note in notes
        assert "2,1: destroyed crystal of player 1" in notes

    @pytest.mark.parametrize("points", [0, 1, 5, 9, 40])
    def test_pips_or_words_for_any_number_of_points(self, points):
        root = parsed(changed(["ap"], points), MAPS["a"])
        assert f"{points} action{'' if points == 1 else 's'} left" in words(root)

    def test_hidden_hand_stays_hidden(self):
        root = parsed(STATE, MAPS["a"], hidden_hand=0)
        assert words(root).count("?") == 6
        assert "1 Inferno" not in titles(root)
        assert not any("43706" in note for note in titles(root))
        together = "1 Knight, 3 Archer, 2 Cleric, 1 Ninja, 1 Inferno, 2 Revive potion, 1 Scroll, 2 Shining helm"
        assert f"Deck of player 1, 7; together with the hidden hand of 6: {together}" in titles(root)
        state = changed(["hands", 0], [0] * 11)
        assert words(parsed(state, MAPS["a"], hidden_hand=0)).count("?") == 1

    def test_hidden_hand_looks_the_same_whatever_it_holds(self):
        other = changed(["hands", 0], [0, 1, 0, 0, 0, 1, 2, 0, 0, 0, 2])
        other["decks"][0] = [1, 2, 2, 0, 1, 0, 0, 0, 1, 0, 0]
        other["seeds"] = [5, STATE["seeds"][1]]
        for picture in (draw, text_board):
            assert picture(STATE, MAPS["a"], hidden_hand=0) == picture(other, MAPS["a"], hidden_hand=0)
            assert picture(STATE, MAPS["a"]) != picture(other, MAPS["a"])

    @pytest.mark.parametrize(
        ("winner", "verdict"), [(None, "GAME OVER"), (-1, "DRAW"), (0, "PLAYER 1 WINS"), (1, "PLAYER 2 WINS")]
    )
    def test_end_of_the_game(self, winner, verdict):
        state = changed(["terminal"], True)
        state["units"] = [unit for unit in state["units"] if unit[2:4] != [0, "CR"]]
        shown = words(parsed(state, MAPS["a"], winner=winner))
        assert verdict in shown
        assert "player 1 has no crystals left" in shown
        assert not any("to move" in word or "actions left" in word for word in shown)
        assert verdict.lower() in text_board(state, MAPS["a"], winner=winner).splitlines()[0].lower()

    @pytest.mark.parametrize("action", ACTIONS)
    def test_last_action_is_named_and_drawn(self, action):
        svg = draw(STATE, MAPS["a"], last_action=action)
        assert f"last: {action.replace('>', ' → ')}" in words(ElementTree.fromstring(svg))
        assert ('stroke-width="3.5"' in svg) == (">" in action)
        assert ('stroke-width="9"' in svg) == (action[:4] in {"move", "atta", "swap"})

    def test_deterministic_and_of_reasonable_size(self):
        svg = draw(STATE, MAPS["a"], last_action="move 0,0>2,0")
        assert svg == draw(copy.deepcopy(STATE), list(MAPS["a"]), last_action="move 0,0>2,0")
        assert len(svg.encode()) < 25_000

    def test_order_of_units_and_of_items_does_not_matter(self):
        state = {**STATE, "units": STATE["units"][::-1]}
        assert draw(state, MAPS["a"]) == draw(STATE, MAPS["a"])
        assert draw(changed(["units", 0, 5], "SHRD"), MAPS["a"]) == draw(STATE, MAPS["a"])

    def test_width_scales_the_whole(self):
        root = parsed(STATE, MAPS["a"], width=360)
        full = parsed(STATE, MAPS["a"])
        assert float(full.get("width")) == 720
        assert float(root.get("width")) == 360
        assert root.get("viewBox") == full.get("viewBox")

    @pytest.mark.parametrize("option", [{"width": 0}, {"width": float("nan")}, {"action_points": 0}])
    def test_bad_size_is_refused(self, option):
        with pytest.raises(ValueError, match="must be positive"):
            draw(STATE, MAPS["a"], **option)

    def test_the_state_is_not_touched(self):
        before = copy.deepcopy(STATE)
        draw(STATE, MAPS["a"], hidden_hand=1)
        text_board(STATE, MAPS["a"], hidden_hand=1)
        assert before == STATE


class TestTextBoard:
    @pytest.mark.parametrize("name", MAPS)
    @pytest.mark.parametrize("colour", [False, True])
    def test_lines_of_the_board_align(self, name, colour):
        state = STATE if name == "a" else opening(MAPS[name])
        plain = re.sub(r"\x1b\[[\d;]*m", "", text_board(state, MAPS[name], colour=colour))
        assert all(unicodedata.east_asian_width(sign) not in "WF" for sign in plain)
        assert not any(unicodedata.combining(sign) for sign in plain)
        board = [line for line in plain.splitlines() if line[3:4] in {"│", "┌", "├", "└"}]
        assert len(board) == 4 * len(MAPS[name]) + 1
        assert len({len(line) for line in board}) == 1
        assert max(map(len, plain.splitlines())) <= 100
        joints = [{i for i, sign in enumerate(line) if sign in "│┌┬┐├┼┤└┴┘"} for line in board]
        assert all(places == joints[0] for places in joints)

    @pytest.mark.parametrize(("columns", "cell"), [(120, 9), (94, 9), (93, 7), (80, 7), (76, 7), (75, 5), (58, 5)])
    def test_the_board_fits_the_terminal(self, columns, cell):
        lines = text_board(STATE, MAPS["a"], columns=columns).splitlines()[1:23]
        assert {len(line) for line in lines[1:]} == {4 + 9 * (cell + 1)}
        for x, y, owner, code, *_ in STATE["units"]:
            assert lines[2 + 4 * y][4 + (cell + 1) * x :].startswith(f"{owner + 1}{'><'[owner]}{code}")

    def test_colour_adds_nothing_but_colour(self):
        painted = text_board(STATE, MAPS["a"], colour=True)
        assert "\x1b[" in painted
        assert re.sub(r"\x1b\[[\d;]*m", "", painted) == text_board(STATE, MAPS["a"])
        assert "\x1b" not in text_board(STATE, MAPS["a"])

    def test_every_fact_is_there(self):
        text = text_board(STATE, MAPS["a"])
        lines = text.splitlines()
        assert lines[0] == "Turn 17: player 2 to move, 4 action points ●●●●"
        for x, y, owner, code, hp, items in STATE["units"]:
            cell = [line[4 + 10 * x : 13 + 10 * x] for line in lines[3 + 4 * y : 6 + 4 * y]]
            assert cell[0].startswith(f"{owner + 1}{'><'[owner]}{code}")
            assert cell[1].startswith(f"KO {hp}/" if hp == 0 else f"{hp}/")
            assert cell[2].strip() == items
            kind = MAPS["a"][y][x]
            assert cell[0][-1] == (" " if kind in ".cC" else kind)
        for word in ("deploy 1", "deploy 2", "power", "ruin 1"):
            assert word in text
        assert "hand 6: 1 KN, 1 IN, 2 RP, 2 SH" in text
        assert "deck 7: 3 AR, 2 CL, 1 NI, 1 SC" in text
        assert "deck 0: none" in text
        assert "Player 2: crystals 4420/9000, units 3 (1 KO)" in text

    def test_hidden_hand(self):
        text = text_board(STATE, MAPS["a"], hidden_hand=0)
        assert "hand 6, hidden" in text
        assert "1 IN, 2 RP, 2 SH" not in text.replace("2 RP, 1 SC, 2 SH", "")
        assert "deck and hand 7" in text_board(changed(["hands", 0], [0] * 11), MAPS["a"], hidden_hand=0)

    def test_more_hit_points_than_fit_do_not_break_the_frame(self):
        state = changed(["units", 0, 4], 10**12)
        assert len({len(line) for line in text_board(state, MAPS["a"]).splitlines()[2:23]}) == 1
        ElementTree.fromstring(draw(state, MAPS["a"]))


@pytest.mark.parametrize("picture", [draw, text_board])
class TestMalformed:
    @pytest.mark.parametrize(
        ("path", "value", "message"),
        [
            (["turn"], -1, "turn must be a whole number"),
            (["turn"], "3", "turn must be a whole number"),
            (["turn"], True, "turn must be a whole number"),
            (["format"], 1, "format must be one of 2"),
            (["player"], 2, "player must be one of 0, 1"),
            (["ap"], 1.5, "ap must be a whole number"),
            (["hands"], [[0] * 11], "hands must have 2 entries; got 1"),
            (["hands", 1], [0] * 10, r"hands\[1\] must have 11 entries; got 10"),
            (["decks", 0, 5], -2, r"decks\[0\] IN must be a whole number"),
            (["seeds"], 5, "seeds must be a list"),
            (["units"], "KN", "units must be a list"),
            (["units", 0], [0, 0, 0, "KN", 5], r"units\[0\] .* must have 6 entries"),
            (["units", 0, 0], 9, r"units\[0\] stands on \(9, 0\), off the 9x5 map"),
            (["units", 0, 1], 2, r"units\[1\] stands on \(0, 2\), which is already taken"),
            (["units", 0, 2], 2, r"units\[0\] owner must be one of 0, 1"),
            (["units", 0, 3], "<b>", r"units\[0\] has class '<b>'"),
            (["units", 0, 3], ["KN"], r"units\[0\] has class"),
            (["units", 0, 4], -5, r"units\[0\] hp must be a whole number"),
            (["units", 0, 5], "X", r"units\[0\] has items 'X'"),
            (["units", 0, 5], "DD", r"units\[0\] has items 'DD'"),
        ],
    )
    def test_field(self, picture, path, value, message):
        with pytest.raises(ValueError, match=message):
            picture(changed(path, value), MAPS["a"])

    def test_missing_key_and_wrong_type(self, picture):
        with pytest.raises(ValueError, match="state lacks ap, seeds"):
            picture({key: STATE[key] for key in STATE if key not in {"ap", "seeds"}}, MAPS["a"])
        with pytest.raises(ValueError, match="must be a canonical dictionary, not list"):
            picture([], MAPS["a"])

    @pytest.mark.parametrize(
        ("rows", "message"),
        [
            ("d.D", "got one string"),
            ((), "non-empty strings"),
            (("",), "non-empty strings"),
            (("...", ".."), "one length"),
            (("." * 64,), "at most 63 squares; got 64x1"),
            (("..x",), "unknown square 'x'"),
        ],
    )
    def test_map(self, picture, rows, message):
        with pytest.raises(ValueError, match=message):
            picture({**STATE, "units": []}, rows)

    @pytest.mark.parametrize("option", [{"hidden_hand": 2}, {"winner": 2}, {"winner": True}])
    def test_option(self, picture, option):
        with pytest.raises(ValueError, match="must be one of"):
            picture(STATE, MAPS["a"], **option)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<script>", "is not an action"),
        ("move 0,0", "is not an action"),
        ("end\n", "is not an action"),
        ("drop CR>1,1", "names card 'CR'"),
        ("discard XX", "names card 'XX'"),
        ("move 0,0>9,0", "names square 9,0, which is not on the 9x5 map"),
        ("heal 0,5>0,0", "names square 0,5"),
    ],
)
def test_malformed_action(text, message):
    with pytest.raises(ValueError, match=message):
        draw(STATE, MAPS["a"], last_action=text)


def test_actions_are_split_into_their_parts():
    view = read_view(STATE, MAPS["a"])
    action = read_action("drop IN>3,4", view)
    assert (action.kind, action.card, action.source, action.target) == ("drop", "IN", None, (3, 4))
    action = read_action("swap 0,1>8,4", view)
    assert (action.kind, action.card, action.source, action.target) == ("swap", None, (0, 1), (8, 4))
    assert read_action("discard SC", view).card == "SC"
