"""Output and input for people count players and seats from 1."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

import turnwise
from doubles.cli_samples import TINY
from turnwise.arena import Ending, play_game
from turnwise.core.errors import GameFunctionError, NotationError

SETTINGS = ("-p", "heuristic", "-b", "iterations=1")
NUMBER = re.compile(r"\b(?:[Pp]layer|PLAYER|[Ss]eat) (\d+)")


def numbers(text):
    """The numbers of players and seats in a text."""
    return {int(number) for number in NUMBER.findall(text)}


@pytest.fixture
def states():
    """One state with each player to move."""
    first = turnwise.make(TINY).start(seed=3)
    return first, first.play("end")


@pytest.mark.parametrize("mover", [0, 1])
def test_boards_and_pictures(states, mover):
    state = states[mover]
    text = str(state)
    assert text.startswith(f"Turn {mover + 1}: player {mover + 1} to move")
    assert numbers(text) == {1, 2}
    picture = "\n".join(ElementTree.fromstring(state._repr_svg_()).itertext())
    assert f"player {mover + 1} to move" in picture
    assert numbers(picture) == {1, 2}
    assert repr(state).endswith(f"player {mover + 1} to move>")
    assert state.game.seat_name(mover) == f"player {mover + 1}"


@pytest.mark.parametrize("winner", [0, 1])
def test_who_has_won(states, winner):
    data = states[0].to_dict()
    units = [unit for unit in data["units"] if unit[2] == winner]
    over = states[0].game.from_dict({**data, "units": units, "terminal": True})
    assert over.returns[winner] > 0
    assert f"Player {winner + 1} wins, player {2 - winner} has no crystals left" in str(over)
    assert f"PLAYER {winner + 1} WINS" in over._repr_svg_()


@pytest.mark.parametrize("mover", [0, 1])
def test_plans(cli, states, mover, tmp_path):
    (tmp_path / "s.json").write_text(states[mover].to_json())
    shown = cli("plan", "--state", "s.json", *SETTINGS).out
    assert f"\nTurn {mover + 1}, player {mover + 1}: heuristic" in shown
    assert numbers(shown) == {1, 2}


@pytest.mark.parametrize(
    ("game", "first", "second"),
    [
        (TINY, "Turn 1", "Turn 2"),
        ("search-race", "Turn 1", "Turn 2"),
        ("stratega", "Round 1", "Round 1"),
        ("tribes", "Round 1", "Round 1"),
        ("samegame", "", ""),
    ],
)
def test_turns_and_rounds_count_from_1(cli, game, first, second):
    state = turnwise.make(game).start(seed=3)
    after = state.play(state.legal_actions()[0] if state.game.end_action is None else state.game.end_action)
    assert [state.game.turn_text(one.turn) for one in (state, after)] == [first, second]
    if "Round" in first:
        assert first in "\n".join(ElementTree.fromstring(state._repr_svg_()).itertext())
        shown = cli("plan", game, "-p", "random", "-b", "iterations=1").out
        assert f"\n{first}, {state.game.seat_name(state.to_move)}: random" in shown


def test_matches(cli):
    shown = cli("match", TINY, "heuristic", "random", "-b", "iterations=1").out
    lines = shown.splitlines()
    assert lines[0].startswith("player 1 (heuristic): ")
    assert lines[1].startswith("player 2 (random): ")
    assert numbers(shown) == {1, 2}


@pytest.mark.parametrize("seat", [1, 2])
def test_playing_from_a_seat(cli, seat):
    shown = cli("play", TINY, *SETTINGS, "--seat", seat, typed="quit\n")
    assert f"\nplayer {seat}, actions 1 to" in shown.out  # the board above counts the turns
    assert 0 not in numbers(shown.out)


def test_there_is_no_seat_0_and_none_above_the_last(cli):
    cli("play", TINY, *SETTINGS, "--seat", 0).refused("--seat", "greater than or equal to 1")
    cli("play", TINY, *SETTINGS, "--seat", 3).refused("--seat 3", "2 seats")


class Late:
    """Raises an error at its first decision."""

    spec = "late"

    def plan(self, state, budget, seed=0):
        raise RuntimeError("no idea")


@pytest.mark.parametrize("seat", [0, 1])
def test_the_detail_of_a_forfeit(seat):
    players = ["heuristic", Late()] if seat else [Late(), "heuristic"]
    record = play_game(TINY, players, "iterations=1", seed=1)
    assert record.ending is Ending.EXCEPTION
    assert f"late (seat {seat + 1}): " in record.detail
    assert min(record.seats, key=lambda one: one.score).seat == seat


def test_pages_name_seats_from_1(cli, tmp_path):
    assert cli("match", TINY, "heuristic", "random", "-b", "iterations=1", "--out", "g.json", "-q").code == 0
    assert cli("report", "g.json", "--out", "g.html").code == 0
    page = (tmp_path / "g.html").read_text()
    assert ">Player 1<" in page
    assert ">Player 0<" not in page
    assert '" (seat " + (seat + 1) + ")"' in page  # the page's own script


def test_messages_of_the_library_say_that_they_count_from_0(states):
    data = states[0].to_dict()
    bare = [unit for unit in data["units"] if unit[2] != 1]
    with pytest.raises(NotationError, match=r"Player 1 \(counted from 0\)"):
        states[0].game.from_dict({**data, "units": bare})
    wild = replace(states[0].game.evaluation("heuristic")[1], low=-1e-9, high=0.0)
    with pytest.raises(GameFunctionError, match=r"for player [01] \(counted from 0\)"):
        states[0].game.register_evaluation("wild", wild)
