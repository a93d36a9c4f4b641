"""The schema of mode files is current and true, and the modes that come along are what they claim to be."""

import copy
import importlib.util
import json
import re
from pathlib import Path

import pytest
import yaml

import turnwise
from turnwise.games.stratega.mode import Mode
from turnwise.games.stratega.scenario import ModeFile

ROOT = Path(__file__).parents[3]
MODES = sorted(ModeFile.names())
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "integer": int}


@pytest.fixture(scope="module")
def schemas():
    spec = importlib.util.spec_from_file_location("docs_schemas", ROOT / "docs" / "schemas.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def schema():
    return json.loads((ROOT / "docs" / "games" / "stratega-mode.schema.json").read_text(encoding="utf-8"))


def problems(value, schema, root, place=""):
    """What a schema finds wrong with a value: the keywords that the schema of modes uses."""
    if "$ref" in schema:
        schema = schema | root["$defs"][schema["$ref"].removeprefix("#/$defs/")]
    if "anyOf" in schema:
        return [] if any(not problems(value, each, root) for each in schema["anyOf"]) else [f"{place}: anyOf"]
    kind = schema.get("type")
    if kind and (not isinstance(value, TYPES[kind]) or (kind == "integer" and isinstance(value, bool))):
        return [f"{place}: type"]
    found = []
    if ("enum" in schema and value not in schema["enum"]) or value != schema.get("const", value):
        found.append(f"{place}: value")
    if kind == "integer" and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        found.append(f"{place}: bounds")
    sizes = {"object": "Properties", "array": "Items", "string": "Length"}
    if kind in sizes:
        least, most = (schema.get(end + sizes[kind]) for end in ("min", "max"))
        if len(value) < (least or 0) or (most is not None and len(value) > most):
            found.append(f"{place}: size")
    if kind == "object":
        found += [f"{place}: lacks {key}" for key in schema.get("required", ()) if key not in value]
        for key, each in value.items():
            part = schema.get("properties", {}).get(key, schema.get("additionalProperties", True))
            found += [f"{place}: unknown {key}"] if part is False else []
            found += problems(each, part, root, f"{place}/{key}") if isinstance(part, dict) else []
    if kind == "array":
        for number, each in enumerate(value):
            parts = schema.get("prefixItems", [])
            part = parts[number] if number < len(parts) else schema.get("items", {})
            found += problems(each, part, root, f"{place}/{number}")
    return found


def content(name):
    return yaml.safe_load((ModeFile.folder / ModeFile.names()[name]).read_text())


class TestSchema:
    def test_it_is_current(self, schemas):
        for path, (model, title) in schemas.SCHEMAS.items():
            assert path.read_text(encoding="utf-8") == schemas.schema_text(model, title), "run python docs/schemas.py"

    def test_it_is_that_of_the_model(self, schema):
        def without_titles(part):
            if isinstance(part, dict):
                return {key: without_titles(each) for key, each in part.items() if not isinstance(each, str)} | {
                    key: each for key, each in part.items() if isinstance(each, str) and key not in {"title", "$schema"}
                }
            return [without_titles(each) for each in part] if isinstance(part, list) else part

        assert without_titles(schema) == without_titles(Mode.model_json_schema())

    def test_every_field_is_explained(self, schema):
        parts = [schema, *schema["$defs"].values()]
        for part in parts:
            assert part["description"]
            for name, field in part["properties"].items():
                assert len(field["description"]) > 3, name
                assert "title" not in field, name
                assert field["description"][-1] != ".", name

    def test_every_field_is_on_the_page_of_rules(self, schema):
        page = (ROOT / "docs" / "games" / "stratega-rules.md").read_text(encoding="utf-8")
        section = page[page.index("## 2. ") : page.index("## 3. ")]
        assert {name for name in schema["properties"] if f"`{name}`" not in section} == set()
        inner = {name for part in schema["$defs"].values() for name in part["properties"]}
        assert {name for name in inner if not re.search(rf"[`.]{name}[`.]|[{{ ]{name}[,}}]", section)} == set()

    def test_every_mode_is_on_the_page_of_rules(self):
        page = (ROOT / "docs" / "games" / "stratega-rules.md").read_text(encoding="utf-8")
        section = page[page.index("## 7. ") : page.index("## 8. ")]
        assert sorted(set(re.findall(r"^\| `(\w+)`", section, re.MULTILINE))) == MODES

    @pytest.mark.parametrize("name", MODES)
    def test_it_accepts_every_mode(self, name, schema):
        assert problems(content(name), schema, schema) == []

    @pytest.mark.parametrize(
        ("path", "value", "problem"),
        [
            (["Units", "King", "Helth"], 3, "/Units/King: unknown Helth"),
            (["Units", "King", "Health"], "400", "/Units/King/Health: type"),
            (["Units", "King", "Health"], 0, "/Units/King/Health: bounds"),
            (["Units", "King", "Actions"], ["Fly"], "/Units/King/Actions/0: value"),
            (["Units"], {}, "/Units: size"),
            (["GameConfig", "PlayerCount"], 9, "/GameConfig/PlayerCount: anyOf"),
            (["Tiles", "Plain"], {}, "/Tiles/Plain: lacks Symbol"),
            (["Start"], {"Units": [{"Unit": "King", "Player": 0, "At": [1]}]}, "/Start/Units/0/At: size"),
        ],
    )
    def test_it_refuses_what_the_model_refuses(self, path, value, problem, schema):
        data = copy.deepcopy(content("kings"))
        place = data
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
        assert problem in problems(data, schema, schema)
        with pytest.raises(turnwise.TurnwiseError):
            ModeFile.given(data)


class TestModes:
    @pytest.mark.parametrize("name", MODES)
    def test_every_mode_starts(self, name):
        state = turnwise.make("stratega", mode=name).start(1)
        assert not state.is_over
        assert state.legal_actions()[-1] == "end"
        assert ModeFile.named(name).content.Name

    @pytest.mark.parametrize(
        ("board", "on_walls", "free"),
        [("M.. HHH", True, 3), ("M.. HHH", False, 2), ("MMM MMM", False, 0), ("... ...", False, 6)],
    )
    def test_random_places_need_room(self, board, on_walls, free):
        """Without room the start would search for ever."""
        data = content("pushers") | {"Board": {"Layout": board}, "Start": {"OnWalls": on_walls}}
        data["Tiles"] = data["Tiles"] | {"Wall": {"Symbol": "M", "IsWalkable": False}}
        data["Units"]["Pusher"] |= {"Count": 2}
        if free >= 4:
            assert not turnwise.make("stratega", mode=data).start(1).is_over
            return
        with pytest.raises(turnwise.TurnwiseError, match=f"4 units must start at random places; .* has {free} tiles"):
            ModeFile.given(data)
        data["Start"] |= {"Units": [{"Unit": "Pusher", "Player": 0, "At": [1, 0]}]}  # takes one of these places
        with pytest.raises(
            turnwise.TurnwiseError, match=f"3 units .* the board has {max(0, free - (board[1] == '.'))} "
        ):
            ModeFile.given(data)

    def test_armies(self):
        game = turnwise.make("stratega", mode="armies")
        rows, states = game.options.rows, [game.start(seed) for seed in (1, 2)]
        assert (len(rows[0]), len(rows)) == (40, 30)
        assert states[0] == states[1]  # all places are fixed
        assert rows == tuple(row[::-1] for row in reversed(rows))  # the same board for both players
        units = states[0].to_dict()["units"]
        sides = [{(kind, x, y) for _, kind, owner, x, y, *_ in units if owner == player} for player in (0, 1)]
        assert [len(side) for side in sides] == [24, 24]
        assert sides[1] == {(kind, 39 - x, 29 - y) for kind, x, y in sides[0]}
        assert all(rows[y][x] == "." for _, x, y in sides[0])
        assert max(x for _, x, _ in sides[0]) < 10
        assert {"M", "H"} <= set("".join(rows[y][10:30] for y in range(30)))

    def test_armies_at_random_places(self):
        fixed, mode = (ModeFile.named(name).content for name in ("armies", "armies_random"))
        assert (mode.Units, mode.Board, mode.ForwardModel) == (fixed.Units, fixed.Board, fixed.ForwardModel)
        game = turnwise.make("stratega", mode="armies_random")
        starts = [game.start(seed).to_dict()["units"] for seed in range(40)]
        assert len({str(units) for units in starts}) == 40
        columns = [{x for units in starts for _, _, owner, x, *_ in units if owner == player} for player in (0, 1)]
        assert columns == [set(range(1, 11)), set(range(29, 39))]  # all of the areas, and nothing else
        assert {y for units in starts for _, _, _, _, y, *_ in units} == set(range(1, 29))
        rows = game.options.rows
        assert {rows[y][x] for units in starts for _, _, _, x, y, *_ in units} == {"."}

    def test_areas_leave_the_other_player_alone(self):
        data = content("pushers") | {"Start": {"Areas": [{"Player": 1, "From": [4, 5], "To": [6, 5]}]}}
        game, whole = (turnwise.make("stratega", mode=one) for one in (data, content("pushers")))
        starts = [game.start(seed).to_dict()["units"] for seed in range(60)]
        assert {(x, y) for units in starts for _, _, owner, x, y, *_ in units if owner == 1} == {(4, 5), (5, 5), (6, 5)}
        first = [[unit for unit in one.start(5).to_dict()["units"] if unit[2] == 0] for one in (game, whole)]
        assert first[0] == first[1]  # drawn before anything depends on the area

    def test_modes_without_areas_keep_their_identity(self):
        assert ModeFile.named("kings").label == "kings@3fb74d26cffc"  # as in results recorded before areas existed
        assert ModeFile.given(content("kings") | {"Start": {"Areas": []}}).hash == ModeFile.named("kings").hash

    @pytest.mark.parametrize(
        ("areas", "message"),
        [
            ([{"Player": 2, "From": [1, 1], "To": [2, 2]}], "there is no player 2; expected 0 to 1"),
            ([{"Player": 0, "From": [1, 1], "To": [2, 2]}] * 2, "player 0 has two areas; give each player one"),
            ([{"Player": 0, "From": [3, 1], "To": [2, 2]}], r"\[3, 1\] to \[2, 2\] is empty"),
            ([{"Player": 0, "From": [1, 3], "To": [2, 2]}], r"\[1, 3\] to \[2, 2\] is empty"),
            ([{"Player": 0, "From": [-1, 1], "To": [2, 2]}], r"not on the board of 25 x 11 tiles"),
            ([{"Player": 0, "From": [1, 1], "To": [25, 2]}], r"not on the board of 25 x 11 tiles"),
            ([{"Player": 0, "From": [1, 1], "To": [2, 11]}], r"not on the board of 25 x 11 tiles"),
            ([{"Player": 0, "From": [0, 0], "To": [1, 0]}], "2 units must .*; the area of player 0 has 0 tiles"),
        ],
    )
    def test_areas_that_do_not_exist(self, areas, message):
        with pytest.raises(turnwise.TurnwiseError, match=message):
            ModeFile.given(content("pushers") | {"Start": {"Areas": areas}})

    def test_areas_need_room_for_all_who_may_start_there(self):
        """The other player's units may take the places of an area first."""
        data = content("pushers") | {"Board": {"Layout": ".... ...."}}
        data["Units"]["Pusher"] |= {"Count": 2}

        def with_areas(*areas):
            return data | {
                "Start": {"Areas": [dict(zip(("Player", "From", "To"), area, strict=True)) for area in areas]}
            }

        for areas in ([(0, [0, 0], [1, 0]), (1, [0, 1], [1, 1])], [(0, [0, 0], [3, 0])], [(1, [0, 0], [1, 1])]):
            game = turnwise.make("stratega", mode=with_areas(*areas))
            assert all(len(game.start(seed).to_dict()["units"]) == 4 for seed in range(20))
        for areas in ([(0, [0, 0], [2, 0])], [(0, [0, 0], [2, 0]), (1, [2, 0], [3, 1])]):
            with pytest.raises(turnwise.TurnwiseError, match=r"4 units must .*; the area of player 0 has 3 tiles"):
                ModeFile.given(with_areas(*areas))

    def test_kings_three_a_side(self):
        small, kings = (ModeFile.named(name).content for name in ("kings_3x3", "kings"))
        assert sorted(small.Units) == ["Archer", "Healer", "King"]
        assert all(small.Units[name] == kings.Units[name] for name in small.Units)
        assert small.Board == kings.Board
        assert small.ForwardModel == kings.ForwardModel
        units = turnwise.make("stratega", mode="kings_3x3").start(1).to_dict()["units"]
        assert [owner for _, _, owner, *_ in units] == [0, 0, 0, 1, 1, 1]

    def test_the_tutorial_shows_one_file_twice(self):
        page = (ROOT / "docs" / "tutorials" / "design-a-mode.md").read_text(encoding="utf-8")
        parts = re.findall(r"^```yaml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
        assert len(parts) >= 4
        whole = re.search(r'write_text\("""\\\n(.*?)"""\)', page, re.DOTALL)[1]
        assert yaml.safe_load("".join(parts)) == yaml.safe_load(whole)
        assert ModeFile.given(yaml.safe_load(whole)).label.startswith("bridge@")


def test_lists_have_room_for_any_state():
    game = turnwise.make("stratega", mode="mixed3")
    data = game.start(1).to_dict()
    for unit in data["units"]:
        unit[1], unit[2] = "Brute", 0
    state = game.from_dict(data)
    assert len(state.actors(0)) == len(data["units"]) <= game.max_actors
    assert len(state.legal_codes()) <= game.max_actions


def test_health_of_actors_in_steps():
    state = turnwise.make("stratega", mode="armies", fog=False).start(1)
    for _ in range(700):
        state = state.play(state.script("combat") or "end")
    full = {name: unit.Health for name, unit in state.game.options.mode.content.Units.items()}
    found = {number: (health * 4 // full[name]) for number, name, _, _, _, health, *_ in state.to_dict()["units"]}
    assert {actor: state.actor_health(actor, 4) for actor in state.actors()} == {a: found[a] for a in state.actors()}
    assert len({found[actor] for actor in state.actors()}) > 2
