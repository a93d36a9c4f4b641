"""``perft``, ``verify``, ``stats``, ``bench``, ``warmup``, ``study``."""

import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import turnwise
from doubles.cli_samples import TINY


def test_perft(cli):
    facts = cli("perft", TINY, "--depth", 2, "--json").json
    assert set(facts) == {"game", "rules", "perft"}
    state = turnwise.make(TINY).start()
    second = [state.play(action).legal_codes() for action in state.legal_actions()]
    assert [row["sequences"] for row in facts["perft"]] == [len(second), sum(len(codes) for codes in second)]
    assert facts["perft"][0]["states"] <= facts["perft"][0]["sequences"]
    assert "distinct states" in cli("perft", TINY, "-d", 1).out


def test_perft_with_a_seed_of_chance(cli):
    counts = [tuple(r["states"] for r in cli("perft", TINY, "-d", 2, *more, "--json").json["perft"])
              for more in ((), ("--chance-seed", 3))]  # fmt: skip
    assert counts[0][0] == counts[1][0]
    assert "Chance follows from seed 3 and the state" in cli("perft", TINY, "-d", 1, "--chance-seed", 3).out


def test_whole_numbers_are_asked_for_in_plain_words(cli):
    cli("perft", TINY, "-d", "x").refused("expected a whole number. 'turnwise")
    cli("match", TINY, "random", "random", "-s", "1.5").refused("expected a whole number. 'turnwise")


def test_perft_says_when_there_are_too_many_states(cli):
    cli("perft", TINY, "-d", 2, "--max-states", 5).refused("5 states")


@pytest.fixture
def replay(cli, tmp_path):
    """A saved game."""
    assert cli("match", TINY, "random", "heuristic", "-b", "iterations=5", "-q", "--out", "game.json").code == 0
    return tmp_path / "game.json"


def test_verify_accepts_our_own_games_and_counts(cli, replay):
    shown = cli("verify", replay)
    assert shown.code == 0
    steps = len(json.loads(replay.read_text())["steps"])
    assert shown.out.splitlines()[-1] == f"1 file, {steps} steps, 0 mismatches"
    assert [line.split() for line in shown.out.splitlines()[-2:-1]] == [["start:", "1", "compared"]]
    assert shown.err == "Checked: 1 of 1 file\n"  # progress; results are on standard output
    facts = cli("verify", "*.json", "--json").json
    assert (facts["files"], facts["mismatches"]) == (1, 0)


def test_verify_finds_a_mismatch(cli, replay):
    data = json.loads(replay.read_text())
    data["steps"][0]["player"] = 1
    replay.write_text(json.dumps(data))
    shown = cli("verify", replay)
    assert shown.code == 1
    assert shown.out.splitlines()[-1].endswith(" 1 mismatch")


@pytest.mark.parametrize("kept", [0, 4, -1])
def test_verify_finds_that_steps_are_missing_at_the_end(cli, tmp_path, kept):
    replay = tmp_path / "game.json"
    assert cli("match", "samegame", "random", "-b", "iterations=1", "-q", "--out", replay).code == 0
    whole = cli("verify", replay, "--json").json
    assert (whole["compared"]["result"], whole["mismatches"]) == (1, 0)
    data = json.loads(replay.read_text())
    assert data["result"] == "won"
    data["steps"] = data["steps"][:kept]
    replay.write_text(json.dumps(data | {"returns": []}))
    assert cli("verify", replay, "--json").json["wrong"] == {"result": 1}
    replay.write_text(json.dumps(data))
    shown = cli("verify", replay)
    assert shown.code == 1
    assert cli("verify", replay, "--json").json["wrong"].keys() >= {"returns", "result"}


