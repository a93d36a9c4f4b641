import copy
import re
from xml.etree import ElementTree

import pytest

import turnwise
from turnwise.games.tribes.tables import BUILDING_LETTERS, RESOURCES, TECHNOLOGIES, UNITS
from turnwise.games.tribes.view.cities import crown
from turnwise.games.tribes.view.deeds import deed
from turnwise.games.tribes.view.marks import TRIBES
from turnwise.games.tribes.view.position import read_view
from turnwise.games.tribes.view.svg import draw
from turnwise.games.tribes.view.text import UNIT_LETTERS, text_board

SVG = "{http://www.w3.org/2000/svg}"
TAGS = {"svg", "g", "path", "rect", "circle", "polygon", "text", "title"}
SIDE = 8
STRIKE = 'd="M13.4 18.2L22.4 11"'


def city(number, tribe, pos, **more):
    fresh = {"level": 1, "pop": 0, "need": 2, "capital": False, "bonus_prod": 0, "production": 1, "walls": False}
    return {
        "id": number,
        "tribe": tribe,
        "pos": pos,
        **fresh,
        "bound": 1,
        "worth": 0,
        "units": [],
        "buildings": [],
        **more,
    }


def unit(number, kind, tribe, pos, **more):
    fresh = {"hp": 10, "max_hp": 10, "kills": 0, "veteran": False, "city": -1, "status": "FRESH"}
    return {"id": number, "type": kind, "tribe": tribe, "pos": pos, **fresh, **more}


def tribe(number, kind, tech, cities, **more):
    marks = "".join("1" if name in tech else "0" for name in TECHNOLOGIES)
    fresh = {"stars": 5, "score": 400, "tech": marks, "all_tech": False, "capital": cities[0], "cities": cities}
    rest = {
        "connected": [],
        "extra_units": [],
        "kills": 0,
        "pacifist": 0,
        "monuments": "0120000",
        "result": "INCOMPLETE",
    }
    return {"id": number, "type": kind, **fresh, **rest, **more}


def grid(value, *cells):
    rows = [[value] * SIDE for _ in range(SIDE)]
    for row, column, other in cells:
        rows[row][column] = other
    return rows


def rows(value, *cells):
    return ["".join(row) for row in grid(value, *cells)]


@pytest.fixture
def state():
    """Two tribes: Bardur's capital c1 and its city c6, Oumaji's capital c3."""
    land = [(row, column, 1) for row in range(3) for column in range(3)]
    land += [(row, column, 3) for row in range(5, 8) for column in range(5, 8)] + [(1, 3, 6), (1, 4, 6)]
    land_forms = ((0, 0, "f"), (7, 0, "m"), (4, 1, "s"), (4, 0, "d"), (4, 6, "v"))
    units = [
        unit(2, "WARRIOR", 0, [1, 1], status="MOVED", city=1),
        unit(4, "KNIGHT", 1, [3, 3], hp=6, max_hp=15, veteran=True, status="MOVED"),
        unit(5, "SHIP", 0, [4, 1], base="ARCHER", status="FINISHED", hp=3),
        unit(9, "DEFENDER", 0, [2, 2], hp=15, max_hp=15),
    ]
    return {
        "tick": 4,
        "active": 0,
        "over": False,
        "next_id": 9,
        "capitals": [1, 3],
        "terrain": rows(".", *((*pos, "c") for pos in ((1, 1), (6, 6), (1, 4))), *land_forms),
        "resource": rows("-", (0, 0, "a"), (4, 0, "w"), (7, 7, "c"), (2, 2, "f")),
        "building": rows("-", (0, 2, "D"), (2, 0, "I"), (2, 1, "R")),
        "network": rows("0", (1, 1, "1"), (1, 2, "1"), (1, 3, "1"), (1, 4, "1"), (6, 6, "1")),
        "owner": grid(-1, *land),
        "unit_at": grid(0, (1, 1, 2), (3, 3, 4), (4, 1, 5), (2, 2, 9)),
        "tribes": [
            tribe(0, "BARDUR", ("HUNTING", "RIDING", "ROADS"), [1, 6], stars=9, score=1480, connected=[6], kills=2),
            tribe(1, "OUMAJI", ("RIDING",), [3], stars=3),
        ],
        "cities": [
            city(1, 0, [1, 1], level=3, pop=2, need=4, capital=True, production=4, walls=True,
                 buildings=[[0, 2, "FARM"], [2, 0, "TEMPLE", 2, 3]]),
            city(3, 1, [6, 6], pop=-1, capital=True, production=-1),
            city(6, 0, [1, 4], pop=2),
        ],
        "units": units,
    }  # fmt: skip


