"""Errors that no command expects."""

import os
import shlex
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from contextlib import closing

import pytest

from turnwise.core.errors import TurnwiseError


def failing(monkeypatch, error):
    """Let listing the games fail."""
    from turnwise.registry import Registry

    def names(self):
        raise error

    monkeypatch.setattr(Registry, "names", names)


def test_our_errors_are_one_message(cli, monkeypatch):
    failing(monkeypatch, TurnwiseError("expected [bold]this[/bold], got that."))
    shown = cli("games")
    shown.refused("expected [bold]this[/bold], got that.")  # messages are not markup


def test_a_bug_is_a_short_message_that_says_how_to_see_more(cli, monkeypatch):
    failing(monkeypatch, ZeroDivisionError("by nought"))
    shown = cli("games")
    assert shown.code == 70
    assert shown.err.count("\n") == 1
    assert "ZeroDivisionError: by nought" in shown.err
    assert "TURNWISE_DEBUG=1" in shown.err
    monkeypatch.setenv("TURNWISE_DEBUG", "1")
    shown = cli("games")
    assert shown.code == 70
    assert "Traceback" in shown.err


@pytest.mark.parametrize(
    ("error", "code", "part"),
    [
        (KeyboardInterrupt(), 130, "Interrupted"),
        (EOFError(), 2, "input ended"),
        (PermissionError(13, "Permission denied", "there.txt"), 2, "there.txt: cannot be read or written (Permission"),
        (MemoryError(), 70, "out of memory"),
        (RuntimeError("can't start new thread"), 70, "the system gives no further thread; use fewer threads"),
    ],
)
def test_other_ends(cli, monkeypatch, error, code, part):
    failing(monkeypatch, error)
    shown = cli("games")
    assert shown.code == code
    assert part in shown.err
    assert "Traceback" not in shown.err


def test_a_reader_that_goes_away_is_no_error(process):
    one = process("planners", "--json")
    one.stdout.close()
    one.stdout = None
    _, err = one.communicate(timeout=120)
    assert one.returncode == 1
    assert err == ""


def test_ctrl_c_in_a_process_of_its_own(process):
    """Ctrl-C while a game waits for input."""
    one = process("play", "hero-academy", "-p", "heuristic", "-b", "iterations=1")
    line = ""
    while "help, ?" not in line:
        line = one.stdout.readline()
        assert line, one.stderr.read()
    time.sleep(0.2)
    one.send_signal(signal.SIGINT)
    _, err = one.communicate(timeout=60)
    assert one.returncode == 130
    assert "Traceback" not in err


@pytest.mark.parametrize("module", ["turnwise.cli.run", "typer", "rich"])
def test_ctrl_c_while_the_program_itself_is_loaded(module):
    """Ctrl-C comes at the moment at which a module is looked up."""
    code = f"""
    import os, signal, sys

    class Interrupting:
        @staticmethod
        def find_spec(name, path=None, target=None):
            if name == {module!r}:
                os.kill(os.getpid(), signal.SIGINT)

    sys.meta_path.insert(0, Interrupting)
    sys.argv = ["turnwise", "games"]
    from turnwise.cli import main
    main()
    """
    ended = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=120)
    assert ended.returncode == 130
    assert "Traceback" not in ended.stderr
    assert "Interrupted" in ended.stderr


