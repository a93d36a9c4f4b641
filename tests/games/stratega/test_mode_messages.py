"""Messages about modes name the line at fault, also where one part of the file refers to another."""

import pytest

import turnwise
from turnwise.arena import make_spec
from turnwise.arena.tournament.difference import differences
from turnwise.arena.tournament.schedule import make_schedule

MODE = """\
Name: Ford
GameConfig: {RoundLimit: 9}
Tiles:
  Grass: {Symbol: .}
  River: {Symbol: W, IsWalkable: false}
Board:
  Layout: "..W.."
Units:
  Captain: {Health: 9, LineOfSightRange: 3, ActionRange: 1, Actions: [Move], MovementRange: 1}
ForwardModel:
  WinCondition:
    Type: UnitAlive
    Unit: Captain
  Effects:
    Drowned:
      Type: Death
      Trigger: EnterTile
      Condition: StandingOnTile
      TargetTile: River
Start:
  Units:
    - {Unit: Captain, Player: 0, At: [0, 0]}
    - Unit: Captain
      Player: 1
      At: [4, 0]
"""


def made(tmp_path, text):
    path = tmp_path / "ford.yaml"
    path.write_text(text, encoding="utf-8")
    return turnwise.make("stratega", mode=str(path))


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("Symbol: W,", "Symbol: .,", 5, "the tiles Grass and River have the same Symbol '.'"),
        ("Symbol: W,", "Symbol: WW,", 5, "exactly one visible letter"),
        ('"..W.."', '".."', 25, "[4, 0] is not on the board of 2 x 1 tiles"),
        ('"..W.."', '".. X .."', 7, "all rows need the same length"),
        ('"..W.."', '"..X.."', 7, "the layout has the symbol 'X', which no type of tile has"),
        ("Unit: Captain\n  E", "Unit: King\n  E", 13, "WinCondition names the unit 'King'; expected one of Captain"),
        ("TargetTile: River", "TargetTile: Lava", 19, "effect Drowned names the tile 'Lava'; expected one of Grass"),
        ("{Unit: Captain, P", "{Unit: Captian, P", 22, "there is no unit 'Captian'; expected one of Captain"),
        ("Player: 1", "Player: 7", 24, "there is no player 7; expected 0 to 1"),
        ("[4, 0]", "[0, 0]", 25, "two units at [0, 0]"),
        ("[4, 0]", "[9, 0]", 25, "[9, 0] is not on the board of "),
        ("RoundLimit", "Type: RTS, RoundLimit", 2, "real time"),
        ("TargetTile: River", "TargetTile: ''", 19, "effect Drowned needs TargetTile, a type of tile; expected one of"),
        ("Unit: Captain\n  E", "Unit: ''\n  E", 13, "UnitAlive needs Unit, a type of unit; expected one of Captain"),
        ("Type: Death", "Type: Damage", 16, "an effect of type Damage needs Amount, the health that a unit loses"),
        ("GameConfig", "Agents: [a]\nGameConfig", 2, "Agents lists 1 player, and a game has 2 to 8; list as many as"),
        ("GameConfig", f"Agents: [{'a, ' * 9}]\nGameConfig", 2, "Agents lists 9 players, and a game has 2 to 8"),
        (
            "[4, 0]",
            "[4, 0, 1]",
            25,
            "At = [4, 0, 1]: expected a list of 2 whole numbers. Give a list of 2 whole numbers",
        ),
        ("Actions: [Move]", "Actions: Move", 9, "Actions = 'Move': expected a list of Attack, Move, Heal, Push. Give"),
    ],
)
def test_the_line_at_fault_is_named(tmp_path, old, new, line, message):
    assert old in MODE
    with pytest.raises(turnwise.TurnwiseError) as raised:
        made(tmp_path, MODE.replace(old, new, 1))
    assert f"line {line}: " in str(raised.value)
    assert message in str(raised.value)


