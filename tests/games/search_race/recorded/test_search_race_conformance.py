"""Recorded play of the contest's referee: all of it passes, and a wrong field of any kind is caught."""

import gzip
import json

import pytest

import turnwise
from doubles.recorded_play import collections, selection
from turnwise.replay import Replay, ReplayStep
from turnwise.testing.recorded.verification import verify_file, verify_files

SELECTION = selection("search_race")
FINISHED = SELECTION / "traces" / "play_0004.jsonl.gz"
SHARED_KINDS = ("n", "player", "input_before", "action", "state", "hits", "col_time", "terminal", "winner", "time", "h")


def load(path):
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt") as file:
        return [json.loads(line) for line in file]


def load_whole(path):
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt") as file:
        return json.load(file)


def save(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize("folder", collections("search_race", minutes_uncompiled=False))
def test_everything_recorded_agrees(folder):
    report = verify_files([folder])
    assert report.damaged == []
    assert report.mismatches == 0, "\n".join(report.summary_lines())
    lines = [line for path in folder.glob("traces/*.gz") for line in load(path)[1:]]
    for kind in SHARED_KINDS:
        assert report.compared[kind] >= len(lines) > 0
    assert report.compared["collision_times"] == sum(len(line["collision_times"]) for line in lines) > 0
    assert report.compared["result"] == 20
    assert report.compared["title"] == 50
    assert report.compared["sums"] == 46


# ---------------------------------------------------------------------------------------- one wrong field of each kind


def in_line(name, value, where=lambda line: True):
    def mutate(lines):
        line = next(line for line in lines[1:] if where(line))
        line[name] = value(line[name]) if callable(value) else value

    return mutate


def in_state(name):
    def mutate(lines):
        state = lines[5]["state"]
        state[name] = not state[name] if name == "done" else state[name] + 1

    return mutate


def in_header(*path_and_value):
    def mutate(lines):
        *path, name, value = path_and_value
        target = lines[0]
        for key in path:
            target = target[key]
        target[name] = value

    return mutate


def hit(line):
    return bool(line["collision_times"])


TRACE_FAULTS = {
    "n": in_line("n", 7),
    "player": in_line("player", 1),
    "input_before": in_line("input_before", "0 0 0 0 0 0"),
    "action": in_line("action", "EXPERT 19 0"),
    "hits": in_line("collision_times", [], hit),
    "collision_times": in_line("collision_times", lambda times: [times[0] + 1e-8], hit),
    "col_time": in_line("col_time", lambda time: time + 1e-8, hit),
    "terminal": in_line("terminal", True),
    "winner": in_line("winner", 0),
    "time": in_line("time", lambda time: time + 0.01, lambda line: line["time"] is not None),
    "h": in_line("eval", lambda values: {"h": values["h"] + 1e-8}),
    "initial_state": in_header("initial_state", "angle", 0),
    "init_input": in_header("config", "init_input", ["9"]),
    "checkpoints": in_header("config", "checkpoints", "10353 1986;2757 4659;3358 2839"),
}
STATE_FAULTS = {f"state {name}": in_state(name) for name in ("cp", "x", "y", "vx", "vy", "angle", "timer", "done")}


@pytest.mark.parametrize("fault", [*TRACE_FAULTS, *STATE_FAULTS])
def test_a_wrong_field_of_a_trace_is_caught(fault, tmp_path):
    lines = load(FINISHED)
    (TRACE_FAULTS | STATE_FAULTS)[fault](lines)
    report = verify_files([save(tmp_path / "play.jsonl", lines)])
    kind = fault.split()[0]
    assert report.wrong[kind] >= 1
    assert report.exit_code == 1
    if kind in ("n", "player", "collision_times", "col_time", "terminal", "winner", "time", "h", "init_input"):
        assert report.mismatches == 1


def test_after_a_wrong_state_every_turn_is_judged_separately(tmp_path):
    lines = load(FINISHED)
    in_state("vx")(lines)
    report = verify_files([save(tmp_path / "play.jsonl", lines)])
    # The state itself; then, since the replay continued from the wrong one, the next input and the state after it.
    assert {kind: n for kind, n in report.wrong.items() if kind != "h"} == {"state": 2, "input_before": 1}
    assert report.wrong["h"] <= 1


PERFT_FAULTS = ("sequences", "ended_earlier", "sums", "distinct_states")


@pytest.mark.parametrize("kind", PERFT_FAULTS)
def test_a_wrong_field_of_perft_is_caught(kind, tmp_path):
    data = load_whole(SELECTION / "perft.json")
    data["positions"] = data["positions"][:1]
    row = data["positions"][0]["depths"][1]
    row[kind] = [n + 1 for n in row[kind]] if kind == "sums" else row[kind] + 1
    (tmp_path / "perft.json").write_text(json.dumps(data))
    assert verify_files([tmp_path]).wrong == {kind: 1}


@pytest.mark.parametrize("kind", ["result", "state"])
def test_a_wrong_answer_is_caught(kind, tmp_path):
    data = load_whole(SELECTION / "illegal_search_race.json")
    case = data["cases"][0]
    if kind == "result":
        case["result"] = "lost (time 1000)"
    else:
        case["state"]["vy"] += 1
    (tmp_path / "answers.json").write_text(json.dumps(data))
    assert verify_files([tmp_path]).wrong == {kind: 1}


@pytest.mark.parametrize(
    "kind", ["title", "checkpoints", "laps", "total_checkpoints", "start_angle", "in_suggested_15"]
)
def test_a_wrong_test_case_is_caught(kind, tmp_path):
    data = load_whole(SELECTION / "testcases.json.gz")
    case = data["cases"][3]
    old = case[kind]
    case[kind] = {bool: lambda: not old, str: lambda: old + "!", int: lambda: old + 1, list: lambda: old[1:]}[
        type(old)
    ]()
    (tmp_path / "testcases.json").write_text(json.dumps(data))
    assert verify_files([tmp_path]).wrong == {kind: 1}


@pytest.mark.parametrize("kind", ["ids", "map_width", "map_height", "suggested_15"])
def test_wrong_facts_about_all_test_cases_are_caught(kind, tmp_path):
    data = load_whole(SELECTION / "testcases.json.gz")
    if kind == "ids":
        data["cases"].pop()
    else:
        data[kind] = data[kind][1:] if kind == "suggested_15" else data[kind] + 1
    (tmp_path / "testcases.json").write_text(json.dumps(data))
    assert verify_files([tmp_path]).wrong == {kind: 1}


# ------------------------------------------------------------------------------------------------------ bad files


def without(lines, name):
    del lines[1][name]


BAD_TRACES = {
    "a field missing": (lambda lines: without(lines, "state"), "'state'"),
    "turns after the end": (lambda lines: lines.append(lines[-1]), "race was over"),
    "no checkpoints": (in_header("config", "checkpoints", "1 2;x"), "'x y;x y;...'"),
    "one checkpoint": (in_header("config", "checkpoints", "1 2"), "2 to 1000 checkpoints"),
    "no laps": (in_header("config", "laps", 0), "laps"),
}


@pytest.mark.parametrize("name", BAD_TRACES)
def test_a_damaged_trace_gets_one_message(name, tmp_path):
    mutate, message = BAD_TRACES[name]
    lines = load(FINISHED)
    mutate(lines)
    result = verify_file(save(tmp_path / "play.jsonl", lines))
    assert message in result.damage
    assert "play.jsonl" in result.damage


def test_a_replay_of_a_whole_race_is_verified(tmp_path):
    lines = load(FINISHED)
    game = turnwise.make("search-race:track=test1")
    state = game.start()
    for line in lines[1:]:
        state = state.play(line["action"])
    replay = Replay(
        game="search-race",
        rules=game.rules_version,
        options={"track": "test1"},
        start=game.start().to_dict(),
        steps=[ReplayStep(action=line["action"], player=0) for line in lines[1:]],
        returns=state.returns,
    )
    path = tmp_path / "race.replay.json"
    path.write_text(replay.model_dump_json())
    assert verify_files([path]).ok
    path.write_text(replay.model_copy(update={"returns": (state.returns[0] + 0.01,)}).model_dump_json())
    assert verify_files([path]).wrong == {"returns": 1}
    assert -state.returns[0] == lines[-1]["time"] == 83.01