@pytest.mark.parametrize("ending", ["illegal action", "exception", "time overrun", "drawn by limit"])
def test_verify_accepts_games_that_the_arena_stopped(cli, replay, ending):
    data = json.loads(replay.read_text())
    data |= {"steps": data["steps"][:4], "result": ending, "returns": []}
    replay.write_text(json.dumps(data))
    shown = cli("verify", replay)
    assert shown.code == 0
    assert f"recorded as {ending}, not over after the last step" in shown.out
    replay.write_text(json.dumps(data | {"returns": [1.0, -1.0]}))
    assert cli("verify", replay, "--json").json["wrong"] == {"returns": 1}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"result": "nonsense"}, "expected result to be one of won, shared win"),
        ({"players": ["one"]}, "has 1 players; expected 2, one per seat, or none"),
        ({"returns": [1.0, 0.0, -1.0]}, "has 3 returns; expected 2, one per seat, or none"),
    ],
)
def test_verify_refuses_impossible_results_and_players(cli, replay, change, words):
    replay.write_text(json.dumps(json.loads(replay.read_text()) | change))
    shown = cli("verify", replay)
    assert shown.code == 2
    assert words in shown.out


def test_verify_says_which_files_are_damaged(cli, replay, tmp_path):
    (tmp_path / "cut.json").write_text(replay.read_text()[:200])
    shown = cli("verify", replay, "cut.json")
    assert shown.code == 2
    assert "cut.json" in shown.out
    assert "Traceback" not in shown.err
    cli("verify", "nowhere.json").refused("nowhere.json")


def test_stats(cli):
    command = ("stats", TINY, "-p", "heuristic", "-b", "iterations=5", "--games", 2, "--positions", 1)
    facts = cli(*command, "--json").json
    assert facts["games"] == 2
    assert facts["branching_pruned"] <= facts["branching"]
    assert {group["number"] for group in facts["by_action"]} >= {1, 2, 3}
    assert len(facts["turn_outcomes"]) == 1
    assert abs(sum(facts["endings"].values()) - 1) < 1e-9
    shown = cli(*command).out
    for part in ("The published figures are left out", "place in the turn", "after pruning"):
        assert part in shown
    assert (
        shown.index("after pruning") < shown.index("place in the turn") < shown.index(f"{TINY}, 2 games of heuristic")
    )
    assert "counted by hand" not in shown
    paper = ("stats", "hero-academy", "-p", "random", "-b", "iterations=1", "--games", 1, "--positions", 0)
    shown = cli(*paper).out
    for part in ("published", "60 (counted by hand in one game)", "Paper: section 2.4"):
        assert part in shown
    several = ("stats", TINY, "-p", "random", "-p", "heuristic", "-p", "greedy-action", "-b", "iterations=1")
    facts = cli(*several, "--positions", 0, "--json").json
    assert (facts["games"], facts["players"]) == (6, ["random", "heuristic", "greedy-action"])
    cli("stats", TINY, "-p", "heuristik").refused("'heuristic'")
    cli("stats", TINY, "-b", "lots").refused("lots")


def test_many_turns_are_grouped(cli):
    command = ("stats", "samegame:board=7", "-p", "random", "-b", "iterations=1", "--games", 2, "--positions", 0)
    facts = cli(*command, "--json").json
    assert [turn["number"] for turn in facts["by_turn"]] == list(range(1, len(facts["by_turn"]) + 1))
    assert len(facts["by_turn"]) > 50
    rows = [line.split() for line in cli(*command).out.splitlines()]
    classes = [row for row in rows if row[1:2] == ["to"]]
    assert 6 <= len(classes) <= 12
    assert classes[0][0] == "1"
    (whole,) = facts["by_action"]
    assert sum(int(row[3]) for row in classes) == whole["decisions"]
    weighted = sum(int(row[3]) * float(row[4]) for row in classes) / whole["decisions"]
    assert abs(weighted - whole["listed"]) < 0.1


def test_bench_prints_the_agreed_json(cli, tmp_path):
    lines = [json.dumps(turnwise.make(TINY).start(seed).to_dict()) for seed in range(2)]
    (tmp_path / "s.jsonl").write_text("\n".join(lines))
    shown = cli("bench", TINY, "--states", "s.jsonl", "--time", "0.15s", "--json")
    facts = shown.json
    assert set(facts) == {"game", "scenario", "machine", "calibration", "results"}
    assert re.match(r"Measuring: 8 figures in 2 of 2 states, about \d+ s if nothing else runs\n", shown.err), shown.err
    names = ["playout", "copy", "legal", "legal-pruned", "evaluate", "greedy-turn", "mcts", "online-evolution"]
    assert [row["name"] for row in facts["results"]] == names
    for number, name in enumerate(names, 1):
        assert f"\nMeasuring: {name} ({number} of 8)\n" in shown.err
    for row in facts["results"]:
        assert set(row) == {"name", "per_second", "low", "high", "relative", "relative_low", "relative_high"}
        assert row["relative"] > 0
        assert 0 < row["low"] <= row["per_second"] <= row["high"]


