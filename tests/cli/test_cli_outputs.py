"""No command overwrites a file that it reads, under any name."""

import os
import shutil
import sqlite3
from contextlib import closing

import pytest

from doubles.cli_samples import TINY

SPEC = f"""
games = "{TINY}"
players = ["heuristic", "random"]
budget = "iterations=5"
games_per_pair = 2
"""


@pytest.fixture
def league(cli, tmp_path):
    """A finished tournament."""
    (tmp_path / "t.toml").write_text(SPEC)
    assert cli("tournament", "t.toml").code == 0
    return tmp_path / "t.sqlite"


@pytest.fixture
def refused(cli, tmp_path):
    """Check that a command is refused and the folder is unchanged."""

    def look():
        return {file: file.read_bytes() for file in sorted(tmp_path.rglob("*")) if file.is_file()}

    def call(*arguments):
        before = look()
        cli(*arguments).refused("cannot be the output", "Choose another name")
        assert look() == before

    return call


def spellings(path):
    """Other names of a file in the current folder."""
    here = path.parent
    (here / "soft").symlink_to(path.name)
    os.link(path, here / "hard")
    (here / "loop").symlink_to(here)
    (here / "deep").mkdir()
    return [path, path.name, f"./{path.name}", f"deep/../{path.name}", f"loop/{path.name}", "soft", "loop/soft", "hard"]


def test_a_report_does_not_replace_its_results(refused, league):
    for name in spellings(league):
        refused("report", league, "--out", name, "--force")
        refused("report", name, "--out", "t.sqlite", "--force")
    for end in ("-wal", "-shm", "-journal", ".lock"):
        refused("report", "t.sqlite", "--out", f"loop/t.sqlite{end}", "--force")
        refused("report", "soft", "--out", f"t.sqlite{end}", "--force")
    shutil.copy(league, "page.html")
    refused("report", "page.html", "--force")  # the default name


def test_a_report_does_not_replace_its_replay(cli, refused, tmp_path):
    assert cli("solve", "samegame", "--board", 7, "-p", "random", "-b", "iterations=1", "--out", "r.json").code == 0
    for name in spellings(tmp_path / "r.json"):
        refused("report", "r.json", "--out", name, "--force")


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_tables_do_not_replace_the_results(cli, refused, league, form):
    if form == "parquet":
        pytest.importorskip("pyarrow")
    for name in ("games", "seats"):
        os.makedirs(f"{name}-in", exist_ok=True)
        shutil.copy(league, f"{name}-in/{name}.{form}")
        refused("export", f"{name}-in/{name}.{form}", "-f", form, "--out", f"{name}-in", "--force")
        refused("export", f"{name}-in/../{name}-in/{name}.{form}", "-f", form, "--out", f"{name}-in", "--force")
        os.makedirs(f"{name}-link")
        os.symlink(league, f"{name}-link/{name}.{form}")
        refused("export", league, "-f", form, "--out", f"{name}-link", "--force")
    refused("export", "t.sqlite", "-f", form, "--out", "t.sqlite-wal")
    assert cli("export", "t.sqlite", "-f", form, "--out", ".").code == 0  # the results' own folder is allowed
    with closing(sqlite3.connect(league)) as file:
        assert file.execute("SELECT COUNT(*) FROM games").fetchone() == (2,)


def test_results_do_not_replace_their_tournament(refused, tmp_path):
    (tmp_path / "t.toml").write_text(SPEC)
    for name in spellings(tmp_path / "t.toml"):
        refused("tournament", "t.toml", "--out", name)
        refused("tournament", name, "--out", "t.toml")
    for end in (".lock", "-wal", "-journal", "-shm"):
        shutil.copy("t.toml", f"r.sqlite{end}")
        refused("tournament", f"r.sqlite{end}", "--out", "r.sqlite")
    shutil.copy("t.toml", "same.sqlite")
    refused("tournament", "same.sqlite")


def test_a_found_game_does_not_replace_its_board(refused, tmp_path):
    (tmp_path / "board.txt").write_text("001\n110\n")
    (tmp_path / "track.txt").write_text("1000 1000\n5000 5000\n9000 2000\n")
    for name in spellings(tmp_path / "board.txt"):
        refused("solve", "samegame", "--board", "board.txt", "--out", name, "--force")
    refused("solve", "search-race", "--track", "track.txt", "--out", "./track.txt", "--force")


def test_a_game_does_not_replace_the_state_it_began_with(cli, refused, tmp_path):
    from turnwise.registry import make

    (tmp_path / "s.json").write_text(make("samegame:board=7").start(1).to_json() + "\n")
    for name in spellings(tmp_path / "s.json"):
        refused("solve", "--state", "s.json", "--out", name, "--force")
        refused("solve", "--state", "s.json:1", "--out", name, "--force")
    (tmp_path / "t.json").write_text(make(TINY).start(1).to_json() + "\n")
    refused("play", TINY, "--state", "t.json", "--out", "loop/t.json", "--force")


def test_a_game_does_not_replace_the_module_that_it_needs(refused, tmp_path):
    (tmp_path / "outputs_own.py").write_text("")
    refused("--import", "outputs_own", "match", TINY, "random", "random", "--out", "outputs_own.py", "--force")


def test_the_report_of_a_study_does_not_replace_its_results(refused, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "table-sound.sqlite").write_bytes(b"games")
    os.link(tmp_path / "out" / "table-sound.sqlite", tmp_path / "out" / "report.html")
    refused("study", "oe-2016", "--out", "out")


def test_a_pipe_is_no_output(cli, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    cli("match", TINY, "random", "random", "--out", "pipe", "--force").refused("pipe is a device or pipe")
    assert (tmp_path / "pipe").is_fifo()


def test_a_folder_that_is_not_writable_is_refused_in_one_line(cli, tmp_path, league, monkeypatch):
    (tmp_path / "locked").mkdir()
    may = os.access
    monkeypatch.setattr(
        os, "access", lambda path, mode: not ("locked" in str(path) and mode & os.W_OK) and may(path, mode)
    )
    for option, command in (
        ("--out", ["tournament", "t.toml", "--out", "locked/t.sqlite"]),
        ("--out", ["study", "oe-2016", "--games", "2", "--out", "locked"]),
        ("Choose another place", ["report", "t.sqlite", "--out", "locked/t.html"]),
        ("Choose another place", ["export", "t.sqlite", "--out", "locked"]),
    ):
        cli(*command).refused(f"cannot write in the folder {tmp_path / 'locked'} (Permission denied)", option)
    assert list((tmp_path / "locked").iterdir()) == []