@pytest.fixture
def foggy(state):
    seen = ["11111000"] * 5 + ["00000000"] * 3
    for entry, visible in zip(state["tribes"], (seen, ["1" * SIDE] * SIDE), strict=True):
        entry |= {"met": [], "visible": visible}
    return state


def drawn(state, *arguments, **more):
    return ElementTree.fromstring(draw(state, *arguments, **more))


def words(root):
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def titles(root):
    return [element.text or "" for element in root.iter(f"{SVG}title")]


def starting(root, begin):
    return [title for title in titles(root) if title.startswith(begin)]


def assert_sound(svg):
    root = ElementTree.fromstring(svg)
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= TAGS
    names = {name for element in root.iter() for name in element.attrib}
    assert not {name for name in names if name in {"id", "class", "style"} or "href" in name}
    assert not re.search(r"url\(|nan|\binf\b", svg)
    assert root.get("role") == "img"


def with_units(state, *units):
    changed = copy.deepcopy(state)
    changed["units"] = sorted(units, key=lambda one: one["id"])
    changed["unit_at"] = grid(0, *((*one["pos"], one["id"]) for one in units))
    return changed


class TestPicture:
    def test_sound_with_and_without_fog(self, state, foggy):
        for each in (state, foggy):
            for viewer in (None, 0, 1):
                assert_sound(draw(each, "move u9 2,2", each, viewer))

    def test_every_kind_is_drawn_differently(self, state):
        pictures = {draw(with_units(state, unit(9, kind, 0, [3, 3]))) for kind in UNITS}
        assert len(pictures) == len(UNITS)
        for key, letters in (("building", BUILDING_LETTERS), ("resource", RESOURCES), ("terrain", ".sdmvf ")):
            pictures = set()
            for letter in letters:
                changed = state | {
                    key: rows(letter if key == "terrain" else "-", (1, 1, "c" if key == "terrain" else "-"))
                }
                changed[key] = rows("-" if key != "terrain" else ".", (5, 2, letter))
                pictures.add(draw(changed | {"units": []}))
            assert len(pictures) == len(letters)
            assert all(assert_sound(picture) is None for picture in pictures)

    @pytest.mark.parametrize("count", [2, 3, 4])
    @pytest.mark.parametrize("side", [8, 11, 14, 16, 18])
    def test_all_sizes_and_numbers_of_tribes(self, state, side, count):
        for key, blank in (("terrain", "d"), ("resource", "-"), ("building", "-"), ("network", "0")):
            state[key] = [row + blank * (side - SIDE) for row in state[key]] + [blank * side] * (side - SIDE)
        for key, blank in (("owner", -1), ("unit_at", 0)):
            wide = [row + [blank] * (side - SIDE) for row in state[key]]
            state[key] = wide + [[blank] * side for _ in range(side - SIDE)]
        state["tribes"] += [tribe(number, "XIN_XI", (), [0]) for number in range(2, count)]
        svg = draw(state)
        assert_sound(svg)
        assert float(ElementTree.fromstring(svg).get("width")) < 1200
        assert all(colour in svg for colour in TRIBES[:count])
        assert (
            len([title for title in titles(ElementTree.fromstring(svg)) if re.match(r"\d+,\d+ ", title)]) >= side * side
        )

    def test_tiles_cities_and_units_with_all_their_facts(self, state):
        root = drawn(state)
        notes = set(titles(root))
        assert {
            "0,0 forest, animal; land of city c1",
            "2,0 plain, Temple of level 2; land of city c1",
            "1,3 plain, road; land of city c6",
            "4,0 deep water, whales",
            "Capital c1 of Bardur at 1,1; level 3; population 2 of 4; 4 stars a turn; walls",
            "Capital c3 of Oumaji at 6,6; level 1; population -1 of 2; -1 stars a turn",
            "City c6 of Bardur at 1,4; level 1; population 2 of 2; 1 stars a turn; connected to the capital; "
            "ready for the next level",
            "Warrior u2 of Bardur at 1,1; hit points 10 of 10; kills 0; of city c1; has moved",
            "Knight u4 of Oumaji at 3,3; hit points 6 of 15; kills 0; veteran; has moved",
            "Ship (archer on board) u5 of Bardur at 4,1; hit points 3 of 10; kills 0; is done",
        } <= notes
        assert {"c1", "c3", "c6", "u2", "u4", "u5", "u9", "2/4", "-1/2", "6/15"} <= set(words(root))

    def test_cards_of_tribes(self, state):
        root = drawn(state)
        assert starting(root, "Bardur, player 1") == [
            "Bardur, player 1: 1480 points, 9 stars and 5 next turn, 2 cities, 3 units, 3 technologies, 2 kills"
        ]
        assert {"1,480 points", "+5 next turn", "2 cities, 3 units", "3 of 24 technologies", "2 kills"} <= set(
            words(root)
        )
        assert {"Altar of peace: not available", "Emperor's tomb: can be built", "Eye of God: built"} <= set(
            titles(root)
        )

    def test_a_besieged_city_gives_nothing(self, state):
        intruder = unit(4, "KNIGHT", 1, [1, 1])
        besieged = with_units(state, intruder)
        assert "+1 next turn" in words(drawn(besieged))
        assert starting(drawn(besieged), "Capital c1")[0].endswith("; besieged, so it pays nothing")
        assert draw(besieged).count(STRIKE) == 1
        assert STRIKE not in draw(state)
        assert "c1 1,1 level 3 pop 2/4 +4 besieged walls" in text_board(besieged)

    def test_a_captured_capital_shows_its_founder_and_its_link(self, state):
        state["cities"][1] |= {"tribe": 0}
        state["tribes"][0] |= {"cities": [1, 6, 3], "connected": [6, 3]}
        assert "captured from Oumaji" in starting(drawn(state), "Capital c3 of Bardur")[0]
        assert "captured" not in starting(drawn(state), "Capital c1 of Bardur")[0]
        c3 = next(group for group in drawn(state).iter(f"{SVG}g") if "c3" in [text.text for text in group])
        drawing = ElementTree.tostring(c3, encoding="unicode")
        assert crown(1).split('d="')[1].split('"')[0] in drawing
        assert f'fill="{TRIBES[1]}" stroke="#fff" stroke-width="1.2"' in drawing
        assert 'width="8" height="5.2"' in drawing

    def test_houses_make_room_for_a_unit(self, state):
        crowded, free = with_units(state, unit(2, "WARRIOR", 0, [1, 4])), with_units(state)
        assert "translate(-11 0)" in draw(crowded)
        assert "translate(-11 0)" not in draw(free)

    def test_technologies(self, state):
        notes = titles(drawn(state))
        riding, forestry = "Riding: tier 1; units: Rider; then: Free spirit, Roads", "Forestry: tier 2, needs Hunting"
        assert f"{riding}; Bardur: known; Oumaji: known" in notes
        assert f"{forestry}; buildings: Lumber hut; then: Mathematics; Bardur: 8 stars; Oumaji: not yet" in notes
        assert starting(drawn(state), "Trade: tier 3")[0].endswith("; Bardur: 10 stars; Oumaji: not yet")
        assert len([note for note in notes if ": tier " in note]) == len(TECHNOLOGIES)
        state["tribes"][0]["tech"] = state["tribes"][0]["tech"][:-1] + "1"  # philosophy
        assert starting(drawn(state), "Forestry: tier 2")[0].endswith("; Bardur: 1 stars; Oumaji: not yet")
        assert drawn(state, "research RIDING").find(f".//{SVG}rect[@stroke-width='2.4'][@rx='4']") is not None

    @pytest.mark.parametrize(
        ("change", "says"),
        [
            ({}, "Bardur to move"),
            ({"active": 1}, "Oumaji to move"),
            ({"over": True, "results": ("LOSS", "WIN")}, "Oumaji wins"),
            ({"over": True}, "game over"),
        ],
    )
    def test_round_and_mover_or_result(self, state, change, says):
        for entry, result in zip(state["tribes"], change.pop("results", ("INCOMPLETE",) * 2), strict=True):
            entry["result"] = result
        state |= change
        root = drawn(state, rounds=51)
        assert {"Round 5 of 51", says} <= set(words(root))
        assert f"Round 5 of 51: {says}" in root.get("aria-label")
        assert text_board(state, rounds=51).splitlines()[0] == f"Tribes. Round 5 of 51: {says}"

    def test_the_last_round_is_not_exceeded(self, state):
        assert "Round 51 of 51" in words(drawn(state | {"tick": 51, "over": True}, rounds=51))
        assert "Round 51 of 51" in words(drawn(state | {"tick": 50}, rounds=51))

    def test_cards_of_the_beaten_stay_readable(self, state):
        for entry, result in zip(state["tribes"], ("WIN", "LOSS"), strict=True):
            entry["result"] = result
        beaten = draw(state | {"over": True})
        assert ">beaten<" in beaten
        assert 'opacity=".6"' not in beaten
        state["cities"].pop(1)
        out = draw(state | {"over": True})
        assert ">out<" in out
        assert out.count('opacity=".6"') == 1

    def test_a_level_up_that_must_be_chosen(self, state):
        says = "c6 grows to level 2: workshop or explorer?"
        assert says in words(drawn(state))
        assert says in text_board(state).splitlines()
        state["cities"][2] |= {"level": 7, "need": 8, "pop": 9}
        assert "c6 grows to level 8: park or superunit?" in words(drawn(state))
        state["active"] = 1
        assert not [word for word in words(drawn(state)) if "grows" in word]

    def test_what_units_can_still_do(self, state):
        view = read_view(state)
        able = {one.number: (one.moves, one.attacks, one.is_spent) for one in view.units}
        assert able == {
            2: (False, True, False),
            4: (False, False, False),
            5: (False, False, True),
            9: (True, True, False),
        }
        kinds = (
            ("RIDER", "ATTACKED", (True, False)),
            ("RIDER", "MOVED", (False, True)),
            ("KNIGHT", "ATTACKED", (False, True)),
            ("CATAPULT", "MOVED", (False, False)),
            ("SUPERUNIT", "FRESH", (True, True)),
            ("ARCHER", "PUSHED", (False, False)),
        )
        for kind, status, able in kinds:
            one = read_view(with_units(state, unit(9, kind, 0, [3, 3], status=status))).units[0]
            assert (one.moves, one.attacks) == able

    def test_who_is_done_has_the_colours_exchanged(self, state):
        tokens = {}
        for status in ("FRESH", "FINISHED"):
            svg = draw(with_units(state, unit(9, "DEFENDER", 1, [3, 3], status=status)) | {"active": 1})
            tokens[status] = re.search(r"Defender u9.*?</title><g[^>]*><g>(.*?)</g></g>", svg)[1]
        assert re.findall("(?:fill|stroke)=.(#[^'\"]*)", tokens["FRESH"]) == [TRIBES[1], "#fff", "#fff"]
        assert re.findall("(?:fill|stroke)=.(#[^'\"]*)", tokens["FINISHED"]) == ["#fff", TRIBES[1], TRIBES[1]]

    def test_a_covered_building_says_what_it_is(self, state):
        state["units"][3]["pos"] = [2, 0]
        state["unit_at"][2][0], state["unit_at"][2][2] = 9, 0
        svg = draw(state)
        assert re.search(
            r"Defender u9[^<]*</title>.*?<g[^>]*><title>2,0 plain, Temple of level 2; land of city c1", svg
        )

    @pytest.mark.parametrize(
        ("roads", "lines"),
        [
            (((5, 1), (6, 2)), 1),
            (((5, 1), (5, 2), (6, 2)), 2),  # the diagonal is left out
            (((5, 1), (5, 2), (6, 1), (6, 2)), 4),
            (((5, 1),), 0),
        ],
    )
    def test_roads(self, state, roads, lines):
        state["network"] = rows("0", *((*place, "1") for place in roads))
        (path,) = (path.get("d") for path in drawn(state).iter(f"{SVG}path") if path.get("stroke-width") == "6.6")
        assert (path.count("L"), path.count("h10")) == (lines, 0 if lines else 1)

    def test_land_is_tinted_but_not_water(self, state):
        state["terrain"][0] = "sd" + state["terrain"][0][2:]
        tints = [path.get("d") for path in drawn(state).iter(f"{SVG}path") if path.get("fill-opacity") == ".09"]
        assert [tint.count("M") for tint in tints] == [11 - 2, 9]

    def test_ghosts_are_drawn_under_the_owner_of_their_tile(self, state):
        state["units"].append(unit(12, "BOAT", 1, [4, 1], base="WARRIOR"))
        view = read_view(state)
        assert [one.number for one in view.units] == [12, 2, 4, 5, 9]
        assert "its tile belongs to another unit" in starting(drawn(state), "Boat (warrior on board) u12")[0]

    def test_borders_surround_the_land(self, state):
        outer = [
            path
            for path in drawn(state).iter(f"{SVG}path")
            if path.get("stroke-width") == "3" and path.get("stroke-linecap")
        ]
        lines = {path.get("stroke"): path.get("d").count("M") for path in outer}
        assert lines == {TRIBES[0]: 11 + 5, TRIBES[1]: 12}  # a square with two tiles next to it; a square


