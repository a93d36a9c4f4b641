"""``turnwise tune``."""

import json
import sqlite3
import sys
import tomllib
from contextlib import closing

import pytest

FILE = """
name = "dials"
games = "toy:turns=4"
planner = "dial"
opponents = ["plain"]
budget = "iterations=3"
evaluations = 10
runs = 2

[parameters]
dial = [0, 1, 2]
extra = [0.5, 1.0]
"""


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    """The toy game and its players, registered while a test runs."""
    monkeypatch.setattr(sys, "doubles_come_by_fixture", True, raising=False)
    from doubles.tuned import register_doubles

    register_doubles()


@pytest.fixture
def file(tmp_path):
    (tmp_path / "d.toml").write_text(FILE)
    return tmp_path / "d.toml"


def test_a_tuning_runs_and_continues(cli, file, tmp_path):
    first = cli("tune", "d.toml")
    assert first.code == 0, first.err
    assert "Best settings of dials" in first.out
    assert "of evaluations that the search did not see" in first.out
    assert "10 evaluations in d.sqlite" in first.out
    assert "Played: 20 of 20 games; Best: dial=" in first.err
    again = cli("tune", "d.toml", "--json")
    assert again.json["evaluations"] == 10
    assert again.json["points"] == 6
    assert set(again.json["best"]) == {"dial", "extra"}
    assert again.json["fitness"]["low"] <= again.json["fitness"]["estimate"] <= again.json["fitness"]["high"]
    assert again.json["is_chosen"] is True


def test_report_and_preset(cli, file, tmp_path):
    pytest.importorskip("matplotlib")
    done = cli("tune", "d.toml", "--out", "r.sqlite", "--report", "page.html", "--write-preset", "tuned-toy")
    assert done.code == 0, done.err
    assert "turnwise tune d.toml --out r.sqlite" in (tmp_path / "page.html").read_text()
    preset = tomllib.loads((tmp_path / "tuned-toy.toml").read_text())["dial"]["tuned-toy"]
    assert preset == cli("tune", "d.toml", "--out", "r.sqlite", "--json").json["best"]
    cli("tune", "d.toml", "--report", "page.html").refused("already exists", "--force")
    assert cli("tune", "d.toml", "--report", "page.html", "--force").code == 0


def test_files_that_are_read_are_not_overwritten(cli, file, tmp_path):
    before = file.read_bytes()
    cli("tune", "d.toml", "--out", "d.toml").refused("cannot be the output")
    cli("tune", "d.toml", "--report", "d.toml", "--force").refused("cannot be the output")
    cli("tune", "d.toml", "--report", "d.sqlite-wal", "--force").refused("cannot be the output")
    cli("tune", "d.toml", "--write-preset", "d", "--force").refused("cannot be the output")
    assert file.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["d.toml"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["none.toml"], "none.toml"),
        (["d.toml", "--out", "folder/x.sqlite"], "there is no folder"),
        (["d.toml", "--write-preset", "a b"], "letters, digits and dashes"),
        (["d.toml", "--scheduler", "here"], "not the address"),
        (["d.toml", "--report", "folder/x.html"], "there is no folder"),
    ],
)
def test_faults_are_explained(cli, file, arguments, words):
    cli("tune", *arguments).refused(words)


def test_a_fault_in_the_file_is_explained(cli, tmp_path):
    (tmp_path / "bad.toml").write_text(FILE.replace("[0, 1, 2]", "{ from = 3, to = 1 }"))
    cli("tune", "bad.toml").refused("bad.toml", "dial", "from < to")


def test_faults_that_only_games_and_planners_know_name_the_file(cli, file, tmp_path):
    (tmp_path / "bad.toml").write_text(FILE.replace("extra =", "exta ="))
    cli("tune", "bad.toml").refused("bad.toml: Planner dial has no parameter 'exta'; did you mean 'extra'?")
    (tmp_path / "bad.toml").write_text(FILE.replace("evaluations = 10", "evaluations = 1"))
    cli("tune", "bad.toml").refused("bad.toml: evaluations = 1", "expected more evaluations or fewer runs")
    assert not (tmp_path / "bad.sqlite").exists()


