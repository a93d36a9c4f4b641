"""Messages about modes name the line at fault, also where one part of the file refers to another."""

import pytest

import turnwise

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
