"""Boards, options and notation of SameGame: valid ones are read in every form, others get one message."""

import numpy as np
import pytest

import turnwise
from turnwise.core.errors import DamagedFileError, NotationError, OptionError
from turnwise.games.samegame.files import LARGEST_FILE, read_board
from turnwise.games.samegame.notation import AnswerError, parse_answer
from turnwise.games.samegame.scenario import STANDARD, named_boards

SMALL = ("2..", "013", "044")


def test_all_boards_are_there():
    assert tuple(str(n) for n in range(1, 21)) == STANDARD
    assert len(named_boards()) == 25
    for name in named_boards():
        assert not turnwise.make("samegame", board=name).start().is_over


@pytest.mark.parametrize(
    "rows",
    [
        ["2..", "013", "044"],
        ["2 -1 -1", "0 1 3", "0 4 4"],
        [[2, -1, -1], [0, 1, 3], [0, 4, 4]],
        "2../013/044",
        ["." * 15] * 12 + ["2" + "." * 14, "013" + "." * 12, "044" + "." * 12],
    ],
)
def test_boards_in_every_form(rows):
    state = turnwise.make("samegame", rows=rows).start()
    assert [row[:3] for row in state.to_dict()["board"][-3:]] == list(SMALL)
    again = turnwise.make(state.game.spec)  # the text of a scenario reproduces it
    assert again.start() == state


@pytest.mark.parametrize("name", [7, "7", "standard-7"])
def test_a_standard_board_by_any_name(name):
    assert turnwise.make("samegame", board=name).options.board == "7"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"board": 21}, "no such board"),
        ({"board": "codingame"}, "codingame-large-tiles"),
        ({"board": 3, "rows": ["00"]}, "both given"),
        ({"rows": ["012", "01"]}, "row 1 has 3 cells, row 2 2"),
        ({"rows": ["015"]}, "'5' is not a colour"),
        ({"rows": ["0x1"]}, "'x' is not a colour"),
        ({"rows": [[0, 7]]}, "'7' is not a colour"),
        ({"rows": [["0", None]]}, "is not a colour"),
        ({"rows": ["0" * 16]}, "at most 15 columns"),
        ({"rows": ["0" * 1000]}, "at most 15 columns"),
        ({"rows": ["0"] * 16}, "at most 15 columns and 15 rows"),
        ({"rows": ["01", ".0"]}, "column 0 .* above an empty one"),
        ({"rows": ["0.1"]}, "column 1 .* close the gap"),
        ({"rows": ["..."]}, "all cells"),
        ({"rows": []}, "at least one row"),
        ({"rows": [""]}, "at least one row"),
        ({"rows": 5}, "rows of the digits"),
        ({"rows": [5]}, "row 1 is 5"),
        ({"end_penalty": "both"}, "per_colour"),
    ],
)
def test_bad_options_get_one_message(options, message):
    with pytest.raises(OptionError, match=message) as caught:
        turnwise.make("samegame", **options)
    assert str(caught.value).count("\n") == 0
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    "text",
    [
        "2..\n013\n044\n",
        "2 -1 -1\n 0 1 3\n0 4 4\n\n",
        '["2..", "013", "044"]',
        '{"rows": [[2, -1, -1], [0, 1, 3], [0, 4, 4]]}',
        '{"state": {"board": ["2..", "013", "044"]}}',
        "2../013/044",
        '"2../013/044"',
        '{"rows": "2../013/044"}',
    ],
)
def test_board_files(tmp_path, text):
    file = tmp_path / "board"
    file.write_text(text)
    assert read_board(file) == SMALL


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "at least one row"),
        (b"01\n012\n", "same length"),
        (b"\xff\xfe0", "not UTF-8 text"),
        (b"0" * (LARGEST_FILE + 1), "larger than"),
        (b"[[0, 1], ", "not valid JSON"),
        (b"[" * 60_000, "nested too deeply"),
        (b'{"cells": []}', "no list of rows"),
        (b'{"rows": 3}', "no list of rows"),
        (b"null", "no list of rows"),
        (b'"01', "not valid JSON"),
        (b"0 " + 30 * b"9", "'" + 20 * "9" + r"\.\.\.' is not a colour"),
    ],
)
def test_bad_board_files_get_one_message(tmp_path, content, message):
    file = tmp_path / "board"
    file.write_bytes(content)
    with pytest.raises(DamagedFileError, match=message) as caught:
        read_board(file)
    assert str(file) in str(caught.value)
    with pytest.raises(DamagedFileError, match="cannot be read"):
        read_board(tmp_path / "none")


def test_the_form_counts_moves_and_forms_without_them_are_still_read():
    game = turnwise.make("samegame")
    state = game.start()
    for _ in range(3):
        state = state.play(state.legal_actions()[0])
    form = state.to_dict()
    assert form["moves"] == 3
    assert np.array_equal(game.from_dict(form).row, state.row)
    older = {key: value for key, value in form.items() if key != "moves"}
    read = game.from_dict(older)
    assert read.metrics(0)["moves"] == 0
    assert read.to_dict() == {**older, "moves": 0}
    assert game.state_dict_like(state.row, older) == older
    assert game.state_dict_like(state.row, form) == form
    assert read != state
    assert read.fingerprint == state.fingerprint


def test_impossible_states_are_refused():
    game = turnwise.make("samegame")
    good = game.start().to_dict()
    for key, value, message in [
        ("board", good["board"][1:], "15 strings"),
        ("board", ["0" * 15] * 14 + ["." * 15], "above an empty one"),
        ("counts", [0, 0, 0, 0, 0], "'counts' must be"),
        ("moves", 10**6, "'moves' must be a whole number from 0 to"),
        ("moves", True, "'moves' must be"),
        ("score", -1, "from 0"),
        ("score", True, "from 0"),
        ("score", 50_730, "from 0"),
        ("terminal", True, "must be false"),
        ("terminal", 0, "must be false"),
    ]:
        with pytest.raises(NotationError, match=message):
            game.from_dict({**good, key: value})


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "empty line"),
        (" \t ", "empty line"),
        ("\x00", "empty line"),
        ("3", "cannot be read"),
        ("3 x", "cannot be read"),
        ("1_0 2", "cannot be read"),
        ("2147483648 0", "cannot be read"),
        ("-2147483648 0", "outside the board"),
        ("9" * 5000 + " 0", "cannot be read"),
        ("0 15", "outside the board"),
        ("0 14", "empty cell"),
        ("0 0", "region of size 1"),
    ],
)
def test_answers_that_lose(line, reason):
    state = turnwise.make("samegame", rows=["1.", "22", "02"]).start()
    with pytest.raises(AnswerError, match=reason):
        parse_answer(state.row, line)


@pytest.mark.parametrize("line", ["1 0", "+1 +0", " 1\t0 ", "1 0 all is well", "1 1"])
def test_answers_that_are_accepted(line):
    state = turnwise.make("samegame", rows=["12", "02"]).start()
    code = parse_answer(state.row, line)
    assert state.play(code).to_dict()["counts"] == [1, 1, 0, 0, 0]
