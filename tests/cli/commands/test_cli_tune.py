"""``turnwise tune``."""

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
