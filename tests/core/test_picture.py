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


def texts_and_hints(picture):
    return [{found.text for found in parts(picture, tag)} for tag in ("text", "title")]


@pytest.mark.parametrize("shape", ["square", "hex"])
def test_texts_that_fit_are_shown_as_they_are(shape):
    picture = turnwise.Picture(3, 1, shape=shape).token(0, 0, "WWW").cell(1, 0, text="+3 hp").token(2, 0, "KING")
    words, hints = texts_and_hints(picture.cards("Player 10", ["AR", "Scroll"]))
    assert words == {"WWW", "+3 hp", "KING", "Player 10", "AR", "Scroll"}
    assert hints == set()


@pytest.mark.parametrize("shape", ["square", "hex"])
def test_long_texts_are_shortened_and_whole_in_a_hint(shape):
    names = [f"{place} with a very long name" for place in ("cell", "Token", "card", "owner")]
    picture = turnwise.Picture(3, 1, shape=shape).cell(0, 0, text=names[0], hint="wet").token(1, 0, names[1])
    words, hints = texts_and_hints(picture.cards(names[3], [names[2]]).token(2, 0, names[1], hint=f"{names[1]}, hurt"))
    assert len(words) == 4
    assert all(word.endswith("…") for word in words)
    assert hints == {f"{names[0]}: wet", *names[1:], f"{names[1]}, hurt"}


def test_a_long_hand_is_laid_out_in_rows_as_wide_as_the_picture():
    def places(columns):
        picture = turnwise.Picture(columns, 1).cards("me", [f"c{n}" for n in range(20)], hidden=10)
        cards = [card for card in parts(picture, "rect") if card.get("rx") == "5"]
        width, height = (float(ElementTree.fromstring(picture.svg()).get(side)) for side in ("width", "height"))
        return [(float(card.get("x")), float(card.get("y"))) for card in cards], width, height

    for columns, in_row in ((1, 8), (20, 15)):
        found, width, height = places(columns)
        assert len(set(found)) == 30
        assert [sum(y == row for _, y in found) for row in sorted({y for _, y in found})][:-1] == [in_row] * (
            29 // in_row
        )
        assert max(x for x, _ in found) + 58 + 2 * 14 <= width
        assert max(y for _, y in found) + 40 + 14 <= height
    assert width == 20 * 56 + 2 * 14  # the hand is no wider than the board


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