def test_damaged_results_are_played_again(cli, file, tmp_path):
    first = cli("tune", "d.toml", "--json").json
    with closing(sqlite3.connect(tmp_path / "d.sqlite")) as connection, connection:
        connection.execute("UPDATE samples SET fitness = 1 - fitness WHERE trial = 'run 0, 1' AND number = 0")
    cli("tune", "d.toml").refused("1 result is damaged (of 'run 0, 1'", "--retry-damaged")
    again = cli("tune", "d.toml", "--retry-damaged", "--json")
    assert again.json == first
    assert "19 results kept; 1 damaged one will be played again" in " ".join(again.err.split())
    assert (tmp_path / "d.sqlite.damaged").exists()


def test_a_resumed_tuning_does_not_tell_stored_games_again(cli, file, tmp_path):
    assert cli("tune", "d.toml").code == 0
    file.write_text(FILE.replace("evaluations = 10", "evaluations = 20"))
    err = cli("tune", "d.toml").err
    assert "Played: 40 of 40 games" in err
    told = [int(line.split()[1]) for line in err.splitlines() if line.startswith("Played: ")]
    assert min(told) > 16  # of the first 20 games those of the choice are played again, with other points


def test_a_written_preset_is_used_by_other_commands(cli, file, tmp_path):
    done = cli("tune", "d.toml", "--write-preset", "mine")
    assert "turnwise --presets mine.toml COMMAND" in done.out
    assert "dial:preset=mine" in done.out
    best = cli("tune", "d.toml", "--json").json["best"]
    shown = cli("--presets", "mine.toml", "planners", "dial", "--json").json
    assert shown["presets"]["mine"] == best
    (tmp_path / "t.toml").write_text(
        "games = 'toy:turns=4'\nplayers = ['dial:preset=mine', 'plain']\nbudget = 'iterations=1'\ngames_per_pair = 2\n"
    )
    played = cli("--presets", "mine.toml", "tournament", "t.toml")
    assert played.code == 0, played.err
    with closing(sqlite3.connect(tmp_path / "t.sqlite")) as connection:
        stored = json.loads(connection.execute("SELECT value FROM meta WHERE name = 'spec'").fetchone()[0])
    assert all("preset" not in text for text in stored["players"].values())
    cli("tournament", "t.toml").refused("no preset 'mine'")  # an earlier command's presets are forgotten
    assert "mine" in cli("planners", "dial", "--presets", "mine.toml").out  # an option of every command, anywhere


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", ["there is no preset in it", "[PLANNER.PRESET]"]),
        ("[dail.mine]\ndial = 1\n", ["p.toml", "'dail'", "did you mean 'dial'"]),
        ("[dial.mine]\ndial = 10\n", ["p.toml: [dial.mine]", "dial = 10"]),
        ("[dial.mine]\ndail = 1\n", ["p.toml", "dail"]),
        ("[dial]\ndial = 1\n", ["p.toml", "expected a table of parameters"]),
        ("[recommended]\nplaying = 'dial'\n[dial.mine]\ndial = 1\n", ["expected presets only"]),
        ("[recommended]\nsolving = 'dial'\n[dial.mine]\ndial = 1\n", ["expected presets only"]),
        ("[mcts.as-published]\nexploration = 1\n", ["declared twice", "p.toml"]),
        ("dial mine", ["p.toml"]),
    ],
)
def test_faults_of_a_file_of_presets_are_explained(cli, tmp_path, content, words):
    (tmp_path / "p.toml").write_text(content)
    cli("--presets", "p.toml", "planners").refused(*words)


def test_a_missing_file_of_presets_is_named(cli):
    cli("--presets", "none.toml", "planners").refused("none.toml")


def test_forfeited_games_are_in_the_final_result(cli, file, monkeypatch):
    from doubles import tuned

    def fail(self, state, budget, seed=0):
        raise ValueError("no such dial")

    monkeypatch.setattr(tuned.Dial, "plan", fail)
    done = cli("tune", "d.toml")
    assert "20 of 20 games were forfeited" in " ".join(done.err.split())
    again = cli("tune", "d.toml", "--json")
    assert again.json["forfeited"] == 20
