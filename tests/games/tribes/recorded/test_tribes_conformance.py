"""Recorded play of the original game passes, and a wrong field of any kind is caught."""

import gzip
import json

import pytest

import turnwise
from doubles.recorded_play import collections, selection
from turnwise.games.tribes.recorded.engine import differences, list_difference
from turnwise.games.tribes.recorded.java import JavaRandom
from turnwise.replay import Replay, ReplayStep
from turnwise.testing.recorded.verification import verify_file, verify_files

SELECTION = selection("tribes")
PLAYED = SELECTION / "traces" / "play_0059.jsonl.gz"  # the rule-based agent against the random one
COPIED = SELECTION / "traces" / "fm_0002.jsonl.gz"  # the copy that a player gets
EVERY_STEP = (
    *("n", "player", "legal_count", "legal_sha", "order_sha", "is_legal", "chance"),
    *("state_sha", "terminal", "winner", "row"),
)


def load(path):
    if path.suffix != ".gz":
        return [json.loads(path.read_text())]
    with gzip.open(path, "rt") as file:
        return [json.loads(line) for line in file]


@pytest.mark.timeout(1200)  # more than a minute on an idle machine
@pytest.mark.parametrize("folder", collections("tribes"))
def test_everything_recorded_agrees(folder):
    # Every fourth trace of a whole collection: all of them take three minutes (turnwise verify FOLDER).
    paths = sorted(folder.glob("traces/*.gz"))[:: 1 if folder == SELECTION else 4]
    report = verify_files([*paths, folder / "perft.json", folder / "levels.jsonl.gz"])
    assert report.damaged == []
    assert report.notes == []
    assert report.mismatches == 0, "\n".join(report.summary_lines())
    traces = [load(path) for path in paths]
    steps = [line for lines in traces for line in lines[1:]]
    positions = json.loads((folder / "perft.json").read_text())["positions"]
    for kind in EVERY_STEP:
        assert report.compared[kind] == len(steps) + (len(positions) if kind == "state_sha" else 0)
    for kind in ("legal", "state"):
        assert report.compared[kind] == sum(kind in step for step in steps)
    for kind in ("simple", "diff", "entropy", "diff_from_root"):
        assert report.compared[kind] == sum(len(step.get("eval", {}).get(kind, [])) for step in steps)
    for agent in ("simple", "random"):
        decisions = sum(
            step["player"] < len(agents) and agents[step["player"]] == agent
            for lines in traces
            for agents in [lines[0]["config"].get("agents", [])]
            for step in lines[1:]
        )
        assert report.compared[f"decision of {agent}"] == decisions > 0
    assert report.compared["copy"] == sum("native_state" in lines[0] for lines in traces)
    assert report.compared["level"] == len(load(folder / "levels.jsonl.gz"))
    for kind in ("sequences", "distinct_states", "kinds"):
        assert report.compared[kind] == sum(len(position[kind]) for position in positions)


def changed(tmp_path, path, change):
    """The report about a copy of a file in which a function has changed the lines."""
    lines = load(path)
    change(lines)
    target = tmp_path / path.name.removesuffix(".gz")
    target.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return verify_file(target)


def other_digest(name):
    return lambda lines: line_with_state(lines).update({name: "0" * 16})


def line_with_state(lines):
    """A line in the midst of the game that has a state and values."""
    return next(line for line in lines[4:] if "state" in line and "eval" in line)


def other_value(name):
    return lambda lines: line_with_state(lines)["eval"][name].__setitem__(0, 0.5)


CHANGES = {
    "n": lambda lines: line_with_state(lines).update(n=99),
    "player": lambda lines: line_with_state(lines).update(player=7),
    "legal": lambda lines: line_with_state(lines)["legal"].pop(),
    "legal_count": lambda lines: line_with_state(lines).update(legal_count=99),
    "legal_sha": other_digest("legal_sha"),
    "order_sha": other_digest("order_sha"),
    "state_sha": other_digest("state_sha"),
    "chance": lambda lines: line_with_state(lines).update(chance=[[2, 1]]),
    "terminal": lambda lines: line_with_state(lines).update(terminal=True),
    "winner": lambda lines: line_with_state(lines).update(winner=1),
    **{name: other_value(name) for name in ("simple", "diff", "entropy")},
}


@pytest.mark.parametrize("kind", CHANGES)
def test_a_wrong_field_is_caught(tmp_path, kind):
    result = changed(tmp_path, PLAYED, CHANGES[kind])
    assert set(result.tally.wrong) == {kind}
    lines = load(PLAYED)
    assert f"line {lines.index(line_with_state(lines)) + 1}" in result.tally.first.where


WIDER_CHANGES = {
    "state": lambda lines: line_with_state(lines)["state"]["tribes"][0].update(stars=99),
    "start": lambda lines: lines[0]["config"]["map"].__setitem__(0, lines[0]["config"]["map"][0].replace("d", "s")),
    "decision of simple": lambda lines: lines[0]["config"].update(agents=["simple", "simple"]),
    "decision of random": lambda lines: lines[0]["config"].update(agent_seed=7),
    "initial state": lambda lines: lines[0]["initial_state"]["cities"][0].update(need=9),
}


@pytest.mark.parametrize("kind", WIDER_CHANGES)
def test_a_wrong_field_on_which_others_depend_is_caught(tmp_path, kind):
    assert kind in changed(tmp_path, PLAYED, WIDER_CHANGES[kind]).tally.wrong


