"""Scenario options that are files: normal form, labels, messages, pickles, states and replays."""

import copy
import json
import pickle
import re
from pathlib import Path

import pytest
from pydantic import BaseModel, field_validator

from doubles.file_mode_game import FileToy, Mode, ModeFile, Unit
from turnwise import GAMES, make
from turnwise.core.errors import DamagedFileError, GameFunctionError, OptionError, UnknownNameError
from turnwise.core.parsed_file import ParsedFile
from turnwise.core.scenario_file import ScenarioFile

KING = """\
name: King of the Hill!
turns: 6
units:
  - kind: knight
  - kind: archer
    health: 3
"""


@pytest.fixture(autouse=True)
def registered():
    GAMES._classes[FileToy.name] = FileToy  # the fixture same_registries removes it


@pytest.fixture
def king(tmp_path):
    path = tmp_path / "king.yaml"
    path.write_text(KING)
    return path


def test_the_normal_form_does_not_depend_on_the_layout_of_the_file(king, tmp_path):
    one = ModeFile.read(king)
    assert one.text == (
        '{"costs":{},"name":"King of the Hill!","seats":2,"turns":6,'
        '"units":[{"health":4.0,"kind":"knight"},{"health":3.0,"kind":"archer"}]}'
    )
    assert re.fullmatch(r"king-of-the-hill@[0-9a-f]{12}", one.label)
    assert one.label.endswith(one.hash)
    other = tmp_path / "other.json"
    other.write_text(one.text)
    for same in (ModeFile.read(other), ModeFile.given(one.text), ModeFile.given(json.loads(one.text)), one):
        assert (same, same.hash, same.label, hash(same)) == (one, one.hash, one.label, hash(one))
    changed = ModeFile.given(json.loads(one.text) | {"turns": 7})
    assert changed != one
    assert changed.hash != one.hash


@pytest.mark.parametrize("text", [KING, f"\n{KING}", KING.replace("\n", "\r\n")])
def test_the_content_can_be_given_as_yaml_text(king, text):
    assert ModeFile.given(text) == ModeFile.read(king)
    assert make("file-toy", mode=text).spec == make("file-toy", mode=king).spec


def test_one_line_of_yaml_and_names_are_told_apart(tmp_path, monkeypatch):
    assert ModeFile.given("name: Plain").content == Mode(name="Plain")
    monkeypatch.chdir(tmp_path)
    Path("a: b.yaml").write_text("name: file\n")
    assert ModeFile.given("a: b.yaml").content.name == "file"
    with pytest.raises(OptionError, match="line 2: turns = 'many'"):
        ModeFile.given("name: x\nturns: many")


def test_a_key_that_is_given_twice_is_refused_in_every_text():
    for text in ("name: x\nname: y\n", '{"name": "x", "name": "y"}', '{"name": "x", "costs": {"a": 1, "a": 2}}'):
        with pytest.raises(DamagedFileError, match="is given twice in one table; remove one of them"):
            ModeFile.given(text)
        with pytest.raises(DamagedFileError, match="is given twice"):
            make("file-toy", mode=text)
    with pytest.raises(OptionError, match="the value of 'mode': 'name' is given twice in one table; remove one"):
        make('file-toy:mode={"name":"x","name":"y"}')


def test_other_files_and_the_empty_text_are_named(king):
    other = king.with_suffix(".txt")
    other.write_text(KING)
    with pytest.raises(DamagedFileError, match=r"king\.txt: expected .* whose name ends in .*; rename it"):
        ModeFile.given(str(other))
    for empty in ("", " \n"):
        with pytest.raises(OptionError, match="or its content; got an empty text"):
            ModeFile.given(empty)


def test_the_hash_is_the_same_on_every_machine():
    assert ModeFile.named("standard").label == "standard@a2f4d9fc2c91"


def test_values_of_another_type_are_refused_with_line_and_field(tmp_path):
    file = tmp_path / "quoted.yaml"
    file.write_text('name: quoted\nturns: "3"\nunits:\n  - kind: archer\n    health: "2"\n')
    with pytest.raises(OptionError) as caught:
        ModeFile.read(file)
    assert "line 2: turns = '3': expected a whole number from 1 to 50" in str(caught.value)
    assert "line 5: " in str(caught.value)
    assert "health = '2': expected a number above 0" in str(caught.value)
    with pytest.raises(OptionError, match="turns = True: expected a whole number"):
        ModeFile.given({"name": "mode", "turns": True})
    units = ({"kind": "knight", "health": 3},)  # a whole number is a number, and a tuple a list
    assert ModeFile.given({"name": "mode", "units": units}).content.units[0].health == 3.0
    assert ModeFile.given({"name": "mode", "units": (Unit(kind="knight"),)}).content.units[0].health == 4.0