def test_bench_has_states_of_its_own():
    from turnwise.cli.ui.samples import sample_states

    assert len(sample_states(turnwise.make("hero-academy"), None)) == 10
    played = sample_states(turnwise.make(TINY), None)
    assert played
    assert not any(state.is_over for state in played)


def test_bench_refuses_bad_states(cli, tmp_path):
    (tmp_path / "s.jsonl").write_text('{"turn": 1}\n{"turn": 2}\n')
    cli("bench", TINY, "--states", "s.jsonl").refused("s.jsonl, line 1")


def test_warmup_has_nothing_to_do_the_second_time(cli):
    first = cli("warmup", "hero-academy")
    assert first.code == 0
    again = cli("warmup", "hero-academy")
    assert again.out == "Nothing to do: everything is compiled already.\n"
    assert again.err == ""
    cli("warmup", "hero").refused("'hero-academy'")


def test_compilation_is_reported(capsys):
    from turnwise.cli.ui.progress import compile_progress
    from turnwise.jit.cache import _listeners

    with compile_progress():
        for listener in _listeners:
            listener("turnwise.games.hero_academy.rules.play.apply")
            listener("the mcts planner")
    output = capsys.readouterr().err
    assert "translated to machine code" in output
    assert "takes up to a minute" in output
    assert "once per version" in output
    assert "compiling hero_academy.rules.play.apply" in output
    assert "Compiled: 2 functions" in output
    with compile_progress():
        pass
    assert capsys.readouterr().err == ""


def test_studies_are_listed_and_their_options_checked(cli):
    assert "oe-2016" in cli("study").out
    cli("study", "oe-2016", "--effort", "huge").refused("huge", "paper", "quick")
    cli("study", "oe-2016", "--reading", "mine").refused("mine", "as-published")
    cli("study", "oe-2016", "--games", "0").refused("--games", "expected a value greater")
    cli("study", "hybrids-2022", "--reading", "sound").refused("--reading", "only one reading")
    assert "Value error" not in cli("study", "oe-2016", "--reading", "mine").err


@pytest.mark.parametrize("command", [["solve", "samegame"], ["bench", TINY], ["study", "oe-2016", "--effort", "quick"]])
@pytest.mark.parametrize("option", ["--time", "-t"])
def test_a_time_without_a_unit_is_refused_with_both_meanings(cli, command, option):
    """Before, ``-t 20`` was 20 seconds in one command and 20 milliseconds in another."""
    cli(*command, option, 20).refused("--time: '20' has no unit; give 20s for seconds or 20ms for milliseconds.")
    invalid = cli(*command, option, "soon")
    invalid.refused("--time: 'soon' is not a time; expected for example 30ms or 6s.")


def test_warmup_is_refused_if_nothing_can_be_cached(cli, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr("turnwise.jit.cache.COMPILED", True)
    monkeypatch.setenv("TURNWISE_CACHE", str(tmp_path / "file" / "cache"))
    cli("warmup", "hero-academy").refused("cannot be cached", "not a directory", "Set TURNWISE_CACHE")
    monkeypatch.setattr("turnwise.jit.cache.COMPILED", False)
    cli("warmup", "hero-academy").refused("TURNWISE_COMPILE=0")


def test_warmup_compiles_what_verify_and_perft_need():
    """In a separate process, so that nothing has been loaded before."""
    code = """
    from turnwise.cli.commands.warmup import _check_once
    from turnwise.search import enumeration as layers
    from turnwise.games.hero_academy.recorded import reader as conformance
    from turnwise.testing.perft import expand
    _check_once("hero-academy:map=a-tiny")
    kernels = (expand, layers._expand, layers._insert_all, layers._sequences, conformance._best_value)
    print([bool(kernel.signatures) for kernel in kernels])
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    environment = {**os.environ, "TURNWISE_COMPILE": "1", "PYTHONPATH": str(Path(turnwise.__file__).parents[1])}
    finished = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
    assert finished.stdout.strip() == str(5 * [True]), finished.stderr
