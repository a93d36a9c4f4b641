"""Pictures of boards: well-formed, self-contained, safe with any text."""

import re
from xml.etree import ElementTree

import pytest

import turnwise
from turnwise.core.errors import OptionError
from turnwise.core.picture import FILLS, PLAYERS

SVG = "{http://www.w3.org/2000/svg}"


def parts(picture, tag):
    return ElementTree.fromstring(picture.svg()).iter(f"{SVG}{tag}")


def sample(shape="square"):
    picture = turnwise.Picture(4, 3, shape=shape, title="A board", fill="grass")
    picture.cell(0, 0, "water", "3", hint="a lake").token(1, 1, "K", player=0, health=0.5, hint="knight")
    return picture.token(2, 2, "ARX", player=9, faded=True).ring(3, 2).arrow((0, 0), (3, 2)).line("turn 2")


@pytest.mark.parametrize(("shape", "cell"), [("square", "rect"), ("hex", "path")])
def test_everything_is_drawn(shape, cell):
    picture = sample(shape)
    text = picture.svg()
    words = {found.text for found in parts(picture, "text")}
    assert {"A board", "3", "K", "ARX", "turn 2"} <= words
    assert {found.text for found in parts(picture, "title")} == {"a lake", "knight"}
    assert text.count(f'fill="{FILLS["grass"]}"') == 11
    assert text.count(f'fill="{FILLS["water"]}"') == 1
    assert PLAYERS[0] in text
    assert PLAYERS[9 % len(PLAYERS)] in text
    assert len(list(parts(picture, cell))) >= 12
    assert 'aria-label="A board. turn 2"' in text
    assert picture._repr_svg_() == str(picture) == text


def test_nothing_is_loaded_or_named():
    text = sample().cards("me", ["A"], hidden=2, player=1).svg()
    assert not re.search(r"\bid=|<style|<script|href|url\(", text)


def test_cards_lie_below_and_widen_the_picture():
    narrow = turnwise.Picture(2, 2)
    width = float(ElementTree.fromstring(narrow.svg()).get("width"))
    wide = narrow.cards("Player 1", ["A", "B"], hidden=3, player=0)
    assert float(ElementTree.fromstring(wide.svg()).get("width")) > width + 200
    assert {"Player 1", "A", "B"} <= {found.text for found in parts(wide, "text")}


def test_any_text_stays_text():
    evil = '<script>alert("x")</script>&'
    picture = turnwise.Picture(1, 1, title=evil).cell(0, 0, "sand", evil, evil).token(0, 0, evil, hint=evil)
    text = picture.cards(evil, [evil]).line(evil).svg()
    assert "<script" not in text
    ElementTree.fromstring(text)


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (lambda p: turnwise.Picture(0, 3), "columns"),
        (lambda p: turnwise.Picture(3, 101), "rows"),
        (lambda p: turnwise.Picture(3, 3, shape="round"), "shape"),
        (lambda p: turnwise.Picture(3, 3, fill="pink"), "no fill 'pink'"),
        (lambda p: p.cell(3, 0), "column"),
        (lambda p: p.cell(0, -1), "row"),
        (lambda p: p.cell(0, 0, '#12"/><'), "no fill"),
        (lambda p: p.token(0, 0, "K", player=-1), "player"),
        (lambda p: p.token(0, 0, "K", health=1.5), "health"),
        (lambda p: p.token(0, 0, "K", health="full"), "health"),
        (lambda p: p.token(0, 0, 3), "text"),
        (lambda p: p.ring("a", 0), "column"),
        (lambda p: p.arrow((0, 0), (0, 0)), "two cells"),
        (lambda p: p.cards("me", "ABC"), "cards"),
        (lambda p: p.cards("me", ["A"], hidden=-1), "hidden"),
        (lambda p: p.line(None), "line"),
    ],
)
def test_wrong_arguments_are_refused(draw, words):
    with pytest.raises(OptionError, match=words):
        draw(turnwise.Picture(3, 3))