def test_modes_by_name_label_path_and_file_name(king, monkeypatch):
    assert sorted(ModeFile.names()) == ["long-game", "standard"]
    long = ModeFile.named("long-game")
    assert (long.content.turns, long.content.units[0].health) == (12, 3.5)
    assert ModeFile.given(long.label) == long
    monkeypatch.chdir(king.parent)
    assert ModeFile.given("king.yaml") == ModeFile.given(Path("king.yaml")) == ModeFile.given(str(king))
    with pytest.raises(UnknownNameError, match=r"no mode of the toy game named 'lang-game'. Did you mean 'long-game'"):
        ModeFile.given("lang-game")
    with pytest.raises(OptionError, match=r"a label names one and does not contain it. Give its file or content"):
        ModeFile.given(ModeFile.read(king).label)
    with pytest.raises(OptionError, match=r"a name, a file \(.*\) or its content; got 3 \(int\)"):
        ModeFile.given(3)
    with pytest.raises(DamagedFileError, match=r"none\.yaml: cannot be read"):
        ModeFile.given("none.yaml")


def test_a_scenario_shows_the_label_and_carries_the_content(king):
    game = make(f"file-toy:mode={king},chance=true")
    label = ModeFile.read(king).label
    assert game.spec == f"file-toy:chance=True,mode={label}"
    assert str(king) not in game.full_spec
    again = make(game.full_spec)
    assert (again.spec, again.full_spec, again.options) == (game.spec, game.full_spec, game.options)
    assert again.start(3).to_dict() == game.start(3).to_dict()
    assert game.options.mode.content.turns == 6
    assert make("file-toy").spec == "file-toy"
    own = make("file-toy:mode=long-game")
    assert make(own.spec).full_spec == own.full_spec
    with pytest.raises(OptionError, match="is not known here"):
        make(game.spec)


def test_pickles_copies_states_and_replays_carry_the_content(king):
    game = make("file-toy", mode=king)
    mode = game.options.mode
    for twin in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game)):
        assert twin.full_spec == game.full_spec
    assert pickle.loads(pickle.dumps(mode)) == copy.copy(mode) == mode
    king.unlink()
    state = game.start(1)
    assert pickle.loads(pickle.dumps(state)).game.full_spec == game.full_spec
    saved = json.loads(state.to_json())
    read = make(saved["game"], **saved["options"]).from_dict(saved["state"])
    assert read.game.full_spec == game.full_spec
    assert game.shares_rows(read.game)
    other = make("file-toy", mode=json.loads(mode.text) | {"turns": 7})
    assert not game.shares_rows(other)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("turns: 6", "turns: many"), r"line 2: turns = 'many': expected a whole number from 1 to 50\."),
        (("turns: 6", "tursn: 6"), r"line 2: there is no field 'tursn'; did you mean 'turns'\?"),
        (("    health: 3", "    health: 0"), r"line 6: units, entry 2, health = 0: expected a number above 0\."),
        (("kind: knight", "kind: king"), "line 4: units, entry 1, kind = 'king': expected one of knight, archer"),
        (("name: King of the Hill!\n", ""), "line 1: 'name' is missing"),
        (("turns: 6", "turns: 0\nseats: 5"), "line 2: turns = 0.*; line 3: seats = 5: expected one of 2, 3"),
    ],
)
def test_messages_name_file_line_field_expectation_value_and_remedy(king, change, words):
    king.write_text(KING.replace(*change))
    with pytest.raises(OptionError, match=words) as caught:
        make(f"file-toy:mode={king}")
    assert str(caught.value).startswith(f"{king}: line ")
    fields = "name, turns, seats, units, costs"
    is_unknown = "no field" in words
    assert str(caught.value).endswith(f"the fields of a mode of the toy game are {fields}.") == is_unknown