class TestFog:
    def test_a_viewer_does_not_see_all(self, foggy):
        root = drawn(foggy, viewer=0)
        assert "7,7 not seen" in titles(root)
        assert not starting(root, "Capital c3")
        assert "Round 5, as Bardur sees it" in words(root)
        assert "0 cities and 1 unit in sight" in words(root)
        assert starting(root, "Riding: tier 1")[0].endswith("; Bardur: known; Oumaji: not to be seen")
        assert "4,0 deep water" in titles(root)  # whales need fishing

    def test_everybody_sees_the_veil_of_the_mover(self, foggy):
        whole = draw(foggy)
        assert "Not yet seen by the mover" in whole
        assert 'fill="#39424e" fill-opacity=".38"' in whole
        assert 'fill="#39424e" fill-opacity=".38"' not in draw(foggy | {"active": 1})
        assert "Not seen" not in words(drawn(foggy))

    def test_there_is_no_veil_when_the_game_is_over(self, foggy):
        assert 'fill="#39424e" fill-opacity=".38"' not in draw(foggy | {"over": True})

    def test_technologies_are_those_that_the_viewer_can_research(self, foggy):
        pale = draw(foggy | {"active": 0}, viewer=1).count('fill="#efebe1"')
        assert pale == draw(foggy | {"active": 1}, viewer=1).count('fill="#efebe1"') > 10

    def test_a_view_hides_by_itself(self, state):
        state["terrain"] = [row[:5] + "   " for row in state["terrain"]]
        state["tribes"][1] |= {"monuments": "-------", "tech": "0" * 24, "stars": 0}
        state["cities"].pop(1)
        root = drawn(state)
        assert "stars, technologies and monuments are hidden" in words(root)
        assert "Round 5, as Bardur sees it" in words(root)
        assert "Not seen" in words(root)
        assert "Not yet seen by the mover" not in words(root)
        board = text_board(state).splitlines()
        assert board[0].endswith("As Bardur sees it")
        assert board[3].split()[-1] == "?"