def test_little_is_loaded_before_ctrl_c_is_handled():
    code = "import sys; before = set(sys.modules); from turnwise.cli import main; print(*set(sys.modules) - before)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    loaded = set(ended.stdout.split())
    assert {name for name in loaded if name.split(".")[0] not in sys.stdlib_module_names} <= {
        "turnwise",
        "turnwise.cli",
        "turnwise.cli.ui",
        "turnwise.cli.ui.exit_codes",
        "turnwise.core",
        "turnwise.core.expression_player",
        "turnwise.search",
        "turnwise.search.presets",
        "lazy_loader",
    }
    assert not {"typing", "inspect", "dataclasses", "json", "pathlib"} & loaded


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("plan", "hero-academy", "--state", "-"), "standard input: empty"),
        (("contest", "samegame", "--planner", "random"), "ended before the referee's first line"),
        (("contest", "search-race", "--planner", "random"), "ended before the referee's first line"),
    ],
)
def test_a_closed_standard_input_is_an_empty_one(command, words):
    done = subprocess.run(
        [
            "/bin/sh",
            "-c",
            f"{shlex.join([sys.executable, '-c', 'from turnwise.cli import main; main()', *command])} <&-",
        ],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def shell(command, redirection, **environment):
    text = shlex.join([sys.executable, "-c", "from turnwise.cli import main; main()", *command])
    return subprocess.run(
        ["/bin/sh", "-c", f"{text} {redirection}"],
        capture_output=True,
        timeout=120,
        check=False,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize("command", [("games",), ("planners", "mcts", "--json")])
def test_a_closed_standard_output_is_named(command):
    done = shell(command, ">&-")
    assert done.returncode == 2
    assert b"standard output is closed" in done.stderr
    assert b"bug" not in done.stderr


def test_characters_that_the_output_cannot_show_are_replaced():
    done = shell(("games", "hero-academy"), "", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"?" in done.stdout
    done.stdout.decode("ascii")


def test_the_end_of_the_input_between_two_turns_is_reported(process):
    row = " ".join(["0", "0", *["1"] * 13])
    output, errors = process("contest", "samegame", "--planner", "random").communicate("\n".join([row] * 15) + "\n")
    assert len(output.splitlines()) == 1
    assert "1 answer" in errors
    assert "The input ended before the game was over." in errors


@pytest.fixture
def wrong_files(tmp_path):
    """Files and a folder that no command expects."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "prose").write_text("hello")
    (tmp_path / "object.json").write_text('{"a": 1}')
    with closing(sqlite3.connect(tmp_path / "other.sqlite")) as file, file:
        file.execute("CREATE TABLE holidays (day TEXT)")


RESULTS = {
    "folder": ("Is a directory", "expected a tournament's results file", "Check the path"),
    "nowhere": ("No such file", "expected a tournament's results file", "Check the path"),
    "empty": ("expected an SQLite file, got an empty file", "Give the results file"),
    "prose": ("expected an SQLite file, got text", "Give the results file"),
    "other.sqlite": ("an SQLite file, but not a tournament's results", "Check the name"),
}
RECORDED = {
    "folder": ("expected files ending in .json", "has none", "name the files"),
    "nowhere": ("there is no such file", "Check the path"),
    "empty": ("expected recorded play, got an empty file", "copy it again"),
    "prose": ("expected JSON, got 'hello'", "another kind", "check its name"),
    "object.json": ("expected recorded play", "got an object with the fields a"),
    "other.sqlite": ("expected recorded play or a replay as JSON, got an SQLite file", "'turnwise report'"),
}


@pytest.mark.parametrize("name", RESULTS)
@pytest.mark.parametrize("command", ["report", "export"])
def test_files_that_are_no_results_say_what_was_expected(cli, wrong_files, command, name):
    cli(command, name, "--out", "page").refused(name, *RESULTS[name])


def test_json_that_is_no_results_names_the_other_command(cli, wrong_files):
    cli("export", "object.json", "--out", "tables").refused("got JSON (of replays, 'turnwise report' makes pages)")
    cli("report", "object.json").refused("not a replay: 'game' is missing", "Expected a tournament's results")
    cli("tournament", "object.json").refused("expected a tournament in TOML", "not valid TOML")


def test_a_specification_and_its_results_are_not_mixed_up(cli, wrong_files, tmp_path):
    (tmp_path / "league.toml").write_text("name = 'League'\n")
    cli("report", "league.toml").refused("got the text of a specification", "its results are in league.sqlite, unless")
    for command in ("tournament", "tune"):
        cli(command, "other.sqlite").refused("not UTF-8 text", "This is an SQLite file, such as the results of a")


@pytest.mark.parametrize("name", RECORDED)
def test_verify_says_what_was_expected(cli, wrong_files, name):
    shown = cli("verify", name)
    assert shown.code == 2
    assert "Traceback" not in shown.err
    text = shown.out + shown.err
    assert all(part in text for part in RECORDED[name]), text


@pytest.mark.parametrize(
    ("command", "where"),
    [
        (("solve", "samegame", "--board", ""), "after '--board'"),
        (("solve", "samegame", "--board="), "after '--board'"),
        (("solve", "search-race", "--track", "  "), "after '--track'"),
        (("plan", "samegame", "--state", ""), "after '--state'"),
        (("plan", "samegame", "-p", ""), "after '-p'"),
        (("tournament", ""), "for an argument"),
        (("report", ""), "for an argument"),
        (("verify", ""), "for an argument"),
        (("",), "for an argument"),
    ],
)
def test_an_empty_value_is_refused_with_its_option(cli, command, where):
    cli(*command).refused(f"Expected a value {where}, got an empty one.", "Give a value, or leave the option out.")
