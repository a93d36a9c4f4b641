"""The picture and the text board of SameGame show every cell."""

import re
import unicodedata
from xml.etree import ElementTree

import turnwise
from turnwise.games.samegame.view import svg as drawing
from turnwise.games.samegame.view.svg import COLOURS, draw
from turnwise.games.samegame.view.text import SIGNS, text_board


def test_the_text_board_shows_every_cell():
    state = turnwise.make("samegame", board=7).start().to_dict()
    plain = text_board(state)
    assert [unicodedata.name(sign).split()[-1] for sign in SIGNS] == [
        "CIRCLE",
        "SQUARE",
        "TRIANGLE",
        "DIAMOND",
        "CROSS",
    ]
    assert tuple(drawing._PATHS) == SIGNS  # pictures and text show the same signs
    for colour, sign in enumerate(SIGNS):
        assert plain.count(sign) == state["counts"][colour] + 1  # one more in the legend
    assert len({len(line) for line in plain.splitlines()[1:16]}) == 1
    coloured = text_board(state, colour=True)
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == plain != coloured
    end = turnwise.make("samegame", rows=["00"]).start().play("0 0")
    assert "score 1000, 0 cells, cleared" in str(end)


def test_the_picture_shows_every_cell_and_the_last_action():
    game = turnwise.make("samegame", board=7)
    state = game.start()
    root = ElementTree.fromstring(game.svg(state.row))
    by_fill = {path.get("fill"): path.get("d") for path in root.iter("{http://www.w3.org/2000/svg}path")}
    for colour, count in enumerate(state.to_dict()["counts"]):
        assert by_fill[COLOURS[colour]].count("M") == count
    assert "score 0, 225 cells left" in root.get("aria-label")
    assert len(set(COLOURS)) == 5
    action = state.legal_actions()[3]
    after = state.play(action)
    text = game.svg(after.row, action)
    assert f"last action {action}" in text
    assert "<circle" in text
    outlined = draw(after.to_dict(), last_action=action, removed=[(0, 0), (0, 1)])
    assert outlined.count("stroke-dasharray") == 1
    for forbidden in (" id=", "<style", "<script", "href", "url("):
        assert forbidden not in text