class TestLastAction:
    def test_a_move_shows_where_the_unit_was(self, state):
        before = copy.deepcopy(state)
        before["units"][3]["pos"] = [3, 2]
        known, unknown = draw(state, "move u9 2,2", before), draw(state, "move u9 2,2")
        assert known.count('stroke-dasharray="6 4"') == 1
        assert "Defender u9 moves to 2,2" in known
        assert 'stroke-dasharray="6 4"' not in unknown

    def test_an_attack_shows_what_it_cost(self, state):
        before = copy.deepcopy(state)
        before["units"][1]["hp"], before["units"][3]["hp"] = 13, 12
        shown = words(drawn(state, "attack u9 u4", before))
        assert {"\N{MINUS SIGN}7", "+3", "last: Defender u9 attacks Knight u4"} <= set(shown)

    def test_the_end_of_a_turn_says_whose(self, state):
        assert "last: Bardur ends its turn" in words(drawn(state | {"active": 1}, "end", state))

    def test_the_dead_are_named(self, state):
        before = copy.deepcopy(state)
        before["units"].append(unit(8, "RIDER", 1, [3, 2]))
        assert "u8 killed" in words(drawn(state, "attack u9 u8", before))
        assert "u8 killed" not in words(drawn(state, "attack u9 u8"))

    @pytest.mark.parametrize(
        ("action", "says"),
        [
            ("end", "end of the turn"),
            ("research FREE_SPIRIT", "Free spirit is researched"),
            ("road 1,2", "road at 1,2"),
            ("build c1 0,2 FARM", "City c1 builds Farm at 0,2"),
            ("burn c1 0,0", "City c1 burns forest at 0,0"),
            ("clear c1 0,0", "City c1 clears forest at 0,0"),
            ("grow c1 0,0", "City c1 grows forest at 0,0"),
            ("destroy c1 0,2", "City c1 destroys the building at 0,2"),
            ("gather c1 0,0 ANIMAL", "City c1 gathers animal at 0,0"),
            ("spawn c1 MIND_BENDER", "City c1 trains Mind bender"),
            ("levelup c6 WORKSHOP", "City c6 grows: workshop"),
            ("attack u9 u4", "Defender u9 attacks Knight u4"),
            ("capture u9 village", "Defender u9 captures a village"),
            ("capture u9 c3", "Defender u9 captures city c3"),
            ("convert u9 u77", "Defender u9 converts u77"),
            ("disband u9", "Defender u9 is disbanded"),
            ("examine u9", "Defender u9 examines ruins"),
            ("heal u9", "Defender u9 heals its neighbours"),
            ("veteran u9", "Defender u9 becomes a veteran"),
            ("move u9 2,2", "Defender u9 moves to 2,2"),
            ("recover u9", "Defender u9 recovers"),
            ("upgrade u5", "Ship u5 is upgraded"),
        ],
    )
    def test_every_action_has_words_and_a_frame(self, state, action, says):
        assert deed(action, read_view(state), None) == says
        svg = draw(state, action)
        assert_sound(svg)
        framed = svg.count('stroke-opacity=".85"')
        assert framed == (0 if action.split()[0] in ("end", "research") else 2 if action == "attack u9 u4" else framed)
        assert framed or action.split()[0] in ("end", "research", "convert")