@pytest.mark.parametrize("kind", ["copy", "diff_from_root"])
def test_a_wrong_field_of_a_copy_is_caught(tmp_path, kind):
    def change(lines):
        if kind == "copy":
            lines[0]["native_state"]["tribes"][0]["stars"] = 99
        else:
            lines[2]["eval"][kind][0] = 0.5

    assert set(changed(tmp_path, COPIED, change).tally.wrong) == {kind}


def test_after_a_wrong_state_the_next_recorded_one_counts(tmp_path):
    lines = load(PLAYED)
    number = next(n for n, line in enumerate(lines) if n > 4 and "state" not in line)
    further = next(n for n, line in enumerate(lines) if n > number and "state" in line) - number
    result = changed(tmp_path, PLAYED, lambda lines: lines[number].update(action="end"))
    assert result.tally.steps == len(lines) - 1 - further  # up to the recorded state
    assert f"{further} steps between a wrong state and the next recorded one" in result.tally.notes[0]
    assert set(result.tally.wrong) <= {"state_sha", "decision of simple", "decision of random"}
    assert result.tally.wrong["state_sha"] == 1


def test_an_action_that_cannot_be_read_is_a_difference(tmp_path):
    result = changed(tmp_path, COPIED, lambda lines: lines[3].update(action="fly u2 3,4"))
    assert set(result.tally.wrong) == {"action"}
    assert "is not an action of Tribes" in result.tally.first.got


@pytest.mark.parametrize(
    ("file", "change", "kind"),
    [
        ("levels.jsonl.gz", lambda lines: lines[0].update(seed=lines[0]["seed"] + 1), "level"),
        ("perft.json", lambda lines: lines[0]["positions"][0]["sequences"].__setitem__(1, 65), "sequences"),
        ("perft.json", lambda lines: lines[0]["positions"][0]["distinct_states"].__setitem__(1, 46), "distinct_states"),
        ("perft.json", lambda lines: lines[0]["positions"][0]["kinds"][0].update(end=2), "kinds"),
        ("perft.json", lambda lines: lines[0]["positions"][0].update(state_sha=""), "state_sha"),
        ("perft.json", lambda lines: lines[0]["positions"][0]["state"].update(tick=-1), "position"),
    ],
)
def test_wrong_levels_and_counts_are_caught(tmp_path, file, change, kind):
    def change_little(lines):
        if file == "perft.json":
            del lines[0]["positions"][1:]
            for name in ("sequences", "distinct_states", "kinds"):
                del lines[0]["positions"][0][name][2:]
        del lines[1:]
        change(lines)

    assert set(changed(tmp_path, SELECTION / file, change_little).tally.wrong) == {kind}


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: lines[0]["config"].update(mode="peace"),
        lambda lines: lines[0]["config"]["map"].pop(),
        lambda lines: lines[0].pop("config"),
        lambda lines: lines[3].pop("legal_sha"),
        lambda lines: lines[3].update(winner="nobody"),
        lambda lines: lines[0]["config"].update(agents="simple"),
    ],
)
def test_damaged_recordings_are_named(tmp_path, change):
    result = changed(tmp_path, PLAYED, change)
    assert PLAYED.name.removesuffix(".gz") in result.damage


def test_differences_are_shown_by_their_place():
    old = {"tick": 1, "rows": ["ab", "cd"], "units": [{"id": 2, "hp": 3}, {"id": 5, "hp": 1}]}
    new = {"tick": 1, "rows": ["ab", "cx"], "units": [{"id": 2, "hp": 4}, {"id": 6, "hp": 1}]}
    theirs, ours = differences(old, new)
    assert theirs == {"rows[1]": "cd", "units[id 2].hp": 3, "units[id 5]": {"id": 5, "hp": 1}, "units[id 6]": None}
    assert ours == {"rows[1]": "cx", "units[id 2].hp": 4, "units[id 5]": None, "units[id 6]": {"id": 6, "hp": 1}}
    assert differences(old, old) == ({}, {})
    assert list_difference(["a", "b"], ["b", "c"]) == ({"only here": ["a"]}, {"only here": ["c"]})


def test_javas_random_numbers():
    rng = JavaRandom(42)
    assert [rng.below(10) for _ in range(6)] == [0, 3, 8, 4, 0, 5]
    assert [JavaRandom(42).below(16), JavaRandom(-1).below(1)] == [11, 0]


def test_levels_of_another_form_are_damaged(tmp_path):
    with gzip.open(SELECTION / "levels.jsonl.gz", "rt") as file:
        line = json.loads(file.readline())
    line["lines"][0] = "x"
    path = tmp_path / "levels.jsonl"
    path.write_text(json.dumps(line))
    assert "expected a generated level" in verify_file(path).damage


def test_texts_of_our_own_replays_are_read_in_the_state_of_their_action(tmp_path):
    """After ``capture u2 village`` the unit stands on a city: the text would have another meaning there."""
    rows = [[".:"] * 8 for _ in range(8)]
    rows[2][2], rows[2][4], rows[6][6] = "c:0", "v:", "c:1"
    state = turnwise.make("tribes", level=[",".join(row) for row in rows]).start()
    start, steps = state, []
    for action in ("move u2 2,3", "end", "end", "move u2 2,4", "end", "end", "capture u2 village"):
        after = state.play(action)
        steps.append(ReplayStep(action=action, player=state.to_move, outcomes=after.outcomes))
        state = after
    options = start.game.options.model_dump(mode="json", exclude_defaults=True)
    replay = Replay(game="tribes", rules="1", options=options, start=start.to_dict(), players=(), steps=tuple(steps))
    path = tmp_path / "own.replay.json"
    path.write_text(replay.model_dump_json())
    report = verify_files([path])
    assert (report.damaged, report.mismatches, report.steps) == ([], 0, len(steps))