@pytest.mark.parametrize(
    ("change", "remedy"),
    [
        (("turns: 6", "turns: -5"), "Give a whole number from 1 to 50."),
        (("name: King of the Hill!\n", ""), "Add it."),
        (("turns: 6", "turns: 0\nseats: 5"), "Correct these."),
        (("turns: 6", "tursn: 6"), "Correct or remove the name; the fields of a mode of the toy game are name, turns"),
    ],
)
def test_remedies_fit_the_fault(king, change, remedy):
    king.write_text(KING.replace(*change))
    with pytest.raises(OptionError) as caught:
        make(f"file-toy:mode={king}")
    assert remedy in str(caught.value)


def test_own_contents_appear_under_the_name_of_their_file():
    own = ModeFile.named("long-game")
    assert own.label == f"long-game@{own.hash}"
    assert ModeFile.given(json.loads(own.text)).label == own.label  # wherever the content is from
    assert ModeFile.given(f"any-name@{own.hash}") == own
    assert make("file-toy", mode=own).spec == f"file-toy:mode={own.label}"
    assert make("file-toy", mode=own).recorded_spec == f"file-toy:mode={own.recorded_label}"


def test_a_file_without_its_name_field_has_the_name_of_the_file(tmp_path):
    class Plain(BaseModel):
        name: str = ""

    class PlainFile(ScenarioFile[Plain]):
        model, what, name_field = Plain, "a plain file", "name"

    for text, label in (("{}", "bridge"), ("name: ''", "bridge"), ("name: Tower", "tower")):
        (tmp_path / "bridge.yaml").write_text(text)
        assert PlainFile.read(tmp_path / "bridge.yaml").label.startswith(f"{label}@")
    assert PlainFile.given("{}").label.startswith("@")


def test_many_problems_are_cut():
    units = [{"kind": "x"}] * 8
    with pytest.raises(OptionError, match=r"entry 5, kind.*; and 3 more") as caught:
        ModeFile.given({"name": "x", "units": units})
    assert "line" not in str(caught.value)
    with pytest.raises(OptionError, match="expected an object with the fields name, turns"):
        ModeFile(ParsedFile([1], "m.yaml", {(): 1}))


def test_a_content_without_a_name_has_its_hash_as_label():
    class Plain(BaseModel):
        size: int = 1

    class PlainFile(ScenarioFile[Plain]):
        model, what = Plain, "a plain file"

    one = PlainFile.given({})
    assert one.label == f"@{one.hash}"
    assert PlainFile.names() == {}


def test_a_model_that_does_not_read_its_own_form_back_is_refused():
    class Growing(BaseModel):
        size: int = 1

        @field_validator("size")
        @classmethod
        def _larger(cls, size):
            return size + 1

    class GrowingFile(ScenarioFile[Growing]):
        model, what = Growing, "a growing file"

    with pytest.raises(GameFunctionError, match="changes when Growing reads it back"):
        GrowingFile.given({"size": 1})


def test_numbers_must_be_finite():
    with pytest.raises(OptionError, match="finite"):
        ModeFile.given({"name": "x", "units": [{"kind": "knight", "health": float("inf")}]})
    assert Mode(name="x").turns == 4


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ({"model": Mode}, "Wrong: what must be a text for messages, .*; got None.*Set the attribute what in the class"),
        ({"model": Mode, "what": 5}, r"Wrong: what must be a text for messages, .*; got 5 \(int\)"),
        ({"what": "a mode"}, "Wrong: model must be a pydantic model; got None"),
        ({"model": dict, "what": "a mode"}, "Wrong: model must be a pydantic model; got <class 'dict'>"),
        (
            {"model": Mode, "what": "a mode", "folder": Path("nowhere")},
            "Wrong: folder must be an existing folder, .*nowh",
        ),
        (
            {"model": Mode, "what": "a mode", "folder": "modes"},
            "Wrong: folder must be an existing folder, .*; got 'modes'",
        ),
        ({"model": Mode, "what": "a mode", "folder": Path(__file__)}, "Wrong: folder must be an existing folder"),
    ],
)
def test_wrong_attributes_of_the_class_are_named(attributes, message, king):
    wrong = type("Wrong", (ScenarioFile,), attributes)
    for use in (
        wrong.names,
        lambda: wrong.named("standard"),
        lambda: wrong.read(king),
        lambda: wrong.given("standard"),
    ):
        with pytest.raises(GameFunctionError, match=message):
            use()
    with pytest.raises(GameFunctionError, match=message):
        wrong.given({"name": "x"})
