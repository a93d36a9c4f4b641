"""Recorded play of the reference engine: all of it passes, and a wrong field of any kind is caught."""

import copy
import gzip
import json

import pytest

from doubles.recorded_play import collections, selection
from turnwise.testing.recorded.verification import verify_file, verify_files

SELECTION = selection("samegame")
TRACE = SELECTION / "traces" / "play_0001.jsonl.gz"


def load(path):
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt") as file:
        return [json.loads(line) for line in file]


@pytest.mark.parametrize("folder", collections("samegame"))
def test_everything_recorded_agrees(folder):
    report = verify_files([folder])
    assert report.damaged == []
    assert report.mismatches == 0, "\n".join(report.summary_lines())
    recorded = sum(len(load(path)) - 1 for path in folder.glob("traces/*.gz"))
    for kind in ("n", "legal", "legal_count", "action", "raw", "size", "color", "points", "terminal", "winner", "h"):
        assert report.compared[kind] == recorded
    assert report.compared["state"] == recorded + 1  # plus the state in which the answers are given
    depths = json.loads((folder / "perft.json").read_text())["positions"]
    assert report.compared["sequences"] == sum(len(position["depths"]) for position in depths)
    assert report.compared["result"] == len(json.loads((folder / "illegal_samegame.json").read_text())["cases"])


def set_field(name, value):
    def change(lines):
        line = lines[3]
        line[name] = value(copy.deepcopy(line[name]))

    return change


def other_cell(state):
    """Another colour for the first cell of the lowest row, with counts that fit."""
    board, counts = state["board"], state["counts"]
    old = int(board[-1][0])
    new = (old + 1) % 5
    board[-1] = str(new) + board[-1][1:]
    counts[old], counts[new] = counts[old] - 1, counts[new] + 1
    return state


CHANGES = {
    "n": set_field("n", lambda n: n + 1),
    "player": set_field("player", lambda n: n + 1),
    "legal": set_field("legal", lambda listed: [listed[1], listed[0], *listed[2:]]),
    "legal_count": set_field("legal_count", lambda n: n - 1),
    "action": lambda lines: lines[1].update(action="14 14"),  # a region of one cell
    "raw": lambda lines: lines[1].update(raw="14 14"),
    "size": set_field("size", lambda n: n + 1),
    "color": set_field("color", lambda n: n + 1),
    "points": set_field("points", lambda n: n + 1),
    "state": set_field("state", other_cell),
    "terminal": set_field("terminal", lambda over: not over),
    "winner": set_field("winner", lambda winner: 0),
    "h": set_field("eval", lambda values: {"h": values["h"] + 1e-4}),
    "initial_state": lambda lines: other_cell(lines[0]["initial_state"]),
    "tabu_color_at_start": lambda lines: lines[0]["config"].update(tabu_color_at_start=4),
    "rows": lambda lines: lines[0]["config"].update(board="standard-2"),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_a_wrong_field_of_a_trace_is_caught(kind, tmp_path):
    lines = load(TRACE)
    CHANGES[kind](lines)
    file = tmp_path / "trace.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    tally = verify_file(file).tally
    assert tally.wrong[kind] >= 1
    assert verify_file(TRACE).tally.wrong == {}
    assert kind in tally.compared


def verify_changed(name, change, tmp_path):
    data = json.loads((SELECTION / name).read_text())
    if name == "perft.json":  # the small boards are enough
        data["positions"] = [p for p in data["positions"] if p["board"].startswith("small")]
    change(data)
    file = tmp_path / name
    file.write_text(json.dumps(data))
    return verify_file(file)


@pytest.mark.parametrize(
    "kind", ["sequences", "ended_earlier", "sum_score_over_sequences", "distinct_states", "distinct_boards"]
)
def test_a_wrong_count_of_perft_is_caught(kind, tmp_path):
    def change(data):
        data["positions"][-1]["depths"][2][kind] += 1

    assert verify_changed("perft.json", change, tmp_path).tally.wrong == {kind: 1}


@pytest.mark.parametrize("kind", ["color_counts", "tabu_color_at_start", "legal_moves_at_start", "rows"])
def test_a_wrong_fact_about_a_board_is_caught(kind, tmp_path):
    def change(data):
        board = data["boards"][4]
        if kind == "color_counts":
            board[kind][0] += 1
        elif kind == "rows":
            board["name"] = "standard-6"
        else:
            board[kind] += 1

    assert verify_changed("boards.json", change, tmp_path).tally.wrong == {kind: 1}


def test_a_wrong_verdict_on_an_answer_is_caught(tmp_path):
    def change(data):
        data["cases"][0]["result"] = "lost: empty cell"
        data["cases"][-1]["result"] = "ok, region size 4"

    assert verify_changed("illegal_samegame.json", change, tmp_path).tally.wrong == {"result": 2}


def test_a_saved_state_is_compared(tmp_path):
    state = load(TRACE)[0]["initial_state"]
    file = tmp_path / "state.json"
    file.write_text(json.dumps(state))
    assert verify_file(file).tally.compared == {"state": 1}
    file.write_text(json.dumps({**state, "score": -1}))
    assert verify_file(file).tally.wrong == {"state": 1}


@pytest.mark.parametrize("name", ["board", "rows"])
def test_a_damaged_header_gets_a_message(name, tmp_path):
    lines = load(TRACE)
    del lines[0]["config"][name]
    file = tmp_path / "trace.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    damage = verify_file(file).damage
    assert f"'{name}'" in damage
