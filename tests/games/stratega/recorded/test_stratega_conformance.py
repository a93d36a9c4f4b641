"""Recorded play of the original engine: all of it passes, and a wrong field of any kind is caught."""

import gzip
import json

import pytest

from doubles.recorded_play import collections, selection
from turnwise.testing.recorded.verification import verify_file, verify_files

SELECTION = selection("stratega")
TRACE = SELECTION / "traces" / "play_0218.jsonl.gz"  # three players, legal lists, scripts, views
NOT_LEGAL = SELECTION / "traces" / "play_0107.jsonl.gz"  # two actions are not in the legal list


def load(path):
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt") as file:
        return [json.loads(line) for line in file]


@pytest.mark.parametrize("folder", collections("stratega"))
def test_everything_recorded_agrees(folder):
    report = verify_files([folder])
    assert report.damaged == []
    assert report.mismatches == 0, "\n".join(report.summary_lines())
    steps = [line for path in folder.glob("traces/*.gz") for line in load(path)[1:]]
    for kind in ("n", "player", "legal_count", "not_in_legal", "state", "terminal", "winner"):
        assert report.compared[kind] == len(steps)
    for kind in ("legal", "legal_generation_order"):
        assert report.compared[kind] == sum(kind in step for step in steps)
    assert report.compared["seen board"] == sum("fog" in step for step in steps)
    assert report.compared["refused"] == sum(step.get("not_in_legal", False) for step in steps) > 0
    for kind in ("linear_sum", "min_distance"):
        assert report.compared[kind] == sum(len(step["eval"][kind]) for step in steps)
    scripts = sum(len(step.get("scripts", {})) for step in steps) + sum(
        len(step["fog"].get("scripts", {})) for step in steps if "fog" in step
    )
    assert sum(count for kind, count in report.compared.items() if kind.startswith("script ")) == scripts
    tables = json.loads((folder / "perft.json").read_text())["tables"]
    assert report.compared["sequences"] == sum(len(table["sequences"]) for table in tables)
    assert report.compared["distinct_states"] == sum(len(table["distinct_states"]) for table in tables)


def first_with(lines, name):
    return next(line for line in lines[1:] if name in line)


def swap_first_two(lines):
    listed = first_with(lines, "legal_generation_order")["legal_generation_order"]
    listed[0], listed[1] = listed[1], listed[0]


CHANGES = {
    "n": lambda lines: lines[3].update(n=lines[3]["n"] + 1),
    "player": lambda lines: lines[3].update(player=lines[3]["player"] + 1),
    "legal": lambda lines: first_with(lines, "legal")["legal"].pop(),
    "legal_generation_order": swap_first_two,
    "legal_count": lambda lines: lines[3].update(legal_count=lines[3]["legal_count"] - 1),
    "not_in_legal": lambda lines: lines[3].update(not_in_legal=True),
    "state": lambda lines: lines[3]["state"]["units"][0].__setitem__(5, 7),
    "terminal": lambda lines: lines[3].update(terminal=True),
    "winner": lambda lines: lines[3].update(winner=1),
    "linear_sum": lambda lines: lines[3]["eval"]["linear_sum"].__setitem__(0, 0.123),
    "min_distance": lambda lines: lines[3]["eval"]["min_distance"].__setitem__(1, 0.123),
    "seen units": lambda lines: first_with(lines, "fog")["fog"]["units"].pop(),
    "seen board": lambda lines: first_with(lines, "fog")["fog"]["board"].__setitem__(0, "." * 9),
    "initial_state": lambda lines: lines[0]["initial_state"].update(turn=True),
}


def rewritten(lines, tmp_path):
    file = tmp_path / "trace.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return verify_file(file)


@pytest.mark.parametrize("kind", CHANGES)
def test_a_wrong_field_of_a_trace_is_caught(kind, tmp_path):
    assert verify_file(TRACE).tally.wrong == {}
    lines = load(TRACE)
    CHANGES[kind](lines)
    assert rewritten(lines, tmp_path).tally.wrong[kind] >= 1


def test_actions_that_are_not_listed_are_counted_and_refused_by_strict_rules(tmp_path):
    tally = verify_file(NOT_LEGAL).tally
    assert (tally.compared["refused"], tally.wrong) == (2, {})
    assert "2 recorded actions are not in the legal list" in tally.notes[0]
    lines = load(NOT_LEGAL)
    del first_with(lines, "not_in_legal")["not_in_legal"]
    assert rewritten(lines, tmp_path).tally.wrong["not_in_legal"] == 1


@pytest.mark.parametrize("field", ["config", "board", "initial_state"])
def test_a_damaged_header_is_reported(field, tmp_path):
    lines = load(TRACE)
    lines[0][field] = {"mode": "kings"} if field == "config" else []
    result = rewritten(lines, tmp_path)
    assert result.damage
    assert "expected" in result.damage


@pytest.mark.parametrize("kind", ["sequences", "distinct_states"])
def test_a_wrong_count_of_perft_is_caught(kind, tmp_path):
    data = json.loads((SELECTION / "perft.json").read_text())
    data["tables"] = [table for table in data["tables"] if table["config"]["mode"] == "pushers"]
    data["tables"][0][kind][2] += 1
    file = tmp_path / "perft.json"
    file.write_text(json.dumps(data))
    assert verify_file(file).tally.wrong == {kind: 1}
