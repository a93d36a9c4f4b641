"""The picture, the driven line and the text board of Search Race."""

from xml.etree import ElementTree

import pytest

import turnwise
from turnwise.arena.records import Ending
from turnwise.replay import Replay, ReplayStep

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def game():
    return turnwise.make("search-race")


def test_the_drawing_shows_track_car_and_speed(game):
    state = game.start().play("EXPERT 18 200").play("5000 -300 150")
    root = ElementTree.fromstring(game.svg(state.row, "5000 -300 150"))
    circles = root.findall(f"{SVG}circle")
    assert [circle.get("r") for circle in circles] == ["60"] * 3
    assert len({circle.get("fill") for circle in circles}) == 2  # the next target is highlighted
    texts = "".join(root.itertext())
    assert all(str(number) in texts for number in range(3))
    moved = [path.get("transform") or "" for path in root.findall(f"{SVG}path")]
    assert any("translate(500 -30)" in transform for transform in moved)  # where it aimed
    assert any(f"rotate({state.to_dict()['angle']})" in transform for transform in moved)
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert not ids


def test_the_driven_line_has_one_piece_per_turn_coloured_by_speed(game):
    state, rows = game.start(), []
    rows.append(state.row)
    for _ in range(8):
        state = state.play("EXPERT 0 200")
        rows.append(state.row)
    plain, driven = (ElementTree.fromstring(game.svg_of(part)) for part in (rows[-1:], rows))
    lines = [p for p in driven.findall(f"{SVG}path") if p.get("stroke-width") == "7"]
    assert len(lines) == 8
    assert not [p for p in plain.findall(f"{SVG}path") if p.get("stroke-width") == "7"]
    assert len({line.get("stroke") for line in lines}) >= 4


def test_the_replay_player_shows_the_driven_line_and_stores_each_piece_once():
    from turnwise.report.replays import pack

    game = turnwise.make("search-race")
    actions = ["EXPERT 0 200"] * 30
    replay = Replay(
        game="search-race",
        rules="1",
        start=game.start().to_dict(),
        steps=[ReplayStep(action=action, player=0) for action in actions],
    )

    class Record:
        ending = Ending.ABANDONED  # there is nothing to compare with

    record = Record()
    record.replay = replay
    packed = pack(record)
    pieces = [part for part in packed["parts"] if 'stroke-width="7"' in part]
    assert len(pieces) == 30
    last = [packed["parts"][number] for number in packed["frames"][-1]]
    assert [part for part in last if 'stroke-width="7"' in part] == pieces


def test_the_text_board_shows_where_everything_is(game):
    text = str(game.start())
    lines = text.splitlines()
    assert lines[0] == "Search Race, after 0 turns: 0 of 9 checkpoints passed, speed 0"
    board = "".join(lines[2:20])
    assert {"1", "2", "←"} <= set(board)
    assert "car at 10353,1986" in lines[-1]
    assert "next: 1 at 2757,4659" in lines[-1]
    far = game.from_dict({**game.start().to_dict(), "x": -90_000})
    assert "(off the picture)" in str(far)