class TestText:
    def test_every_tile_is_in_its_column(self, state):
        lines = text_board(state).splitlines()[2:]
        assert lines[0].split() == [str(column) for column in range(SIDE)]
        assert lines[1] == " 0 fa1   . 1   .D1   .     .     .     .     ."
        assert lines[2] == " 1 . 1   C31W1 . 1  =. 1  =c11   .     .     ."
        assert lines[3] == " 2 .I1   .R1   .f1D1 .     .     .     .     ."
        assert lines[5] == " 4 dw    s  h1 .     .     .     .     v     ."
        assert lines[4][24:26] == "K2"

    def test_lists_and_legend(self, state):
        text = text_board(state)
        assert "1 Bardur: score 1480, stars 9 (+5 next turn), kills 2" in text
        assert "c1 1,1 level 3 pop 2/4 +4 walls" in text
        assert "c6 1,4 level 1 pop 2/2 +1 connected" in text
        assert "H(A) u5 4,1 3/10" in text
        assert "K u4 3,3 6/15*" in text
        assert "D Farm" in text
        assert max(map(len, text.splitlines())) <= 80

    def test_colours_change_nothing_else(self, state):
        coloured = text_board(state, colour=True)
        assert coloured != text_board(state)
        assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == text_board(state)

    def test_letters_of_units_differ(self):
        assert len(set(UNIT_LETTERS.values())) == len(UNITS)

    def test_side_11_fits_80_columns(self, state):
        for key, blank in (("terrain", "d"), ("resource", "-"), ("building", "-"), ("network", "0")):
            state[key] = [row + blank * 3 for row in state[key]] + [blank * 11] * 3
        for key, blank in (("owner", -1), ("unit_at", 0)):
            state[key] = [row + [blank] * 3 for row in state[key]] + [[blank] * 11 for _ in range(3)]
        assert max(map(len, text_board(state).splitlines())) <= 80


def test_a_wide_board_takes_two_lines_to_a_row_in_a_narrow_terminal():
    state = turnwise.make("tribes").start(1)
    wide = state.game.coloured_board_text(state.row, 120).splitlines()
    narrow = re.sub(r"\x1b\[[\d;]*m", "", state.game.coloured_board_text(state.row, 60)).splitlines()
    side = len(state.to_dict()["terrain"])
    assert len(narrow) == len(wide) + side
    assert max(map(len, narrow[1 : 2 + 2 * side])) <= 3 + 4 * side
    for unit in state.to_dict()["units"]:
        row, column = unit["pos"]
        assert narrow[3 + 2 * row][3 + 4 * column :][:2].upper() == f"W{unit['tribe'] + 1}"