def test_the_mode_itself_is_fine(tmp_path):
    assert made(tmp_path, MODE).players == 2


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Name: Ford", f"Name: {'x' * 200}", "expected a string of at most 60 letters"),
        ("Name: Ford", 'Name: "a\\u0007b"', "a name is one line of visible characters; remove the character U+0007"),
        ("Name: Ford", 'Name: "a\\nb"', "remove the character U+000A"),
        ("  Captain: {", '  "Cap\\u0001": {', "remove the character U+0001"),
        ("  Grass: {", '  "Gr\\uFFFF": {', "remove the character U+FFFF"),
        ("    Drowned:", '    "D\\u001b":', "remove the character U+001B"),
        ("Symbol: .", 'Symbol: "\\u0002"', "exactly one visible letter"),
        (
            "Health: 9",
            "Health: -5",
            "Health = -5: expected a whole number from 1 to 100000. Give a whole number from 1 to",
        ),
        ("{Symbol: .}\n  River: {Symbol: W, IsWalkable: false}", "{}", "'Tiles, Grass, Symbol' is missing"),
        ('"..W.."', '".. ."', "row 1 has 2 tiles, row 2 has 1 tile"),
    ],
)
def test_messages_say_what_to_do(tmp_path, old, new, message):
    assert old in MODE
    with pytest.raises(turnwise.TurnwiseError) as raised:
        made(tmp_path, MODE.replace(old, new, 1))
    assert message in str(raised.value)
    assert "the fields of a mode" not in str(raised.value)
    assert str(raised.value).isprintable()


def test_an_unknown_field_is_answered_with_all(tmp_path):
    with pytest.raises(turnwise.TurnwiseError, match="the fields of a mode of the strategy engine are Name"):
        made(tmp_path, MODE + "Colour: 3\n")


def test_no_tiles_and_one_tile():
    mode = {
        "Tiles": {},
        "Board": {"Layout": "."},
        "Units": {"A": {"Health": 1, "LineOfSightRange": 1, "ActionRange": 1}},
    }
    with pytest.raises(turnwise.TurnwiseError, match=r"Tiles = \{\}: expected a table with at least 1 entry"):
        turnwise.make("stratega", mode=mode)
    mode["Tiles"] = {"Grass": {"Symbol": "."}}
    with pytest.raises(turnwise.TurnwiseError, match="the board has 1 tile for them"):
        turnwise.make("stratega", mode=mode)


def test_layouts_and_states():
    with pytest.raises(turnwise.TurnwiseError, match="the mode has one board; expected layout 0, got 3"):
        turnwise.make("stratega", layout=3)
    state = turnwise.make("stratega").start(1)
    with pytest.raises(turnwise.TurnwiseError) as raised:
        state.game.from_dict({"turn": 0})
    assert "fields turn, player, over, winner, can_play, units (in the view of a player, also hidden, unknown)" in str(
        raised.value
    )
    assert "got one without player, over, winner, can_play, units. " in str(raised.value)
    with pytest.raises(turnwise.TurnwiseError, match="with the unknown field extra"):
        state.game.from_dict(state.to_dict() | {"extra": 1})


def test_labels_name_files(tmp_path):
    assert turnwise.make("stratega:mode=mixed3").spec.startswith("stratega:mode=mixed3@")
    nameless = made(tmp_path, MODE.replace("Name: Ford\n", ""))
    assert nameless.spec.startswith("stratega:mode=ford@")
    assert nameless.options.mode.content.Name == "ford"


@pytest.mark.parametrize(("mode", "ending"), [("kings", "last one standing"), ("kings_ua", "king lost")])
def test_the_ending_says_what_ended_the_game(mode, ending):
    game = turnwise.make("stratega", mode=mode)
    state = game.start(1).to_dict()
    state |= {"over": True, "winner": 0, "can_play": [1, 0]}
    assert game.ending_text(game.from_dict(state).row) == ending
    state |= {"winner": -1, "can_play": [0, 0]}
    assert game.ending_text(game.from_dict(state).row) == ("nobody left" if mode == "kings" else "no king left")


def test_a_changed_mode_is_named_with_the_first_difference(tmp_path):
    def identity():
        text = made(tmp_path, changed).full_spec
        spec = make_spec(name="n", games=text, players=["random", "heuristic"], budget="iterations=1", seed=1)
        return make_schedule(spec).identity

    changed = MODE
    before = identity()
    changed = MODE.replace("Health: 9", "Health: 8")
    (found,) = differences(before, identity())
    assert found.count("ford@") == 2
    assert found.endswith("; the first difference is Units, Captain, Health: 9 there, 8 now")
    row = "." * 60
    changed = MODE.replace('"..W.."', f'"{row} {row} {row}"')
    before = identity()
    changed = MODE.replace('"..W.."', f'"{row} {row} {row[:-1]}W"')
    (found,) = differences(before, identity())
    assert found.endswith(f"the first difference is Board, Layout: ...{'.' * 21} there, ...{'.' * 20}W now")
